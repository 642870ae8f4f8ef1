//! What a class gives its methods and its base: attributes that are constants, and the base's constructor's arguments.

use super::Facts;
use super::bindings::BindingKind;
use super::calls::Call;
use super::hir::*;

/// Classes above a class that are searched.
const DEPTH: u32 = 4;

impl Facts {
    /// Whether `self.x`, `cls.x` or `Class.x` is what the class says it is: a literal of its body or of a base's, which
    /// methods at most store back. So is what a constructor reads before the class's base has made anything.
    pub(crate) fn is_class_constant(&self, id: ExprId) -> bool {
        self.attribute_of_class(id).is_some_and(|(class, name)| {
            self.holds_literal(class, name, DEPTH) && self.is_only_stored_back(class, name)
        })
    }

    /// Whether an attribute of a class is shown, but nothing that gives it a value, and what does may be hidden.
    pub(crate) fn is_unseen_attribute(&self, id: ExprId) -> bool {
        self.attribute_of_class(id).is_some_and(|(class, name)| {
            !self.is_visible(class) && self.attribute_bindings(class, name).is_empty()
        })
    }

    pub(super) fn attribute_of_class(&self, id: ExprId) -> Option<(ScopeId, &str)> {
        let (object, name) = self.attribute(id)?;
        Some((self.class_behind(object)?, name))
    }

    /// The class of `self`, `cls`, `type(self)`, `self.__class__`, `super()`, or the one that is named.
    fn class_behind(&self, object: ExprId) -> Option<ScopeId> {
        let own = || self.class_of(self.expr(object).scope);
        match self.name(object) {
            Some("self" | "cls") => return own(),
            Some(_) => {
                let class = self.definition(object)?;
                let is_class = self.scope(class).kind == ScopeKind::Class;
                return is_class.then(|| self.canonical(class));
            }
            None => {}
        }
        let of_self = matches!(self.attribute(object), Some((_, "__class__")));
        let of_call = self
            .call(object)
            .is_some_and(|call| matches!(call.callee(), "type" | "super"));
        (of_self || of_call).then(own)?
    }

    fn holds_literal(&self, class: ScopeId, name: &str, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let mut given =
            self.bindings_of(class, name)
                .iter()
                .filter_map(|binding| match binding.kind {
                    BindingKind::Value { value, .. } => Some(value),
                    _ => None,
                });
        match given.next_back() {
            Some(value) => self.is_literal(value),
            None => {
                let mut bases = self.bases_of(class);
                bases.any(|base| self.holds_literal(base, name, depth))
                    || self.reads_before_base(class, name)
            }
        }
    }

    /// A text, a number, or a composition of such and of constants.
    fn is_literal(&self, value: ExprId) -> bool {
        self.within(value).all(|id| match self.expr(id).kind {
            ExprKind::Str(_) | ExprKind::FString(_) | ExprKind::Binary { .. } => true,
            ExprKind::Number => true,
            _ => self.is_constant_name(id),
        })
    }

    /// `super().__init__(self.x)` in a constructor, where `x` is not set before: only the class can have made it.
    fn reads_before_base(&self, class: ScopeId, name: &str) -> bool {
        let own = format!("self.{name}");
        let is_first = |end: u32| {
            let mut stores = self.bindings_of(class, &own).iter();
            stores.all(|binding| binding.span.start > end)
        };
        self.calls_of_class(class).any(|call| {
            let mut given = call.args.iter().flat_map(|arg| self.within(arg.value));
            self.builds_base(&call)
                && is_first(call.span().end)
                && given.any(|id| self.self_attribute(id) == Some(name))
        })
    }

    /// `super().__init__(...)`.
    fn builds_base(&self, call: &Call<'_>) -> bool {
        let base = call.receiver().and_then(|base| self.call(base));
        call.method() == Some("__init__") && base.is_some_and(|base| base.callee() == "super")
    }

    /// The calls by which the classes of this file that derive from a constructor's class run it.
    pub(super) fn calls_by_heirs(&self, constructor: ScopeId) -> impl Iterator<Item = Call<'_>> {
        let of = self.class_of(constructor);
        let is_init = self.scope_name(constructor) == Some("__init__");
        let derives = move |class: ScopeId| self.bases_of(class).any(|base| Some(base) == of);
        let by_heir = move |call: &Call<'_>| {
            let class = self.class_of(call.scope());
            is_init && self.builds_base(call) && class.is_some_and(derives)
        };
        self.calls_named("__init__").filter(by_heir)
    }

    /// Whether each `self.x = ...` of a class gives it the constant again: `self.x = self.x`, `self.x = Class.x`, or a literal.
    fn is_only_stored_back(&self, class: ScopeId, name: &str) -> bool {
        let stores = self.bindings_of(class, &format!("self.{name}"));
        stores.iter().all(|binding| match binding.kind {
            BindingKind::Value { value, index: None } => {
                let is_same = self.attribute(value).is_some_and(|(object, other)| {
                    other == name && self.class_behind(object).is_some()
                });
                is_same || self.is_literal(value)
            }
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    fn constant(text: &str) -> bool {
        let facts = facts_of(text);
        let call = facts.calls().find(|call| call.name() == "use").unwrap();
        facts.is_class_constant(call.positional(0).unwrap())
    }

    #[test]
    fn a_literal_of_the_body_is_a_constant() {
        let class = "class A:\n    model_id = 'a/b'\n    def f(self):\n        use(";
        for name in [
            "self.model_id",
            "A.model_id",
            "type(self).model_id",
            "self.__class__.model_id",
        ] {
            assert!(constant(&format!("{class}{name})\n")), "{name}");
        }
        assert!(!constant(&format!("{class}self.other)\n")));
        let stored =
            "class A:\n    model_id = 'a/b'\n    def __init__(self, x):\n        self.model_id = ";
        assert!(constant(&format!(
            "{stored}self.model_id\n    def f(self):\n        use(self.model_id)\n"
        )));
        assert!(!constant(&format!(
            "{stored}x\n    def f(self):\n        use(self.model_id)\n"
        )));
    }

    #[test]
    fn a_base_has_it_or_the_constructor_reads_it_first() {
        assert!(constant(
            "class A:\n    model_id = 'a/b'\nclass B(A):\n    def f(self):\n        use(self.model_id)\n"
        ));
        assert!(constant(
            "class B(A):\n    def __init__(self):\n        super().__init__(self.model_id)\n        use(self.model_id)\n"
        ));
        assert!(!constant(
            "class B(A):\n    def __init__(self, id):\n        super().__init__(id)\n        use(self.model_id)\n"
        ));
        assert!(!constant(
            "class B(A):\n    def __init__(self, id):\n        self.model_id = id\n        super().__init__(self.model_id)\n        use(self.model_id)\n"
        ));
    }
}
