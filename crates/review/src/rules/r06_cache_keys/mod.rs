//! R6: keys of cache entries are valid, tell entries apart, and stay inside the root.

mod cache_checked_late;
mod collision_prone_key;
mod compositions;
mod key_misses_dimension;
mod key_too_volatile;
mod libraries;
mod memcached_keys;
mod own_instead_of_shared_helper;
mod path_too_long;
mod raw_id_in_path;
mod stores;
mod unchecked_containment;

use super::Check;

pub(crate) const KEY_MISSES_DIMENSION: &Check = &key_misses_dimension::CHECK;
pub(crate) const UNCHECKED_CONTAINMENT: &Check = &unchecked_containment::CHECK;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[
    &raw_id_in_path::CHECK,
    &unchecked_containment::CHECK,
    &collision_prone_key::CHECK,
    &path_too_long::CHECK,
    &key_too_volatile::CHECK,
    &key_misses_dimension::CHECK,
    &cache_checked_late::CHECK,
    &own_instead_of_shared_helper::CHECK,
];
