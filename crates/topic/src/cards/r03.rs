//! R3: executors and threads.

use crate::model::{KeyFile, ReferencePull, RuleCard};
use report::Severity;

pub(super) const CARD: RuleCard = RuleCard {
    number: 3,
    id: "R3",
    severity: Severity::Flag,
    title: "Executors and threads are ended, and collected with their owner",
    what: "Who starts an executor, a thread or a task also ends it: shut down or joined when all went well and when something raised. \
           An executor that lives on an object is tied to it by `weakref.finalize` too, so that it ends \
           with an owner that was merely dropped. A long-running thread has something that tells it to stop.",
    why: "Idle pool threads keep their owner's memory, and often a model on the GPU, for the life of the process. \
         A thread that nobody joins goes on working with things that have been closed.",
    asks: "What ends this executor or thread when its owner fails, or is simply dropped?",
    settled_if: "its owner ends it on every path and something ends it for an owner that is dropped",
    safe: &[
        "`with ThreadPoolExecutor(...)` around the whole use.",
        "A helper thread that does one thing and ends by itself.",
        "A thread or pool of the module or of the program's main function, made for the process's life.",
        "A stop event that the loop watches, with a join that has a timeout.",
    ],
    bad: r#"from concurrent.futures import ThreadPoolExecutor


class ResponseBuilder:
    def __init__(self, encode):
        self._encode = encode
        self._executor = ThreadPoolExecutor(max_workers=2)

    def build(self, prediction):
        return self._executor.submit(self._encode, prediction)
"#,
    good: r#"from concurrent.futures import ThreadPoolExecutor
from weakref import finalize


class ResponseBuilder:
    def __init__(self, encode):
        self._encode = encode
        self._executor = ThreadPoolExecutor(max_workers=2)
        self._finalizer = finalize(self, self._executor.shutdown, wait=False)

    def build(self, prediction):
        return self._executor.submit(self._encode, prediction)

    def close(self):
        self._finalizer.detach()
        self._executor.shutdown(wait=True)
"#,
    key_files: &[
        KeyFile {
            path: "inference/core/models/inference_models_adapters.py",
            shows: "`_get_response_executor` ties a pool to its owner with a finalizer; `shutdown_pipeline` ends it on purpose.",
        },
        KeyFile {
            path: "inference/core/interfaces/stream/inference_pipeline.py",
            shows: "Threads that watch the `_stop` flag, and `terminate()`, which sets it and joins them.",
        },
    ],
    references: &[
        ReferencePull {
            number: 2491,
            title: "A thread pool outlived the object that had made it",
            checks: &[],
        },
        ReferencePull {
            number: 1875,
            title: "A watchdog cancelled an asyncio task from another thread",
            checks: &["loop-touched-from-thread"],
        },
        ReferencePull {
            number: 1769,
            title: "The idle limit of a long-running worker becomes a setting",
            checks: &["hard-coded-watchdog"],
        },
    ],
};
