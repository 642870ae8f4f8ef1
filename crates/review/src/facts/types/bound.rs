//! What a name or a field holds, by all that binds it and all that is put into it.

use super::infer::Fuel;
use super::{Kind, Type};
use crate::facts::Facts;
use crate::facts::bindings::{Binding, BindingKind};
use crate::facts::hir::*;

impl Facts {
    pub(super) fn bound_type(&self, id: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        let bindings = self.bindings_behind(id);
        if bindings.is_empty() {
            return self.imported(id)?.value_type();
        }
        let found = bindings
            .iter()
            .rev()
            .find_map(|binding| self.binding_type(binding, id, fuel));
        match found {
            Some(found) if found.depth == 0 && is_container(found.kind) => {
                let filled = || self.filled_type(id, fuel).map(Type::wrapped);
                self.declared_type(id, fuel).or_else(filled).or(Some(found))
            }
            found => found,
        }
    }

    /// What a container that starts empty is declared to hold: `jobs: dict[str, Future] = {}`.
    fn declared_type(&self, id: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        let declared = |binding: &Binding| match binding.kind {
            BindingKind::Declared(annotation) => self.annotation_type(annotation, fuel),
            _ => None,
        };
        let found = self.bindings_behind(id).into_iter().find_map(declared);
        found.filter(|found| found.depth > 0)
    }

    /// What is put into a container that starts empty: `futures.append(pool.submit(...))`, `jobs[key] = ...`.
    fn filled_type(&self, id: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        let name = self.dotted(id)?;
        let class = self
            .self_attribute(id)
            .and_then(|_| self.class_of(self.expr(id).scope));
        let place = |at: ScopeId| match class {
            Some(class) => self.class_of(at) == Some(class),
            None => self.canonical(at) == self.canonical(self.expr(id).scope),
        };
        let fills = self.fills_of(&name).iter();
        fills
            .filter(|fill| place(fill.scope))
            .find_map(|fill| self.infer(fill.value, fuel))
    }

    fn binding_type(&self, binding: &Binding, id: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        match binding.kind {
            BindingKind::Value { value, index: None } => self.infer(value, fuel),
            BindingKind::Value {
                value,
                index: Some(n),
            } => match self.item(value, n) {
                Some(item) => self.infer(item, fuel),
                None => match self.unpacked_annotation(value, n) {
                    Some(annotation) => self.annotation_type(annotation, fuel),
                    None => self.infer(value, fuel)?.element(),
                },
            },
            BindingKind::Declared(annotation) => self.annotation_type(annotation, fuel),
            BindingKind::Loop { iter, index } => self.loop_type(iter, index, fuel),
            BindingKind::With(context) => self.infer(context, fuel),
            BindingKind::Parameter(_) => {
                let (_, param) = self.parameter(id)?;
                let annotated = param
                    .annotation
                    .and_then(|kind| self.annotation_type(kind, fuel));
                annotated.or_else(|| self.infer(param.default?, fuel))
            }
            BindingKind::Augmented(_) | BindingKind::Captured | BindingKind::Definition(_) => None,
        }
    }

    /// `for future in futures`, `for key, future in futures.items()`, `for n, future in enumerate(futures)`.
    fn loop_type(&self, iter: ExprId, index: Option<u32>, fuel: Fuel<'_>) -> Option<Type> {
        let pairs = self
            .call(iter)
            .is_some_and(|call| matches!(call.name(), "items" | "enumerate"));
        if pairs && index != Some(1) {
            return None;
        }
        if self
            .call(iter)
            .is_some_and(|call| call.is(&["concurrent.futures.as_completed"]))
        {
            return Some(Type::proven(Kind::Future));
        }
        match index.and_then(|n| self.unpacked_type(iter, n, fuel)) {
            Some(found) => found,
            None => self.infer(iter, fuel)?.element(),
        }
    }

    /// The n-th of what a loop takes apart, where what it walks holds tuples: `for part, job in zip(parts, jobs)`, and
    /// `for part, job in pairs` after `pairs.append((part, pool.submit(...)))`. The outer `None`: it holds none.
    fn unpacked_type(&self, iter: ExprId, n: u32, fuel: Fuel<'_>) -> Option<Option<Type>> {
        if let Some(zip) = self.call(iter).filter(|call| call.callee() == "zip") {
            let part = zip.positional(n as usize);
            return Some(part.and_then(|part| self.infer(part, fuel)?.element()));
        }
        let tuples = self.tuples_in(iter);
        let item = |&tuple: &ExprId| self.infer(self.item(tuple, n)?, fuel);
        (!tuples.is_empty()).then(|| tuples.iter().find_map(item))
    }

    fn tuples_in(&self, iter: ExprId) -> Vec<ExprId> {
        let held = self
            .values(iter)
            .into_iter()
            .flat_map(|value| match &self.expr(value).kind {
                ExprKind::Comprehension { elements, .. } => elements.to_vec(),
                ExprKind::List(items) => items.to_vec(),
                _ => Vec::new(),
            });
        held.chain(self.put_into(iter))
            .filter(|&value| matches!(self.expr(value).kind, ExprKind::Tuple(_)))
            .collect()
    }
}

fn is_container(kind: Kind) -> bool {
    matches!(kind, Kind::List | Kind::Set | Kind::Dict | Kind::Deque)
}
