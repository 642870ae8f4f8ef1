//! What an object is made by: the constructor or the annotation, resolved through imports.

use super::Facts;
use super::hir::*;

impl Facts {
    /// The resolved names of what makes an object, and of the annotations that it is declared by, a subscript's base for all.
    pub(crate) fn origins(&self, id: ExprId) -> Vec<String> {
        let values = self.values(id);
        let made = values.iter().filter_map(|&value| self.origin_of(value));
        let declared = values.iter().filter_map(|&value| {
            let (_, param) = self.parameter(value)?;
            self.resolved(self.bare_annotation(param.annotation?))
        });
        made.chain(declared).collect()
    }

    fn origin_of(&self, value: ExprId) -> Option<String> {
        match &self.expr(value).kind {
            ExprKind::Call { function, .. } => self.resolved(*function),
            ExprKind::Subscript { object, .. } => self.resolved(*object),
            ExprKind::Await(inner) => self.origin_of(*inner),
            ExprKind::Name if self.lookup(value).is_empty() => self.resolved(value),
            _ => None,
        }
    }

    /// `Cache` of `Optional[Cache]` and of `Cache | None`.
    fn bare_annotation(&self, annotation: ExprId) -> ExprId {
        match &self.expr(annotation).kind {
            ExprKind::Subscript { object, index }
                if self.last_name(*object) == Some("Optional") =>
            {
                index.first().copied().unwrap_or(annotation)
            }
            ExprKind::Binary { left, .. } => *left,
            _ => annotation,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    #[test]
    fn constructors_annotations_and_registries_are_origins() {
        let facts = facts_of(
            "import diskcache as d\nfrom django.core.cache import caches\nfast = caches['fast']\nclass A:\n    def __init__(self, store: d.Cache | None):\n        self._store = store\n    def f(self):\n        self._store.get(1)\n        fast.get(2)\n",
        );
        let of = |n: usize| {
            let call = facts.calls().nth(n).unwrap();
            facts.origins(call.receiver().unwrap())
        };
        assert_eq!(of(0), ["diskcache.Cache"]);
        assert_eq!(of(1), ["django.core.cache.caches"]);
    }
}
