//! What other files of the diff are told.

use super::infer::with_fuel;
use super::{Kind, Proof, Type};
use crate::facts::Facts;
use crate::facts::bindings::{Binding, BindingKind};
use crate::facts::hir::*;
use crate::facts::imported::Imported;

impl Facts {
    /// What a binding gives its name by proof, where another file imports the name.
    fn exported_type(&self, binding: &Binding) -> Option<Type> {
        let found = match binding.kind {
            BindingKind::Value { value, index: None } => self.type_of(value),
            BindingKind::Value {
                value,
                index: Some(n),
            } => self.type_of(self.item(value, n)?),
            BindingKind::Declared(annotation) => {
                with_fuel(|fuel| self.annotation_type(annotation, fuel))
            }
            _ => None,
        };
        found.filter(|found| found.proof == Proof::Proven)
    }

    /// What a function returns by proof, where another file calls it.
    pub(super) fn exported_result(&self, function: ScopeId) -> Option<Type> {
        let found = with_fuel(|fuel| self.result_type(function, fuel));
        found.filter(|found| found.proof == Proof::Proven)
    }
}

impl Imported<'_> {
    /// What the value is that the name stands for.
    pub(super) fn value_type(&self) -> Option<Type> {
        let mut bindings = self.bindings.iter().rev();
        bindings.find_map(|binding| self.facts.exported_type(binding))
    }

    /// What a class is by its bases.
    pub(super) fn class_kind(&self) -> Option<Kind> {
        self.facts.class_kind(self.definition()?)
    }
}
