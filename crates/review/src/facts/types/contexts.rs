//! What a context of `multiprocessing` makes: `context = get_context("spawn")`, and `context.Process(...)` later.

use crate::facts::Facts;
use crate::facts::calls::Call;
use crate::facts::hir::*;

/// Methods of a context that stand for the class or function of that name in the module.
const MAKERS: &[&str] = &[
    "Process",
    "Pool",
    "Queue",
    "JoinableQueue",
    "SimpleQueue",
    "Pipe",
    "Lock",
    "RLock",
    "Event",
    "Condition",
    "Semaphore",
    "BoundedSemaphore",
    "Barrier",
];

impl Facts {
    /// The dotted name of what a context's method makes.
    pub(super) fn made_by_context(&self, call: &Call<'_>) -> Option<String> {
        let maker = call.method().filter(|maker| MAKERS.contains(maker))?;
        let context = call.receiver()?;
        let is_context = self.values(context).into_iter().any(|value| {
            let made = self.call(value);
            made.is_some_and(|made| made.name() == "get_context")
        });
        (is_context || self.is_context_by_name(call, context))
            .then(|| format!("multiprocessing.{maker}"))
    }

    /// `self._ctx.Process(target=work)`, where the context's making is not shown.
    fn is_context_by_name(&self, call: &Call<'_>, context: ExprId) -> bool {
        let last = self
            .last_name(context)
            .and_then(|name| topic::words(name).last());
        let says = last.is_some_and(|last| matches!(&*last, "ctx" | "context"));
        says && call.name() == "Process" && call.keyword("target").is_some()
    }
}
