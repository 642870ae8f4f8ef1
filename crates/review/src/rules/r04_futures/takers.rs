//! Loops that take items out of a queue: whether they begin at all, and what they were told before.

use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, ScopeId, StmtId, StmtKind};

/// A loop that takes items, itself or by a function that it calls for each.
pub(super) struct Taker {
    pub(super) outer: StmtId,
    pub(super) get: ExprId,
}

/// The loops of the file that take out of a queue.
pub(super) fn of(facts: &Facts, queue: ExprId) -> Vec<Taker> {
    gets(facts, queue)
        .into_iter()
        .filter_map(|get| {
            let outer = facts
                .innermost_loop(get.stmt())
                .or_else(|| step_of(facts, &get))?;
            Some(Taker { outer, get: get.id })
        })
        .collect()
}

/// The function that the thread of a field runs.
pub(super) fn run_by(facts: &Facts, thread: ExprId) -> Option<ScopeId> {
    let field = facts.holder_of(thread)?;
    let mut made = facts.made().iter();
    let made = made.find(|made| facts.field_of(made).as_ref() == Some(&field))?;
    facts.thread_target(&facts.call(made.call)?)
}

/// Whether a function that a thread of the file runs takes out of the queue, other than the one that has ended.
pub(super) fn of_threads(facts: &Facts, queue: ExprId, ended: Option<ScopeId>) -> bool {
    let ended = ended.map(|function| facts.canonical(function));
    let runs = |function: ScopeId| {
        facts.is_thread_body(function) && Some(facts.canonical(function)) != ended
    };
    gets(facts, queue).into_iter().any(|get| {
        let function = facts.function_of(get.scope());
        let callers = function
            .into_iter()
            .flat_map(|function| facts.calls_to(function));
        let mut above = callers.filter_map(|call| facts.function_of(call.scope()));
        function.is_some_and(runs) || above.any(runs)
    })
}

fn gets<'f>(facts: &'f Facts, queue: ExprId) -> Vec<Call<'f>> {
    let name = facts.dotted(queue);
    let class = |id: ExprId| {
        let is_field = facts.self_attribute(id).is_some();
        is_field.then(|| facts.class_of(facts.expr(id).scope))
    };
    let of_queue = |call: &Call<'_>| {
        let of = call.receiver();
        of.and_then(|of| facts.dotted(of)) == name && of.and_then(class) == class(queue)
    };
    let methods = ["get", "get_nowait"].into_iter();
    let calls = methods.flat_map(|method| facts.calls_named(method));
    calls
        .filter(|call| name.is_some() && of_queue(call))
        .collect()
}

/// The loop of the function that calls this one for each step.
fn step_of(facts: &Facts, get: &Call<'_>) -> Option<StmtId> {
    let function = facts.function_of(get.scope())?;
    let mut loops = facts
        .calls_to(function)
        .filter_map(|call| facts.innermost_loop(call.stmt()));
    loops.next()
}

impl Taker {
    /// `closed = True`, and `while not closed:` right behind it.
    pub(super) fn never_begins(&self, facts: &Facts) -> bool {
        let StmtKind::While { test, .. } = facts.stmt(self.outer).kind else {
            return false;
        };
        let (name, wanted) = match facts.expr(test).kind {
            ExprKind::Not(inner) => (inner, false),
            _ => (test, true),
        };
        let Some(text) = facts.name(name) else {
            return false;
        };
        let block = facts.block_of(self.outer);
        let before = block.iter().rev().filter(|&&stmt| stmt < self.outer);
        let value = before
            .map(|&stmt| value_given(facts, stmt, text))
            .find(Option::is_some);
        let is_rebound = facts
            .bindings_behind(name)
            .iter()
            .any(|binding| !matches!(binding.kind, BindingKind::Value { .. }));
        let truth = value.flatten().map(|value| &facts.expr(value).kind);
        !is_rebound
            && matches!(
                (truth, wanted),
                (Some(ExprKind::True), false) | (Some(ExprKind::False), true)
            )
    }

    /// A flag was set before the wait that this loop asks for, without asking whether the queue is empty, and nothing behind
    /// the loop takes what is left.
    pub(super) fn was_told(&self, facts: &Facts, wait: &Call<'_>, queue: ExprId) -> bool {
        let flags: Vec<String> = facts
            .statements_of(wait.scope())
            .filter(|&stmt| facts.always_before(stmt, wait.stmt()))
            .filter_map(|stmt| flag_set(facts, stmt))
            .collect();
        let asks = |test: ExprId| {
            let names = |id: ExprId| facts.dotted(id);
            let mut parts = facts.within(test).filter_map(names);
            let of_queue = facts
                .within(test)
                .filter_map(names)
                .any(|name| Some(name) == facts.dotted(queue));
            !of_queue && parts.any(|name| flags.contains(&name))
        };
        let leaves = |&stmt: &StmtId| match &facts.stmt(stmt).kind {
            StmtKind::If { test, body, .. } => facts.always_leaves(body) && asks(*test),
            _ => false,
        };
        let told = match &facts.stmt(self.outer).kind {
            StmtKind::While { test, body, .. } => asks(*test) || body.iter().any(leaves),
            _ => false,
        };
        told && !self.is_emptied_later(facts, queue)
    }

    fn is_emptied_later(&self, facts: &Facts, queue: ExprId) -> bool {
        let end = facts.stmt(self.outer).span.end;
        let scope = facts.stmt(self.outer).scope;
        let name = facts.dotted(queue);
        facts.calls_of(scope).any(|call| {
            let deals = facts.within(call.id).any(|id| facts.dotted(id) == name);
            call.span().start >= end && deals
        })
    }
}

fn value_given(facts: &Facts, stmt: StmtId, name: &str) -> Option<ExprId> {
    match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, value, .. } => {
            let mut targets = targets.iter();
            let is_it = targets.any(|&target| facts.name(target) == Some(name));
            value.filter(|_| is_it)
        }
        _ => None,
    }
}

/// `self._ending.set()` or `self._running = False`: the event or the field.
fn flag_set(facts: &Facts, stmt: StmtId) -> Option<String> {
    match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } if matches!(facts.expr(*value).kind, ExprKind::True | ExprKind::False) => {
            facts.dotted(*targets.first()?)
        }
        StmtKind::Expr(top) => {
            let call = facts
                .call(*top)
                .filter(|call| call.method() == Some("set") && call.args.is_empty())?;
            facts.dotted(call.receiver()?)
        }
        _ => None,
    }
}
