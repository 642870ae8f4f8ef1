//! What an expression's value is, by proof.

use super::{Kind, Type};
use crate::facts::Facts;
use crate::facts::hir::*;
use std::cell::Cell;

/// Steps of inference in one line before we give up; cycles through assignments end here.
const DEPTH: u32 = 10;
/// Steps over all branches together: many returns of many functions multiply.
const STEPS: u32 = 400;

/// What is left of an inference's steps.
#[derive(Clone, Copy)]
pub(super) struct Fuel<'a> {
    depth: u32,
    steps: &'a Cell<u32>,
}

impl Fuel<'_> {
    /// One step less; `None` where nothing is left.
    pub(super) fn spend(self) -> Option<Self> {
        let left = self.steps.get().checked_sub(1)?;
        self.steps.set(left);
        Some(Fuel {
            depth: self.depth.checked_sub(1)?,
            ..self
        })
    }
}

/// Runs one inference with all its steps to go.
pub(super) fn with_fuel<T>(infer: impl FnOnce(Fuel<'_>) -> T) -> T {
    let steps = Cell::new(STEPS);
    infer(Fuel {
        depth: DEPTH,
        steps: &steps,
    })
}

impl Facts {
    pub(super) fn infer(&self, id: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        let fuel = fuel.spend()?;
        if let Some(narrowed) = self.narrowed(id, fuel) {
            return Some(narrowed);
        }
        match &self.expr(id).kind {
            ExprKind::Call { .. } => self.call_type(&self.call(id)?, fuel),
            ExprKind::Name | ExprKind::Attribute { .. } => self.bound_type(id, fuel),
            ExprKind::Subscript { object, .. } => match self.item_annotation(id) {
                Some(annotation) => self.annotation_type(annotation, fuel),
                None => self.infer(*object, fuel)?.element(),
            },
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => {
                self.display_type(id, items, fuel)
            }
            ExprKind::Dict(pairs) => {
                let held = pairs
                    .iter()
                    .find_map(|(_, value)| self.infer(*value, fuel))
                    .map(Type::wrapped);
                Some(held.unwrap_or(Type::proven(Kind::Dict)))
            }
            ExprKind::Comprehension { elements, .. } => {
                self.infer(*elements.last()?, fuel).map(Type::wrapped)
            }
            ExprKind::Conditional { body, orelse, .. } => self
                .infer(*body, fuel)
                .or_else(|| self.infer(*orelse, fuel)),
            ExprKind::Bool { left, right } => {
                self.infer(*left, fuel).or_else(|| self.infer(*right, fuel))
            }
            ExprKind::Walrus { value, .. } => self.infer(*value, fuel),
            ExprKind::Binary { left, right, .. } => self.binary_type(*left, *right, fuel),
            ExprKind::Starred(inner) => self.infer(*inner, fuel),
            _ => None,
        }
    }

    fn display_type(&self, id: ExprId, items: &[ExprId], fuel: Fuel<'_>) -> Option<Type> {
        let held = items
            .iter()
            .find_map(|&item| self.infer(item, fuel))
            .map(Type::wrapped);
        held.or(match self.expr(id).kind {
            ExprKind::List(_) => Some(Type::proven(Kind::List)),
            ExprKind::Set(_) => Some(Type::proven(Kind::Set)),
            _ => None,
        })
    }

    /// `Path / "x"` is a path, `[None] * n` is a list.
    fn binary_type(&self, left: ExprId, right: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        let found = self.infer(left, fuel).or_else(|| self.infer(right, fuel))?;
        (matches!(found.kind, Kind::Path | Kind::List) || found.depth > 0).then_some(found)
    }
}
