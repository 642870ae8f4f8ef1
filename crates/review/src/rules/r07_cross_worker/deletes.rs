//! Removals of cache paths and what is wrong with them. Of several faults the first stands and names the others.

use super::shared::is_shared;
use crate::facts::{
    CacheProof, Call, Common, Deletion, ExprId, Facts, FileLocked, Handler, Leads, Proof,
    REMOVAL_ERRORS, StmtId,
};
use crate::rules::{Context, HitVerdict};

/// A removal of a cache path.
pub(super) struct Delete<'f> {
    pub(super) deletion: Deletion<'f>,
    pub(super) proof: CacheProof,
    /// Where the path's existence was asked for before, in the same function.
    pub(super) asked: Option<StmtId>,
    pub(super) lock: Option<FileLocked>,
    /// Where the file takes a file lock for a path of the same name or folder.
    pub(super) custom: Option<StmtId>,
    /// The calls of its function that come without the lock that others hold.
    pub(super) forgetful: Vec<Call<'f>>,
    pub(super) faults: Vec<Fault>,
}

/// Ordered: the first stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    CheckThenAct,
    Unlocked,
    NotIdempotent,
}

impl Fault {
    fn check(self) -> &'static str {
        match self {
            Fault::CheckThenAct => "check-then-act",
            Fault::Unlocked => "unlocked-delete",
            Fault::NotIdempotent => "delete-not-idempotent",
        }
    }
}

/// The removals of cache paths in the file.
pub(super) fn deletes<'f>(cx: &Context<'f>) -> Vec<Delete<'f>> {
    cx.facts
        .deletions()
        .filter(|deletion| !is_lock_file(cx.facts, deletion.path))
        .filter_map(|deletion| {
            let (proof, common) = match cx.facts.leads(deletion.path, cx.profile) {
                Leads::Cache(proof) => (proof, None),
                Leads::Unknown => match common(cx.facts, &deletion) {
                    Some(common) => (CacheProof::Says, Some(common)),
                    None if is_shared(cx, &deletion) => (CacheProof::Place, None),
                    None => return None,
                },
                _ => return None,
            };
            Some(judged(cx.facts, deletion, proof, common))
        })
        .collect()
}

/// Why the removed path is in a folder that several processes have. A single file that goes without an error is no
/// harm to those who have it open.
fn common(facts: &Facts, deletion: &Deletion<'_>) -> Option<Common> {
    let harms = |common: &Common| match common {
        Common::Locked(_) => deletion.is_tree || !deletion.is_tolerant,
        Common::Named => !deletion.is_tolerant,
    };
    let by_callers = || {
        let lock = forgotten_lock(facts, deletion)?;
        Some(Common::Locked(lock))
    };
    let common = facts.common_folder(deletion.path).or_else(by_callers);
    common.filter(harms)
}

/// The lock that some callers of the removing function hold, and some do not.
fn forgotten_lock(facts: &Facts, deletion: &Deletion<'_>) -> Option<StmtId> {
    let function = facts.function_of(facts.stmt(deletion.call.stmt()).scope)?;
    facts.calls_without_file_lock(function).first()?;
    let mut calls = facts.calls_to(function);
    calls.find_map(|call| Some(facts.file_lock_at(call.stmt())?.stmt))
}

fn judged<'f>(
    facts: &'f Facts,
    deletion: Deletion<'f>,
    proof: CacheProof,
    common: Option<Common>,
) -> Delete<'f> {
    let stmt = deletion.call.stmt();
    let asked = asked_before(facts, deletion.path, stmt);
    let lock = facts.file_lock_at(stmt);
    let locked = facts.is_file_locked(stmt);
    let asked_under_lock = asked.is_some_and(|asked| {
        lock.is_some_and(|lock| {
            facts
                .file_lock_at(asked)
                .is_some_and(|other| other.stmt == lock.stmt)
        })
    });
    let fragile = fragile_use(facts, &deletion, lock).is_some();
    let mut faults = Vec::new();
    if asked.is_some() && !asked_under_lock && (!deletion.is_tolerant || fragile) {
        faults.push(Fault::CheckThenAct);
    }
    let asks_no_lock = common == Some(Common::Named) && !deletion.is_tree;
    if !locked && !asks_no_lock && !is_taken_calmly(facts, &deletion) {
        faults.push(Fault::Unlocked);
    }
    if !deletion.is_tolerant && !asked_under_lock {
        faults.push(Fault::NotIdempotent);
    }
    let by_name = || {
        let name = facts.name(deletion.path)?;
        facts.file_lock_for(name, stmt)
    };
    let custom = match common {
        Some(Common::Locked(lock)) => Some(lock),
        _ => by_name(),
    };
    let function = facts.function_of(facts.stmt(stmt).scope);
    let forgetful = function.map_or(Vec::new(), |function| {
        let calls = facts.calls_without_file_lock(function);
        let calls = calls.into_iter().filter_map(|call| facts.call(call));
        // Whose answer is used may look before the lock and again under it.
        calls.filter(Call::is_dropped).collect()
    });
    Delete {
        deletion,
        proof,
        asked,
        lock,
        custom,
        forgetful,
        faults,
    }
}

/// A single file whose removal may fail: a handler tells of it, and the work goes on. Who has it open reads on.
fn is_taken_calmly(facts: &Facts, deletion: &Deletion<'_>) -> bool {
    let tells = |handler: &Handler| {
        facts.catches(handler, REMOVAL_ERRORS) && !facts.reraises(handler) && facts.tells(handler)
    };
    let stmt = deletion.call.stmt();
    !deletion.is_tree && deletion.is_tolerant && facts.handlers_around(stmt).any(tells)
}

/// Whether an `if` around a statement asks for a path, whichever.
fn stands_under_question(facts: &Facts, stmt: StmtId) -> bool {
    facts.ancestors(stmt).any(|around| {
        let mut calls = facts.calls_in(around.stmt);
        calls.any(|call| facts.asked_path(&call).is_some())
    })
}

/// The last test of the same function that asks for the path before a statement, or around it.
pub(super) fn asked_before(facts: &Facts, path: ExprId, stmt: StmtId) -> Option<StmtId> {
    let scope = facts.stmt(stmt).scope;
    facts
        .calls_beside(stmt)
        .filter(|call| call.stmt() <= stmt && facts.stmt(call.stmt()).scope == scope)
        .filter(|call| {
            facts
                .asked_path(call)
                .is_some_and(|asked| facts.is_same_path(asked, path))
        })
        .last()
        .map(|call| call.stmt())
}

/// The question for a path around the statement that makes it: it decides.
pub(super) fn deciding_test(facts: &Facts, path: ExprId, stmt: StmtId) -> Option<StmtId> {
    let asked = asked_before(facts, path, stmt)?;
    let decides = facts.ancestors(stmt).any(|around| around.stmt == asked);
    decides.then_some(asked)
}

/// A use of the path under the same lock that fails where the path is gone: its size, its content.
pub(super) fn fragile_use(
    facts: &Facts,
    deletion: &Deletion<'_>,
    lock: Option<FileLocked>,
) -> Option<StmtId> {
    let lock = lock?;
    facts
        .calls_beside(lock.stmt)
        .filter(|call| {
            facts
                .file_lock_at(call.stmt())
                .is_some_and(|held| held.stmt == lock.stmt)
        })
        .filter(|call| {
            call.is(&[
                "os.scandir",
                "os.listdir",
                "os.stat",
                "os.path.getsize",
                "os.path.getmtime",
                "os.path.getatime",
            ]) || matches!(call.method(), Some("stat" | "iterdir"))
        })
        .filter(|call| !facts.is_caught(call.stmt(), REMOVAL_ERRORS))
        .find(|call| {
            call.positional(0)
                .or_else(|| call.receiver())
                .is_some_and(|path| facts.is_same_path(path, deletion.path))
        })
        .map(|call| call.stmt())
}

/// A path that is a lock's own file, by its text.
pub(super) fn is_lock_file(facts: &Facts, path: ExprId) -> bool {
    let by_name = |id: ExprId| {
        facts.last_name(id).is_some_and(|name| {
            ["lock file", "lock path", "lockfile", "lock filename"]
                .iter()
                .any(|phrase| topic::says(name, phrase))
        })
    };
    let by_text = |id: ExprId| {
        let text = facts.expr_text(id);
        text.trim_end_matches(['"', '\'', ')']).ends_with(".lock")
    };
    by_name(path) || facts.values(path).into_iter().any(by_text)
}

impl Delete<'_> {
    /// Whether this is the fault that stands for the removal.
    pub(super) fn is_first(&self, fault: Fault) -> bool {
        self.faults.first() == Some(&fault)
    }

    /// How sure a fault is: a cache path by proof, a visible enclosure, and no caller who could hold the lock.
    pub(super) fn verdict(&self, cx: &Context<'_>, fault: Fault) -> HitVerdict {
        let stmt = self.deletion.call.stmt();
        let sure_path = self.proof != CacheProof::Place || self.custom.is_some();
        let lock_unsure = self
            .lock
            .is_some_and(|lock| lock.proof == Proof::Named && fault != Fault::NotIdempotent);
        let sure = sure_path
            && !lock_unsure
            && cx.facts.sees_enclosure(stmt)
            && !guard_may_be_callers(cx.facts, stmt);
        let tolerant_file = self.deletion.is_tolerant && !self.deletion.is_tree;
        // A command that empties a folder of the shared cache does so beside whatever serves from it.
        let reaches_servers = self.proof == CacheProof::Flows && self.deletion.is_tree;
        if reaches_servers && cx.facts.cold_file(cx.profile).is_some() && !cx.facts.is_test() {
            return HitVerdict::Look;
        }
        cx.where_shared(HitVerdict::sure_if(sure && !tolerant_file))
    }

    /// The checks for whose faults the finding stands, for `conclude`. With no lock, a test before the removal guards
    /// nothing: whoever drops it, or has it ask for the right path at last, leaves the fault as it was.
    pub(super) fn stands_for(&self, facts: &Facts) -> Vec<&'static str> {
        let unlocked = self.faults.contains(&Fault::Unlocked);
        let test = unlocked && stands_under_question(facts, self.deletion.call.stmt());
        let test = test.then_some(Fault::CheckThenAct);
        let all = self.faults.iter().copied().chain(test);
        all.map(Fault::check).collect()
    }

    /// What else is wrong, as the end of a sentence.
    pub(super) fn others(&self) -> String {
        let named: Vec<&str> = self
            .faults
            .iter()
            .skip(1)
            .map(|fault| match fault {
                Fault::CheckThenAct => "its existence is asked for outside of the lock",
                Fault::Unlocked => "no file lock is held",
                Fault::NotIdempotent => "a path that is gone already is an error",
            })
            .collect();
        match named.as_slice() {
            [] => String::new(),
            [one] => format!(" Besides, {one}."),
            many => format!(" Besides, {}.", many.join(", and ")),
        }
    }
}

/// A private function whose calls are not shown may be called under the lock.
pub(super) fn guard_may_be_callers(facts: &Facts, stmt: StmtId) -> bool {
    let Some(function) = facts.function_of(facts.stmt(stmt).scope) else {
        return false;
    };
    let private = facts
        .scope_name(function)
        .is_none_or(|name| name.starts_with('_'));
    private && facts.calls_to(function).next().is_none()
}
