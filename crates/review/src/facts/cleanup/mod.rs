//! Where clean-up happens, and whether a handler says what happened.

mod failing;
mod servers;

use super::Facts;
use super::bindings::BindingKind;
use super::calls::Call;
use super::hir::*;
use super::lifecycle::ENDS;

pub(crate) use failing::{Failing, REMOVAL_ERRORS};

/// A place whose job is to clean up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CleanupPlace {
    Finally,
    /// `__exit__`, `__aexit__`, `__del__`.
    Protocol,
    /// `close`, `stop`, `terminate`, `cleanup` and the like.
    Closer,
    /// A function that clears a cache.
    CacheClear,
    /// A step within other work that drops what the cache holds.
    Step,
}

/// Functions that end their object, beside those that do so by their name alone.
const CLOSERS: &[&str] = &["clean_up", "unload"];

impl Facts {
    /// Whether a statement belongs to clean-up, and to which kind.
    pub(crate) fn cleanup_place(&self, stmt: StmtId) -> Option<CleanupPlace> {
        if self.in_finally(stmt) {
            return Some(CleanupPlace::Finally);
        }
        let name = self.function_name(stmt)?;
        let bare = name.trim_start_matches('_');
        match name {
            "__exit__" | "__aexit__" | "__del__" => Some(CleanupPlace::Protocol),
            _ if ENDS.iter().chain(CLOSERS).any(|end| begins_with(bare, end)) => {
                Some(CleanupPlace::Closer)
            }
            _ if clears_cache(name) => Some(CleanupPlace::CacheClear),
            _ => None,
        }
    }

    /// A field that keeps what the constructor was given: somebody else's object, of a class that is not known.
    pub(crate) fn is_handed_in(&self, id: ExprId) -> bool {
        let of_field = self.self_attribute(id).is_some();
        of_field
            && self
                .bindings_behind(id)
                .iter()
                .any(|binding| match binding.kind {
                    BindingKind::Value { value, index: None } => {
                        self.name(value).is_some() && self.parameter(value).is_some()
                    }
                    _ => false,
                })
    }

    /// Whether a handler says what happened: a log, a print, a warning, a metric, or the error handed on.
    pub(crate) fn tells(&self, handler: &Handler) -> bool {
        self.statements_in(&handler.body).into_iter().any(|stmt| {
            matches!(self.stmt(stmt).kind, StmtKind::Raise)
                || self.calls_in(stmt).any(|call| is_telling(&call))
        })
    }
}

fn is_telling(call: &Call<'_>) -> bool {
    let name = call.name();
    let reports = matches!(
        name,
        "print_exc" | "capture_exception" | "set_exception" | "fail"
    );
    call.is_message()
        || reports
        || topic::says(name, "log")
        || topic::says(name, "warn")
        || topic::says(name, "report")
}

fn clears_cache(name: &str) -> bool {
    let clears = [
        "clear",
        "evict",
        "purge",
        "prune",
        "invalidate",
        "delete",
        "remove",
        "sweep",
    ]
    .iter()
    .any(|word| topic::says(name, word));
    let cache = ["cache", "caches", "cached", "artifacts", "artefacts"]
        .iter()
        .any(|word| topic::says(name, word));
    clears && cache
}

/// `close` and `close_all`, not `closer`.
fn begins_with(name: &str, word: &str) -> bool {
    name.strip_prefix(word)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}
