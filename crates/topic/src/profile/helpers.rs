//! The helpers that a package's code should reuse.

use serde::Deserialize;

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
