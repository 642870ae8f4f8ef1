//! Daemon threads that do nothing to anybody: they look something up now and then, print or log it, and sleep.

use crate::facts::{Call, Endless, ExprId, ExprKind, Facts, Made, ScopeId, StmtId, StmtKind};

/// Whether a thread is a daemon whose loop sleeps, is given nothing, and changes nothing that others see.
pub(super) fn is_idler(facts: &Facts, made: &Made, endless: Endless) -> bool {
    let Some(call) = facts.call(made.call) else {
        return false;
    };
    let is_daemon = call
        .keyword("daemon")
        .is_some_and(|value| matches!(facts.expr(value).kind, ExprKind::True));
    let is_given = call.keyword("args").is_some() || call.keyword("kwargs").is_some();
    let sleeps = facts
        .statements_in(&[endless.stmt])
        .into_iter()
        .flat_map(|stmt| facts.calls_in(stmt))
        .any(|call| call.name() == "sleep");
    let target = facts.thread_target(&call);
    is_daemon
        && !is_given
        && sleeps
        && target.is_some_and(|target| touches_nothing(facts, target, 2))
}

/// A function of the module, no method and no closure, that stores nothing outside of its locals.
fn touches_nothing(facts: &Facts, function: ScopeId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let parent = facts.scope(function).parent;
    let of_module = parent.is_some_and(|parent| facts.function_of(parent).is_none())
        && facts.class_of(function).is_none();
    let stores = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::Global(_) | StmtKind::Delete(_) => true,
        StmtKind::Assign { targets, .. } => targets.iter().any(|&target| is_shared(facts, target)),
        _ => false,
    };
    let calls_out = |call: Call<'_>| match facts.callee_scope(&call) {
        Some(inner) => inner == function || !touches_nothing(facts, inner, depth),
        None => call
            .receiver()
            .is_some_and(|of| acts_on_shared(facts, &call, of)),
    };
    of_module
        && facts.is_visible(function)
        && !facts.statements_of(function).any(stores)
        && !facts.calls_of(function).any(calls_out)
}

fn is_shared(facts: &Facts, target: ExprId) -> bool {
    !matches!(facts.expr(target).kind, ExprKind::Name | ExprKind::Tuple(_))
        || facts.reach(target).is_process_wide()
}

/// A method of something that the module keeps; a logger's is none that changes it.
fn acts_on_shared(facts: &Facts, call: &Call<'_>, of: ExprId) -> bool {
    let imported = facts.imported_root(of).is_some();
    let logs = facts
        .last_name(of)
        .is_some_and(|name| topic::says(name, "log") || topic::says(name, "logger"));
    let reads = matches!(
        call.method(),
        Some("get" | "json" | "is_set" | "wait" | "format")
    );
    facts.reach(of).is_process_wide() && !imported && !logs && !reads
}
