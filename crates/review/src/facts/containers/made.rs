//! Which statement makes a container, of what kind, and who keeps it.

use super::{Container, Owner};
use crate::facts::Facts;
use crate::facts::hir::*;
use crate::facts::types::Kind;

impl Facts {
    pub(super) fn container_made_by(&self, stmt: StmtId) -> Option<Container> {
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
            // Each object gets its own copy, and others reach it through the object.
            ScopeKind::Class if self.declares_fields(scope) => None,
            ScopeKind::Class if self.is_module_level(stmt) => {
                Some(Owner::Class(self.canonical(scope)))
            }
            ScopeKind::Function if self.binds_global(target, scope) => Some(Owner::Module),
            _ => None,
        }
    }

    /// A class whose body declares the fields of its objects: a data class or a model of pydantic.
    fn declares_fields(&self, class: ScopeId) -> bool {
        let says = |name: &str| matches!(name, "dataclass" | "define" | "attrs");
        let mut decorators = self.decorators(class).iter();
        decorators.any(|&decorator| self.last_name(decorator).is_some_and(says))
            || self
                .base_names(class)
                .any(|base| base == "BaseModel" || base == "BaseSettings")
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
        let call = self.call(value).filter(|call| !self.bounds_itself(call))?;
        self.constructs(&call).filter(|kind| {
            matches!(
                kind,
                Kind::Dict | Kind::List | Kind::Set | Kind::Deque | Kind::Queue | Kind::AsyncQueue
            )
        })
    }
}
