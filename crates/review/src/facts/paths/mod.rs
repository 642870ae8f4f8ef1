//! Where a path leads: into the cache that workers share, to a temp name of our own, or nobody knows.
//!
//! A path is followed through names, `self` attributes, parameters and their shown callers, `with` targets, loops,
//! compositions, one level of calls, and names of the diff's other files. Where the flow ends the name has the word, then the module.

mod calls;
mod roots;
mod walk;
mod words;

pub(crate) use roots::Roots;
pub(crate) use words::{is_temp_suffix, says_own};

use super::Facts;
use super::composition::Piece;
use super::hir::*;
use std::cell::Cell;
use topic::Profile;
use walk::{DEPTH, STEPS, Walk};
use words::UNIQUE;

/// Where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leads {
    /// Into the cache, under a name that other workers know.
    Cache(CacheProof),
    /// To a name of this run alone: a temp file, a name with a pid or uuid in it, what an atomic writer hands out.
    Own,
    /// To a name beside the final one, told from it by a constant: `target + ".tmp"`.
    Staged,
    /// To a buffer or an open file: no path at all.
    Handle,
    /// To a user's folder or a log, by its name.
    Elsewhere,
    Unknown,
}

/// Why a path counts as one of the cache. Ordered: the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CacheProof {
    /// It flows from a root, or from a call that returns cache paths.
    Flows,
    /// The name of a variable, field, parameter or callee on its way says so.
    Says,
    /// Only the module, class or function around says so.
    Place,
}
impl Facts {
    /// Where a path leads.
    pub(crate) fn leads(&self, path: ExprId, profile: &Profile) -> Leads {
        let walk = Walk {
            facts: self,
            profile,
            steps: &Cell::new(STEPS),
        };
        match walk.leads(path, DEPTH) {
            Leads::Unknown
                if self.place_says_cache(self.expr(path).stmt, profile)
                    || self.comes_from_unseen_text(path, profile) =>
            {
                Leads::Cache(CacheProof::Place)
            }
            known => known,
        }
    }

    /// Why a path counts as one of the cache, if it does.
    pub(crate) fn cache_proof(&self, path: ExprId, profile: &Profile) -> Option<CacheProof> {
        match self.leads(path, profile) {
            Leads::Cache(proof) => Some(proof),
            _ => None,
        }
    }

    /// Whether the expression holds something that tells this run from every other: a pid, a uuid, a random token.
    pub(crate) fn is_unique(&self, id: ExprId) -> bool {
        self.within(id).any(|inner| {
            let made = |value: ExprId| {
                self.within(value)
                    .any(|part| self.call(part).is_some_and(|call| call.is(UNIQUE)))
            };
            let by_name = self
                .name(inner)
                .is_some_and(|name| topic::has_word(name, "uuid pid"));
            by_name
                || made(inner)
                || (self.name(inner).is_some() && self.values(inner).into_iter().any(made))
        })
    }

    /// A field that no shown text gives a value, in a file that works with a root of the cache, or such a name in a
    /// function that does.
    fn comes_from_unseen_text(&self, path: ExprId, profile: &Profile) -> bool {
        let field = match self.attribute(path) {
            Some((object, "parent")) => object,
            _ => path,
        };
        if self.self_attribute(field).is_some() {
            return self.is_unseen_attribute(field) && self.uses_root(profile);
        }
        if self.is_entry_of_store(path) {
            return true;
        }
        let is_unseen = self.name(path).is_some_and(|name| !self.imports_name(name))
            && !self.document.whole
            && self.bindings_behind(path).is_empty();
        let function = self.scope(self.expr(path).scope).span;
        let uses_root = || {
            let mut inside = self.exprs_within(function);
            inside.any(|id| self.is_root(id, profile))
        };
        let is_entry = || is_path_name(self.name(path).unwrap_or("")) && self.is_in_store(path);
        is_unseen && (is_entry() || uses_root())
    }

    /// An entry by its key below a field of a store that no shown text gives a value.
    fn is_entry_of_store(&self, path: ExprId) -> bool {
        let is_key = |piece: &Piece| match piece {
            Piece::Value(key) => self.name(*key).is_some(),
            Piece::Text(_) => false,
        };
        let is_composed = |value: &ExprId| {
            let pieces = self.pieces(*value).unwrap_or_default();
            match pieces.split_first() {
                Some((Piece::Value(root), rest)) => {
                    self.self_attribute(*root).is_some()
                        && self.is_unseen_attribute(*root)
                        && rest.iter().any(is_key)
                }
                _ => false,
            }
        };
        self.is_in_store(path) && self.values(path).iter().any(is_composed)
    }

    /// `args.artifact_path`: what a command is told to make, for whoever started it.
    fn is_artifact_of_command(&self, id: ExprId) -> bool {
        self.attribute(id).is_some_and(|(object, name)| {
            self.name(object) == Some("args") && topic::has_word(name, "artifact artifacts")
        })
    }

    /// In a class whose business is to keep entries.
    fn is_in_store(&self, id: ExprId) -> bool {
        let class = self.class_of(self.expr(id).scope);
        let name = class.and_then(|class| self.scope_name(class));
        name.is_some_and(|name| topic::ends_in_word(name, "store repository registry depot"))
    }

    /// Whether module, class or function are about the cache or its artifacts.
    fn place_says_cache(&self, stmt: StmtId, profile: &Profile) -> bool {
        let scope = self.stmt(stmt).scope;
        let class = self
            .class_of(scope)
            .and_then(|class| self.scope_name(class));
        // Keys and values of attention lie in memory.
        let of_cache = |name: &str| {
            !topic::says(name, "kv cache")
                && topic::has_word(name, "cache caching artifact artifacts artefact artefacts")
        };
        profile.cache.is_module(&self.path)
            || class.is_some_and(of_cache)
            || self.function_name(stmt).is_some_and(of_cache)
            || self.takes_cache_key(stmt)
            || self.evicts(stmt, profile)
    }

    /// A function that is given a cache key works on an entry of a cache.
    fn takes_cache_key(&self, stmt: StmtId) -> bool {
        let function = self.function_of(self.stmt(stmt).scope);
        function.is_some_and(|function| {
            let params = &self.scope(function).params;
            params
                .iter()
                .any(|param| topic::says(self.text(param.name), "cache key"))
        })
    }

    /// A function that evicts, or that purges in a file that works with a root.
    fn evicts(&self, stmt: StmtId, profile: &Profile) -> bool {
        self.function_name(stmt).is_some_and(|name| {
            let says = |verb: &str| topic::words(name).any(|word| word == verb);
            says("evict")
                || says("eviction")
                || ((says("purge") || says("prune")) && self.uses_root(profile))
        })
    }

    /// Whether the file works with a root of the cache at all.
    pub(crate) fn uses_root(&self, profile: &Profile) -> bool {
        self.expr_ids().any(|id| self.is_root(id, profile))
    }

    /// Whether the file imports one, used or not in what is shown.
    pub(crate) fn imports_root(&self, profile: &Profile) -> bool {
        let mut origins = self.imports.origins();
        origins.any(|origin| profile.cache.is_root(origin))
    }

    fn is_root(&self, id: ExprId, profile: &Profile) -> bool {
        matches!(
            self.expr(id).kind,
            ExprKind::Name | ExprKind::Attribute { .. }
        ) && self
            .resolved(id)
            .is_some_and(|name| profile.cache.is_root(&name))
    }
}

fn is_path_name(name: &str) -> bool {
    topic::has_word(name, "path file target destination")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::facts_of;

    /// Where the first argument of `write(...)` leads.
    #[track_caller]
    fn check(text: &str, leads: Leads) {
        let facts = facts_of(text);
        let call = facts.calls().find(|call| call.name() == "write").unwrap();
        let path = call.positional(0).unwrap();
        assert_eq!(facts.leads(path, &Profile::builtin()), leads, "{text}");
    }

    const FLOWS: Leads = Leads::Cache(CacheProof::Flows);

    #[test]
    fn roots_flow_through_names_helpers_and_callers() {
        check(
            "import os\nfrom env import MODEL_CACHE_DIR\ndef where(k):\n    return os.path.join(MODEL_CACHE_DIR, k)\ndef f(k):\n    p = where(k)\n    write(p)\n",
            FLOWS,
        );
        check(
            "from pathlib import Path\nfrom env import MODEL_CACHE_DIR\ndef f(k):\n    p = Path(MODEL_CACHE_DIR) / k\n    write(p.parent)\n",
            FLOWS,
        );
        check(
            "from env import MODEL_CACHE_DIR\ndef f(p):\n    write(p)\ndef g(k):\n    f(f'{MODEL_CACHE_DIR}/{k}')\n",
            FLOWS,
        );
        check(
            "import os\nclass A:\n    def __init__(self):\n        self._dir = os.environ['HF_HOME']\n    def f(self):\n        write(os.path.join(self._dir, 'x'))\n",
            FLOWS,
        );
    }

    #[test]
    fn loops_over_the_cache_yield_cache_paths() {
        check(
            "import os\nfrom env import MODEL_CACHE_DIR\ndef f():\n    for e in os.scandir(MODEL_CACHE_DIR):\n        write(e.path)\n",
            FLOWS,
        );
        check(
            "import os\nfrom env import MODEL_CACHE_DIR\ndef f():\n    for n in os.listdir(MODEL_CACHE_DIR):\n        write(os.path.join(MODEL_CACHE_DIR, n))\n",
            FLOWS,
        );
    }

    #[test]
    fn names_say_it_where_the_flow_ends() {
        check(
            "def f(cache_dir):\n    write(cache_dir)\n",
            Leads::Cache(CacheProof::Says),
        );
        check(
            "def f(self):\n    write(self.artifact_path)\n",
            Leads::Cache(CacheProof::Says),
        );
        check("def f(target):\n    write(target)\n", Leads::Unknown);
        check(
            "def f(output_path):\n    write(output_path)\n",
            Leads::Elsewhere,
        );
    }

    #[test]
    fn temp_names_are_our_own() {
        check(
            "import tempfile\ndef f(cache_dir):\n    fd, p = tempfile.mkstemp(dir=cache_dir)\n    write(p)\n",
            Leads::Own,
        );
        check(
            "import os\ndef f(cache_path):\n    p = f'{cache_path}.{os.getpid()}'\n    write(p)\n",
            Leads::Own,
        );
        check(
            "def f(cache_path):\n    with AtomicPath(cache_path) as p:\n        write(p)\n",
            Leads::Own,
        );
        check(
            "def f(cache_path):\n    write(cache_path + '.tmp')\n",
            Leads::Staged,
        );
        check(
            "def f(cache_path):\n    write(cache_path.with_name(f'{cache_path.name}.part'))\n",
            Leads::Staged,
        );
        check(
            "import os\ndef f(cache_path):\n    write(cache_path.with_suffix(f'.{os.getpid()}'))\n",
            Leads::Own,
        );
        check(
            "import io\ndef f(cache_path):\n    b = io.BytesIO()\n    write(b)\n",
            Leads::Handle,
        );
    }
}
