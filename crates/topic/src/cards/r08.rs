//! R8: growth.

use crate::model::{KeyFile, RuleCard};
use report::Severity;

pub(super) const CARD: RuleCard = RuleCard {
    number: 8,
    id: "R8",
    severity: Severity::Nit,
    title: "What lives long does not grow for ever",
    what: "A cache, queue or collection that lives as long as the process or a stream has a greatest size, or something that takes entries out again. \
           What is pinned stays; futures and contexts that are done do not.",
    why: "A server runs for weeks. An entry for each session, track, url or size that was ever seen adds up \
         until the process is killed for its memory, long after the change was merged.",
    asks: "What takes entries out again in a process that runs for weeks?",
    settled_if: "the keys are few and fixed, or something evicts them",
    safe: &[
        "`deque(maxlen=...)`, `LRUCache`, `LimitedSizeDict`, `WithFixedSizeCache`.",
        "Keys from a small closed set.",
        "A container that is cleared at each run or dies with its short-lived owner.",
        "A queue that hands one item over at a time.",
        "A memo of a function without arguments.",
    ],
    bad: r#"import threading

_RESIZE_TABLES = {}
_TABLES_LOCK = threading.Lock()


def resize_table(image_size, build):
    with _TABLES_LOCK:
        if image_size not in _RESIZE_TABLES:
            _RESIZE_TABLES[image_size] = build(image_size)
        return _RESIZE_TABLES[image_size]
"#,
    good: r#"import threading

_MAX_TABLES = 32
_RESIZE_TABLES = {}
_TABLES_LOCK = threading.Lock()


def resize_table(image_size, build):
    with _TABLES_LOCK:
        if image_size not in _RESIZE_TABLES:
            if len(_RESIZE_TABLES) >= _MAX_TABLES:
                _RESIZE_TABLES.pop(next(iter(_RESIZE_TABLES)))
            _RESIZE_TABLES[image_size] = build(image_size)
        return _RESIZE_TABLES[image_size]
"#,
    key_files: &[
        KeyFile {
            path: "inference/core/workflows/execution_engine/v1/compiler/cache.py",
            shows: "`BasicWorkflowsCache`: a lock, a deque with a greatest length that decides what goes, and a digest as the key.",
        },
        KeyFile {
            path: "inference/core/managers/decorators/fixed_size_cache.py",
            shows: "`WithFixedSizeCache`: models leave in order of use, pinned ones stay.",
        },
    ],
    references: &[],
};
