//! Objects that a local container holds: whoever empties it has to end each.

use super::fault::{Fault, FaultKind};
use super::{Closing, Escape, HeldUse, HeldUseKind, Holder, Leak, Made};
use crate::facts::{BindingKind, ExprId, ExprKind, Facts, Kind};

impl Facts {
    /// What is wrong with an object that a function keeps in a container of its own.
    pub(super) fn element_fault(&self, made: &Made, container: &Holder) -> Option<Fault> {
        let Holder::Local { function, name } = container else {
            return None;
        };
        let display = self.bindings_of(*function, name).iter().any(|binding| {
            let BindingKind::Value { value, index: None } = binding.kind else {
                return false;
            };
            self.is_own_container(value)
        });
        let uses = self.uses_of(container);
        let escapes = uses
            .iter()
            .any(|of| self.ends(of, made.resource).is_none() && self.escapes(of, made.resource));
        if !display || escapes || self.may_be_handed_in(container) {
            return None;
        }
        let closings = self.closings_among(&uses, made.resource);
        if self.is_deferred(made, &closings) {
            return None;
        }
        if closings.is_empty() {
            let lent = uses.iter().any(|of| self.is_lent(of));
            return Some(Fault {
                kind: FaultKind::NeverEnded,
                proven: self.sees_all_of(made.stmt) && !lent,
            });
        }
        let leak = self.leak(made, container, &closings);
        let leak = leak.or_else(|| self.leak_in_row(made, &closings))?;
        let first = *closings.iter().find(|closing| closing.stmt > leak.stmt)?;
        Some(Fault {
            kind: FaultKind::Skipped(leak, first),
            proven: self.sees_enclosure(made.stmt) && !leak.guarded_later,
        })
    }

    /// Blocks of shared memory that are made one after the other before what ends them begins: where one cannot be made,
    /// those before it stay, also when the process is gone.
    fn leak_in_row(&self, made: &Made, closings: &[Closing]) -> Option<Leak> {
        let in_comprehension = || {
            let up = |&at: &ExprId| self.expr(at).parent;
            let mut around = std::iter::successors(self.expr(made.call).parent, up);
            around.any(|at| matches!(self.expr(at).kind, ExprKind::Comprehension { .. }))
        };
        let in_row = made.resource.is(Kind::SharedMemory)
            && (self.in_loop(made.stmt) || in_comprehension())
            && !self.is_covered(made.stmt, made, closings);
        in_row.then_some(Leak {
            stmt: made.stmt,
            escape: Escape::Raise,
            guarded_later: true,
        })
    }

    fn is_own_container(&self, value: ExprId) -> bool {
        let made = self.call(value).is_some_and(|call| {
            matches!(
                call.name(),
                "list" | "dict" | "set" | "deque" | "defaultdict"
            )
        });
        made || matches!(
            self.expr(value).kind,
            ExprKind::List(_)
                | ExprKind::Dict(_)
                | ExprKind::Set(_)
                | ExprKind::Tuple(_)
                | ExprKind::Comprehension { .. }
        )
    }

    /// The local container that a use puts the object into: `blocks.append(block)`.
    pub(super) fn own_container_of(&self, of: &HeldUse) -> Option<Holder> {
        let HeldUseKind::Passed(call) = of.kind else {
            return None;
        };
        let call = self.call(call)?;
        let puts = matches!(call.method()?, "append" | "add" | "appendleft" | "insert");
        let holder = call
            .receiver()
            .and_then(|receiver| self.holder_of(receiver))?;
        (puts && matches!(holder, Holder::Local { .. })).then_some(holder)
    }
}
