//! Names that say what is a lock, the file of one, or the taking of one. Where the kind of an object is known, that says
//! more: see [`Facts::lock`](super::Facts::lock).

/// Whether a name says that it is a lock, or that something is done under one.
pub(crate) fn says_lock(name: &str) -> bool {
    let is_it = |word: &str| matches!(word, "lock" | "locks" | "locked" | "rlock" | "mutex");
    topic::words(name).any(|word| is_it(&word))
}

/// Whether a name says that it is the file of a lock, or a lock that is one. A `LockedFile` is what others lock.
pub(crate) fn says_lock_file(name: &str) -> bool {
    let is_it = |word: &str| matches!(word, "lock" | "lockfile" | "filelock" | "mutex");
    topic::words(name).any(|word| is_it(&word))
}

/// Whether the name of a function says that it takes something for its caller: `acquire`, `lock_rows`, `enter`.
pub(crate) fn says_acquire(name: &str) -> bool {
    let takes = |word: &str| matches!(word, "acquire" | "lock" | "enter" | "reserve" | "checkout");
    topic::words(name).any(|word| takes(&word))
}

#[cfg(test)]
mod tests {
    use super::{says_acquire, says_lock, says_lock_file};

    #[test]
    fn words_count_and_not_letters() {
        assert!(says_lock("_state_lock") && says_lock("RLock") && says_lock("locked_by"));
        assert!(!says_lock("clock") && !says_lock("block_size") && !says_lock("unlock"));
        assert!(says_lock_file("FileLock") && says_lock_file("lockfile_path"));
        assert!(!says_lock_file("LockedFile"));
        assert!(says_acquire("reserve_slot") && !says_acquire("release"));
    }
}
