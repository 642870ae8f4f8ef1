//! The modules of one side of the diff: which file a dotted name comes from.
//!
//! Facts of a file are made without the other files, so that they can be kept by content. Once all are there,
//! [`Modules::link`] gives a file that imports from another one, or is imported, a copy that knows the modules and has
//! its answers still to find. The modules hold the files as they were made, unlinked: whoever asks another file gets
//! what that file says alone. So a name is followed one file far, no cycle is possible, and no order matters.

use super::Facts;
use super::imported::Imported;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The files of one side, by the names of their modules.
#[derive(Debug, Default)]
pub(crate) struct Modules {
    /// By the whole name: `package.paths` of `package/paths.py`.
    files: FxHashMap<Box<str>, Vec<Arc<Facts>>>,
    /// By each end of it of two parts or more: an absolute name may start below any folder.
    tails: FxHashMap<Box<str>, Vec<Arc<Facts>>>,
    /// The folders on the way to them: `import package.paths` brings the name `package`.
    packages: FxHashSet<Box<str>>,
    /// For the path of a file those that import from it, in the order of the diff.
    importers: FxHashMap<Box<str>, Vec<Arc<Facts>>>,
}

/// Packages that hand a name on (`from .state import LOCK` in an `__init__.py`) before we give up.
const HOPS: u32 = 3;

impl Modules {
    pub(crate) fn new(files: &[Arc<Facts>]) -> Modules {
        let mut modules = Modules::default();
        for facts in files {
            modules.add(facts);
        }
        for facts in files {
            for path in modules.imported_by(facts) {
                let importers = modules.importers.entry(path).or_default();
                importers.push(Arc::clone(facts));
            }
        }
        modules
    }

    fn add(&mut self, facts: &Arc<Facts>) {
        let parts = module(&facts.path).unwrap_or_default();
        let Some((_, packages)) = parts.split_last() else {
            return;
        };
        let packages = packages.iter().map(|&part| Box::from(part));
        self.packages.extend(packages);
        let add = |files: &mut FxHashMap<Box<str>, Vec<Arc<Facts>>>, name: &[&str]| {
            let files = files.entry(name.join(".").into()).or_default();
            files.push(Arc::clone(facts));
        };
        add(&mut self.files, &parts);
        for tail in (2..=parts.len()).filter_map(|n| parts.get(parts.len() - n..)) {
            add(&mut self.tails, tail);
        }
    }

    /// The files that a file imports from.
    fn imported_by(&self, facts: &Facts) -> BTreeSet<Box<str>> {
        let mut paths = BTreeSet::new();
        for origin in facts.imports.origins() {
            let wanted = Wanted::new(&facts.path, origin);
            for n in 0..=1 {
                if let Some(wanted) = &wanted
                    && let Some((module, _)) = wanted.split(n)
                {
                    let files = self.modules(wanted, module);
                    paths.extend(files.map(|file| Box::from(&*file.path)));
                }
            }
        }
        paths.remove(&*facts.path);
        paths
    }

    /// The facts, knowing the modules if they import from any of them or any imports from them.
    pub(crate) fn link(self: &Arc<Modules>, facts: &Arc<Facts>) -> Arc<Facts> {
        let mut origins = facts.imports.origins();
        let mut of_package = || origins.any(|origin| self.packages.contains(origin));
        let is_linked = self.importers.contains_key(&*facts.path)
            || !self.imported_by(facts).is_empty()
            || of_package();
        if is_linked {
            Arc::new(facts.linked(Arc::clone(self)))
        } else {
            Arc::clone(facts)
        }
    }

    /// What a dotted origin means that the file at `path` imports.
    pub(super) fn find(&self, path: &str, origin: &str) -> Option<Imported<'_>> {
        self.follow(path, origin, HOPS)
    }

    /// The files that import from the one at `path`, in the order of the diff.
    pub(super) fn importers(&self, path: &str) -> &[Arc<Facts>] {
        self.importers.get(path).map_or(&[], Vec::as_slice)
    }

    fn follow(&self, path: &str, origin: &str, hops: u32) -> Option<Imported<'_>> {
        let hops = hops.checked_sub(1)?;
        let wanted = Wanted::new(path, origin)?;
        // `module.name` before `module.Class.name`.
        (1..=2).find_map(|n| {
            let (module, names) = wanted.split(n)?;
            let mut found = self
                .modules(&wanted, module)
                .filter_map(|facts| self.definition(facts, names, hops));
            // Where two files define it, nobody knows which one is meant.
            found.next().filter(|_| found.next().is_none())
        })
    }

    /// The files that a module's name can mean; several where the diff holds versions of one file.
    fn modules<'m>(
        &'m self,
        wanted: &Wanted<'_>,
        module: &[&str],
    ) -> impl Iterator<Item = &'m Facts> {
        let below = |folders: &[&str]| self.files.get(&*[folders, module].concat().join("."));
        let places = match module {
            _ if wanted.dots > 0 => [below(wanted.package()), None],
            [] => [None, None],
            [_] if wanted.folders.is_empty() => [below(&[]), None],
            [_] => [below(&[]), below(&wanted.folders)],
            _ => [self.tails.get(&*module.join(".")), None],
        };
        places
            .into_iter()
            .flatten()
            .flatten()
            .map(|facts| &**facts)
            .filter(|facts| wanted.is_module(module, &facts.path))
    }

    fn definition<'m>(
        &'m self,
        facts: &'m Facts,
        names: &[&str],
        hops: u32,
    ) -> Option<Imported<'m>> {
        let bindings = match names {
            [name] => facts.exports(name),
            [class, name] => facts.attribute_bindings(facts.exported_class(class)?, name),
            _ => Vec::new(),
        };
        match (bindings.is_empty(), names) {
            (false, _) => Some(Imported { facts, bindings }),
            (true, [name]) => self.follow(&facts.path, facts.imports.origin(name)?, hops),
            (true, _) => None,
        }
    }
}

/// A dotted origin as a file imports it.
struct Wanted<'a> {
    /// Leading dots of a relative import; 0 for an absolute one.
    dots: usize,
    parts: Vec<&'a str>,
    /// The folders of the file that imports.
    folders: Vec<&'a str>,
}

impl<'a> Wanted<'a> {
    fn new(path: &'a str, origin: &'a str) -> Option<Wanted<'a>> {
        let name = origin.trim_start_matches('.');
        let (folders, _) = path.rsplit_once('/').unwrap_or(("", path));
        let wanted = Wanted {
            dots: origin.len() - name.len(),
            parts: name.split('.').filter(|part| !part.is_empty()).collect(),
            folders: folders.split('/').filter(|part| !part.is_empty()).collect(),
        };
        (wanted.dots <= wanted.folders.len() + 1).then_some(wanted)
    }

    /// The module, and the last `n` parts as names in it.
    fn split(&self, n: usize) -> Option<(&[&'a str], &[&'a str])> {
        let at = self.parts.len().checked_sub(n)?;
        self.parts.split_at_checked(at)
    }

    /// The package that a relative import starts from; nothing for an absolute one.
    fn package(&self) -> &[&'a str] {
        let up = self.folders.len().checked_sub(self.dots.saturating_sub(1));
        let package = up.filter(|_| self.dots > 0);
        package
            .and_then(|n| self.folders.get(..n))
            .unwrap_or_default()
    }

    /// Whether the file at a path is the module. An absolute name may start below any folder; one without a package
    /// (`import queue`) only at the top or beside the importing file, for it mostly means another library.
    fn is_module(&self, module: &[&str], path: &str) -> bool {
        let Some(own) = self::module(path) else {
            return false;
        };
        if self.dots > 0 {
            let package = self.package().iter();
            return own.iter().eq(package.chain(module));
        }
        let at_hand = || match own.split_last() {
            Some((_, folders)) => folders.is_empty() || folders == self.folders,
            None => false,
        };
        !module.is_empty() && own.ends_with(module) && (module.len() > 1 || at_hand())
    }
}

/// The module of a file as its dotted parts: `a/b.py` and `a/b/__init__.py` are both `a.b`.
fn module(path: &str) -> Option<Vec<&str>> {
    let mut parts: Vec<&str> = path.strip_suffix(".py")?.split('/').collect();
    if parts.last() == Some(&"__init__") {
        parts.pop();
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::facts_at;

    /// What `USED` of the last file means: the path and the text of its binding's line.
    fn meant(files: &[(&str, &str)]) -> Option<String> {
        let facts = files
            .iter()
            .map(|(path, text)| Arc::new(facts_at(path, text, true)));
        let facts: Vec<Arc<Facts>> = facts.collect();
        let modules = Arc::new(Modules::new(&facts));
        let user = modules.link(facts.last()?);
        let used = user
            .calls()
            .find(|call| call.name() == "use")?
            .positional(0)?;
        let found = user.imported(used)?;
        let head = found.facts.stmt(found.bindings.first()?.stmt).head;
        Some(format!("{}: {}", found.facts.path, found.facts.text(head)))
    }

    #[track_caller]
    fn check(path: &str, text: &str, expected: Option<&str>) {
        let files = [
            ("pkg/state.py", "X = 1\nclass C:\n    Y = 2\n"),
            ("pkg/__init__.py", "from .state import X as Z\n"),
            ("pkg/secrets.py", "X = 3\n"),
            (path, text),
        ];
        assert_eq!(meant(&files).as_deref(), expected, "{path}: {text}");
    }

    #[test]
    fn imports_of_every_form_are_followed() {
        let state = Some("pkg/state.py: X = 1");
        check("pkg/a.py", "from .state import X\nuse(X)\n", state);
        check("pkg/a.py", "from . import state\nuse(state.X)\n", state);
        check("pkg/b/a.py", "from ..state import X as x\nuse(x)\n", state);
        check("a.py", "import pkg.state\nuse(pkg.state.X)\n", state);
        check("a.py", "import pkg.state as s\nuse(s.X)\n", state);
        check("a.py", "from pkg import Z\nuse(Z)\n", state);
        let in_class = Some("pkg/state.py: Y = 2");
        check("a.py", "from pkg.state import C\nuse(C.Y)\n", in_class);
    }

    #[test]
    fn names_of_something_else_are_not() {
        check("a.py", "from other.state import X\nuse(X)\n", None);
        check("b/a.py", "from .state import X\nuse(X)\n", None);
        check("a.py", "from ...state import X\nuse(X)\n", None);
        check("a.py", "import secrets\nuse(secrets.X)\n", None);
        let hidden = "from pkg.state import X\ndef f(X):\n    use(X)\n";
        check("a.py", hidden, None);
    }

    #[test]
    fn of_two_definitions_neither_is_meant() {
        let user = ("a.py", "from pkg.state import X\nuse(X)\n");
        let one = ("one/pkg/state.py", "X = 1\n");
        let two = ("two/pkg/state.py", "X = 2\n");
        assert_eq!(meant(&[one, two, user]), None);
        let silent = ("two/pkg/state.py", "Y = 2\n");
        let found = Some("one/pkg/state.py: X = 1".to_string());
        assert_eq!(meant(&[one, silent, user]), found);
    }

    #[test]
    fn circles_end() {
        let one = ("pkg/one.py", "from .two import X\n");
        let two = ("pkg/two.py", "from .one import X\n");
        let user = ("pkg/a.py", "from .one import X\nuse(X)\n");
        assert_eq!(meant(&[one, two, user]), None);
    }
}
