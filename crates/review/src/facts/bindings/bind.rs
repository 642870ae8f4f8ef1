//! Fills the table of bindings: one entry for each place that gives a name a value.

use super::{Binding, BindingKind, Bindings};
use crate::facts::Facts;
use crate::facts::hir::*;
use crate::facts::lower::Capture;
use std::sync::Arc;

impl Facts {
    pub(in crate::facts) fn bind(&mut self, captures: &[Capture]) {
        self.globals = self.global_names().into();
        for capture in captures {
            let kind = BindingKind::Captured;
            self.add(capture.scope, capture.name, kind, capture.stmt);
        }
        for id in self.scope_ids() {
            self.bind_parameters(id);
        }
        for id in self.stmt_ids() {
            self.bind_stmt(id);
        }
        for id in self.expr_ids() {
            self.bind_expr(id);
        }
        // Each list is sorted on its own, so the map's order does not matter.
        let bindings = Arc::make_mut(&mut self.bindings);
        bindings.values_mut().for_each(|bindings| {
            bindings.sort_by_key(|binding| (binding.scope, binding.span));
            bindings.shrink_to_fit();
        });
    }

    fn global_names(&self) -> Vec<(ScopeId, Span)> {
        let names = self.stmts.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Global(names) => Some(names.iter().map(|&name| (stmt.scope, name))),
            _ => None,
        });
        names.flatten().collect()
    }

    fn bind_parameters(&mut self, id: ScopeId) {
        let scope = self.scope(id);
        let stmt = scope.stmt.unwrap_or(StmtId(0));
        let names: Vec<Span> = scope.params.iter().map(|param| param.name).collect();
        for (n, span) in names.into_iter().enumerate() {
            self.add(id, span, BindingKind::Parameter(n as u32), stmt);
        }
    }

    fn bind_stmt(&mut self, id: StmtId) {
        let stmt = self.stmt(id);
        let scope = stmt.scope;
        match &stmt.kind {
            &StmtKind::Assign {
                ref targets,
                value,
                annotation,
                augmented,
            } => {
                for target in targets.clone() {
                    if let Some(annotation) = annotation {
                        self.bind_target(target, id, scope, BindingKind::Declared(annotation));
                    }
                    match value {
                        Some(value) if augmented => {
                            self.bind_target(target, id, scope, BindingKind::Augmented(value));
                        }
                        Some(value) => {
                            self.bind_target(
                                target,
                                id,
                                scope,
                                BindingKind::Value { value, index: None },
                            );
                        }
                        None => {}
                    }
                }
            }
            &StmtKind::For { target, iter, .. } => {
                self.bind_target(target, id, scope, BindingKind::Loop { iter, index: None });
            }
            StmtKind::With { items, .. } => {
                for item in items.clone() {
                    if let Some(target) = item.target {
                        self.bind_target(target, id, scope, BindingKind::With(item.context));
                    }
                }
            }
            &StmtKind::Function { scope: inner, .. } | &StmtKind::Class { scope: inner, .. } => {
                if let Some(name) = self.scope(inner).name {
                    self.add(scope, name, BindingKind::Definition(inner), id);
                }
            }
            _ => {}
        }
    }

    fn bind_expr(&mut self, id: ExprId) {
        let (stmt, scope) = (self.expr(id).stmt, self.expr(id).scope);
        match &self.expr(id).kind {
            ExprKind::Comprehension { clauses, .. } => {
                for clause in clauses.clone() {
                    let kind = BindingKind::Loop {
                        iter: clause.iter,
                        index: None,
                    };
                    self.bind_target(clause.target, stmt, scope, kind);
                }
            }
            &ExprKind::Walrus { target, value } => {
                let kind = BindingKind::Value { value, index: None };
                self.bind_target(target, stmt, scope, kind);
            }
            _ => {}
        }
    }

    fn bind_target(&mut self, target: ExprId, stmt: StmtId, scope: ScopeId, kind: BindingKind) {
        match &self.expr(target).kind {
            ExprKind::Name => self.add(scope, self.expr(target).span, kind, stmt),
            ExprKind::Attribute { .. } => {
                if let (Some(name), Some(class)) =
                    (self.self_attribute(target), self.class_of(scope))
                {
                    let name = format!("self.{name}");
                    let binding = Binding {
                        scope: class,
                        kind,
                        stmt,
                        span: self.expr(target).span,
                    };
                    push(Arc::make_mut(&mut self.bindings), &name, binding);
                }
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                for (n, item) in items.clone().into_iter().enumerate() {
                    self.bind_target(item, stmt, scope, indexed(kind, n as u32));
                }
            }
            &ExprKind::Starred(inner) => self.bind_target(inner, stmt, scope, kind),
            _ => {}
        }
    }

    fn add(&mut self, scope: ScopeId, name: Span, kind: BindingKind, stmt: StmtId) {
        let binding = Binding {
            scope: self.owner_of_name(scope, name),
            kind,
            stmt,
            span: name,
        };
        let range = name.start as usize..name.end as usize;
        let text = self.document.text.get(range).unwrap_or("");
        push(Arc::make_mut(&mut self.bindings), text, binding);
    }

    /// `global x` sends bindings to the module.
    fn owner_of_name(&self, scope: ScopeId, name: Span) -> ScopeId {
        let text = self.text(name);
        let is_global = self
            .globals
            .iter()
            .any(|&(at, global)| at == scope && self.text(global) == text);
        if is_global {
            ScopeId(0)
        } else {
            self.canonical(scope)
        }
    }
}

fn push(bindings: &mut Bindings, name: &str, binding: Binding) {
    match bindings.get_mut(name) {
        Some(known) => known.push(binding),
        None => {
            bindings.insert(name.into(), vec![binding]);
        }
    }
}

fn indexed(kind: BindingKind, n: u32) -> BindingKind {
    match kind {
        BindingKind::Value { value, .. } => BindingKind::Value {
            value,
            index: Some(n),
        },
        BindingKind::Loop { iter, .. } => BindingKind::Loop {
            iter,
            index: Some(n),
        },
        other => other,
    }
}
