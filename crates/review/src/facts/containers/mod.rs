//! Long-lived containers of a file: where each is made, what goes in, and what takes out again.

mod bounded;
mod made;
mod unseen;
mod uses;

use super::Facts;
use super::bindings::BindingKind;
use super::hir::*;
use super::types::Kind;
use rustc_hash::FxHashMap;

/// A dict, list, set, deque or queue that a module, a class or an instance keeps.
#[derive(Clone, Debug)]
pub(crate) struct Container {
    /// As code writes it: `_CACHE` or `self._cache`.
    pub(crate) name: String,
    pub(crate) owner: Owner,
    pub(crate) kind: Kind,
    /// The statement that makes it.
    pub(crate) stmt: StmtId,
    /// The value that it is made of.
    pub(crate) value: ExprId,
    pub(crate) uses: Vec<Use>,
    /// Uses of what it holds through a local name: `mine = self._by_video.setdefault(video, {})`, then `mine[track] = ...`.
    pub(crate) inner_uses: Vec<Use>,
}

/// Who keeps a container, and so how long it lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    Module,
    /// The class itself: shared by its instances.
    Class(ScopeId),
    Instance(ScopeId),
}

/// One mention of a container.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    pub(crate) kind: UseKind,
    pub(crate) stmt: StmtId,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UseKind {
    /// Something goes in under this key.
    Insert(ExprId),
    /// Something goes in without a key: `append`, `add`, `put`.
    Append,
    /// `X[key].append(...)`: grows a value; of a `defaultdict` it may make the key.
    Inner(ExprId),
    /// Something goes out.
    Shrink,
    /// The name is given another container.
    Rebind,
    /// Its length is compared with something.
    Size,
    /// It is read by this key: a `defaultdict` makes an entry then.
    Keyed(ExprId),
    /// It is handed to a call.
    Passed(ExprId),
    Read,
}

impl Container {
    /// `_cache` of `self._cache`.
    pub(crate) fn bare_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// Whether anything that is shown keeps it from growing for ever.
    pub(crate) fn is_bounded(&self) -> bool {
        self.uses
            .iter()
            .any(|of| matches!(of.kind, UseKind::Shrink | UseKind::Rebind | UseKind::Size))
    }
}

impl Facts {
    /// The containers of module, classes and instances, in source order.
    pub(crate) fn containers(&self) -> &[Container] {
        self.found.containers.get_or_init(|| self.find_containers())
    }

    /// Container and key of each entry that a statement puts: `X[key] = value`. `X[key] += 1` needs the entry to be there.
    pub(crate) fn entries_put(&self, stmt: StmtId) -> impl Iterator<Item = (ExprId, ExprId)> {
        let targets = match &self.stmt(stmt).kind {
            StmtKind::Assign {
                targets,
                augmented: false,
                ..
            } => targets.as_slice(),
            _ => &[],
        };
        targets
            .iter()
            .filter_map(|&target| match &self.expr(target).kind {
                ExprKind::Subscript { object, index } => match &index[..] {
                    &[key] => Some((*object, key)),
                    _ => None,
                },
                _ => None,
            })
    }

    fn find_containers(&self) -> Vec<Container> {
        let mut found: Vec<Container> = Vec::new();
        let mut places: FxHashMap<(Owner, String), usize> = FxHashMap::default();
        for stmt in self.stmt_ids() {
            if let Some(container) = self.container_made_by(stmt) {
                let key = (self.place(container.owner), plain(&container.name));
                places.entry(key).or_insert_with(|| {
                    found.push(container);
                    found.len() - 1
                });
            }
        }
        for id in self.expr_ids() {
            let Some(at) = self.mention(id).and_then(|key| places.get(&key)) else {
                continue;
            };
            if let Some(container) = found.get_mut(*at) {
                let of = self.use_of(id, container);
                container.uses.extend(of);
            }
        }
        for id in self.expr_ids() {
            let Some(held) = self.held_by(id) else {
                continue;
            };
            let Some(at) = self.mention(held).and_then(|key| places.get(&key)) else {
                continue;
            };
            if let Some(container) = found.get_mut(*at) {
                let of = self.use_of(id, container);
                container.inner_uses.extend(of);
            }
        }
        found
    }

    /// Whether every use of a container must be shown: its owner is visible whole,
    /// or the diff brings the name itself and nothing old can know it.
    pub(crate) fn sees_all_uses(&self, container: &Container) -> bool {
        let is_made = !matches!(
            self.expr(container.value).kind,
            ExprKind::Name | ExprKind::Attribute { .. }
        );
        let introduced = is_made && self.is_changed(self.stmt(container.stmt).head);
        let private = plain(&container.name).starts_with('_');
        match container.owner {
            Owner::Module => self.document.whole || (introduced && private),
            Owner::Class(class) | Owner::Instance(class) => self.is_visible(class) || introduced,
        }
    }

    /// For a local name that was taken out of something by key, and for `X[key]` of which more is asked: what it was taken
    /// out of.
    fn held_by(&self, id: ExprId) -> Option<ExprId> {
        if let ExprKind::Subscript { object, .. } = self.expr(id).kind {
            return self.expr(id).parent.map(|_| object);
        }
        self.name(id)?;
        let binding = self
            .lookup(id)
            .last()
            .filter(|binding| binding.span != self.expr(id).span)?;
        let BindingKind::Value { value, index: None } = binding.kind else {
            return None;
        };
        if let ExprKind::Subscript { object, .. } = self.expr(value).kind {
            return Some(object);
        }
        let call = self.call(value)?;
        matches!(call.method()?, "setdefault" | "get").then(|| call.receiver())?
    }

    /// Instances and their class share one key: `self.x` may mean either.
    fn place(&self, owner: Owner) -> Owner {
        match owner {
            Owner::Instance(class) => Owner::Class(class),
            other => other,
        }
    }
}

/// `self._cache` and `_cache` are one key.
fn plain(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_string()
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    #[track_caller]
    fn check(text: &str, bounded: bool) {
        let facts = facts_of(text);
        let containers = facts.containers();
        assert_eq!(
            containers.first().map(|c| c.is_bounded()),
            Some(bounded),
            "{containers:?}"
        );
    }

    #[test]
    fn insertions_without_removal_grow() {
        check("C = {}\ndef f(k):\n    C[k] = 1\n", false);
        check(
            "class A:\n    def __init__(self):\n        self.c = {}\n    def f(self, k):\n        self.c[k] = 1\n",
            false,
        );
    }

    #[test]
    fn removal_or_a_size_test_bounds() {
        check(
            "C = {}\ndef f(k):\n    C[k] = 1\n    if len(C) > 9:\n        C.popitem()\n",
            true,
        );
        check(
            "class A:\n    C = {}\n    def f(self, k):\n        A.C[k] = 1\n        del self.C[k]\n",
            true,
        );
        check(
            "C = []\ndef f(k):\n    global C\n    C = [c for c in C if c.alive]\n",
            true,
        );
    }
}
