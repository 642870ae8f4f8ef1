//! Containers whose making is not shown: what the shown lines put in and take out under one name.

use super::{Container, Owner, Use};
use crate::facts::Facts;
use crate::facts::hir::*;
use crate::facts::types::Kind;

impl Facts {
    /// Fields and names of the module that nothing shown makes and that some statement puts entries into, in source order.
    pub(crate) fn unseen_containers(&self) -> Vec<Container> {
        let mut found: Vec<Container> = Vec::new();
        if self.document.whole {
            return found;
        }
        for stmt in self.stmt_ids() {
            for (object, kind) in self.filled_by(stmt) {
                let name = self.dotted(object).filter(|_| self.is_unmade(object));
                let known = |name: &String| found.iter().any(|one| one.name == *name);
                if let Some(name) = name.filter(|name| !known(name)) {
                    found.push(self.unseen_container(object, name, kind));
                }
            }
        }
        found
    }

    /// What a statement puts something into: `x[key] = value`, `x.add(value)`, `x.append(value)`.
    fn filled_by(&self, stmt: StmtId) -> Vec<(ExprId, Kind)> {
        let by_key = self
            .entries_put(stmt)
            .map(|(object, _)| (object, Kind::Dict));
        let by_call = self.calls_in(stmt).filter_map(|call| {
            let kind = match call.method()? {
                "add" => Kind::Set,
                "append" => Kind::List,
                "setdefault" => Kind::Dict,
                _ => return None,
            };
            Some((call.receiver()?, kind))
        });
        by_key.chain(by_call).collect()
    }

    /// A field, or a name that looks like one of the module, to which nothing shown gives a value.
    fn is_unmade(&self, object: ExprId) -> bool {
        let is_shared = match self.self_attribute(object) {
            Some(_) => true,
            None => self.name(object).is_some_and(|name| {
                (name.starts_with('_') || self.is_constant_name(object)) && !self.imports_name(name)
            }),
        };
        is_shared && self.bindings_behind(object).is_empty()
    }

    fn unseen_container(&self, object: ExprId, name: String, kind: Kind) -> Container {
        let at = self.expr(object);
        let owner = match (self.self_attribute(object), self.class_of(at.scope)) {
            (Some(_), Some(class)) => Owner::Instance(class),
            _ => Owner::Module,
        };
        let mut container = Container {
            name,
            owner,
            kind,
            stmt: at.stmt,
            value: object,
            uses: Vec::new(),
            inner_uses: Vec::new(),
        };
        container.uses = self.uses_by_name(object, &container);
        container
    }

    fn uses_by_name(&self, object: ExprId, container: &Container) -> Vec<Use> {
        let last = self.last_name(object).unwrap_or_default();
        let mut mentions: Vec<ExprId> = self
            .exprs_named(last)
            .filter(|&id| self.dotted(id).as_deref() == Some(&container.name))
            .collect();
        mentions.sort_unstable();
        let uses = mentions.into_iter();
        uses.filter_map(|id| self.use_of(id, container)).collect()
    }
}
