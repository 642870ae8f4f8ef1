//! Which statements and calls put something into a container, by the container's name as written.

use super::Facts;
use super::hir::*;
use rustc_hash::FxHashMap;

/// For each container, as [`Facts::dotted`] writes it, what is put into it, in source order.
pub(super) type Fills = FxHashMap<String, Vec<Fill>>;

/// A value that is put into a container.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fill {
    pub(super) value: ExprId,
    /// The scope that it happens in.
    pub(super) scope: ScopeId,
}

impl Facts {
    /// What `jobs.append(value)` and the like put into the container of this name, then what `jobs[key] = value` does.
    pub(super) fn fills_of(&self, name: &str) -> &[Fill] {
        let fills = self.found.fills.get_or_init(|| self.find_fills());
        fills.get(name).map_or(&[], |fills| fills)
    }

    /// What is put into a container in the function that an expression names it in.
    pub(crate) fn put_into(&self, container: ExprId) -> Vec<ExprId> {
        let scope = self.canonical(self.expr(container).scope);
        let name = self.dotted(container).unwrap_or_default();
        let fills = self.fills_of(&name).iter();
        let here = fills.filter(|fill| self.canonical(fill.scope) == scope);
        here.map(|fill| fill.value).collect()
    }

    fn find_fills(&self) -> Fills {
        let added = self.calls().filter_map(|call| {
            let adds = matches!(call.method()?, "append" | "add" | "appendleft");
            let name = adds.then(|| self.dotted(call.receiver()?)).flatten()?;
            let (value, scope) = (call.positional(0)?, call.scope());
            Some((name, Fill { value, scope }))
        });
        let stored = self.stmts.iter().filter_map(|stmt| self.stored(stmt));
        let mut fills = Fills::default();
        for (name, fill) in added.chain(stored) {
            fills.entry(name).or_default().push(fill);
        }
        fills
    }

    /// `name[key] = value`.
    fn stored(&self, stmt: &Stmt) -> Option<(String, Fill)> {
        let StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } = &stmt.kind
        else {
            return None;
        };
        let ExprKind::Subscript { object, .. } = self.expr(*targets.first()?).kind else {
            return None;
        };
        let (value, scope) = (*value, stmt.scope);
        Some((self.dotted(object)?, Fill { value, scope }))
    }
}
