//! R4: waits for futures.

use crate::model::{KeyFile, ReferencePull, RuleCard};
use report::Severity;

pub(super) const CARD: RuleCard = RuleCard {
    number: 4,
    id: "R4",
    severity: Severity::Block,
    title: "Waits for a future on a request, dispatch or stream path have a limit",
    what: "On a path that serves requests, dispatches work or handles frames, `result()` is called with a timeout, \
           and the timeout is the shared setting. Values that may hold futures go through the shared resolver.",
    why: "If the work behind the future stalls, as a hung GPU makes it, the waiting thread never comes back. \
         Nothing is logged and nothing fails; the pipeline just stands still until somebody restarts it.",
    asks: "Can the work behind this wait stall?",
    settled_if: "the work is known to be done here, or something else limits the wait",
    safe: &[
        "The future has already finished: it came out of `as_completed` or `wait`, after `done()`, or in a done callback.",
        "A one-off wait while the process starts, with a limit of its own.",
        "`await` on a coroutine under `asyncio.wait_for`.",
        "Tests, benchmarks and development scripts.",
        "A `result` that belongs to something other than a future.",
    ],
    bad: r#"from concurrent.futures import ThreadPoolExecutor


class StepDispatcher:
    def __init__(self, pool: ThreadPoolExecutor, steps):
        self._pool = pool
        self._steps = steps

    def dispatch(self, image):
        futures = [self._pool.submit(step.run, image) for step in self._steps]
        return [future.result() for future in futures]
"#,
    good: r#"from concurrent.futures import ThreadPoolExecutor

from inference.core.env import WORKFLOWS_ASYNC_FUTURE_RESULT_TIMEOUT


class StepDispatcher:
    def __init__(self, pool: ThreadPoolExecutor, steps):
        self._pool = pool
        self._steps = steps

    def dispatch(self, image):
        futures = [self._pool.submit(step.run, image) for step in self._steps]
        return [
            future.result(timeout=WORKFLOWS_ASYNC_FUTURE_RESULT_TIMEOUT)
            for future in futures
        ]
"#,
    key_files: &[
        KeyFile {
            path: "inference/core/workflows/execution_engine/v1/executor/utils.py",
            shows: "`resolve_futures` and `contains_future`: nested values, one limit, one error for the caller.",
        },
        KeyFile {
            path: "inference/core/interfaces/stream/inference_pipeline.py",
            shows: "A stream that resolves its results through the helper and with the shared limit.",
        },
    ],
    references: &[
        ReferencePull {
            number: 2489,
            title: "Stream results are waited for with the shared limit",
            checks: &[],
        },
        ReferencePull {
            number: 2486,
            title: "A stalled GPU must not hang the waiting pipeline",
            checks: &[],
        },
    ],
};
