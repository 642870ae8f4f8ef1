//! Annotations as they describe parts of a value: `rows[key][1]` of `rows: Dict[str, Tuple[Process, Queue]]`.

use super::Facts;
use super::bindings::{Binding, BindingKind};
use super::hir::*;

/// Steps through assignments and subscripts before we give up.
const FUEL: u32 = 5;

impl Facts {
    /// The annotation of an item that is picked out of an annotated container, or unpacked from one.
    pub(super) fn item_annotation(&self, id: ExprId) -> Option<ExprId> {
        match &self.expr(id).kind {
            ExprKind::Subscript { .. } => self.annotation_behind(id, FUEL),
            _ => None,
        }
    }

    /// The annotation of the n-th name that a value is unpacked into.
    pub(super) fn unpacked_annotation(&self, value: ExprId, n: u32) -> Option<ExprId> {
        self.nth(self.annotation_behind(value, FUEL)?, n)
    }

    fn annotation_behind(&self, id: ExprId, fuel: u32) -> Option<ExprId> {
        let fuel = fuel.checked_sub(1)?;
        match &self.expr(id).kind {
            ExprKind::Name | ExprKind::Attribute { .. } => self
                .bindings_behind(id)
                .into_iter()
                .find_map(|binding| self.annotation_of(binding, id, fuel)),
            ExprKind::Subscript { object, index } => {
                let container = self.annotation_behind(*object, fuel)?;
                self.element(container, index.first().copied())
            }
            ExprKind::Call { .. } => {
                let call = self.call(id)?;
                let picks = matches!(call.method(), Some("get" | "pop" | "setdefault"));
                let container = call.receiver().filter(|_| picks)?;
                self.element(self.annotation_behind(container, fuel)?, None)
            }
            _ => None,
        }
    }

    fn annotation_of(&self, binding: &Binding, id: ExprId, fuel: u32) -> Option<ExprId> {
        match binding.kind {
            BindingKind::Declared(annotation) => Some(annotation),
            BindingKind::Parameter(_) => self.parameter(id)?.1.annotation,
            BindingKind::Value { value, index: None } => self.annotation_behind(value, fuel),
            BindingKind::Value {
                value,
                index: Some(n),
            } => self.nth(self.annotation_behind(value, fuel)?, n),
            BindingKind::Loop { iter, index: None } => {
                self.element(self.annotation_behind(iter, fuel)?, None)
            }
            _ => None,
        }
    }

    /// `Lock` of `Dict[str, Lock]`; of a tuple the item that a literal index picks.
    fn element(&self, annotation: ExprId, index: Option<ExprId>) -> Option<ExprId> {
        let (name, params) = self.generic(annotation)?;
        if matches!(name, "Tuple" | "tuple") && !self.is_uniform(params) {
            let n = self.expr_text(index?).parse().ok()?;
            return params.get::<usize>(n).copied();
        }
        params
            .iter()
            .rev()
            .copied()
            .find(|&param| self.expr_text(param) != "...")
    }

    fn nth(&self, annotation: ExprId, n: u32) -> Option<ExprId> {
        let (name, params) = self.generic(annotation)?;
        if self.is_uniform(params) {
            return params.first().copied();
        }
        matches!(name, "Tuple" | "tuple")
            .then(|| params.get(n as usize).copied())
            .flatten()
    }

    /// Name and parameters of `List[int]`, seen through `Optional[...]`.
    fn generic(&self, annotation: ExprId) -> Option<(&str, &[ExprId])> {
        let ExprKind::Subscript { object, index } = &self.expr(annotation).kind else {
            return None;
        };
        match self.last_name(*object)? {
            "Optional" | "Final" | "ClassVar" => self.generic(*index.first()?),
            name => Some((name, index)),
        }
    }

    /// All items are of one type: `Tuple[int, ...]`, `Tuple[Lock, Lock]`.
    pub(super) fn is_uniform(&self, params: &[ExprId]) -> bool {
        let mut texts = params
            .iter()
            .map(|&param| self.expr_text(param))
            .filter(|text| *text != "...");
        let first = texts.next();
        texts.all(|text| Some(text) == first)
    }
}

#[cfg(test)]
mod tests {
    use crate::facts::Kind;
    use crate::probe::facts_of;

    /// The kind of the receiver of the last call.
    #[track_caller]
    fn check(body: &str, expected: Option<Kind>) {
        let text = format!(
            "from threading import Lock\nfrom queue import Queue\ndef f(rows: Dict[str, Tuple[Thing, Queue, Lock]], key):\n{body}"
        );
        let facts = facts_of(&text);
        let receiver = facts.calls().last().and_then(|call| call.receiver());
        assert_eq!(receiver.and_then(|id| facts.kind_of(id)), expected);
    }

    #[test]
    fn a_literal_index_picks_from_a_tuple() {
        check("    rows[key][1].get()\n", Some(Kind::Queue));
        check("    rows[key][0].get()\n", None);
    }

    #[test]
    fn unpacking_gives_each_name_its_own() {
        check(
            "    a, b, c = rows[key]\n    c.acquire()\n",
            Some(Kind::ThreadLock),
        );
        check("    a, b, c = rows[key]\n    a.acquire()\n", None);
    }
}
