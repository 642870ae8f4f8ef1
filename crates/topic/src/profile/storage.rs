//! R5 to R8 and R10: where caches live, who writes and names well, what is bounded, how an outage shows.

use super::{any_name, any_path, any_words};
use crate::pattern::{name_matches, says};
use serde::Deserialize;

/// R5, R6, R7 and R10: what is a cache path, and who writes to it well.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cache {
    /// Names of roots: constants, settings, environment variables.
    pub roots: Vec<String>,
    /// Calls that return a path in the cache.
    pub path_calls: Vec<String>,
    /// Phrases in the name of a variable, field, parameter or callee that say that it holds a cache path.
    pub path_words: Vec<String>,
    /// Globs of modules about caches or artifacts: alone they make a look.
    pub modules: Vec<String>,
    /// Calls and context calls that write atomically.
    pub atomic_writers: Vec<String>,
    /// Plain writers that have an atomic twin.
    pub twins: Vec<Twin>,
    /// Settings that switch atomic writes: the branch where one is off may write plainly.
    pub atomic_switches: Vec<String>,
}

impl Cache {
    pub fn is_root(&self, name: &str) -> bool {
        any_name(&self.roots, name)
    }

    pub fn is_path_call(&self, callee: &str) -> bool {
        any_name(&self.path_calls, callee)
    }

    /// Whether the name of a variable, field, parameter or callee says by its words that it holds a cache path.
    pub fn says_path(&self, name: &str) -> bool {
        let last = name.rsplit('.').next().unwrap_or(name);
        any_words(&self.path_words, last)
    }

    pub fn is_module(&self, path: &str) -> bool {
        any_path(&self.modules, path)
    }

    pub fn is_atomic_writer(&self, callee: &str) -> bool {
        any_name(&self.atomic_writers, callee)
    }

    /// The atomic twin of a plain writer.
    pub fn atomic_twin(&self, callee: &str) -> Option<&str> {
        self.twins
            .iter()
            .find(|twin| name_matches(&twin.plain, callee))
            .map(|twin| twin.atomic.as_str())
    }

    pub fn is_atomic_switch(&self, name: &str) -> bool {
        any_name(&self.atomic_switches, name)
    }
}

/// A plain writer and what writes the same atomically.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Twin {
    pub plain: String,
    pub atomic: String,
}

/// R6.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Keys {
    /// Calls whose result is safe as a part of a path, and bounded.
    pub safe_calls: Vec<String>,
    /// Phrases in a callee's name that say that it makes a value safe (it may still be lossy).
    pub sanitizer_words: Vec<String>,
    /// Calls that test that a path stays within a root.
    pub containment_checks: Vec<String>,
    /// Calls that test a path against the system's limits.
    pub length_checks: Vec<String>,
    /// Phrases in the name of a value that comes from outside.
    pub raw_words: Vec<String>,
    /// Phrases in the name of a value that tells two entries apart.
    pub dimension_words: Vec<String>,
}

impl Keys {
    pub fn is_safe_call(&self, callee: &str) -> bool {
        any_name(&self.safe_calls, callee)
    }

    pub fn says_sanitizer(&self, callee: &str) -> bool {
        let last = callee.rsplit('.').next().unwrap_or(callee);
        any_words(&self.sanitizer_words, last)
    }

    pub fn is_containment_check(&self, callee: &str) -> bool {
        any_name(&self.containment_checks, callee)
    }

    pub fn is_length_check(&self, callee: &str) -> bool {
        any_name(&self.length_checks, callee)
    }

    pub fn says_raw(&self, name: &str) -> bool {
        any_words(&self.raw_words, name)
    }

    /// The dimension that a name carries, as the profile's phrase: two names of one dimension agree.
    pub fn dimension(&self, name: &str) -> Option<&str> {
        self.dimension_words
            .iter()
            .find(|phrase| says(name, phrase))
            .map(String::as_str)
    }
}

/// R8.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Containers {
    /// Constructors of containers that bound themselves.
    pub bounded: Vec<String>,
    /// Phrases in the name of what an eviction has to leave alone.
    pub pinned_words: Vec<String>,
}

impl Containers {
    pub fn is_bounded(&self, callee: &str) -> bool {
        any_name(&self.bounded, callee)
    }

    pub fn says_pinned(&self, name: &str) -> bool {
        any_words(&self.pinned_words, name)
    }
}

/// R10: how an unreachable cache is said and survived.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Outage {
    /// Exceptions that stand for a cache that cannot be reached.
    pub exceptions: Vec<String>,
    /// Objects and calls behind which a cache server stands.
    pub clients: Vec<String>,
    /// Phrases in the name of a decorator or context that turns such an error into a miss.
    pub degrade_words: Vec<String>,
}

impl Outage {
    pub fn is_exception(&self, name: &str) -> bool {
        any_name(&self.exceptions, name)
    }

    pub fn is_client(&self, name: &str) -> bool {
        any_name(&self.clients, name)
    }

    pub fn says_degrade(&self, name: &str) -> bool {
        any_words(&self.degrade_words, name)
    }
}
