//! R7: delete and replace across workers.

use crate::model::{KeyFile, RuleCard};
use report::Severity;

pub(super) const CARD: RuleCard = RuleCard {
    number: 7,
    id: "R7",
    severity: Severity::Flag,
    title: "Deleting and replacing across workers is locked and can be repeated",
    what: "Whoever removes or replaces an entry that other workers use takes the FileLock for it, with a timeout, \
           looks again once the lock is held, accepts that the entry may be gone, and copes with not getting the lock.",
    why: "Two workers clear the same entry: the slower one raises on what is no longer there, \
         or removes what a third has just downloaded. A lock file without a timeout hangs all of them behind a dead holder.",
    asks: "Can another worker read, fill or replace this path at the same moment?",
    settled_if: "all workers take one lock for it, or no other worker ever sees it",
    safe: &[
        "Own temporary files, and directories that only this process knows.",
        "`missing_ok=True`, `ignore_errors=True`, or FileNotFoundError handled, under the lock.",
        "An atomic replace of the target by an own temporary file.",
        "Build scripts and test fixtures.",
    ],
    bad: r#"import os
import shutil

from inference.core.cache.model_artifacts import get_cache_dir


def drop_entry(model_id: str) -> None:
    cache_dir = get_cache_dir(model_id=model_id)
    if os.path.exists(cache_dir):
        shutil.rmtree(cache_dir)
"#,
    good: r#"import shutil

from filelock import FileLock, Timeout

from inference.core.cache.model_artifacts import get_cache_dir
from inference.core.logger import logger


def drop_entry(model_id: str) -> None:
    cache_dir = get_cache_dir(model_id=model_id)
    try:
        with FileLock(f"{cache_dir}.lock", timeout=10):
            shutil.rmtree(cache_dir)
    except FileNotFoundError:
        logger.debug("%s was cleared by another worker", cache_dir)
    except (Timeout, OSError) as error:
        logger.warning("could not clear %s: %s", cache_dir, error)
"#,
    key_files: &[KeyFile {
        path: "inference/core/cache/model_artifacts.py",
        shows: "`clear_cache`: a timed FileLock, a second look, tolerance of a racing worker, and a warning when it gives up.",
    }],
    references: &[],
};
