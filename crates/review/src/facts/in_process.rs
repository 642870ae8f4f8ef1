//! Stores that live in this process: a cache class of the diff that keeps its entries in a dict has no server that
//! could be down.

use super::Facts;
use super::bindings::BindingKind;
use super::containers::Owner;
use super::hir::*;
use super::imported::Imported;
use super::modules::Modules;
use super::types::Kind;

/// A class and the file that defines it.
type Class<'f> = (&'f Facts, ScopeId);

/// Bases that keep what they are given in memory.
const MEMORY_BASES: &[&str] = &[
    "dict",
    "Dict",
    "OrderedDict",
    "defaultdict",
    "UserDict",
    "MutableMapping",
    "LRUCache",
    "TTLCache",
    "LFUCache",
    "WeakValueDictionary",
];

/// Bases that say nothing about where entries are kept.
const NEUTRAL_BASES: &[&str] = &["ABC", "Generic", "Protocol", "object", "NamedTuple"];

/// Words in names of what talks to another process.
const REMOTE: &[&str] = &[
    "redis",
    "memcache",
    "memcached",
    "client",
    "connection",
    "conn",
    "remote",
    "distributed",
    "http",
    "socket",
    "session",
    "server",
    "backend",
    "pool",
    "sql",
    "database",
];

/// Packages whose stores live in this process, or on its own disk.
const LOCAL_PACKAGES: &[&str] = &[
    "cachetools",
    "diskcache",
    "expiringdict",
    "functools",
    "lru",
    "pylru",
    "shelve",
    "sqlitedict",
    "weakref",
];

/// Classes behind classes before we give up.
const DEPTH: u32 = 3;

impl Facts {
    /// Whether an object can only be of classes of the diff that keep their entries in this process, or the object at
    /// hand itself under another name.
    pub(crate) fn is_in_process(&self, id: ExprId) -> bool {
        let files = Files(self.modules.as_deref());
        let values = self.values(id);
        !values.is_empty() && values.into_iter().all(|value| self.is_memory(value, files))
    }

    fn is_memory(&self, value: ExprId, files: Files<'_>) -> bool {
        if matches!(self.name(value), Some("self" | "cls"))
            || self.is_of_packages(value, LOCAL_PACKAGES)
        {
            return true;
        }
        if let Some(call) = self.call(value) {
            let is_dict = self.constructs(&call) == Some(Kind::Dict);
            let class = files.class_named(self, call.function);
            return is_dict || class.is_some_and(|class| files.keeps_in_memory(class, DEPTH));
        }
        if let ExprKind::Dict(_) = self.expr(value).kind {
            return true;
        }
        // `from package.cache import cache`: what that module makes.
        if let Some(found) = files.imported(self, value) {
            let mut given = found.values().peekable();
            let home = found.facts;
            let is_elsewhere = |given| home.call(given).is_some() && home.is_memory(given, files);
            return given.peek().is_some() && given.all(is_elsewhere);
        }
        let annotations = self.annotations_of(value);
        !annotations.is_empty()
            && annotations.into_iter().all(|annotation| {
                let mut classes = self
                    .within(annotation)
                    .filter_map(|id| files.class_named(self, id));
                classes
                    .next()
                    .is_some_and(|class| files.keeps_in_memory(class, DEPTH))
            })
    }

    /// Whether a value is made by a class of one of these packages, or said to be of one.
    pub(super) fn is_of_packages(&self, value: ExprId, packages: &[&str]) -> bool {
        let is_of = |id: ExprId| {
            let root = self.imported_root(id);
            root.is_some_and(|root| packages.contains(&root.as_str()))
        };
        match self.call(value) {
            Some(made) => is_of(made.function),
            None => {
                let annotations = self.annotations_of(value).into_iter();
                let mut names = annotations.flat_map(|annotation| self.within(annotation));
                names.any(is_of)
            }
        }
    }

    /// What a parameter or a declared field is said to be.
    fn annotations_of(&self, id: ExprId) -> Vec<ExprId> {
        if let Some((_, param)) = self.parameter(id) {
            return param.annotation.into_iter().collect();
        }
        let bindings = self.bindings_behind(id).into_iter();
        bindings
            .filter_map(|binding| match binding.kind {
                BindingKind::Declared(annotation) => Some(annotation),
                _ => None,
            })
            .collect()
    }
}

/// The files of the diff, in which a class of one may name a base of another.
#[derive(Clone, Copy)]
struct Files<'f>(Option<&'f Modules>);

impl<'f> Files<'f> {
    fn imported<'h>(self, home: &'h Facts, id: ExprId) -> Option<Imported<'h>>
    where
        'f: 'h,
    {
        self.0?.find(&home.path, &home.import(id)?)
    }

    /// The class of a file, or of another of the diff, that a name means.
    fn class_named<'h>(self, home: &'h Facts, id: ExprId) -> Option<Class<'h>>
    where
        'f: 'h,
    {
        let (home, scope) = match home.definition(id) {
            Some(own) => (home, own),
            None => {
                let imported = self.imported(home, id)?;
                (imported.facts, imported.definition()?)
            }
        };
        (home.scope(scope).kind == ScopeKind::Class).then_some((home, scope))
    }

    /// A class that keeps entries in a container of its own, or an abstract one all of whose shown subclasses do.
    fn keeps_in_memory(self, (home, class): Class<'_>, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        if is_remote(home, class) || !home.is_visible(class) {
            return false;
        }
        let derived: Vec<ScopeId> = home
            .scope_ids()
            .filter(|&scope| home.canonical(scope) == scope)
            .filter(|&scope| {
                let class = home.canonical(class);
                home.bases_of(scope).any(|base| base == class)
            })
            .collect();
        let all_derived = derived
            .iter()
            .all(|&scope| self.keeps_in_memory((home, scope), depth));
        let has_store = stores(home, class);
        let base = self.base_store(home, class, DEPTH);
        let itself = base != Base::Unknown && (has_store || base == Base::Memory);
        let is_abstract = base != Base::Unknown && !derived.is_empty() && refuses(home, class);
        (itself || is_abstract) && all_derived
    }

    fn base_store(self, home: &Facts, class: ScopeId, depth: u32) -> Base {
        let Some(depth) = depth.checked_sub(1) else {
            return Base::Unknown;
        };
        let head = home.scope(class).stmt.map(|stmt| &home.stmt(stmt).kind);
        let Some(StmtKind::Class { bases, .. }) = head else {
            return Base::Neutral;
        };
        let mut found = Base::Neutral;
        for base in bases.iter().filter(|base| base.name.is_none()) {
            let named = match home.expr(base.value).kind {
                ExprKind::Subscript { object, .. } => object,
                _ => base.value,
            };
            let name = home.last_name(named).unwrap_or("");
            if MEMORY_BASES.contains(&name) {
                found = Base::Memory;
            } else if let Some((at, scope)) = self.class_named(home, named) {
                match self.base_store(at, scope, depth) {
                    Base::Unknown => return Base::Unknown,
                    _ if is_remote(at, scope) => return Base::Unknown,
                    Base::Memory => found = Base::Memory,
                    Base::Neutral if stores(at, scope) => found = Base::Memory,
                    Base::Neutral => {}
                }
            } else if !NEUTRAL_BASES.contains(&name) {
                return Base::Unknown;
            }
        }
        found
    }
}

/// What the bases of a class say about where it keeps entries.
#[derive(PartialEq, Eq)]
enum Base {
    Memory,
    Neutral,
    Unknown,
}

/// A dict, list or set that the class itself or each instance keeps.
fn stores(home: &Facts, class: ScopeId) -> bool {
    let class = home.canonical(class);
    home.containers().iter().any(|container| {
        matches!(container.owner, Owner::Instance(of) | Owner::Class(of) if of == class)
    })
}

/// Methods that only say that a subclass has to have them.
fn refuses(home: &Facts, class: ScopeId) -> bool {
    home.methods(class).any(|method| {
        let marked = home.decorators(method).iter();
        let is_marked = marked
            .filter_map(|&decorator| home.last_name(decorator))
            .any(|name| name == "abstractmethod");
        let mut stmts = home.statements_of(method);
        is_marked || stmts.any(|stmt| matches!(home.stmt(stmt).kind, StmtKind::Raise))
    })
}

/// The class's name, or that of something that it uses, says that another process has the entries.
fn is_remote(home: &Facts, class: ScopeId) -> bool {
    let says = |name: &str| REMOTE.iter().any(|word| topic::says(name, word));
    let fields = home
        .exprs_within(home.scope(class).span)
        .filter_map(|id| home.self_attribute(id));
    let mut names = home.scope_name(class).into_iter().chain(fields);
    let mut calls = home.calls_of_class(class);
    names.any(says)
        || calls.any(|call| {
            let made = home.constructs(&call);
            matches!(
                made,
                Some(Kind::Redis | Kind::Client | Kind::HttpSession | Kind::Socket)
            )
        })
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        let facts = facts_of(&format!("{text}\nprint(1)\n"));
        let call = facts.calls_named("get").last();
        let receiver = call.and_then(|call| call.receiver());
        assert_eq!(receiver.map(|id| facts.is_in_process(id)), Some(expected));
    }

    const MEMORY: &str = "class M:\n    def __init__(self):\n        self.data = {}\n";

    #[test]
    fn a_class_with_a_dict_keeps_in_memory() {
        check(&format!("{MEMORY}cache = M()\ncache.get(1)"), true);
        check(&format!("{MEMORY}def f(cache: M):\n    cache.get(1)"), true);
        check("class D(dict):\n    pass\ncache = D()\ncache.get(1)", true);
        check(
            "import diskcache\ncache = diskcache.Cache('/x')\ncache.get(1)",
            true,
        );
        check(
            "from cachetools import TTLCache\ndef f(cache: TTLCache | None):\n    cache.get(1)",
            true,
        );
    }

    #[test]
    fn a_client_or_a_stranger_may_be_remote() {
        let client = MEMORY.replace("{}", "{}\n        self._redis = connect()");
        check(&format!("{client}cache = M()\ncache.get(1)"), false);
        check("cache = Other()\ncache.get(1)", false);
        check("def f(cache):\n    cache.get(1)", false);
    }

    #[test]
    fn an_abstract_class_is_what_its_subclasses_are() {
        let base = "class B:\n    def get(self, k):\n        raise NotImplementedError\n";
        let memory = format!("{base}{}", MEMORY.replace("class M", "class M(B)"));
        check(&format!("{memory}def f(c: B):\n    c.get(1)"), true);
        check(&format!("{base}def f(c: B):\n    c.get(1)"), false);
    }
}
