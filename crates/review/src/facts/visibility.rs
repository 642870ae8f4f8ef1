//! How much of a scope is shown: absence is only claimed where nothing is hidden.

use super::Facts;
use super::hir::*;
use crate::sources::{DocLine, Scaffold};
use std::sync::Arc;

/// Indentation of one level, as nearly all Python code has it.
const LEVEL: u32 = 4;

impl Facts {
    /// Whether a scope (of all its fragments) is shown from its first to its last line.
    pub(crate) fn is_visible(&self, scope: ScopeId) -> bool {
        self.scope(self.canonical(scope)).visible
    }

    /// Whether the function or class that a statement stands in is shown whole; of module level the file.
    pub(crate) fn sees_all_of(&self, stmt: StmtId) -> bool {
        self.is_visible(self.stmt(stmt).scope)
    }

    /// Whether every `with` and `try` around a statement in its function is shown,
    /// by its indentation if not by the text.
    pub(crate) fn sees_enclosure(&self, stmt: StmtId) -> bool {
        if self
            .ancestors(stmt)
            .any(|ancestor| self.is_cut_try(ancestor.stmt))
        {
            return false;
        }
        let unknown = self.unknown_indents(stmt);
        let Some(&innermost) = unknown.iter().max() else {
            return true;
        };
        let base = self.base_indent(stmt, &unknown);
        base.is_some_and(|base| innermost < base)
    }

    /// Whether decorators of a function or class may stand in lines that are not shown.
    pub(crate) fn may_have_hidden_decorators(&self, scope: ScopeId) -> bool {
        let entry = self.scope(scope);
        if !entry.head_shown {
            return true;
        }
        let head = self.lines.line(entry.span.start) as usize;
        let before = head
            .checked_sub(1)
            .and_then(|at| self.document.lines.get(at));
        let own = self.document.lines.get(head);
        let follows = matches!((before, own), (
            Some(DocLine::Diff { number: a, .. }),
            Some(DocLine::Diff { number: b, .. }),
        ) if a + 1 == *b);
        self.decorators(scope).is_empty() && !follows && !self.document.whole
    }

    /// The indents of scaffold blocks around the statement that stand for unknown text.
    fn unknown_indents(&self, stmt: StmtId) -> Vec<u32> {
        let mut indents = Vec::new();
        let mut at = self.stmt(stmt).parent;
        let mut scope = self.stmt(stmt).scope;
        loop {
            while let Some(slot) = at {
                let owner = self.stmt(slot.stmt);
                if self.scaffold_at(owner.span.start) == Some(Scaffold::Unknown) {
                    indents.push(self.indent(owner.span.start));
                }
                at = owner.parent;
            }
            if self.scope(scope).kind == ScopeKind::Function && self.scope(scope).name.is_some() {
                return indents;
            }
            let Some(definition) = self.scope(scope).stmt else {
                return indents;
            };
            // A function that only its statements ask for may begin further left, with a block in between.
            let start = self.stmt(definition).span.start;
            let is_guessed = self.scope(scope).kind == ScopeKind::Function;
            if is_guessed && self.scaffold_at(start) == Some(Scaffold::Unknown) {
                indents.push(self.indent(start));
            }
            at = self.stmt(definition).parent;
            scope = self.stmt(definition).scope;
        }
    }

    /// The indent at which the body of the enclosing function must stand.
    fn base_indent(&self, stmt: StmtId, unknown: &[u32]) -> Option<u32> {
        let mut scope = Some(self.stmt(stmt).scope);
        while let Some(id) = scope {
            let start = self.scope(id).span.start;
            match self.scope(id).kind {
                ScopeKind::Function if self.scope(id).name.is_some() => {
                    return Some(self.indent(start) + LEVEL);
                }
                ScopeKind::Class => return Some(self.indent(start) + 2 * LEVEL),
                _ => scope = self.scope(id).parent,
            }
        }
        // With no heading at all one unknown level at column 0 is the `def` itself.
        (unknown == [0]).then_some(LEVEL)
    }

    /// Columns of white space before an offset's line content.
    pub(crate) fn indent(&self, offset: u32) -> u32 {
        let start = self.lines.start(self.lines.line(offset)) as usize;
        let line = self.document.text.get(start..).unwrap_or("");
        line.chars()
            .take_while(|c| matches!(c, ' ' | '\t'))
            .map(|c| if c == '\t' { 8 } else { 1 })
            .sum()
    }

    pub(super) fn mark_visible_scopes(&mut self) {
        for id in self.scope_ids() {
            let visible = self.document.whole || self.is_shown_whole(id);
            if let Some(scope) = Arc::make_mut(&mut self.scopes).get_mut(id.index()) {
                scope.visible = visible;
            }
        }
    }

    fn is_shown_whole(&self, id: ScopeId) -> bool {
        let scope = self.scope(id);
        match scope.kind {
            ScopeKind::Module => false,
            ScopeKind::Lambda => true,
            ScopeKind::Class | ScopeKind::Function => {
                scope.head_shown && self.is_contiguous(scope.span) && self.end_is_shown(scope.span)
            }
        }
    }

    /// Whether the lines of a span follow each other in the file.
    fn is_contiguous(&self, span: Span) -> bool {
        let (first, last) = (
            self.lines.line(span.start),
            self.lines.line(span.end.saturating_sub(1)),
        );
        let lines = self
            .document
            .lines
            .get(first as usize..=last as usize)
            .unwrap_or(&[]);
        lines.windows(2).all(|pair| match pair {
            [
                DocLine::Diff { number: a, .. },
                DocLine::Diff { number: b, .. },
            ] => *b == a + 1,
            _ => false,
        })
    }

    /// Whether the next code line after a scope is shown, in the same run of lines, and stands outside of it.
    fn end_is_shown(&self, span: Span) -> bool {
        let indent = self.indent(span.start);
        let mut at = self.lines.line(span.end.saturating_sub(1)) as usize;
        loop {
            match (self.document.lines.get(at), self.document.lines.get(at + 1)) {
                (Some(DocLine::Diff { number: a, .. }), Some(DocLine::Diff { number: b, .. }))
                    if *b == a + 1 =>
                {
                    at += 1;
                }
                _ => return false,
            }
            let start = self.lines.start(at as u32);
            let end = self.lines.start(at as u32 + 1).max(start);
            let line = self.text(Span { start, end }).trim();
            if !line.is_empty() && !line.starts_with('#') {
                return self.indent(start) <= indent;
            }
        }
    }
}
