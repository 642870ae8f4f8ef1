//! The names of the reviewed repository: which calls guard, which helpers exist where, where caches live, what is hot and cold.
//!
//! [`Profile::default`] knows what Python and its well-known libraries call these things; [`Profile::builtin`] adds the names of
//! roboflow/inference. A JSON file replaces the built-in one: a field that it leaves out has its default,
//! a field that does not exist is an error. Names are compared by [`crate::name_matches`], phrases by [`crate::says`],
//! paths by [`crate::path_matches`].

mod general;
mod roboflow;

use crate::pattern::{name_matches, path_matches, says};
use serde::Deserialize;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    /// Shown in the report.
    pub name: String,
    pub torchscript: TorchScript,
    pub leaky_constructors: Vec<LeakyConstructor>,
    pub locks: Locks,
    pub futures: Futures,
    pub cache: Cache,
    pub keys: Keys,
    pub containers: Containers,
    pub outage: Outage,
    /// Helpers that a package's code should reuse, by package.
    pub shared_helpers: Vec<PackageHelpers>,
    pub places: Where,
}

impl Profile {
    /// The names of roboflow/inference.
    pub fn builtin() -> Profile {
        roboflow::profile()
    }

    /// The shared helpers that code at `path` should reuse for this role.
    pub fn helpers_for<'a>(
        &'a self,
        path: &'a str,
        role: Role,
    ) -> impl Iterator<Item = &'a SharedHelper> {
        self.shared_helpers
            .iter()
            .filter(move |package| any_path(&package.paths, path))
            .flat_map(|package| &package.helpers)
            .filter(move |helper| helper.role == role)
    }

    /// Whether this is the name of any helper that the profile lists, in whatever package.
    pub fn is_shared_helper(&self, name: &str) -> bool {
        self.shared_helpers
            .iter()
            .flat_map(|package| &package.helpers)
            .any(|helper| name_matches(&helper.name, name))
    }

    /// What is known of a constructor that enters a context and leaves it entered.
    pub fn leaky_constructor(&self, callee: &str) -> Option<&LeakyConstructor> {
        self.leaky_constructors
            .iter()
            .find(|leaky| name_matches(&leaky.name, callee))
    }
}

impl Default for Profile {
    fn default() -> Profile {
        general::profile()
    }
}

/// R1: who changes the process-global TorchScript registry, and what serialises it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TorchScript {
    /// Third-party callables that script or load inside.
    pub builders: Vec<String>,
    /// Context calls that guard, each with the calls that it guards.
    pub guards: Vec<Guard>,
    /// Parameters and attributes that carry the process-wide lock.
    pub lock_names: Vec<String>,
    /// Callables that accept that lock and have to be given it.
    pub lock_takers: Vec<String>,
    /// Modules and names whose import or definition says that the file has the shared guard at hand.
    pub shared_guards: Vec<String>,
}

impl TorchScript {
    pub fn is_builder(&self, callee: &str) -> bool {
        any_name(&self.builders, callee)
    }

    /// Whether the context call `guard` serialises `call`.
    pub fn guards(&self, guard: &str, call: &str) -> bool {
        self.guards
            .iter()
            .any(|known| name_matches(&known.name, guard) && any_name(&known.calls, call))
    }

    /// Whether `name` is a context call that guards anything at all.
    pub fn is_guard(&self, name: &str) -> bool {
        self.guards
            .iter()
            .any(|known| name_matches(&known.name, name))
    }

    /// Whether an identifier carries the process-wide lock; leading underscores do not matter.
    pub fn is_lock_name(&self, name: &str) -> bool {
        let last = name.rsplit('.').next().unwrap_or(name);
        any_name(&self.lock_names, last.trim_start_matches('_'))
    }

    pub fn takes_lock(&self, callee: &str) -> bool {
        any_name(&self.lock_takers, callee)
    }

    pub fn is_shared_guard(&self, name: &str) -> bool {
        any_name(&self.shared_guards, name)
    }
}

/// A context call and the calls that may stand inside.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    pub name: String,
    /// Guarded callees; `*` stands for any.
    pub calls: Vec<String>,
}

/// R9: a constructor that enters a process-wide context and does not leave it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeakyConstructor {
    pub name: String,
    /// What stays entered, as a noun phrase: `a bfloat16 autocast context`.
    pub context: String,
    /// Calls that leave it again.
    pub cleanup: Vec<String>,
}

/// R2.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Locks {
    /// Context calls that try to take a lock for a limited time and yield whether they got it.
    pub timed_contexts: Vec<String>,
}

impl Locks {
    pub fn is_timed_context(&self, callee: &str) -> bool {
        any_name(&self.timed_contexts, callee)
    }
}

/// R4.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Futures {
    /// Shared helpers that wait for futures with the shared timeout, or ask for futures in a value.
    pub resolvers: Vec<String>,
    /// The shared settings that a hot wait should use in place of a literal.
    pub timeout_settings: Vec<String>,
}

impl Futures {
    pub fn is_resolver(&self, callee: &str) -> bool {
        any_name(&self.resolvers, callee)
    }

    pub fn is_timeout_setting(&self, name: &str) -> bool {
        any_name(&self.timeout_settings, name)
    }
}

/// R5, R6, R7 and R10: what is a cache path, and who writes to it well.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
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
        self.path_words.iter().any(|phrase| says(last, phrase))
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
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
        self.sanitizer_words.iter().any(|phrase| says(last, phrase))
    }

    pub fn is_containment_check(&self, callee: &str) -> bool {
        any_name(&self.containment_checks, callee)
    }

    pub fn is_length_check(&self, callee: &str) -> bool {
        any_name(&self.length_checks, callee)
    }

    pub fn says_raw(&self, name: &str) -> bool {
        self.raw_words.iter().any(|phrase| says(name, phrase))
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
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
        self.pinned_words.iter().any(|phrase| says(name, phrase))
    }
}

/// R10: how an unreachable cache is said and survived.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
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
        self.degrade_words.iter().any(|phrase| says(name, phrase))
    }
}

/// The shared helpers that exist for the code below some paths.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageHelpers {
    pub paths: Vec<String>,
    pub helpers: Vec<SharedHelper>,
}

/// A helper to reuse instead of an own version.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedHelper {
    pub role: Role,
    pub name: String,
    /// The file that defines it.
    pub defined_in: String,
}

/// What a shared helper is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    TorchscriptGuard,
    TimedAcquire,
    FutureResolver,
    FutureQuestion,
    AtomicWrite,
    CacheKey,
    Containment,
    PathLimit,
    CacheClear,
    BoundedCache,
}

/// How much a place matters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Where {
    /// Globs of files on the request, dispatch or stream path.
    pub hot_paths: Vec<String>,
    /// Globs of files where nothing is hot, shared or long-lived. They win over the hot ones.
    pub cold_paths: Vec<String>,
    /// Phrases in the name of a function that is on a hot path.
    pub hot_functions: Vec<String>,
    /// Phrases in the name of a class or file whose functions are on a hot path where their own names are not shown.
    pub hot_owners: Vec<String>,
    /// Names of functions that run once, at process start.
    pub start_up_functions: Vec<String>,
    /// Names of parameters and keys that say that a function serves a request.
    pub request_names: Vec<String>,
}

impl Where {
    pub fn is_hot_path(&self, path: &str) -> bool {
        any_path(&self.hot_paths, path) && !self.is_cold_path(path)
    }

    pub fn is_cold_path(&self, path: &str) -> bool {
        any_path(&self.cold_paths, path)
    }

    pub fn says_hot_function(&self, name: &str) -> bool {
        self.hot_functions.iter().any(|phrase| says(name, phrase))
    }

    /// Whether the name of a class or file says that it dispatches, serves or streams.
    pub fn says_hot_owner(&self, name: &str) -> bool {
        self.hot_owners.iter().any(|phrase| says(name, phrase))
    }

    pub fn is_start_up_function(&self, name: &str) -> bool {
        any_name(&self.start_up_functions, name)
    }

    pub fn is_request_name(&self, name: &str) -> bool {
        any_name(&self.request_names, name)
    }
}

fn any_name(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| name_matches(pattern, name))
}

fn any_path(globs: &[String], path: &str) -> bool {
    globs.iter().any(|glob| path_matches(glob, path))
}
