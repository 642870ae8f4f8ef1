//! Locks that the system keeps on open files: `flock`, `lockf`, `msvcrt.locking`, `portalocker.lock`.

use crate::facts::calls::Call;
use crate::facts::{ExprId, Facts};

/// A call that locks or unlocks an open file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemLock<'f> {
    pub(crate) call: Call<'f>,
    /// The file, also where its number is given: `file` of `lockf(file.fileno(), LOCK_EX)`.
    pub(crate) file: ExprId,
    pub(crate) mode: LockMode,
    /// It waits without an end for whoever holds the lock.
    pub(crate) waits: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockMode {
    Exclusive,
    Shared,
    Release,
    /// The flags come from elsewhere.
    Unknown,
}

/// Names of the system's own calls.
const SYSTEM: &[&str] = &["flock", "lockf", "locking"];

/// Names of helpers around them, which are given the same flags.
const HELPERS: &[&str] = &["lock", "lock_file", "unlock"];

const EXCLUSIVE: &[&str] = &[
    "LOCK_EX",
    "LK_LOCK",
    "LK_NBLCK",
    "LK_RLCK",
    "LK_NBRLCK",
    "EXCLUSIVE",
];
const SHARED: &[&str] = &["LOCK_SH", "SHARED"];
const RELEASE: &[&str] = &["LOCK_UN", "LK_UNLCK", "UNBLOCK"];
/// `LK_LOCK` gives up after some seconds.
const LIMITED: &[&str] = &[
    "LOCK_NB",
    "NON_BLOCKING",
    "LK_LOCK",
    "LK_RLCK",
    "LK_NBLCK",
    "LK_NBRLCK",
];

impl Facts {
    /// What a call locks by the system, if it does.
    pub(crate) fn system_lock<'f>(&'f self, call: Call<'f>) -> Option<SystemLock<'f>> {
        let name = call.name().trim_start_matches('_');
        let by_system = SYSTEM.contains(&name);
        if !by_system && !HELPERS.contains(&name) {
            return None;
        }
        let by_package = call.is(&["portalocker.lock", "portalocker.unlock"]);
        let mode = match self.mode(&call) {
            LockMode::Unknown if by_package && name == "unlock" => LockMode::Release,
            mode => mode,
        };
        // `guard.lock(name)` of somebody's own locks no file.
        if !by_system && !by_package && mode == LockMode::Unknown {
            return None;
        }
        let takes = matches!(mode, LockMode::Exclusive | LockMode::Shared);
        Some(SystemLock {
            call,
            file: self.file_behind(call.positional(0)?),
            mode,
            waits: takes && (by_system || by_package) && !self.is_given(&call, LIMITED),
        })
    }

    /// The calls that lock or unlock an open file.
    pub(crate) fn system_locks(&self) -> impl Iterator<Item = SystemLock<'_>> {
        let names = SYSTEM.iter().chain(HELPERS);
        names
            .flat_map(|name| self.calls_named(name))
            .filter_map(|call| self.system_lock(call))
    }

    fn mode(&self, call: &Call<'_>) -> LockMode {
        let modes = [
            (RELEASE, LockMode::Release),
            (EXCLUSIVE, LockMode::Exclusive),
            (SHARED, LockMode::Shared),
        ];
        let found = modes.iter().find(|(flags, _)| self.is_given(call, flags));
        found.map_or(LockMode::Unknown, |&(_, mode)| mode)
    }

    /// Whether one of these flags stands in the call, by its own name or by that of what the name was given.
    fn is_given(&self, call: &Call<'_>, flags: &[&str]) -> bool {
        let mut parts = call.args.iter().flat_map(|arg| self.within(arg.value));
        parts.any(|id| {
            let by_name = self.last_name(id).is_some_and(|name| flags.contains(&name));
            let by_origin = || {
                let origin = self.resolved(id).unwrap_or_default();
                let last = origin.rsplit('.').next();
                last.is_some_and(|last| flags.contains(&last))
            };
            by_name || by_origin()
        })
    }

    fn file_behind(&self, given: ExprId) -> ExprId {
        let number = self
            .call(given)
            .filter(|call| call.method() == Some("fileno"));
        number.and_then(|call| call.receiver()).unwrap_or(given)
    }
}

#[cfg(test)]
mod tests {
    use super::LockMode;
    use crate::probe::facts_of;

    /// The file, the mode, and whether it waits, of the last call of a line that locks.
    fn locked(line: &str) -> Option<(String, LockMode, bool)> {
        let head = "import fcntl, msvcrt, portalocker\nfrom fcntl import LOCK_EX as ALONE\n";
        let facts = facts_of(&format!("{head}{line}\n"));
        let found = facts.system_locks().last()?;
        Some((
            facts.expr_text(found.file).to_string(),
            found.mode,
            found.waits,
        ))
    }

    fn is(line: &str, mode: LockMode, waits: bool) {
        assert_eq!(locked(line), Some(("file".into(), mode, waits)), "{line}");
    }

    #[test]
    fn the_flags_say_what_is_done() {
        is(
            "fcntl.flock(file, fcntl.LOCK_EX)",
            LockMode::Exclusive,
            true,
        );
        is("fcntl.flock(file, ALONE)", LockMode::Exclusive, true);
        is(
            "fcntl.lockf(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)",
            LockMode::Exclusive,
            false,
        );
        is("fcntl.flock(file, fcntl.LOCK_SH)", LockMode::Shared, true);
        is("fcntl.flock(file, fcntl.LOCK_UN)", LockMode::Release, false);
        is("fcntl.flock(file, how)", LockMode::Unknown, false);
        is(
            "msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)",
            LockMode::Exclusive,
            false,
        );
        is(
            "msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)",
            LockMode::Release,
            false,
        );
        is(
            "portalocker.lock(file, portalocker.LOCK_EX)",
            LockMode::Exclusive,
            true,
        );
        is("portalocker.unlock(file)", LockMode::Release, false);
        is("lock_file(file, fcntl.LOCK_EX)", LockMode::Exclusive, false);
        // Another system's name for the same.
        is(
            "import win32con\nLOCK_EX = win32con.LOCKFILE_EXCLUSIVE_LOCK\nlock(file, LOCK_EX)",
            LockMode::Exclusive,
            false,
        );
    }

    #[test]
    fn a_method_by_such_a_name_locks_no_file() {
        assert_eq!(locked("table.lock(file, INDEX)"), None);
        assert_eq!(locked("guard.lock(name)"), None);
    }
}
