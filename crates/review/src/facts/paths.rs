//! Where a path leads: into the cache that workers share, to a temp name of our own, or nobody knows.
//!
//! A path is followed through names, `self` attributes, parameters and their shown callers, `with` targets, loops,
//! compositions and one level of calls in the file. Where the flow ends the name has the word, then the module.

use super::Facts;
use super::bindings::{Binding, BindingKind};
use super::calls::Call;
use super::composition::Piece;
use super::hir::*;
use super::types::Kind;
use std::cell::Cell;
use topic::Profile;

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

/// Steps of following, over all branches together.
const STEPS: u32 = 400;
/// Steps of following in one line.
const DEPTH: u32 = 14;

/// Calls that pass their first argument's place on.
const PASSING: &[&str] = &[
    "os.path.dirname",
    "os.path.abspath",
    "os.path.realpath",
    "os.path.normpath",
    "os.path.expanduser",
    "os.path.expandvars",
    "os.fspath",
    "str",
    "bytes",
    "pathlib.Path",
    "pathlib.PurePath",
    "pathlib.PosixPath",
    "typing.cast",
];

/// Methods of paths and strings that keep the place.
const KEEPING: &[&str] = &[
    "with_suffix",
    "with_name",
    "with_stem",
    "resolve",
    "absolute",
    "expanduser",
    "as_posix",
    "strip",
    "rstrip",
    "replace",
    "format",
    "removesuffix",
    "decode",
    "encode",
];

/// What makes a name one of this run.
const UNIQUE: &[&str] = &[
    "uuid.uuid4",
    "uuid.uuid1",
    "os.getpid",
    "threading.get_ident",
    "threading.get_native_id",
    "tempfile.mktemp",
    "tempfile.gettempprefix",
    "secrets.token_hex",
    "secrets.token_urlsafe",
    "random.getrandbits",
];

/// What makes a file or folder of our own.
const OWN_MAKERS: &[&str] = &[
    "tempfile.mkdtemp",
    "tempfile.mkstemp",
    "tempfile.mktemp",
    "tempfile.TemporaryDirectory",
    "tempfile.NamedTemporaryFile",
    "tempfile.gettempdir",
];

/// Words of names that hold a temp path of our own.
const OWN_WORDS: &[&str] = &[
    "tmp",
    "temp",
    "temporary",
    "tempdir",
    "tmpdir",
    "staging",
    "scratch",
    "partial",
    "part",
    "uuid",
    "pid",
];

/// Words of names that hold a path which is not the cache's.
const ELSEWHERE_WORDS: &[&str] = &[
    "output",
    "outputs",
    "out",
    "log",
    "logs",
    "report",
    "export",
    "result",
    "results",
    "trace",
    "profile",
    "video",
    "screenshot",
    "debug",
];

impl Facts {
    /// Where a path leads.
    pub(crate) fn leads(&self, path: ExprId, profile: &Profile) -> Leads {
        let walk = Walk {
            facts: self,
            profile,
            steps: Cell::new(STEPS),
        };
        match walk.leads(path, DEPTH) {
            Leads::Unknown if self.place_says_cache(self.expr(path).stmt, profile) => {
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
            let by_name = self.name(inner).is_some_and(|name| {
                topic::words(name).any(|word| matches!(&*word, "uuid" | "pid"))
            });
            by_name
                || made(inner)
                || (self.name(inner).is_some() && self.values(inner).into_iter().any(made))
        })
    }

    /// Whether module, class or function are about the cache or its artifacts.
    fn place_says_cache(&self, stmt: StmtId, profile: &Profile) -> bool {
        let scope = self.stmt(stmt).scope;
        let class = self
            .class_of(scope)
            .and_then(|class| self.scope_name(class));
        let of_cache = |name: &str| {
            topic::words(name).any(|word| {
                matches!(
                    &*word,
                    "cache" | "artifact" | "artifacts" | "artefact" | "artefacts"
                )
            })
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
    fn uses_root(&self, profile: &Profile) -> bool {
        self.expr_ids().any(|id| {
            matches!(
                self.expr(id).kind,
                ExprKind::Name | ExprKind::Attribute { .. }
            ) && self
                .resolved(id)
                .is_some_and(|name| profile.cache.is_root(&name))
        })
    }
}

/// One question, followed to its end.
struct Walk<'a> {
    facts: &'a Facts,
    profile: &'a Profile,
    steps: Cell<u32>,
}

impl Walk<'_> {
    fn leads(&self, id: ExprId, depth: u32) -> Leads {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.step()) else {
            return Leads::Unknown;
        };
        match &self.facts.expr(id).kind {
            ExprKind::Name | ExprKind::Attribute { .. } => self.named(id, depth),
            ExprKind::Str(content) => literal(self.facts.text(*content)),
            ExprKind::FString(_) | ExprKind::Binary { .. } => self.composed(id, depth),
            ExprKind::Call { .. } => self.called(id, depth),
            ExprKind::Subscript { object, index } => self.subscript(*object, index, depth),
            ExprKind::Conditional { body, orelse, .. } => {
                either(self.leads(*body, depth), self.leads(*orelse, depth))
            }
            ExprKind::Bool { left, right, .. } => {
                either(self.leads(*left, depth), self.leads(*right, depth))
            }
            ExprKind::Walrus { value, .. } => self.leads(*value, depth),
            ExprKind::Await(inner) | ExprKind::Starred(inner) => self.leads(*inner, depth),
            _ => Leads::Unknown,
        }
    }

    fn step(&self) -> bool {
        let left = self.steps.get().checked_sub(1);
        self.steps.set(left.unwrap_or(0));
        left.is_some()
    }

    /// A name or attribute: a root, what it was given, or what its own words say.
    fn named(&self, id: ExprId, depth: u32) -> Leads {
        let facts = self.facts;
        let is_root = facts
            .resolved(id)
            .is_some_and(|name| self.profile.cache.is_root(&name));
        if is_root {
            return Leads::Cache(CacheProof::Flows);
        }
        let flow = self.bound(id, depth);
        if flow != Leads::Unknown {
            return flow;
        }
        if let Some((object, name)) = facts.attribute(id) {
            let keeps = matches!(name, "parent" | "path" | "name" | "parents");
            let of_object = self.leads(object, depth);
            if keeps && of_object != Leads::Unknown {
                return of_object;
            }
            if name == "name" && of_object == Leads::Own {
                return Leads::Own;
            }
        }
        facts
            .last_name(id)
            .map_or(Leads::Unknown, |name| self.says(name))
    }

    fn says(&self, name: &str) -> Leads {
        let has = |words: &[&str]| topic::words(name).any(|word| words.contains(&&*word));
        if has(OWN_WORDS) {
            Leads::Own
        } else if self.profile.cache.says_path(name) {
            Leads::Cache(CacheProof::Says)
        } else if has(ELSEWHERE_WORDS) {
            Leads::Elsewhere
        } else {
            Leads::Unknown
        }
    }

    fn bound(&self, id: ExprId, depth: u32) -> Leads {
        let bindings = self.facts.bindings_behind(id);
        bindings
            .into_iter()
            .map(|binding| self.binding(id, binding, depth))
            .fold(Leads::Unknown, either)
    }

    fn binding(&self, id: ExprId, binding: &Binding, depth: u32) -> Leads {
        match binding.kind {
            BindingKind::Value { value, index: None } => self.leads(value, depth),
            BindingKind::Value {
                value,
                index: Some(n),
            } => self.unpacked(value, n, depth),
            BindingKind::Loop { iter, index } => self.element(iter, index, depth),
            BindingKind::With(context) => self.entered(context),
            BindingKind::Parameter(_) => self.parameter(id, depth),
            _ => Leads::Unknown,
        }
    }

    /// `fd, path = mkstemp()`, `head, tail = os.path.split(path)`, `a, b = x, y`.
    fn unpacked(&self, value: ExprId, n: u32, depth: u32) -> Leads {
        if let Some(item) = self.facts.item(value, n) {
            return self.leads(item, depth);
        }
        match self.facts.call(value) {
            Some(call) if call.is(&["tempfile.mkstemp"]) && n == 1 => Leads::Own,
            Some(call) if call.is(&["os.path.split", "os.path.splitext"]) && n == 0 => call
                .positional(0)
                .map_or(Leads::Unknown, |path| self.leads(path, depth)),
            _ => Leads::Unknown,
        }
    }

    /// What `with context as path` hands out.
    fn entered(&self, context: ExprId) -> Leads {
        let Some(call) = self.facts.call(context) else {
            return Leads::Unknown;
        };
        let is_own = call.is(OWN_MAKERS) || self.profile.cache.is_atomic_writer(call.callee());
        let says_own = topic::words(call.name())
            .any(|word| matches!(&*word, "atomic" | "temp" | "tmp" | "temporary"));
        if is_own || says_own {
            Leads::Own
        } else if self.facts.constructs(&call) == Some(Kind::File) {
            Leads::Handle
        } else {
            Leads::Unknown
        }
    }

    /// An element of what a loop goes over.
    fn element(&self, iter: ExprId, index: Option<u32>, depth: u32) -> Leads {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.step()) else {
            return Leads::Unknown;
        };
        let facts = self.facts;
        match &facts.expr(iter).kind {
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => items
                .iter()
                .map(|&item| self.leads(item, depth))
                .fold(Leads::Unknown, either),
            ExprKind::Comprehension { elements, .. } => elements
                .first()
                .map_or(Leads::Unknown, |&first| self.leads(first, depth)),
            ExprKind::Call { .. } => match facts.call(iter) {
                Some(call) => self.called_element(&call, index, depth),
                None => Leads::Unknown,
            },
            ExprKind::Name | ExprKind::Attribute { .. } => {
                let values = facts.values(iter);
                let flow = values
                    .into_iter()
                    .filter(|&value| value != iter)
                    .map(|value| self.element(value, index, depth))
                    .fold(Leads::Unknown, either);
                match (flow, facts.last_name(iter)) {
                    (Leads::Unknown, Some(name)) => self.says(name),
                    _ => flow,
                }
            }
            _ => Leads::Unknown,
        }
    }

    fn called_element(&self, call: &Call<'_>, index: Option<u32>, depth: u32) -> Leads {
        let facts = self.facts;
        let first = call.positional(0);
        let walks = call.is(&["os.walk"]);
        if call.is(&["os.scandir", "glob.glob", "glob.iglob"]) || (walks && index == Some(0)) {
            return first.map_or(Leads::Unknown, |path| self.leads(path, depth));
        }
        if matches!(call.method(), Some("iterdir" | "glob" | "rglob")) {
            return call
                .receiver()
                .map_or(Leads::Unknown, |path| self.leads(path, depth));
        }
        if matches!(
            call.callee(),
            "sorted" | "list" | "set" | "tuple" | "reversed" | "enumerate" | "iter"
        ) {
            return first.map_or(Leads::Unknown, |inner| self.element(inner, index, depth));
        }
        match facts.callee_scope(call) {
            Some(function) => facts
                .returns_of(function)
                .map(|value| self.element(value, index, depth))
                .fold(Leads::Unknown, either),
            None => Leads::Unknown,
        }
    }

    /// A parameter: what shown callers pass, its default, its name.
    fn parameter(&self, id: ExprId, depth: u32) -> Leads {
        let facts = self.facts;
        let Some((function, param)) = facts.parameter(id) else {
            return Leads::Unknown;
        };
        let passed: Vec<Leads> = facts
            .calls_to(function)
            .filter_map(|call| facts.argument_for(&call, function, facts.text(param.name)))
            .map(|value| self.leads(value, depth.min(DEPTH / 2)))
            .collect();
        if let Some(proof) = passed.iter().find(|leads| matches!(leads, Leads::Cache(_))) {
            return *proof;
        }
        if let Some(&first) = passed.first()
            && passed.iter().all(|&leads| leads == first)
        {
            return first;
        }
        match param.default {
            Some(default) => self.leads(default, depth),
            None => Leads::Unknown,
        }
    }

    fn composed(&self, id: ExprId, depth: u32) -> Leads {
        let Some(pieces) = self.facts.pieces(id) else {
            return Leads::Unknown;
        };
        let is_own = pieces.iter().skip(1).any(|piece| self.piece_is_own(*piece));
        if is_own {
            return Leads::Own;
        }
        let root = match pieces.first() {
            Some(Piece::Value(value)) if *value != id => self.leads(*value, depth),
            Some(Piece::Text(text)) => literal(self.facts.text(*text)),
            _ => Leads::Unknown,
        };
        let is_staged = pieces.last().is_some_and(|piece| match piece {
            Piece::Text(text) => is_temp_suffix(self.facts.text(*text)),
            Piece::Value(value) => self.facts.string(*value).is_some_and(is_temp_suffix),
        });
        match root {
            Leads::Cache(_) | Leads::Unknown if is_staged => Leads::Staged,
            _ => root,
        }
    }

    fn piece_is_own(&self, piece: Piece) -> bool {
        match piece {
            Piece::Text(_) => false,
            Piece::Value(value) => {
                let names_own = self.facts.last_name(value).is_some_and(|name| {
                    topic::words(name)
                        .any(|word| matches!(&*word, "tmp" | "temp" | "random" | "nonce"))
                });
                names_own || self.facts.is_unique(value)
            }
        }
    }

    fn called(&self, id: ExprId, depth: u32) -> Leads {
        let facts = self.facts;
        let Some(call) = facts.call(id) else {
            return Leads::Unknown;
        };
        if call.is(OWN_MAKERS) {
            return Leads::Own;
        }
        if self.profile.cache.is_path_call(call.callee()) {
            return Leads::Cache(CacheProof::Flows);
        }
        if call.is(&["io.BytesIO", "io.StringIO", "BytesIO", "StringIO"])
            || facts.constructs(&call) == Some(Kind::File)
        {
            return Leads::Handle;
        }
        if call.is(&["os.getenv", "os.environ.get"]) {
            return self.setting(call.positional(0), call.positional(1), depth);
        }
        if facts.pieces(id).is_some() {
            return self.composed(id, depth);
        }
        if call.is(PASSING) {
            return call
                .positional(0)
                .map_or(Leads::Unknown, |inner| self.leads(inner, depth));
        }
        self.returned(&call, depth)
    }

    /// What a function of the file returns, what a method keeps, and what the callee's name says.
    fn returned(&self, call: &Call<'_>, depth: u32) -> Leads {
        let facts = self.facts;
        let kept = call
            .method()
            .filter(|method| KEEPING.contains(method))
            .and_then(|_| call.receiver())
            .map_or(Leads::Unknown, |receiver| self.leads(receiver, depth));
        let by_body = facts.callee_scope(call).map_or(Leads::Unknown, |function| {
            facts
                .returns_of(function)
                .map(|value| self.leads(value, depth.min(DEPTH / 2)))
                .fold(Leads::Unknown, either)
        });
        match either(kept, by_body) {
            Leads::Unknown if self.profile.cache.says_path(call.name()) => {
                Leads::Cache(CacheProof::Says)
            }
            known => known,
        }
    }

    /// `os.environ["X_CACHE_DIR"]`, `settings["cache_dir"]`, `self._paths[key]`.
    fn subscript(&self, object: ExprId, index: &[ExprId], depth: u32) -> Leads {
        let by_key = self.setting(index.first().copied(), None, depth);
        match by_key {
            Leads::Unknown => match self.facts.attribute(object) {
                Some((_, "parents")) => self.leads(object, depth),
                _ => self
                    .facts
                    .last_name(object)
                    .map_or(Leads::Unknown, |name| self.says(name)),
            },
            known => known,
        }
    }

    fn setting(&self, key: Option<ExprId>, default: Option<ExprId>, depth: u32) -> Leads {
        let name = key.and_then(|key| self.facts.string(key)).unwrap_or("");
        if self.profile.cache.is_root(name) {
            Leads::Cache(CacheProof::Flows)
        } else if self.profile.cache.says_path(name) {
            Leads::Cache(CacheProof::Says)
        } else {
            default.map_or(Leads::Unknown, |default| self.leads(default, depth))
        }
    }
}

/// Of two possible flows the one to believe: what is surely harmless first, then the cache.
fn either(a: Leads, b: Leads) -> Leads {
    let rank = |leads: Leads| match leads {
        Leads::Own => 0,
        Leads::Handle => 1,
        Leads::Staged => 2,
        Leads::Cache(proof) => 3 + proof as u8,
        Leads::Elsewhere => 8,
        Leads::Unknown => 9,
    };
    if rank(b) < rank(a) { b } else { a }
}

/// A literal path with a folder that is a cache by its name.
fn literal(text: &str) -> Leads {
    let says = |part: &str| matches!(part, ".cache" | "cache" | "model_cache" | "model-cache");
    if text.contains('/') && text.split('/').any(says) {
        Leads::Cache(CacheProof::Says)
    } else {
        Leads::Unknown
    }
}

/// `.tmp`, `_partial`, `.downloading.part`: the name is not the final one.
pub(crate) fn is_temp_suffix(text: &str) -> bool {
    topic::words(text).last().is_some_and(|word| {
        matches!(
            &*word,
            "tmp" | "temp" | "part" | "partial" | "incomplete" | "staging" | "new"
        )
    }) && text.starts_with(['.', '_', '-'])
}

impl Facts {
    /// What a call gives a parameter of a function of this file.
    pub(crate) fn argument_for(
        &self,
        call: &Call<'_>,
        function: ScopeId,
        parameter: &str,
    ) -> Option<ExprId> {
        let params = &self.scope(function).params;
        let place = params
            .iter()
            .position(|param| self.text(param.name) == parameter)?;
        let is_bound = params
            .first()
            .is_some_and(|first| matches!(self.text(first.name), "self" | "cls"));
        let n = place.checked_sub(usize::from(is_bound));
        call.keyword(parameter)
            .or_else(|| n.and_then(|n| call.positional(n)))
    }
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
            "import io\ndef f(cache_path):\n    b = io.BytesIO()\n    write(b)\n",
            Leads::Handle,
        );
    }
}
