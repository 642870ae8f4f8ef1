//! R1: global runtime mutation is serialised.

mod ad_hoc_torchscript_lock;
mod coroutines;
mod global_runtime_flag;
mod guard;
mod handlers_by_objects;
mod import_tables;
mod inconsistent_lock;
mod init_words;
mod iterated_without_lock;
mod lazy_fields;
mod libraries;
mod lock_not_threaded;
mod made_where_missing;
mod own_instead_of_shared_helper;
mod put_back;
mod race_words;
mod raced_containers;
mod raced_counters;
mod request_state;
mod second_making;
mod shared_buffer_overwritten;
mod shared_eviction;
mod stream_handoff_unsynchronised;
mod switches;
mod thread_sides;
mod torchscript;
mod unlocked_shared_init;
mod unseen_tables;
mod unserialized_engine_build;
mod unserialized_session_creation;
mod unserialized_torchscript;
mod uses;

use super::Check;

pub(crate) const INCONSISTENT_LOCK: &Check = &inconsistent_lock::CHECK;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[
    &unserialized_torchscript::CHECK,
    &lock_not_threaded::CHECK,
    &ad_hoc_torchscript_lock::CHECK,
    &unserialized_engine_build::CHECK,
    &unserialized_session_creation::CHECK,
    &shared_buffer_overwritten::CHECK,
    &unlocked_shared_init::CHECK,
    &iterated_without_lock::CHECK,
    &inconsistent_lock::CHECK,
    &raced_containers::CHECK,
    &import_tables::CHECK,
    &global_runtime_flag::CHECK,
    &stream_handoff_unsynchronised::CHECK,
    &own_instead_of_shared_helper::CHECK,
];
