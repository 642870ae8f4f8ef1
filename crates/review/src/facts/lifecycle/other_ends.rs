//! Ends of an object that no call on it shows: its body was read, or the lines that end it are hidden.

use super::{HeldUse, HeldUseKind, Holder, Made};
use crate::facts::{ExprId, Facts, Part, StmtId, StmtKind};

impl Facts {
    /// `response.content` behind the request in its block: who reads a body to its end gives the connection back.
    pub(super) fn is_read_whole(&self, made: &Made, uses: &[HeldUse]) -> bool {
        let reads = |of: &HeldUse| match of.kind {
            HeldUseKind::Bound(attribute, _) => {
                let name = self.attribute(attribute).map(|(_, name)| name);
                matches!(name, Some("content" | "text"))
            }
            HeldUseKind::Method(call) => {
                let call = self.call(call);
                call.is_some_and(|call| call.name() == "json" && call.method().is_some())
            }
            _ => false,
        };
        let comes_to = |stmt: StmtId| {
            let inside = |stmt: &StmtId| self.stmt(*stmt).span.contains(self.stmt(made.stmt).span);
            let mut own = self
                .ancestors(stmt)
                .take_while(|around| !inside(&around.stmt));
            stmt >= made.stmt
                && own.all(|around| {
                    let is_with = matches!(self.stmt(around.stmt).kind, StmtKind::With { .. });
                    is_with || (self.is_try(around.stmt) && around.part == Part::Body)
                })
        };
        uses.iter().any(|of| reads(of) && comes_to(of.stmt))
    }

    /// `capture.release()` where nothing shown says what `capture` is: most likely the rest of this function.
    pub(super) fn is_ended_in_other_hunk(&self, made: &Made, holder: &Holder) -> bool {
        let Holder::Local { name, .. } = holder else {
            return false;
        };
        let ends = |id: ExprId| {
            let method = self.expr(id).parent.and_then(|up| self.attribute(up));
            method.is_some_and(|(object, method)| {
                object == id && made.resource.closers().contains(&method)
            })
        };
        !self.document.whole
            && self
                .exprs_named(name)
                .any(|id| self.name(id).is_some() && self.lookup(id).is_empty() && ends(id))
    }

    /// `def _connect(...) -> Client:`, whose end is not shown, most likely returns the client that it makes.
    pub(super) fn is_returned_by_annotation(&self, made: &Made) -> bool {
        let function = self.function_of(self.stmt(made.stmt).scope);
        let returns = function.and_then(|function| self.scope(function).returns);
        let class = self.call(made.call).map_or("", |call| call.name());
        !self.sees_all_of(made.stmt)
            && returns.is_some_and(|returns| self.expr_text(returns).contains(class))
    }
}
