//! Which functions of a file a thread of its own runs, and which others use the same things meanwhile.

use crate::facts::{Facts, ScopeId, StmtId};

/// The functions that run in threads, each with what started the thread.
pub(super) struct Sides {
    inside: Vec<ScopeId>,
}

impl Sides {
    /// The targets of the file's threads, and what they call in it.
    pub(super) fn new(facts: &Facts) -> Sides {
        let targets = facts.handovers().iter().map(|handover| handover.function);
        let bodies = facts
            .scope_ids()
            .filter(|&scope| facts.scope_name(scope) == Some("run") && facts.is_thread_body(scope));
        let mut todo: Vec<ScopeId> = targets.chain(bodies).collect();
        let mut inside: Vec<ScopeId> = Vec::new();
        while let Some(function) = todo.pop().map(|function| facts.canonical(function)) {
            if inside.contains(&function) || inside.len() > 64 {
                continue;
            }
            inside.push(function);
            let called = facts.calls_of(function);
            todo.extend(called.filter_map(|call| facts.callee_scope(&call)));
        }
        Sides { inside }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.inside.is_empty()
    }

    /// Whether a statement runs in one of the threads.
    pub(super) fn holds(&self, facts: &Facts, stmt: StmtId) -> bool {
        facts
            .function_of(facts.stmt(stmt).scope)
            .is_some_and(|function| self.inside.contains(&facts.canonical(function)))
    }

    /// Whether a statement runs beside the threads: neither in one, nor before they are there, nor after they were joined.
    pub(super) fn is_beside(&self, facts: &Facts, stmt: StmtId) -> bool {
        let Some(function) = facts.function_of(facts.stmt(stmt).scope) else {
            return false;
        };
        let name = facts.scope_name(function).unwrap_or("");
        let ends = [
            "close",
            "stop",
            "shutdown",
            "terminate",
            "reset",
            "setup",
            "join",
            "clear",
        ];
        let is_late = ends.contains(&name.trim_matches('_'));
        let is_special = matches!(
            name,
            "__init__" | "__new__" | "__del__" | "__repr__" | "__post_init__"
        );
        !is_special
            && !is_late
            && !facts.builds(function)
            && !self.holds(facts, stmt)
            && !waits_before(facts, function, stmt)
    }
}

/// The function has waited for its threads by then.
fn waits_before(facts: &Facts, function: ScopeId, stmt: StmtId) -> bool {
    let at = facts.stmt(stmt).span.start;
    let mut calls = facts.calls_of(function);
    calls.any(|call| {
        let waits = matches!(
            call.name(),
            "join" | "wait" | "shutdown" | "as_completed" | "result" | "gather" | "map"
        );
        waits && call.span().start < at && call.callee() != "os.path.join"
    })
}
