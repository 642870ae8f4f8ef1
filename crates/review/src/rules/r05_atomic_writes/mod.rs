//! R5: files of the cache appear whole or not at all.

mod bare_cache_write;
mod directory_as_ready_marker;
mod drawn;
mod existence_means_complete;
mod fixed_temp_name;
mod lock_is_not_atomicity;
mod marked;
mod marker_before_content;
mod non_atomic_helper;
mod own_instead_of_shared_helper;
mod read_back;
mod refilled;
mod rename_across_filesystems;
mod rewritten_in_place;
mod switches;
mod temp_left_on_error;
mod unpacked_in_place;

use super::Check;

pub(crate) const BARE_CACHE_WRITE: &Check = &bare_cache_write::CHECK;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[
    &rename_across_filesystems::CHECK,
    &non_atomic_helper::CHECK,
    &marker_before_content::CHECK,
    &bare_cache_write::CHECK,
    &lock_is_not_atomicity::CHECK,
    &read_back::CHECK,
    &fixed_temp_name::CHECK,
    &temp_left_on_error::CHECK,
    &unpacked_in_place::CHECK,
    &directory_as_ready_marker::CHECK,
    &existence_means_complete::CHECK,
    &rewritten_in_place::CHECK,
    &own_instead_of_shared_helper::CHECK,
];
