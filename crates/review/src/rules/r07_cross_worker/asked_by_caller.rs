//! A caller asks for a path, and the function that it calls acts on it under a lock without asking again.

use crate::facts::{Call, ExprId, Facts, Held, Kind, StmtId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "asked-before-lock",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "A path is asked for by the caller, before the lock, and replaced under the lock without asking again.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for held in cx.facts.held() {
        if matches!(held.lock.kind, Kind::FileLock | Kind::DistributedLock)
            && let Some(found) = stale(cx.facts, held)
        {
            report(cx, held, &found, out);
        }
    }
}

/// What is done under the lock, and where its path was asked for.
struct Stale<'f> {
    act: Call<'f>,
    path: ExprId,
    asked: StmtId,
}

fn stale<'f>(facts: &'f Facts, held: &'f Held) -> Option<Stale<'f>> {
    let under = || held.body.iter().flat_map(|&stmt| facts.calls_in(stmt));
    let (act, path) = under().find_map(|call| Some((call, replaced(facts, &call)?)))?;
    let asks_again = under().any(|call| asks_presence(facts, &call, path));
    let (function, param) = facts.parameter(path)?;
    let name = facts.text(param.name);
    let mut calls = facts.calls_to(function).peekable();
    calls.peek()?;
    let asked: Option<Vec<StmtId>> = calls
        .map(|call| {
            let given = facts.argument_for(&call, function, name)?;
            asked_and_left(facts, &call, given)
        })
        .collect();
    let asked = asked.filter(|_| !asks_again)?.first().copied()?;
    Some(Stale { act, path, asked })
}

/// The path that a call removes or links: what the lock is there for.
fn replaced(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    if let Some(deletion) = facts.deletion(*call) {
        return Some(deletion.path);
    }
    if call.is(&["os.symlink", "os.link"]) {
        return call.arg(1, "dst");
    }
    let links = matches!(call.method(), Some("symlink_to" | "hardlink_to"));
    call.receiver().filter(|_| links)
}

/// That a link is there says nothing of what it leads to.
fn asks_presence(facts: &Facts, call: &Call<'_>, path: ExprId) -> bool {
    let of_link = matches!(call.name(), "islink" | "is_symlink" | "lexists");
    let reads = matches!(call.name(), "readlink" | "samefile" | "stat" | "getsize");
    let asked = match facts.asked_path(call) {
        Some(asked) if !of_link => Some(asked),
        _ if reads => call.positional(0).or_else(|| call.receiver()),
        _ => None,
    };
    asked.is_some_and(|asked| facts.is_same_path(asked, path))
}

/// The test by which the caller leaves where the path is there, or stays where it is not.
fn asked_and_left(facts: &Facts, call: &Call<'_>, given: ExprId) -> Option<StmtId> {
    let asks = |stmt: StmtId| {
        let mut calls = facts.calls_in(stmt);
        calls.any(|call| asks_presence(facts, &call, given))
    };
    let leaves = |stmt: StmtId| {
        let blocks = facts.blocks(stmt);
        blocks
            .first()
            .is_some_and(|(_, body)| facts.always_leaves(body))
    };
    let around: Vec<StmtId> = facts
        .ancestors(call.stmt())
        .map(|around| around.stmt)
        .collect();
    let before = std::iter::once(call.stmt())
        .chain(around.iter().copied())
        .flat_map(|at| {
            let block = facts.block_of(at).iter().copied();
            block
                .take_while(move |&stmt| stmt != at)
                .filter(|&stmt| leaves(stmt))
        });
    before
        .chain(around.iter().copied())
        .find(|&stmt| asks(stmt))
}

fn report(cx: &Context<'_>, held: &Held, found: &Stale<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let anchor = Anchor {
        stmt: held.stmt,
        span: held.span,
    };
    let words = word(facts, found);
    let verdict = cx.where_shared(HitVerdict::Look);
    let asked = facts.stmt(found.asked).head;
    let mut hit = Hit::new(&CHECK, anchor, verdict, words)
        .with_related(asked, "asked for here, before the lock")
        .with_related(found.act.span(), "and replaced here");
    hit.causes.extend([asked, found.act.span()]);
    out.hits.push(hit);
}

fn word(facts: &Facts, found: &Stale<'_>) -> Words {
    let path = facts.expr_text(found.path);
    Words::new(
        format!("`{path}` is asked for before the lock is taken, and not again under it."),
        "A worker that waited for the lock does not see that the one before it has finished: it removes what is valid by now and makes it anew, while others read it.",
        format!(
            "Can several workers wait here for the same `{path}`? Ask for it as the first thing under the lock, and leave it alone if it is there."
        ),
    )
}
