//! Objects of libraries that keep values by key.

use crate::facts::{ExprId, Facts, Kind};

/// Packages whose objects keep values for later calls, in this process or for all.
const PACKAGES: &[&str] = &[
    "cachetools",
    "diskcache",
    "pymemcache",
    "pylibmc",
    "aiomcache",
    "emcache",
    "memcache",
    "bmemcached",
    "aiocache",
    "cachelib",
    "flask_caching",
    "dogpile",
    "expiringdict",
    "cacheout",
    "theine",
    "django.core.cache",
];

/// Clients of memcached, which refuses keys with blanks or control characters, and those longer than 250 bytes.
const MEMCACHED: &[&str] = &[
    "pymemcache",
    "pylibmc",
    "aiomcache",
    "emcache",
    "memcache",
    "bmemcached",
];

/// Packages whose stores lie outside of the process: all instances share them.
const OUTSIDE: &[&str] = &[
    "diskcache",
    "aiocache",
    "flask_caching",
    "django.core.cache",
];

/// Whether a library made the object for keeping values by key.
pub(super) fn is_of_library(facts: &Facts, object: ExprId) -> bool {
    comes_from(facts, object, PACKAGES)
}

pub(super) fn is_memcached(facts: &Facts, object: ExprId) -> bool {
    let says = facts
        .last_name(object)
        .is_some_and(|name| topic::has_word(name, "memcached memcache"));
    says || comes_from(facts, object, MEMCACHED)
}

/// Whether the values lie where other processes find them.
pub(super) fn is_outside(facts: &Facts, object: ExprId) -> bool {
    facts.is_proven(object, Kind::Redis)
        || is_memcached(facts, object)
        || comes_from(facts, object, OUTSIDE)
}

fn comes_from(facts: &Facts, object: ExprId, packages: &[&str]) -> bool {
    let is_one = |origin: &String| {
        packages.iter().any(|package| {
            let rest = origin.strip_prefix(package);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    let is_imported = packages.iter().any(|package| facts.imports_from(package));
    is_imported && facts.origins(object).iter().any(is_one)
}
