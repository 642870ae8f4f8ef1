//! A context manager made from a generator that cleans up only when its body succeeds.

use super::undoing::undoes;
use super::{opened, streams};
use crate::facts::{Call, ExprId, ExprKind, Facts, Handler, ScopeId, ScopeKind, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "yield-without-finally",
    rule: 9,
    severity: Severity::Flag,
    references: &[],
    summary: "A generator context manager does not guard its `yield`, so its clean-up is skipped when the body raises.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for function in cx.facts.scope_ids().filter(|&scope| {
        is_context_manager(cx.facts, scope) || may_be_context_manager(cx.facts, scope)
    }) {
        for stmt in cx.facts.statements_of(function) {
            if cx.facts.yields(stmt) {
                judge(cx, stmt, out);
            }
        }
    }
    for stmt in cx.facts.stmt_ids() {
        if lends(cx.facts, stmt) {
            judge(cx, stmt, out);
        }
    }
    streams::detect(cx, out);
}

/// `yield session` and then `session.close()` in a plain generator: what a framework enters like a context manager.
fn lends(facts: &Facts, stmt: StmtId) -> bool {
    let scope = facts.stmt(stmt).scope;
    let StmtKind::Expr(value) = facts.stmt(stmt).kind else {
        return false;
    };
    if !matches!(facts.expr(value).kind, ExprKind::Yield)
        || facts.in_loop(stmt)
        || is_context_manager(facts, scope)
    {
        return false;
    }
    let lent = facts.within(value).find_map(|id| facts.name(id));
    let closed_later = facts.calls_of(scope).any(|call| {
        let of_lent = call
            .receiver()
            .is_some_and(|receiver| facts.name(receiver) == lent);
        call.stmt() > stmt && of_lent && call.ends_receiver()
    });
    let yields = facts
        .statements_of(scope)
        .filter(|&other| facts.yields(other));
    lent.is_some() && closed_later && yields.count() == 1
}

pub(super) fn is_context_manager(facts: &Facts, scope: ScopeId) -> bool {
    facts.decorators(scope).iter().any(|&decorator| {
        matches!(
            facts.last_name(decorator),
            Some("contextmanager" | "asynccontextmanager")
        )
    })
}

/// A function whose decorators are not shown, with one `yield` that stands in no loop. What waits for a coroutine takes
/// its result (`page = yield fetch(url)`) or calls it on the spot, and what yields while it handles an error tells a story.
fn may_be_context_manager(facts: &Facts, scope: ScopeId) -> bool {
    let is_hidden =
        facts.scope(scope).kind == ScopeKind::Function && facts.may_have_hidden_decorators(scope);
    let mut yields = facts
        .statements_of(scope)
        .filter(|&stmt| facts.stmt(stmt).scope == scope && facts.yields(stmt));
    let only = yields
        .next()
        .filter(|_| is_hidden && yields.next().is_none());
    only.is_some_and(|stmt| {
        !facts.in_loop(stmt)
            && lends_nothing_called(facts, stmt)
            && !facts.in_finally(stmt)
            && facts.enclosing_handler(stmt).is_none()
    })
}

/// `yield` alone or `yield session`, as a statement.
fn lends_nothing_called(facts: &Facts, stmt: StmtId) -> bool {
    let StmtKind::Expr(value) = facts.stmt(stmt).kind else {
        return false;
    };
    let is_call = |id: ExprId| facts.expr(id).parent == Some(value) && facts.call(id).is_some();
    matches!(facts.expr(value).kind, ExprKind::Yield) && !facts.within(value).any(is_call)
}

fn judge(cx: &Context<'_>, stmt: StmtId, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.finally_blocks(stmt).next().is_some() {
        out.evidence(
            9,
            facts.stmt(stmt).head,
            "the `yield` is guarded by a `finally`",
        );
        return;
    }
    let Some(cleanup) = cleanup_after(facts, stmt) else {
        return;
    };
    if facts
        .handlers_around(stmt)
        .any(|handler| facts.catches_all(handler) && comes_to(facts, handler, cleanup))
    {
        return;
    }
    let scope = facts.stmt(stmt).scope;
    let verdict =
        HitVerdict::sure_if(facts.sees_enclosure(stmt) && is_context_manager(facts, scope));
    let verdict = match is_lifespan(facts, scope) {
        true if leaves_traces(facts, cleanup) => HitVerdict::Look,
        true => HitVerdict::Excused(
            "The server enters it once, and its process ends behind the `yield`.".to_string(),
        ),
        false => opened::unless_cold(cx, verdict),
    };
    let words = match is_context_manager(facts, scope) {
        true => word(),
        false => word_of_generator(),
    };
    let hit = Hit::new(&CHECK, Anchor::stmt(facts, stmt), verdict, words);
    let mut hit = hit.with_related(facts.stmt(cleanup).head, "skipped then");
    hit.causes.push(facts.stmt(cleanup).head);
    out.hits.push(hit);
}

/// `lifespan(app: FastAPI)`: what a web framework enters for as long as the server runs.
fn is_lifespan(facts: &Facts, scope: ScopeId) -> bool {
    let named = facts
        .scope_name(scope)
        .is_some_and(|name| topic::says(name, "lifespan"));
    let of_app = facts.scope(scope).params.iter().any(|param| {
        let annotation = param.annotation.and_then(|kind| facts.last_name(kind));
        matches!(
            annotation,
            Some("FastAPI" | "Starlette" | "Litestar" | "Quart")
        )
    });
    named || of_app
}

/// A clean-up of what outlives the process: files, an entry in somebody else's registry.
fn leaves_traces(facts: &Facts, cleanup: StmtId) -> bool {
    let scope = facts.stmt(cleanup).scope;
    let behind = facts.statements_of(scope).filter(|&stmt| stmt >= cleanup);
    let removes = |call: Call<'_>| {
        topic::has_word(
            call.name(),
            "rmtree unlink rmdir delete deregister unregister",
        ) || call.is(&["os.remove"])
    };
    behind.flat_map(|stmt| facts.calls_in(stmt)).any(removes)
}

/// A handler that goes on to the clean-up behind it, or that cleans up itself before it raises again.
fn comes_to(facts: &Facts, handler: &Handler, cleanup: StmtId) -> bool {
    let undone: Vec<String> = facts
        .calls_in(cleanup)
        .map(|call| facts.expr_text(call.function).to_owned())
        .collect();
    let inside = facts.statements_in(&handler.body);
    let same = |stmt: StmtId| {
        let mut calls = facts.calls_in(stmt);
        calls.any(|call| {
            undone
                .iter()
                .any(|text| text == facts.expr_text(call.function))
        })
    };
    undone.is_empty() || !facts.always_leaves(&handler.body) || inside.into_iter().any(same)
}

/// The first statement behind the `yield` that undoes something and that is reached from there.
fn cleanup_after(facts: &Facts, stmt: StmtId) -> Option<StmtId> {
    let own = facts.statements_in(facts.following(stmt));
    let ends = |after: &StmtId| undoes(facts, *after) || takes_off(facts, stmt, *after);
    if facts.always_leaves(facts.following(stmt)) {
        return own.into_iter().find(ends);
    }
    let around = facts
        .ancestors(stmt)
        .flat_map(|around| facts.following(around.stmt));
    let around: Vec<StmtId> = around.copied().collect();
    own.into_iter()
        .chain(facts.statements_in(&around))
        .find(ends)
}

/// `os.replace(file.name, target)` behind the `yield` of a temporary file that stays by itself.
fn takes_off(facts: &Facts, stmt: StmtId, after: StmtId) -> bool {
    let scope = facts.stmt(stmt).scope;
    let temps = facts.made().iter().filter(|made| {
        made.resource.is_path() && made.stmt < stmt && facts.stmt(made.stmt).scope == scope
    });
    let mut holders = temps.filter_map(|made| Some((made.holder()?, made.resource)));
    holders.any(|(holder, resource)| {
        let closings = facts.closings(holder, resource);
        // A handler that removes it leaves the rest to success.
        let handles = |at: StmtId| facts.enclosing_handler(at).is_some();
        closings.iter().any(|closing| closing.stmt == after)
            && !closings.iter().any(|closing| handles(closing.stmt))
    })
}

fn word() -> Words {
    Words::new(
        "What stands behind this `yield` runs only when the body of the `with` succeeds.",
        "An exception in the body is raised at the `yield` and leaves the generator there, so what was set up stays set up.",
        "Put the `yield` into a `try`, and what follows it into its `finally`.",
    )
}

/// A generator that is not seen to be a context manager: a framework's dependency, a fixture, or a stream.
pub(super) fn word_of_generator() -> Words {
    Words::new(
        "What stands behind this `yield` runs only when whoever takes the value comes back without an error.",
        "If an error is thrown in here, or the generator is closed or dropped at the `yield`, what was set up stays set up.",
        "Put the `yield` into a `try`, and what follows it into its `finally`.",
    )
}
