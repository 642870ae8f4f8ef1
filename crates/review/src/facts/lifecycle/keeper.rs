//! Who keeps a new object.

use super::Resource;
use super::lending::BODIES;
use crate::facts::{
    BindingKind, Call, ExprId, ExprKind, Facts, ScopeId, ScopeKind, StmtId, StmtKind,
};

/// An object that somebody has to end.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    /// The call that makes it.
    pub(crate) call: ExprId,
    pub(crate) stmt: StmtId,
    pub(crate) resource: Resource,
    pub(crate) keeper: Keeper,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Keeper {
    /// A `with` statement ends it.
    With,
    /// A name or a field.
    Holder(Holder),
    /// An element of a container that a name or a field holds.
    Element(Holder),
    /// A field or container of something else.
    Elsewhere,
    Returned,
    Yielded,
    /// An argument of this call.
    Handed(ExprId),
    /// This call of a method on the spot, after which nobody has it.
    Inline(ExprId),
    /// `for line in open(...)`.
    Iterated,
    /// Nobody.
    Dropped,
}

/// A name or field that holds an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Holder {
    Local {
        function: ScopeId,
        name: String,
    },
    /// `self.name`; the class is unknown where its head is not shown.
    Attribute {
        class: Option<ScopeId>,
        name: String,
    },
    /// A name in a class body: shared by the instances.
    ClassName {
        class: ScopeId,
        name: String,
    },
    Global {
        name: String,
    },
}

impl Holder {
    /// As code writes it.
    pub(crate) fn text(&self) -> String {
        match self {
            Holder::Attribute { name, .. } => format!("self.{name}"),
            Holder::Local { name, .. }
            | Holder::ClassName { name, .. }
            | Holder::Global { name } => name.clone(),
        }
    }
}

impl Made {
    /// The name or field that keeps the object itself.
    pub(crate) fn holder(&self) -> Option<&Holder> {
        match &self.keeper {
            Keeper::Holder(holder) => Some(holder),
            _ => None,
        }
    }
}

impl Facts {
    /// The objects made in this document that somebody has to end, in source order.
    pub(crate) fn made(&self) -> &[Made] {
        let whole = |call: &Call<'_>| self.made_by_call(call);
        let find = || {
            let each = |call: Call<'_>| {
                let parts: Vec<Made> = self.parts_made(&call).collect();
                whole(&call).into_iter().chain(parts)
            };
            self.calls().flat_map(each).collect()
        };
        self.found.made.get_or_init(find)
    }

    fn made_by_call(&self, call: &Call<'_>) -> Option<Made> {
        let resource = self.resource_made(call)?;
        let keeper = match self.keeper_of(call.id) {
            Keeper::With if resource.is_path() => self.keeper_by_with(call.id),
            Keeper::Elsewhere if resource.is_path() => self.keeper_by_name(call.id),
            keeper => keeper,
        };
        Some(Made {
            call: call.id,
            stmt: call.stmt(),
            resource,
            keeper,
        })
    }

    /// Who keeps the value of an expression.
    pub(crate) fn keeper_of(&self, id: ExprId) -> Keeper {
        let Some(parent) = self.expr(id).parent else {
            return self.keeper_by_stmt(id);
        };
        match &self.expr(parent).kind {
            ExprKind::Await(_)
            | ExprKind::Conditional { .. }
            | ExprKind::Bool { .. }
            | ExprKind::Starred(_) => self.keeper_of(parent),
            ExprKind::Walrus { target, .. } => self.keeper_by_target(*target),
            ExprKind::Call { function, .. }
                if *function != id && self.call(id).is_some() && self.is_reading(*function) =>
            {
                Keeper::Iterated
            }
            ExprKind::Call { function, .. } if *function != id => self.keeper_by_call(parent),
            ExprKind::Comprehension { clauses, .. }
                if clauses.iter().any(|clause| clause.iter == id) =>
            {
                Keeper::Iterated
            }
            ExprKind::Attribute { .. } => self.keeper_by_method(parent),
            ExprKind::Yield => Keeper::Yielded,
            ExprKind::Lambda { .. } => self
                .field_of_factory(parent)
                .map_or(Keeper::Returned, Keeper::Holder),
            ExprKind::Tuple(_) => self.keeper_by_tuple(id, parent),
            ExprKind::List(_)
            | ExprKind::Set(_)
            | ExprKind::Dict(_)
            | ExprKind::Comprehension { .. } => self.element_of(parent),
            _ => Keeper::Elsewhere,
        }
    }

    fn keeper_by_stmt(&self, id: ExprId) -> Keeper {
        let stmt = self.expr(id).stmt;
        match &self.stmt(stmt).kind {
            StmtKind::Expr(_) => Keeper::Dropped,
            StmtKind::Return(_) => Keeper::Returned,
            StmtKind::With { items, .. } if items.iter().any(|item| item.context == id) => {
                Keeper::With
            }
            StmtKind::For { iter, .. } if *iter == id => Keeper::Iterated,
            StmtKind::Assign {
                targets,
                value: Some(value),
                ..
            } if *value == id => {
                let keepers = targets.iter().map(|&target| self.keeper_by_target(target));
                let outlives =
                    |keeper: &Keeper| !matches!(keeper, Keeper::Holder(Holder::Local { .. }));
                let all: Vec<Keeper> = keepers.collect();
                let longest = all.iter().find(|keeper| outlives(keeper)).or(all.first());
                longest.cloned().unwrap_or(Keeper::Elsewhere)
            }
            _ => Keeper::Elsewhere,
        }
    }

    /// A `with` closes a kept temporary file, and leaves it on the disk: its name has it.
    fn keeper_by_with(&self, id: ExprId) -> Keeper {
        let target = match &self.stmt(self.expr(id).stmt).kind {
            StmtKind::With { items, .. } => items.iter().find(|item| item.context == id),
            _ => None,
        };
        let target = target.and_then(|item| item.target);
        target.map_or(Keeper::With, |target| self.keeper_by_target(target))
    }

    /// `path = NamedTemporaryFile(delete=False).name`: whoever has the name has the file.
    fn keeper_by_name(&self, id: ExprId) -> Keeper {
        let parent = self.expr(id).parent;
        let named = parent.filter(
            |&parent| matches!(self.attribute(parent), Some((object, "name")) if object == id),
        );
        named.map_or(Keeper::Elsewhere, |name| self.keeper_of(name))
    }

    /// Who keeps what is assigned to a target.
    pub(super) fn keeper_by_target(&self, target: ExprId) -> Keeper {
        if let ExprKind::Subscript { object, .. } = self.expr(target).kind {
            return self
                .holder_of(object)
                .map_or(Keeper::Elsewhere, Keeper::Element);
        }
        self.holder_of(target)
            .map_or(Keeper::Elsewhere, Keeper::Holder)
    }

    /// The holder that a name or `self.name` means.
    pub(crate) fn holder_of(&self, id: ExprId) -> Option<Holder> {
        let scope = self.expr(id).scope;
        if let Some(name) = self.self_attribute(id) {
            let class = self.class_of(scope);
            return Some(Holder::Attribute {
                class,
                name: name.to_string(),
            });
        }
        let name = self.name(id)?.to_string();
        let owner = self.owner_scope(id).unwrap_or(scope);
        Some(match self.scope(owner).kind {
            ScopeKind::Module if !self.is_module_level(self.expr(id).stmt) => Holder::Local {
                function: owner,
                name,
            },
            ScopeKind::Module => Holder::Global { name },
            ScopeKind::Class => Holder::ClassName {
                class: self.canonical(owner),
                name,
            },
            ScopeKind::Function | ScopeKind::Lambda => Holder::Local {
                function: self.canonical(owner),
                name,
            },
        })
    }

    /// The scope whose name this is; of a `global` the module.
    fn owner_scope(&self, name: ExprId) -> Option<ScopeId> {
        let text = self.expr_text(name);
        let mut at = Some(self.expr(name).scope);
        while let Some(scope) = at {
            if !self.bindings_of(scope, text).is_empty() {
                return Some(scope);
            }
            at = self.scope(scope).parent;
        }
        None
    }

    /// `with closing(x)` ends it, `stack.enter_context(x)` too; `list.append(x)` makes it an element;
    /// anything else takes it over.
    fn keeper_by_call(&self, call: ExprId) -> Keeper {
        let Some(found) = self.call(call) else {
            return Keeper::Elsewhere;
        };
        match found.name() {
            "closing" | "aclosing" => self.keeper_of(call),
            "enter_context" | "enter_async_context" => Keeper::With,
            "append" | "add" | "put" | "setdefault" | "appendleft" if !has_body(&found) => {
                self.element_by_method(&found)
            }
            "list" | "tuple" | "cast" | "Path" | "str" | "fspath" | "realpath" => {
                self.keeper_of(call)
            }
            _ => Keeper::Handed(call),
        }
    }

    /// `list(open(path))` takes what the object yields and drops it.
    fn is_reading(&self, function: ExprId) -> bool {
        matches!(
            self.name(function),
            Some("list" | "tuple" | "set" | "sorted" | "sum" | "enumerate")
        )
    }

    fn element_by_method(&self, call: &Call<'_>) -> Keeper {
        call.receiver()
            .and_then(|receiver| self.holder_of(receiver))
            .map_or(Keeper::Elsewhere, Keeper::Element)
    }

    /// `open(p).read()`: nobody has the file afterwards. A method that is only named keeps the object alive.
    fn keeper_by_method(&self, attribute: ExprId) -> Keeper {
        let call = self
            .expr(attribute)
            .parent
            .and_then(|parent| self.call(parent));
        match call {
            Some(call) if call.function == attribute => Keeper::Inline(call.id),
            // `ftp.retrbinary("RETR x", open(path, "wb").write)` is done with it when it returns.
            Some(call) if matches!(call.name(), "retrbinary" | "retrlines") => {
                Keeper::Handed(call.id)
            }
            _ => Keeper::Elsewhere,
        }
    }

    /// `a, b = X(), Y()`.
    fn keeper_by_tuple(&self, id: ExprId, tuple: ExprId) -> Keeper {
        let stmt = self.expr(tuple).stmt;
        let ExprKind::Tuple(items) = &self.expr(tuple).kind else {
            return Keeper::Elsewhere;
        };
        let place = items.iter().position(|&item| item == id);
        let target = match &self.stmt(stmt).kind {
            StmtKind::Assign {
                targets,
                value: Some(value),
                ..
            } if *value == tuple => targets
                .first()
                .zip(place)
                .and_then(|(&target, n)| self.item(target, n as u32)),
            _ => None,
        };
        match target {
            Some(target) => self.keeper_by_target(target),
            None => self.element_of(tuple),
        }
    }

    /// The keeper of a display keeps its elements.
    fn element_of(&self, display: ExprId) -> Keeper {
        match self.keeper_of(display) {
            Keeper::Holder(holder) => Keeper::Element(holder),
            other => other,
        }
    }

    /// Whether a function that returns the object keeps it as well: `self._pool = X()` before `return self._pool`.
    pub(super) fn is_kept_on_the_way(&self, made: &Call<'_>, returned: ExprId) -> bool {
        let lasting = |keeper: &Keeper| {
            matches!(
                keeper,
                Keeper::Holder(
                    Holder::Attribute { .. } | Holder::Global { .. } | Holder::ClassName { .. }
                )
            )
        };
        let by_name = self
            .bindings_behind(returned)
            .iter()
            .any(|binding| match binding.kind {
                BindingKind::Value { value, .. } => lasting(&self.keeper_of(value)),
                _ => false,
            });
        by_name || lasting(&self.keeper_of(made.id))
    }
}

/// `client.put(url, data=open(path))` is a request, no queue's method.
fn has_body(call: &Call<'_>) -> bool {
    let mut names = BODIES.iter().chain(&["json", "headers"]);
    names.any(|name| call.keyword(name).is_some())
}
