//! Folders that several processes have: one that its name says to be shared, or one that the file itself keeps other
//! processes out of.

use super::Facts;
use super::composition::Piece;
use super::hir::*;
use super::paths::{Roots, says_own};
use super::types::Proof;

/// Why several processes have a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Common {
    /// A lock between processes is held elsewhere in the file where something in this folder is used: the statement that takes it.
    Locked(StmtId),
    /// A literal or a name on the way of the path says that it is shared.
    Named,
}

impl Facts {
    /// Why several processes have the folder that a path lies in, if the file says so. A path of this run alone is in none.
    pub(crate) fn common_folder(&self, path: ExprId) -> Option<Common> {
        let roots = self.roots(path);
        if roots.starts.iter().any(|start| says_own(start.name)) || self.is_unique(path) {
            return None;
        }
        let locked = || self.locked_elsewhere(path, &roots).map(Common::Locked);
        locked().or_else(|| says_common(&roots).then_some(Common::Named))
    }

    /// Whether a path starts at a constant or a field to which no shown text gives a value.
    pub(crate) fn starts_unseen(&self, path: ExprId) -> bool {
        let is_constant = |name: &str| {
            name.len() > 2
                && name
                    .chars()
                    .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        };
        let start = self.first_part(path);
        if self.document.whole || !self.bindings_behind(start).is_empty() {
            return false;
        }
        self.self_attribute(start).is_some()
            || self
                .name(start)
                .is_some_and(|name| is_constant(name) && !self.imports_name(name))
    }

    /// `ROOT` of `path`, where `path = ROOT / name`.
    fn first_part(&self, path: ExprId) -> ExprId {
        let values = self.values(path);
        let composed = values
            .iter()
            .find_map(|&value| match self.pieces(value)?.first()? {
                Piece::Value(root) => Some(*root),
                Piece::Text(_) => None,
            });
        composed.unwrap_or(path)
    }

    /// A region of another function under a proven lock between processes in which something of the same folder is used.
    fn locked_elsewhere(&self, path: ExprId, roots: &Roots<'_>) -> Option<StmtId> {
        let own = self.expr(path).stmt;
        let region = self.held().iter().find(|held| {
            held.lock.keeps_processes_out()
                && held.lock.proof == Proof::Proven
                && !held.holds(own)
                && held.body.iter().any(|&stmt| self.uses_folder(stmt, roots))
        })?;
        Some(region.stmt)
    }

    fn uses_folder(&self, stmt: StmtId, roots: &Roots<'_>) -> bool {
        self.calls_in(stmt).any(|call| {
            let args = call.args.iter().map(|arg| arg.value);
            args.chain(call.receiver())
                .any(|used| self.roots(used).meet(roots))
        })
    }

    /// The shown calls of a function that hold no lock between processes, where at least one of the others does.
    pub(crate) fn calls_without_file_lock(&self, function: ScopeId) -> Vec<ExprId> {
        let calls = || self.calls_to(function);
        let is_locked = |stmt: StmtId| self.is_file_locked(stmt);
        if !calls().any(|call| is_locked(call.stmt())) {
            return Vec::new();
        }
        calls()
            .filter(|call| !is_locked(call.stmt()))
            .map(|call| call.id)
            .collect()
    }
}

fn says_common(roots: &Roots<'_>) -> bool {
    let is_shared = |word: &str| matches!(word, "shared" | "nfs" | "efs" | "lustre" | "spool");
    let in_text = |text: &&str| text.contains('/') && text.split('/').any(is_shared);
    let in_name = |name: &str| {
        let says = |wanted: &[&str]| topic::words(name).any(|word| wanted.contains(&&*word));
        says(&["shared"])
            && says(&[
                "dir",
                "directory",
                "folder",
                "root",
                "path",
                "volume",
                "storage",
            ])
    };
    roots.texts.iter().any(in_text) || roots.starts.iter().any(|start| in_name(start.name))
}

#[cfg(test)]
mod tests {
    use super::Common;
    use crate::probe::facts_of;

    /// Why the folder of the last removal is a common one.
    fn why(text: &str) -> Option<Common> {
        let facts = facts_of(text);
        let removal = facts.deletions().last().unwrap();
        facts.common_folder(removal.path)
    }

    const LOCKED: &str = "from filelock import FileLock\nfrom pathlib import Path\nROOT = Path('/srv/tiles')\ndef load(n):\n    with FileLock(ROOT / f'.{n}', timeout=9):\n        return read(ROOT / str(n))\n";

    #[test]
    fn a_lock_elsewhere_says_that_others_have_the_folder() {
        let drop = format!("{LOCKED}def drop(n):\n    shutil.rmtree(ROOT / str(n))\n");
        assert!(matches!(why(&drop), Some(Common::Locked(_))));
        let apart = format!("{LOCKED}def drop(n):\n    shutil.rmtree(WORK / str(n))\n");
        assert_eq!(why(&apart), None);
    }

    #[test]
    fn a_lock_of_a_cache_server_keeps_processes_out_too() {
        let text = "import redis\nfrom pathlib import Path\nROOT = Path('/srv/tiles')\nserver = redis.Redis()\ndef load(n):\n    with server.lock(f'tile:{n}', timeout=9):\n        return read(ROOT / str(n))\ndef drop(n):\n    shutil.rmtree(ROOT / str(n))\n";
        assert!(matches!(why(text), Some(Common::Locked(_))));
    }

    #[test]
    fn a_place_can_say_it_and_an_own_name_cannot() {
        let head = "import os, uuid\nfrom pathlib import Path\nROOT = Path('/mnt/shared/tiles')\n";
        let named = format!("{head}def f(n):\n    os.remove(ROOT / n)\n");
        assert_eq!(why(&named), Some(Common::Named));
        let own =
            format!("{head}def f():\n    part = ROOT / uuid.uuid4().hex\n    os.remove(part)\n");
        assert_eq!(why(&own), None);
        let staged =
            "STAGING_DIR = Path('/mnt/shared/tiles')\ndef f(n):\n    os.remove(STAGING_DIR / n)\n";
        assert_eq!(why(staged), None);
    }
}
