//! R7: workers remove and replace under a lock, and take it calmly when another was faster.

mod asked_before_lock;
mod asked_then_set;
mod check_then_act;
mod delete_not_idempotent;
mod deletes;
mod each_worker_removes;
mod existence_as_lock;
mod filelock_without_timeout;
mod folder_made_twice;
mod gone_since_listed;
mod lock_file_deleted;
mod lock_of_one_process;
mod lock_timeout_unhandled;
mod made_after_waiting;
mod name_chosen_by_looking;
mod own_instead_of_shared_helper;
mod parts_of_others;
mod shared;
mod truncated_before_lock;
mod unlocked_delete;
mod unseen_locks;

use super::Check;

pub(crate) const ASKED_BEFORE_LOCK: &Check = &asked_before_lock::CHECK;
pub(crate) const DELETE_NOT_IDEMPOTENT: &Check = &delete_not_idempotent::CHECK;
pub(crate) const UNLOCKED_DELETE: &Check = &unlocked_delete::CHECK;

/// The rule's checks, the narrower ones first.
pub(super) const CHECKS: &[&Check] = &[
    &lock_file_deleted::CHECK,
    &lock_of_one_process::CHECK,
    &existence_as_lock::CHECK,
    &truncated_before_lock::CHECK,
    &each_worker_removes::CHECK,
    &parts_of_others::CHECK,
    &check_then_act::CHECK,
    &made_after_waiting::CHECK,
    &asked_then_set::CHECK,
    &name_chosen_by_looking::CHECK,
    &asked_before_lock::CHECK,
    &unlocked_delete::CHECK,
    &gone_since_listed::CHECK,
    &folder_made_twice::CHECK,
    &delete_not_idempotent::CHECK,
    &filelock_without_timeout::CHECK,
    &lock_timeout_unhandled::CHECK,
    &own_instead_of_shared_helper::CHECK,
];
