//! A path is asked for, then a lock is waited for, and what was missing is made without asking again.

use crate::facts::{
    Call, ExprId, ExprKind, Facts, Held, Kind, Part, Proof, ScopeId, StmtId, StmtKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "made-after-waiting",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "A path is asked for before its lock, and made anew under the lock without asking again.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for held in cx.facts.held() {
        if let Some(found) = stale(cx.facts, held) {
            let verdict = HitVerdict::sure_if(found.replaces && held.lock.proof == Proof::Proven);
            let anchor = Anchor::call(&found.act);
            let words = word(cx.facts, &found);
            let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(verdict), words);
            let asked = cx.facts.stmt(found.asked).head;
            hit.causes.extend([asked, held.span]);
            out.hits
                .push(hit.with_related(asked, "asked for here, before the lock"));
        }
    }
}

/// What is done under the lock for a path that was missing before it.
struct Stale<'f> {
    act: Call<'f>,
    path: ExprId,
    asked: StmtId,
    /// The callee is shown, and removes what is at the path.
    replaces: bool,
}

/// `if not path.exists():` around a lock for that path, under which a function is given it.
fn stale<'f>(facts: &'f Facts, held: &'f Held) -> Option<Stale<'f>> {
    if held.lock.kind != Kind::FileLock {
        return None;
    }
    let (asked, path) = missing_before(facts, held)?;
    let inside = || held.body.iter().flat_map(|&stmt| facts.calls_in(stmt));
    if inside().any(|call| asks_again(facts, &call, path)) {
        return None;
    }
    let (act, replaces) = inside().find_map(|call| Some((call, makes(facts, &call, path)?)))?;
    Some(Stale {
        act,
        path,
        asked,
        replaces,
    })
}

/// The `if` around the lock whose test finds the path missing, and the path; the lock is named after it.
fn missing_before(facts: &Facts, held: &Held) -> Option<(StmtId, ExprId)> {
    let behind = facts.names_behind(held.lock.expr);
    facts.ancestors(held.stmt).find_map(|around| {
        let StmtKind::If { test, .. } = facts.stmt(around.stmt).kind else {
            return None;
        };
        let ExprKind::Not(inner) = facts.expr(test).kind else {
            return None;
        };
        let path = facts.asked_path(&facts.call(inner)?)?;
        let name = facts.name(path)?;
        let is_its_lock = behind.iter().any(|known| known == name);
        (around.part == Part::Body && is_its_lock).then_some((around.stmt, path))
    })
}

fn asks_again(facts: &Facts, call: &Call<'_>, path: ExprId) -> bool {
    let asks = |asked: Option<ExprId>| asked.is_some_and(|of| facts.is_same_path(of, path));
    let says = topic::has_word(call.name(), "exists exist cached valid ready");
    asks(facts.asked_path(call)) || says
}

/// A call that is given the path: whether its function is shown to remove what is there. One that asks itself, or that
/// only puts the complete thing in place, does no harm.
fn makes(facts: &Facts, call: &Call<'_>, path: ExprId) -> Option<bool> {
    let mut args = call.args.iter().map(|arg| arg.value);
    let is_given = args.any(|arg| facts.is_same_path(arg, path));
    if !is_given
        || call
            .receiver()
            .is_some_and(|of| facts.is_same_path(of, path))
    {
        return None;
    }
    match facts.callee_scope(call) {
        Some(function) => {
            let calls = || facts.calls_of(function);
            let asks = calls().any(|inner| facts.asked_path(&inner).is_some());
            let removes = removes_parameter(facts, function);
            (!asks && removes).then_some(true)
        }
        None => says_making(call.name()).then_some(false),
    }
}

fn removes_parameter(facts: &Facts, function: ScopeId) -> bool {
    let mut calls = facts.calls_of(function);
    calls.any(|call| {
        facts
            .deletion(call)
            .is_some_and(|deletion| facts.parameter(deletion.path).is_some())
    })
}

fn says_making(name: &str) -> bool {
    topic::has_word(
        name,
        "install build compile convert export prepare unpack extract populate \
         create make",
    )
}

fn word(facts: &Facts, found: &Stale<'_>) -> Words {
    let path = facts.expr_text(found.path);
    let name = found.act.name();
    Words::new(
        format!(
            "`{path}` is asked for before the lock, and `{name}` makes it anew under the lock."
        ),
        "Each worker that waited for the lock repeats the work, and replaces what the first one has made while others use it.",
        format!(
            "Ask again for `{path}` as the first thing under the lock, and leave it where it is there by now."
        ),
    )
}
