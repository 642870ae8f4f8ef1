//! Calls of a method on objects that the file itself makes: `book.note(...)` where `book = Book()`, `self._window.allow(...)`
//! where the field was given `Window()`.

use super::Facts;
use super::calls::Call;
use super::hir::*;

impl Facts {
    /// The calls of a method on what a name or field was given: an object of its class, made in this file.
    pub(crate) fn calls_on_objects(&self, method: ScopeId) -> Vec<Call<'_>> {
        let name = self.scope_name(method).unwrap_or("");
        let Some(class) = self.class_of(method).filter(|_| !name.is_empty()) else {
            return Vec::new();
        };
        let is_object = |value: ExprId| {
            self.call(value)
                .and_then(|made| self.definition(made.function))
                .is_some_and(|made| self.canonical(made) == self.canonical(class))
        };
        let on_object = |call: &Call<'_>| {
            call.receiver().is_some_and(|receiver| {
                !matches!(self.name(receiver), Some("self" | "cls"))
                    && self.values(receiver).into_iter().any(is_object)
            })
        };
        self.calls_named(name)
            .filter(|call| call.method().is_some())
            .filter(on_object)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    #[track_caller]
    fn check(text: &str, calls: usize) {
        let facts = facts_of(&format!(
            "class A:\n    def f(self):\n        pass\n{text}\n"
        ));
        let method = facts
            .scope_ids()
            .find(|&scope| facts.scope_name(scope) == Some("f"));
        let found = method.map(|method| facts.calls_on_objects(method).len());
        assert_eq!(found, Some(calls), "{text}");
    }

    #[test]
    fn objects_of_the_module_and_of_fields_are_known() {
        check("a = A()\ndef g():\n    a.f()", 1);
        check(
            "class B:\n    def __init__(self):\n        self.a = A()\n    def g(self):\n        self.a.f()",
            1,
        );
    }

    #[test]
    fn others_with_such_a_method_are_not_meant() {
        check("class C:\n    pass\na = C()\na.f()", 0);
        check("def g(a):\n    a.f()", 0);
    }
}
