//! Which names the file imports, and from where.

use rustc_hash::FxHashMap;
use syntax::{Field, Kind, NodeId, Tree};

/// How well-known modules are called where their import is not shown.
const CUSTOMARY: &[(&str, &str)] = &[
    ("np", "numpy"),
    ("pd", "pandas"),
    ("ort", "onnxruntime"),
    ("trt", "tensorrt"),
    ("mp", "multiprocessing"),
    ("tf", "tensorflow"),
    ("F", "torch.nn.functional"),
];

#[derive(Clone, Debug, Default)]
pub(super) struct Imports {
    /// Local name to dotted origin. Imports inside functions count for the whole file.
    names: FxHashMap<Box<str>, Box<str>>,
    /// The origins, sorted: every rule that knows a package asks whether the file imports from it.
    origins: Vec<Box<str>>,
    /// `from x import *` stands somewhere: any name may come from there.
    pub(super) has_star: bool,
}

impl Imports {
    /// Reads one import statement.
    pub(super) fn read(&mut self, tree: &Tree, node: NodeId, text: &str) {
        let module = tree
            .child(node, Field::ModuleName)
            .map(|module| tree.text(module, text));
        for child in tree.children(node) {
            if tree.kind(child) == Kind::WildcardImport {
                self.has_star = true;
            }
            if tree.field(child) == Field::Name {
                self.add(tree, child, module, text);
            }
        }
    }

    fn add(&mut self, tree: &Tree, node: NodeId, module: Option<&str>, text: &str) {
        let aliased = tree.kind(node) == Kind::AliasedImport;
        let name = if aliased {
            tree.child(node, Field::Name).unwrap_or(node)
        } else {
            node
        };
        let imported = tree.text(name, text);
        let alias = tree
            .child(node, Field::Alias)
            .filter(|_| aliased)
            .map(|a| tree.text(a, text));
        let first = imported.split('.').next().unwrap_or(imported);
        let (local, origin) = match (module, alias) {
            (Some(module), alias) => (alias.unwrap_or(imported), join(module, imported)),
            (None, Some(alias)) => (alias, imported.to_string()),
            (None, None) => (first, first.to_string()),
        };
        let at = self.origins.partition_point(|known| **known < *origin);
        self.origins.insert(at, origin.as_str().into());
        self.names.insert(local.into(), origin.into());
    }

    /// The dotted origin of an imported name. Relative modules keep their dots.
    pub(super) fn origin(&self, name: &str) -> Option<&str> {
        self.names.get(name).map(|origin| &**origin)
    }

    /// What an unbound name customarily stands for.
    pub(super) fn customary(name: &str) -> Option<&'static str> {
        CUSTOMARY
            .iter()
            .find(|(short, _)| *short == name)
            .map(|(_, long)| *long)
    }

    /// Every origin, sorted. One that a later import hid under the same name is among them.
    pub(super) fn origins(&self) -> impl Iterator<Item = &str> {
        self.origins.iter().map(|origin| &**origin)
    }

    /// Whether anything comes from a dotted module or is that dotted name.
    pub(super) fn has_from(&self, module: &str) -> bool {
        // No character of a name is less than the dot, so nothing comes between `a` and `a.b`.
        let at = self.origins.partition_point(|origin| **origin < *module);
        let rest = self
            .origins
            .get(at)
            .and_then(|origin| origin.strip_prefix(module));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

fn join(module: &str, name: &str) -> String {
    if module.ends_with('.') {
        format!("{module}{name}")
    } else {
        format!("{module}.{name}")
    }
}
