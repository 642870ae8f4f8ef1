//! The names in the changed lines of one side, as a reader of code sees them.

use crate::conclude::normal::normal;
use crate::conclude::seen::Half;
use crate::facts::{ExprId, ExprKind, Facts, Span, StmtId, StmtKind};
use topic::SignalKind;

/// A name in code.
pub(super) struct Mention {
    pub(super) kind: SignalKind,
    /// Resolved through imports where it can be.
    pub(super) name: String,
    /// As written.
    pub(super) text: String,
    pub(super) line: u32,
}

/// The names on changed lines, statements left out that `stand_elsewhere` knows by their normalised text.
pub(super) fn mentions(half: &Half<'_>, stand_elsewhere: impl Fn(&str) -> bool) -> Vec<Mention> {
    let facts = half.facts;
    let mut found = Mentions {
        facts,
        stand_elsewhere,
        found: Vec::new(),
    };
    for (stmt, text) in half.changed.iter() {
        if !(found.stand_elsewhere)(text) {
            found.statement(*stmt);
        }
    }
    found.found
}

struct Mentions<'f, E> {
    facts: &'f Facts,
    stand_elsewhere: E,
    found: Vec<Mention>,
}

impl<E: Fn(&str) -> bool> Mentions<'_, E> {
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
                self.push(SignalKind::Call, name, span);
            }
        }
    }

    fn expression(&mut self, expr: ExprId) {
        let facts = self.facts;
        let span = facts.expr(expr).span;
        match &facts.expr(expr).kind {
            ExprKind::Name => {
                self.identifier(span);
                self.push(
                    SignalKind::Name,
                    facts.resolved(expr).unwrap_or_default(),
                    span,
                );
            }
            ExprKind::Attribute { name, .. } => {
                self.identifier(*name);
                self.push(
                    SignalKind::Name,
                    facts.resolved(expr).unwrap_or_default(),
                    *name,
                );
            }
            ExprKind::Call { args, .. } => {
                for name in args.iter().filter_map(|arg| arg.name) {
                    self.identifier(name);
                }
                if let Some(call) = facts.call(expr) {
                    let at = facts.expr(call.function).span;
                    self.push(SignalKind::Call, call.callee().to_owned(), at);
                }
            }
            _ => {}
        }
    }

    fn import(&mut self, stmt: StmtId) {
        let span = self.facts.stmt(stmt).head;
        for origin in origins(&normal(self.facts.text(span))) {
            if !(self.stand_elsewhere)(&format!("import {origin}")) {
                self.push(SignalKind::Import, origin, span);
            }
        }
    }

    /// A single identifier: a word of it may be a signal, or all of it.
    fn identifier(&mut self, name: Span) {
        let text = self.facts.text(name).to_owned();
        self.push(SignalKind::Word, text.clone(), name);
        self.push(SignalKind::Name, text, name);
    }

    fn push(&mut self, kind: SignalKind, name: String, span: Span) {
        let line = self.facts.diff_lines(span).find(|(_, changed)| *changed);
        let Some((line, _)) = line else { return };
        if name.is_empty() {
            return;
        }
        let text = self.facts.text(span);
        let text = text.lines().next().unwrap_or(text).to_owned();
        self.found.push(Mention {
            kind,
            name,
            text,
            line,
        });
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
