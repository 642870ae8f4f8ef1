//! A path is asked for before its lock is taken, by the function or by its callers, and made under it without asking again.

mod acted_after;
mod by_state;

use crate::facts::{Call, ExprId, Facts, Held, Kind, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "asked-before-lock",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "A path is asked for before the lock on it is taken, and made or replaced under the lock without asking again.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    acted_after::detect(cx, out);
    by_state::detect(cx, out);
    for held in cx.facts.held() {
        if matches!(held.lock.kind, Kind::FileLock | Kind::DistributedLock)
            && let Some(found) = stale(cx.facts, held).or_else(|| stale_here(cx.facts, held))
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

/// The same within one function that leaves early where the path is there: what is made under the lock was missing before it.
/// An `if` around the lock is judged by `made-after-waiting`.
fn stale_here<'f>(facts: &'f Facts, held: &'f Held) -> Option<Stale<'f>> {
    let under: Vec<Call<'_>> = held
        .body
        .iter()
        .flat_map(|&stmt| facts.calls_in(stmt))
        .collect();
    let (asked, path) = left_by(facts, held.stmt).into_iter().find_map(|stmt| {
        Some((
            stmt,
            facts
                .calls_in(stmt)
                .find_map(|call| presence_of(facts, &call))?,
        ))
    })?;
    let settles = |call: &Call<'_>| {
        asks_presence(facts, call, path) || asks_inside(facts, call) || has_own_check(facts, call)
    };
    if under.iter().any(settles) {
        return None;
    }
    let act = under.into_iter().find(|call| makes(facts, call, path))?;
    Some(Stale { act, path, asked })
}

/// The path whose presence a call asks for.
fn presence_of(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let of_link = matches!(call.name(), "islink" | "is_symlink" | "lexists");
    facts.asked_path(call).filter(|_| !of_link)
}

/// A helper that asks itself, by what it does or by its name.
fn asks_inside(facts: &Facts, call: &Call<'_>) -> bool {
    let by_name = topic::has_word(
        call.name(),
        "exists exist cached valid verify missing ensure",
    );
    let by_body = facts.callee_scope(call).is_some_and(|function| {
        facts
            .calls_of(function)
            .any(|inner| facts.asked_path(&inner).is_some())
    });
    by_name || by_body
}

/// Removals and downloads are judged by `check-then-act`.
fn has_own_check(facts: &Facts, call: &Call<'_>) -> bool {
    facts.deletion(*call).is_some() || topic::has_word(call.name(), "download fetch")
}

/// A call that writes the path, or is given it by a verb that makes things.
fn makes(facts: &Facts, call: &Call<'_>, path: ExprId) -> bool {
    let of_it = |id: ExprId| facts.is_same_path(id, path);
    let writes = facts
        .writes()
        .any(|write| write.call.id == call.id && of_it(write.path));
    let given = call.args.iter().any(|arg| of_it(arg.value));
    writes || (given && topic::words(call.name()).any(|word| MAKES.contains(&&*word)))
}

const MAKES: &[&str] = &[
    "build", "clone", "compile", "convert", "copy", "create", "dump", "export", "extract",
    "generate", "install", "make", "render", "save", "unpack", "write",
];

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
    tests_before(facts, call.stmt())
        .into_iter()
        .find(|&stmt| asks(stmt))
}

/// The tests that a statement comes behind, where they lead away, and those that it stands in.
fn tests_before(facts: &Facts, stmt: StmtId) -> Vec<StmtId> {
    let is_test = |stmt: &StmtId| matches!(facts.stmt(*stmt).kind, StmtKind::If { .. });
    let around = facts.ancestors(stmt).map(|around| around.stmt);
    let mut tests = left_by(facts, stmt);
    tests.extend(around.filter(is_test));
    tests
}

/// The tests before a statement whose outcome can be that the statement is not reached.
fn left_by(facts: &Facts, stmt: StmtId) -> Vec<StmtId> {
    let leaves = |stmt: &StmtId| match &facts.stmt(*stmt).kind {
        StmtKind::If { body, .. } => facts.always_leaves(body),
        _ => false,
    };
    let around = facts.ancestors(stmt).map(|around| around.stmt);
    std::iter::once(stmt)
        .chain(around)
        .flat_map(|at| {
            let block = facts.block_of(at).iter().copied();
            block.take_while(move |&other| other != at).filter(leaves)
        })
        .collect()
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
