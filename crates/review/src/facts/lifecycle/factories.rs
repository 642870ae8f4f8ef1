//! Fields that each object of a class makes for itself: `pool: Executor = field(default_factory=lambda: Executor())`.

use super::Holder;
use crate::facts::{ExprId, ExprKind, Facts, ScopeKind, StmtKind};

/// Functions that declare a field of a class.
const DECLARE: &[&str] = &[
    "field",
    "Field",
    "PrivateAttr",
    "Factory",
    "ib",
    "attrib",
    "mapped_column",
];

impl Facts {
    /// The field that keeps what a factory makes.
    pub(super) fn field_of_factory(&self, factory: ExprId) -> Option<Holder> {
        let mut outer = self.expr(factory).parent?;
        self.call(outer)
            .filter(|declares| DECLARE.contains(&declares.name()))?;
        // `attr.ib(default=attr.Factory(...))`.
        while let Some(around) = self.expr(outer).parent {
            outer = around;
        }
        let stmt = self.expr(outer).stmt;
        let class = self.stmt(stmt).scope;
        let StmtKind::Assign { targets, .. } = &self.stmt(stmt).kind else {
            return None;
        };
        let &target = targets.first()?;
        let is_field = self.scope(class).kind == ScopeKind::Class
            && matches!(self.expr(target).kind, ExprKind::Name);
        is_field.then(|| Holder::Attribute {
            class: Some(self.canonical(class)),
            name: self.expr_text(target).to_string(),
        })
    }
}
