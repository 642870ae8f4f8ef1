//! R6: cache keys.

use crate::model::{KeyFile, RuleCard};
use report::Severity;

pub(super) const CARD: RuleCard = RuleCard {
    number: 6,
    id: "R6",
    severity: Severity::Block,
    title: "Cache keys are unique, valid and safe as paths",
    what: "A name that comes from outside becomes a path only after it was turned into a key: a readable slug with a digest of the full identity. \
           The path is proven to stay below the cache's root and to fit the system's limits. \
           A key holds everything that its value depends on, the tenant included.",
    why: "An id with `..` or a leading slash writes outside of the cache. Two ids that the slug makes equal share one entry, \
         so that a caller is given somebody else's model. A long id fails only in production, where the root is longer.",
    asks: "Where does the part of this path or key that is not fixed come from?",
    settled_if: "it was checked or hashed before it gets here, and two inputs cannot end in one key",
    safe: &[
        "`get_cache_dir`, `slugify_model_id_to_cache_key`, `get_model_id_cache_path`.",
        "A SHA-256, BLAKE2 or MD5 digest of the full identity.",
        "A value that a pattern has matched from its first to its last character.",
        "A constant name below the root, or a name made by uuid4 for an own temporary file.",
    ],
    bad: r#"import os

from inference.core.env import MODEL_CACHE_DIR


def weights_path(model_id: str) -> str:
    return os.path.join(MODEL_CACHE_DIR, model_id, "weights.onnx")


def is_cached(model_id: str) -> bool:
    return os.path.isfile(weights_path(model_id))
"#,
    good: r#"import os

from inference.core.cache.model_artifacts import get_model_id_cache_path
from inference.core.env import MODEL_CACHE_DIR


def weights_path(model_id: str) -> str:
    model_dir = get_model_id_cache_path(model_id, cache_dir_root=MODEL_CACHE_DIR)
    return os.path.join(model_dir, "weights.onnx")


def is_cached(model_id: str) -> bool:
    return os.path.isfile(weights_path(model_id))
"#,
    key_files: &[
        KeyFile {
            path: "inference/core/cache/model_artifacts.py",
            shows: "`slugify_model_id_to_cache_key` and `get_model_id_cache_path` make keys; `cache_path_is_within_root` proves them.",
        },
        KeyFile {
            path: "inference/core/utils/file_system.py",
            shows: "`path_fits_os_limits`: bytes of the whole path and of each part.",
        },
    ],
    references: &[],
};
