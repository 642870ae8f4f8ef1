//! R10: cleanup.

use crate::model::{KeyFile, ReferencePull, RuleCard};
use report::Severity;

pub(super) const CARD: RuleCard = RuleCard {
    number: 10,
    id: "R10",
    severity: Severity::Flag,
    title: "Cleanup and cache outages do not fail the request",
    what: "A removal, a lock, a cache server or a side record that fails is caught and logged, and the request goes on without it. \
           A damaged cache entry counts as absent. One failed step of a cleanup does not keep the others from running.",
    why: "The work was done and the answer is there; then the cleanup raises, and the caller gets an error instead. \
         If Redis is down and the cache call is bare, every request fails over something that only made it faster.",
    asks: "What does the caller see when this clean-up fails?",
    settled_if: "the failure is caught and logged before it can reach a request",
    safe: &[
        "try/except that logs, with a fallback.",
        "`ignore_errors=True`, or `suppress(FileNotFoundError)` around a removal.",
        "A decorator that turns an outage into a miss.",
        "The release of a lock, the shutdown of an executor, the close of a local file: they do not fail in practice.",
        "An error of the main work that is raised again.",
    ],
    bad: r#"import os
import shutil


class ClipRecorder:
    def __init__(self, work_dir):
        self._work_dir = work_dir

    def close(self):
        os.remove(os.path.join(self._work_dir, "index.json"))
        shutil.rmtree(self._work_dir)
"#,
    good: r#"import shutil

from inference.core.logger import logger


class ClipRecorder:
    def __init__(self, work_dir):
        self._work_dir = work_dir

    def close(self):
        try:
            shutil.rmtree(self._work_dir)
        except OSError as error:
            logger.warning("could not remove %s: %s", self._work_dir, error)
"#,
    key_files: &[KeyFile {
        path: "inference/core/roboflow_api.py",
        shows: "`CacheUnavailableError`: an unreachable cache is noted and the definition is fetched from the API instead.",
    }],
    references: &[ReferencePull {
        number: 2387,
        title: "A Redis outage no longer fails the request",
        checks: &[],
    }],
};
