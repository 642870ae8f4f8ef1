//! R2: locks.

use crate::model::{KeyFile, ReferencePull, RuleCard};
use report::Severity;

pub(super) const CARD: RuleCard = RuleCard {
    number: 2,
    id: "R2",
    severity: Severity::Flag,
    title: "Locks are taken with a limit and always given back",
    what: "An explicit acquire has a timeout and looks at the answer; the release stands in a `finally` or is done by a `with`. \
           Nothing slow happens while the lock is held: no network, no sleep, no wait for a future or a thread. \
           An asyncio lock belongs to a loop that lives as long as the lock does.",
    why: "A lock that is not given back, or that is held during a slow call, stops every thread that needs it, without an error. \
         An asyncio primitive that outlives its loop raises in the next one, or lets nobody in.",
    asks: "Who else needs this lock, and can what happens while it is held hang or raise?",
    settled_if: "every wait here is bounded and the lock is given back on every path",
    safe: &[
        "A short `with lock:` around work in memory.",
        "`acquire_with_timeout(lock)` with its answer tested.",
        "`acquire(blocking=False)` with its answer tested.",
        "A lock for one key, model or file whose very purpose is that only one thread loads it.",
        "A FileLock whose constructor carries the timeout.",
    ],
    bad: r#"import threading


class ModelRegistry:
    def __init__(self):
        self._models = {}
        self._lock = threading.Lock()

    def replace(self, model_id, model):
        self._lock.acquire()
        previous = self._models[model_id]
        self._models[model_id] = model
        self._lock.release()
        return previous
"#,
    good: r#"import threading

from inference.core.managers.base import acquire_with_timeout


class ModelBusyError(RuntimeError):
    pass


class ModelRegistry:
    def __init__(self):
        self._models = {}
        self._lock = threading.Lock()

    def replace(self, model_id, model):
        with acquire_with_timeout(lock=self._lock) as acquired:
            if not acquired:
                raise ModelBusyError(model_id)
            previous = self._models[model_id]
            self._models[model_id] = model
        return previous
"#,
    key_files: &[KeyFile {
        path: "inference/core/managers/base.py",
        shows: "`acquire_with_timeout`, and one lock a model in `_models_state_locks`: every acquire gives up after a while.",
    }],
    references: &[ReferencePull {
        number: 1750,
        title: "A lock of an event loop that was closed long ago",
        checks: &[],
    }],
};
