//! Attributes of objects whose class this file defines: `spec.file_name` of `spec: ShardSpec`.

use super::walk::Walk;
use super::{KeyPart, Source};
use crate::facts::hir::*;

impl Walk<'_> {
    /// What a property of the class returns, or a field of it is declared as, where that is no text from outside.
    pub(super) fn declared(&self, id: ExprId, depth: u32) -> Option<KeyPart> {
        let facts = self.facts;
        let (object, name) = facts.attribute(id)?;
        let class = self.class_of_object(object)?;
        if let Some(property) = facts.method(class, name) {
            let returned = facts.returns_of(property);
            let part = self.all(returned, depth);
            return (part.source <= Source::Checked).then_some(part);
        }
        let mut fields = facts.statements_of(class);
        fields
            .any(|stmt| match &facts.stmt(stmt).kind {
                StmtKind::Assign {
                    targets,
                    annotation: Some(annotation),
                    ..
                } => {
                    let mut targets = targets.iter();
                    targets.any(|&target| facts.name(target) == Some(name))
                        && self.is_harmless(*annotation)
                }
                _ => false,
            })
            .then(|| KeyPart::of(Source::Safe))
    }

    fn class_of_object(&self, object: ExprId) -> Option<ScopeId> {
        let facts = self.facts;
        if facts.name(object) == Some("self") {
            return facts.class_of(facts.expr(object).scope);
        }
        let annotated = facts
            .parameter(object)
            .and_then(|(_, param)| param.annotation);
        let by_annotation = annotated.and_then(|annotation| facts.definition(annotation));
        let made = || {
            let values = facts.values(object).into_iter();
            let mut calls = values.filter_map(|value| facts.call(value));
            calls.find_map(|call| facts.definition(call.function))
        };
        let class = by_annotation.or_else(made)?;
        (facts.scope(class).kind == ScopeKind::Class).then_some(class)
    }

    /// A type whose text cannot leave a folder.
    pub(super) fn is_harmless(&self, annotation: ExprId) -> bool {
        matches!(
            self.facts.last_name(annotation),
            Some("int" | "float" | "bool" | "UUID" | "datetime" | "date" | "Literal")
        )
    }
}
