//! R5: atomic writes.

use crate::model::{KeyFile, RuleCard};
use report::Severity;

pub(super) const CARD: RuleCard = RuleCard {
    number: 5,
    id: "R5",
    severity: Severity::Block,
    title: "Cache and artifact files appear whole or not at all",
    what: "A file in the model cache is written under a temporary name in the same directory and then moved onto its final name \
           by `os.replace`, with the temporary one removed if the write fails. The helpers do that: \
           `save_*_in_cache`, `dump_*_atomic`, `AtomicPath`.",
    why: "Workers share the cache. One that opens the file while another is still writing reads the first half, \
         and loads broken weights or fails on JSON that stops in the middle. A killed process leaves such a half file for good.",
    asks: "Can anybody open this path while it is written?",
    settled_if: "nobody else knows the path before the write is complete",
    safe: &[
        "The write goes through one of the helpers.",
        "A temporary name beside the target, then `os.replace`.",
        "The target is a buffer in memory or the function's own temporary directory.",
        "A user's output folder, a log or a profile that no other worker reads.",
        "The branch for `ATOMIC_CACHE_WRITES_ENABLED` switched off, inside the helper itself.",
    ],
    bad: r#"import json
import os

from inference.core.env import MODEL_CACHE_DIR


def store_class_names(cache_key, class_names):
    target = os.path.join(MODEL_CACHE_DIR, cache_key, "class_names.json")
    with open(target, "w", encoding="utf-8") as sink:
        json.dump(class_names, sink)
"#,
    good: r#"import os

from inference.core.env import MODEL_CACHE_DIR
from inference.core.utils.file_system import dump_json_atomic


def store_class_names(cache_key, class_names):
    target = os.path.join(MODEL_CACHE_DIR, cache_key, "class_names.json")
    dump_json_atomic(path=target, content=class_names, allow_override=True)
"#,
    key_files: &[
        KeyFile {
            path: "inference/core/utils/file_system.py",
            shows: "`AtomicPath`, which makes the temporary file, replaces, and cleans up; the `dump_*_atomic` writers on top of it.",
        },
        KeyFile {
            path: "inference/core/cache/model_artifacts.py",
            shows: "The `save_*_in_cache` family that cache code calls.",
        },
    ],
    references: &[],
};
