//! Calls through objects that a class keeps: `self._index.rebuild()`, and back: `self._owner.refresh()`.

use super::Facts;
use super::bindings::BindingKind;
use super::calls::Call;
use super::hir::*;

/// Whose `self` a function runs on, seen from the method that a walk began in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The object of that method.
    Own,
    /// The object that this call made and that a field of the first one keeps.
    Part(ExprId),
    /// An object of which nothing says that it is the first.
    Other,
}

impl Facts {
    /// The function of this file that a call runs, and on whose object.
    pub(crate) fn runs_on(&self, call: &Call<'_>, whose: Whose) -> Option<(ScopeId, Whose)> {
        if let Some(function) = self.callee_scope(call) {
            let stays = self.self_attribute(call.function).is_some();
            return Some((function, if stays { whose } else { Whose::Other }));
        }
        if let Some(name) = self.self_attribute(call.function) {
            let class = self.class_of(call.scope())?;
            return Some((self.inherited_method(class, name)?, whose));
        }
        let field = call.receiver()?;
        self.self_attribute(field)?;
        match whose {
            Whose::Own => self.part_method(field, call.method()?),
            Whose::Part(made) => self.owner_method(field, made, call.method()?),
            Whose::Other => None,
        }
    }

    /// The function of this file that a call runs, also that of a class which a field or name is made or annotated with.
    pub(crate) fn function_called(&self, call: &Call<'_>) -> Option<ScopeId> {
        let of_object = || self.method(self.class_behind_name(call.receiver()?)?, call.method()?);
        self.callee_scope(call).or_else(of_object)
    }

    /// The class of this file that the object of a name, field or table entry is made by, or that its annotation names.
    fn class_behind_name(&self, object: ExprId) -> Option<ScopeId> {
        let values = self.values(object).into_iter();
        values.chain(self.kept_beside(object)).find_map(|value| {
            let made = self
                .call(value)
                .and_then(|made| self.definition(made.function));
            let given = || self.annotated_class(self.parameter(value)?.1.annotation?);
            let class = made.or_else(given)?;
            (self.scope(class).kind == ScopeKind::Class).then(|| self.canonical(class))
        })
    }

    /// `A` of `A`, `Optional[A]` and `A | None`.
    fn annotated_class(&self, annotation: ExprId) -> Option<ScopeId> {
        match &self.expr(annotation).kind {
            ExprKind::Name => self.definition(annotation),
            ExprKind::Subscript { object, index }
                if self.last_name(*object) == Some("Optional") =>
            {
                self.annotated_class(*index.first()?)
            }
            ExprKind::Binary { left, .. } => self.annotated_class(*left),
            _ => None,
        }
    }

    /// The property that reading `self.x` runs.
    pub(crate) fn property_read(&self, id: ExprId) -> Option<ScopeId> {
        let name = self.self_attribute(id)?;
        let is_called = self
            .expr(id)
            .parent
            .and_then(|parent| self.call(parent))
            .is_some_and(|call| call.function == id);
        let is_stored = match &self.stmt(self.expr(id).stmt).kind {
            StmtKind::Assign { targets, .. } => targets.contains(&id),
            _ => false,
        };
        let function = self.method(self.class_of(self.expr(id).scope)?, name)?;
        let is_property = self.decorators(function).iter().any(|&decorator| {
            matches!(
                self.last_name(decorator),
                Some("property" | "cached_property")
            )
        });
        (is_property && !is_called && !is_stored).then_some(function)
    }

    /// The method that a class has from a class above it in this file.
    fn inherited_method(&self, class: ScopeId, name: &str) -> Option<ScopeId> {
        self.classes_above(class)
            .into_iter()
            .find_map(|base| self.method(base, name))
    }

    /// The class of this file that gives a field its value: this one, or the nearest above it that does.
    pub(super) fn class_with_field(&self, class: ScopeId, name: &str) -> ScopeId {
        let has = |class: &ScopeId| !self.attribute_bindings(*class, name).is_empty();
        if has(&class) {
            return class;
        }
        let above = self.classes_above(class);
        above.into_iter().find(has).unwrap_or(class)
    }

    /// The classes of this file above a class, the nearest first.
    fn classes_above(&self, class: ScopeId) -> Vec<ScopeId> {
        let mut found: Vec<ScopeId> = self.bases_of(class).collect();
        let mut next = 0;
        while let Some(&base) = found.get(next).filter(|_| found.len() < 16) {
            let above: Vec<ScopeId> = self.bases_of(base).collect();
            for base in above {
                if base != class && !found.contains(&base) {
                    found.push(base);
                }
            }
            next += 1;
        }
        found
    }

    /// `self._part.method` where the class makes the part itself.
    fn part_method(&self, field: ExprId, name: &str) -> Option<(ScopeId, Whose)> {
        self.values(field).into_iter().find_map(|value| {
            let made = self.call(value)?;
            let class = self.definition(made.function)?;
            let method = self.method(class, name)?;
            let is_class = self.scope(class).kind == ScopeKind::Class;
            is_class.then_some((method, Whose::Part(made.id)))
        })
    }

    /// `self._owner.method` in a part that was handed its owner when it was made.
    fn owner_method(&self, field: ExprId, made: ExprId, name: &str) -> Option<(ScopeId, Whose)> {
        let made = self.call(made)?;
        let constructor = self.callee_scope(&made)?;
        let is_owner = self.bindings_behind(field).into_iter().any(|binding| {
            let BindingKind::Value { value, index: None } = binding.kind else {
                return false;
            };
            let given = self.parameter(value).and_then(|(_, param)| {
                self.argument_for(&made, constructor, self.text(param.name))
            });
            given.and_then(|given| self.name(given)) == Some("self")
        });
        let owner = self.class_of(made.scope()).filter(|_| is_owner)?;
        Some((self.method(owner, name)?, Whose::Own))
    }
}

#[cfg(test)]
mod tests {
    use super::Whose;
    use crate::probe::facts_of;

    const OWNER: &str = "class Owner:\n    def __init__(self):\n        self._part = Part(self)\n    def start(self):\n        self._part.tidy()\n    def refresh(self):\n        pass\n";

    #[test]
    fn a_part_calls_its_owner_back() {
        let text = format!(
            "{OWNER}class Part:\n    def __init__(self, owner):\n        self._owner = owner\n    def tidy(self):\n        self._owner.refresh()\n"
        );
        let facts = facts_of(&text);
        let tidy = facts.calls_named("tidy").next().unwrap();
        let (scope, whose) = facts.runs_on(&tidy, Whose::Own).unwrap();
        assert_eq!(facts.scope_name(scope), Some("tidy"));
        let refresh = facts.calls_named("refresh").next().unwrap();
        let (scope, whose) = facts.runs_on(&refresh, whose).unwrap();
        assert_eq!(facts.scope_name(scope), Some("refresh"));
        assert_eq!(whose, Whose::Own);
        assert_eq!(facts.runs_on(&refresh, Whose::Own), None);
    }

    #[test]
    fn another_object_of_the_class_is_not_the_owner() {
        let text = OWNER.replace("Part(self)", "Part(Owner())")
            + "class Part:\n    def __init__(self, owner):\n        self._owner = owner\n    def tidy(self):\n        self._owner.refresh()\n";
        let facts = facts_of(&text);
        let tidy = facts.calls_named("tidy").next().unwrap();
        let (_, whose) = facts.runs_on(&tidy, Whose::Own).unwrap();
        let refresh = facts.calls_named("refresh").next().unwrap();
        assert_eq!(facts.runs_on(&refresh, whose), None);
    }
}
