//! Long-lived containers of a file: where each is made, what goes in, and what takes out again.

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
    /// It is handed to a call.
    Passed(ExprId),
    Read,
}

impl Container {
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
        let introduced = self.is_changed(self.stmt(container.stmt).head);
        let private = plain(&container.name).starts_with('_');
        match container.owner {
            Owner::Module => self.document.whole || (introduced && private),
            Owner::Class(class) | Owner::Instance(class) => self.is_visible(class) || introduced,
        }
    }

    /// For a local name that was taken out of something by key: what it was taken out of.
    fn held_by(&self, id: ExprId) -> Option<ExprId> {
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

    fn container_made_by(&self, stmt: StmtId) -> Option<Container> {
        let StmtKind::Assign {
            targets,
            value: Some(value),
            augmented: false,
            ..
        } = &self.stmt(stmt).kind
        else {
            return None;
        };
        let target = *targets.first()?;
        let owner = self.owner(target, stmt)?;
        let kind = self.container_kind(*value)?;
        let name = self.dotted(target)?;
        Some(Container {
            name,
            owner,
            kind,
            stmt,
            value: *value,
            uses: Vec::new(),
            inner_uses: Vec::new(),
        })
    }

    fn owner(&self, target: ExprId, stmt: StmtId) -> Option<Owner> {
        let scope = self.stmt(stmt).scope;
        if self.self_attribute(target).is_some() {
            return self.class_of(scope).map(Owner::Instance);
        }
        self.name(target)?;
        match self.scope(scope).kind {
            ScopeKind::Module if self.is_module_level(stmt) => Some(Owner::Module),
            ScopeKind::Class if self.is_module_level(stmt) => {
                Some(Owner::Class(self.canonical(scope)))
            }
            ScopeKind::Function if self.binds_global(target, scope) => Some(Owner::Module),
            _ => None,
        }
    }

    /// In a fragment an unknown block of a module or class may be a function.
    pub(crate) fn is_module_level(&self, stmt: StmtId) -> bool {
        let mut at = self.stmt(stmt).parent;
        while let Some(slot) = at {
            if self.stmt(slot.stmt).scaffold {
                return false;
            }
            at = self.stmt(slot.stmt).parent;
        }
        true
    }

    fn binds_global(&self, target: ExprId, scope: ScopeId) -> bool {
        let name = self.expr_text(target);
        self.bindings_of(scope, name).is_empty() && !self.bindings_of(ScopeId(0), name).is_empty()
    }

    fn container_kind(&self, value: ExprId) -> Option<Kind> {
        if let ExprKind::Dict(_)
        | ExprKind::List(_)
        | ExprKind::Set(_)
        | ExprKind::Comprehension { .. } = self.expr(value).kind
        {
            return match self.expr(value).kind {
                ExprKind::Dict(_) => Some(Kind::Dict),
                ExprKind::List(_) => Some(Kind::List),
                ExprKind::Set(_) => Some(Kind::Set),
                _ => None,
            };
        }
        let call = self.call(value)?;
        self.constructs(&call).filter(|kind| {
            matches!(
                kind,
                Kind::Dict | Kind::List | Kind::Set | Kind::Deque | Kind::Queue | Kind::AsyncQueue
            )
        })
    }

    /// The container key that an expression may mention.
    fn mention(&self, id: ExprId) -> Option<(Owner, String)> {
        if let Some((object, name)) = self.attribute(id) {
            if self.self_attribute(id).is_some() {
                let class = self.class_of(self.expr(id).scope)?;
                return Some((Owner::Class(class), name.to_string()));
            }
            let class = self.definition(object)?;
            return Some((Owner::Class(self.canonical(class)), name.to_string()));
        }
        let name = self.name(id)?;
        let bound = self.lookup(id).first()?;
        let scope = self.stmt(bound.stmt).scope;
        let is_parameter = matches!(bound.kind, BindingKind::Parameter(_));
        if is_parameter {
            return None;
        }
        match self.scope(scope).kind {
            ScopeKind::Class => Some((Owner::Class(self.canonical(scope)), name.to_string())),
            ScopeKind::Module => Some((Owner::Module, name.to_string())),
            _ if self.bindings_of(scope, name).is_empty() => {
                Some((Owner::Module, name.to_string()))
            }
            _ => None,
        }
    }

    fn use_of(&self, id: ExprId, container: &Container) -> Option<Use> {
        let stmt = self.expr(id).stmt;
        let kind = self.use_kind(id, container)?;
        Some(Use {
            kind,
            stmt,
            span: self.use_span(id),
        })
    }

    /// The mention with the subscript or method behind it.
    fn use_span(&self, id: ExprId) -> Span {
        let mut at = id;
        for _ in 0..3 {
            match self.expr(at).parent {
                Some(parent) if self.expr(parent).span.start == self.expr(id).span.start => {
                    at = parent
                }
                _ => break,
            }
        }
        self.expr(at).span
    }

    fn use_kind(&self, id: ExprId, container: &Container) -> Option<UseKind> {
        let stmt = self.expr(id).stmt;
        let Some(parent) = self.expr(id).parent else {
            let is_target = self.is_target(id, stmt);
            return match (is_target, stmt == container.stmt) {
                (true, true) => None,
                (true, false) => Some(self.rebinding(stmt)),
                (false, _) => Some(UseKind::Read),
            };
        };
        Some(match &self.expr(parent).kind {
            ExprKind::Subscript { object, index } if *object == id => {
                self.subscript_use(parent, index.first(), stmt)
            }
            ExprKind::Attribute { object, name } if *object == id => {
                self.method_use(parent, self.text(*name))
            }
            ExprKind::Call { function, .. } if *function != id => self.argument_use(parent),
            _ => UseKind::Read,
        })
    }

    /// `x += [...]` grows, any other assignment starts anew.
    fn rebinding(&self, stmt: StmtId) -> UseKind {
        match self.stmt(stmt).kind {
            StmtKind::Assign {
                augmented: true, ..
            } => UseKind::Append,
            StmtKind::Assign { value: None, .. } => UseKind::Read,
            _ => UseKind::Rebind,
        }
    }

    fn is_target(&self, id: ExprId, stmt: StmtId) -> bool {
        match &self.stmt(stmt).kind {
            StmtKind::Assign { targets, .. } => targets.contains(&id),
            StmtKind::Delete(exprs) => exprs.contains(&id),
            _ => false,
        }
    }

    fn subscript_use(&self, subscript: ExprId, index: Option<&ExprId>, stmt: StmtId) -> UseKind {
        let Some(&key) = index else {
            return UseKind::Read;
        };
        match &self.stmt(stmt).kind {
            StmtKind::Delete(exprs) if exprs.contains(&subscript) => return UseKind::Shrink,
            StmtKind::Assign { targets, .. } if targets.contains(&subscript) => {
                let is_slice = self.expr_text(key).contains(':')
                    && !matches!(self.expr(key).kind, ExprKind::Str(_) | ExprKind::FString(_));
                return if is_slice {
                    UseKind::Shrink
                } else {
                    UseKind::Insert(key)
                };
            }
            _ => {}
        }
        let grows = self
            .expr(subscript)
            .parent
            .and_then(|up| self.attribute(up))
            .is_some_and(|(_, name)| {
                matches!(
                    name,
                    "append" | "add" | "extend" | "update" | "appendleft" | "put"
                )
            });
        if grows {
            UseKind::Inner(key)
        } else {
            UseKind::Read
        }
    }

    fn method_use(&self, attribute: ExprId, name: &str) -> UseKind {
        let Some(call) = self.expr(attribute).parent.and_then(|up| self.call(up)) else {
            return UseKind::Read;
        };
        if call.function != attribute {
            return UseKind::Read;
        }
        match name {
            "pop"
            | "popitem"
            | "popleft"
            | "clear"
            | "remove"
            | "discard"
            | "difference_update"
            | "intersection_update" => UseKind::Shrink,
            "setdefault" => call.positional(0).map_or(UseKind::Append, UseKind::Insert),
            "append" | "appendleft" | "add" | "insert" | "extend" | "update" | "put"
            | "put_nowait" => UseKind::Append,
            _ => UseKind::Read,
        }
    }

    fn argument_use(&self, call: ExprId) -> UseKind {
        let Some(found) = self.call(call) else {
            return UseKind::Read;
        };
        if found.callee() == "len" {
            let compared = self
                .expr(call)
                .parent
                .is_some_and(|up| matches!(self.expr(up).kind, ExprKind::Compare { .. }));
            return if compared {
                UseKind::Size
            } else {
                UseKind::Read
            };
        }
        UseKind::Passed(call)
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
