//! Waits for the event loop of the very thread that waits.

use super::Facts;
use super::calls::Call;
use super::hir::*;

impl Facts {
    /// The `run_coroutine_threadsafe(...)` whose result a call waits for.
    pub(crate) fn scheduled_by<'f>(&'f self, call: &Call<'_>) -> Option<Call<'f>> {
        self.values(call.receiver()?)
            .into_iter()
            .filter_map(|value| self.call(value))
            .find(|made| made.is(&["asyncio.run_coroutine_threadsafe"]))
    }

    /// Whether all that an expression can be is the loop that its thread asked for: `get_running_loop()`.
    pub(crate) fn is_asked_loop(&self, target: ExprId) -> bool {
        let asks = |value: ExprId| {
            self.call(value).is_some_and(|made| {
                made.is(&["asyncio.get_running_loop", "asyncio.get_event_loop"])
            })
        };
        let values = self.values(target);
        !values.is_empty() && values.into_iter().all(asks)
    }

    /// `loop = get_event_loop()` in a plain function gives the loop of the very thread that then waits for the result:
    /// either it runs and is blocked, or nobody runs it. No timeout mends that.
    pub(crate) fn waits_for_own_loop(&self, call: &Call<'_>) -> bool {
        let target = self
            .scheduled_by(call)
            .and_then(|scheduled| scheduled.arg(1, "loop"));
        let asked_here = |target: ExprId| {
            let mut values = self.values(target).into_iter();
            self.is_asked_loop(target) && values.all(|value| self.expr(value).scope == call.scope())
        };
        !self.is_async(call.scope()) && target.is_some_and(asked_here)
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    #[track_caller]
    fn check(text: &str, waits: bool) {
        let facts = facts_of(text);
        let call = facts.calls_named("result").next().expect("a wait");
        assert_eq!(facts.waits_for_own_loop(&call), waits, "{text}");
    }

    #[test]
    fn the_loop_that_a_plain_function_asks_for_is_its_own() {
        check(
            "import asyncio\ndef f(c):\n    loop = asyncio.get_event_loop()\n    done = asyncio.run_coroutine_threadsafe(c, loop)\n    return done.result()\n",
            true,
        );
    }

    #[test]
    fn a_loop_that_was_kept_may_run_in_another_thread() {
        check(
            "import asyncio\nclass A:\n    def __init__(self):\n        self._loop = asyncio.get_running_loop()\n    def f(self, c):\n        return asyncio.run_coroutine_threadsafe(c, self._loop).result()\n",
            false,
        );
        check(
            "import asyncio\nasync def g(c):\n    loop = asyncio.get_running_loop()\n    def f():\n        return asyncio.run_coroutine_threadsafe(c, loop).result()\n    await asyncio.to_thread(f)\n",
            false,
        );
    }
}
