//! The names in the changed lines of one side, as a reader of code sees them.

use crate::conclude::normal::normal;
use crate::conclude::seen::Half;
use crate::facts::{ExprId, ExprKind, Facts, Span, StmtId, StmtKind};
use topic::SignalKind;

/// A name in code.
pub(super) struct Mention<'n> {
    pub(super) kind: SignalKind,
    /// Resolved through imports where it can be.
    pub(super) name: &'n str,
    /// Where it stands.
    pub(super) span: Span,
}

/// Takes the names of changed statements, those left out that `stand_elsewhere` knows by their normalised text.
pub(super) fn mentions(
    half: &Half<'_>,
    stand_elsewhere: impl Fn(&str) -> bool,
    take: impl FnMut(Mention<'_>),
) {
    let mut mentions = Mentions {
        facts: half.facts,
        stand_elsewhere,
        take,
    };
    for (stmt, text) in half.changed.iter() {
        if !(mentions.stand_elsewhere)(text) {
            mentions.statement(*stmt);
        }
    }
}

struct Mentions<'f, E, T> {
    facts: &'f Facts,
    stand_elsewhere: E,
    take: T,
}

impl<E: Fn(&str) -> bool, T: FnMut(Mention<'_>)> Mentions<'_, E, T> {
    fn statement(&mut self, stmt: StmtId) {
        let facts = self.facts;
        match &facts.stmt(stmt).kind {
            StmtKind::Import => return self.import(stmt),
            StmtKind::Function { scope, decorators } => {
                self.definition(*scope);
                self.decorators(decorators);
            }
            StmtKind::Class {
                scope, decorators, ..
            } => {
                self.definition(*scope);
                self.decorators(decorators);
            }
            _ => {}
        }
        for expr in facts.exprs_of(stmt) {
            self.expression(expr);
        }
    }

    fn definition(&mut self, scope: crate::facts::ScopeId) {
        let scope = self.facts.scope(scope);
        let params = scope.params.iter().map(|param| param.name);
        for name in scope.name.into_iter().chain(params) {
            self.identifier(name);
        }
    }

    /// `@helper` calls as `@helper()` does.
    fn decorators(&mut self, decorators: &[ExprId]) {
        for &decorator in decorators {
            if self.facts.call(decorator).is_none()
                && let Some(name) = self.facts.resolved(decorator)
            {
                let span = self.facts.expr(decorator).span;
                self.push(SignalKind::Call, &name, span);
            }
        }
    }

    fn expression(&mut self, expr: ExprId) {
        let facts = self.facts;
        let span = facts.expr(expr).span;
        match &facts.expr(expr).kind {
            ExprKind::Name => {
                self.identifier(span);
                let name = facts.resolved(expr).unwrap_or_default();
                if name != facts.text(span) {
                    self.push(SignalKind::Name, &name, span);
                }
            }
            ExprKind::Attribute { name, .. } => {
                self.identifier(*name);
                let resolved = facts.resolved(expr).unwrap_or_default();
                self.push(SignalKind::Name, &resolved, *name);
            }
            ExprKind::Call { args, .. } => {
                for name in args.iter().filter_map(|arg| arg.name) {
                    self.identifier(name);
                }
                if let Some(call) = facts.call(expr) {
                    let at = facts.expr(call.function).span;
                    self.push(SignalKind::Call, call.callee(), at);
                }
            }
            _ => {}
        }
    }

    fn import(&mut self, stmt: StmtId) {
        let span = self.facts.stmt(stmt).head;
        for origin in origins(&normal(self.facts.text(span))) {
            if !(self.stand_elsewhere)(&format!("import {origin}")) {
                self.push(SignalKind::Import, &origin, span);
            }
        }
    }

    /// A single identifier: a word of it may be a signal, or all of it.
    fn identifier(&mut self, name: Span) {
        let text = self.facts.text(name);
        self.push(SignalKind::Word, text, name);
        self.push(SignalKind::Name, text, name);
    }

    fn push(&mut self, kind: SignalKind, name: &str, span: Span) {
        if !name.is_empty() {
            (self.take)(Mention { kind, name, span });
        }
    }
}

/// The dotted names that a normalised import statement brings in, and the module that they come from.
pub(super) fn origins(import: &str) -> Vec<String> {
    let (module, names) = match import.strip_prefix("from") {
        Some(rest) => rest.split_once("import").unwrap_or((rest, "")),
        None => ("", import.strip_prefix("import ").unwrap_or("")),
    };
    let module = module.trim();
    let names = names.trim_matches(['(', ')', ' ']).split(',');
    let mut origins: Vec<String> = names
        .filter_map(|name| name.split_whitespace().next())
        .map(|name| match module {
            "" => name.to_owned(),
            _ => format!("{module}.{name}"),
        })
        .collect();
    if !module.is_empty() {
        origins.push(module.to_owned());
    }
    origins
}
