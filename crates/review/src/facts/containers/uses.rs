//! Where a container is mentioned, and what the mention does to it.

use super::{Container, Owner, Use, UseKind};
use crate::facts::Facts;
use crate::facts::bindings::BindingKind;
use crate::facts::hir::*;

impl Facts {
    /// The container key that an expression may mention.
    pub(super) fn mention(&self, id: ExprId) -> Option<(Owner, String)> {
        if let Some((object, name)) = self.attribute(id) {
            if self.self_attribute(id).is_some() {
                let class = self.class_of(self.expr(id).scope)?;
                return Some((Owner::Class(class), name.to_string()));
            }
            let class = self.definition(object)?;
            return Some((Owner::Class(self.canonical(class)), name.to_string()));
        }
        let name = self.name(id)?;
        let bound = self.lookup(id).first()?;
        let scope = self.stmt(bound.stmt).scope;
        let is_parameter = matches!(bound.kind, BindingKind::Parameter(_));
        if is_parameter {
            return None;
        }
        match self.scope(scope).kind {
            ScopeKind::Class => Some((Owner::Class(self.canonical(scope)), name.to_string())),
            ScopeKind::Module => Some((Owner::Module, name.to_string())),
            _ if self.bindings_of(scope, name).is_empty() => {
                Some((Owner::Module, name.to_string()))
            }
            _ => None,
        }
    }

    pub(super) fn use_of(&self, id: ExprId, container: &Container) -> Option<Use> {
        let stmt = self.expr(id).stmt;
        let kind = self.use_kind(id, container)?;
        Some(Use {
            kind,
            stmt,
            span: self.use_span(id),
        })
    }

    /// The mention with the subscript or method behind it.
    fn use_span(&self, id: ExprId) -> Span {
        let mut at = id;
        for _ in 0..3 {
            match self.expr(at).parent {
                Some(parent) if self.expr(parent).span.start == self.expr(id).span.start => {
                    at = parent
                }
                _ => break,
            }
        }
        self.expr(at).span
    }

    fn use_kind(&self, id: ExprId, container: &Container) -> Option<UseKind> {
        let stmt = self.expr(id).stmt;
        let Some(parent) = self.expr(id).parent else {
            let is_target = self.is_target(id, stmt);
            return match (is_target, stmt == container.stmt) {
                (true, true) => None,
                (true, false) => Some(self.rebinding(stmt)),
                (false, _) => Some(UseKind::Read),
            };
        };
        Some(match &self.expr(parent).kind {
            ExprKind::Subscript { object, index } if *object == id => {
                self.subscript_use(parent, index.first(), stmt)
            }
            ExprKind::Attribute { object, name } if *object == id => {
                self.method_use(parent, self.text(*name))
            }
            ExprKind::Call { function, .. } if *function != id => self.argument_use(parent),
            _ => UseKind::Read,
        })
    }

    /// `x += [...]` grows, any other assignment starts anew.
    fn rebinding(&self, stmt: StmtId) -> UseKind {
        match self.stmt(stmt).kind {
            StmtKind::Assign {
                augmented: true, ..
            } => UseKind::Append,
            StmtKind::Assign { value: None, .. } => UseKind::Read,
            _ => UseKind::Rebind,
        }
    }

    fn is_target(&self, id: ExprId, stmt: StmtId) -> bool {
        match &self.stmt(stmt).kind {
            StmtKind::Assign { targets, .. } => targets.contains(&id),
            StmtKind::Delete(exprs) => exprs.contains(&id),
            _ => false,
        }
    }

    fn subscript_use(&self, subscript: ExprId, index: Option<&ExprId>, stmt: StmtId) -> UseKind {
        let Some(&key) = index else {
            return UseKind::Read;
        };
        match &self.stmt(stmt).kind {
            StmtKind::Delete(exprs) if exprs.contains(&subscript) => return UseKind::Shrink,
            StmtKind::Assign { targets, .. } if targets.contains(&subscript) => {
                let is_slice = self.expr_text(key).contains(':')
                    && !matches!(self.expr(key).kind, ExprKind::Str(_) | ExprKind::FString(_));
                return if is_slice {
                    UseKind::Shrink
                } else {
                    UseKind::Insert(key)
                };
            }
            _ => {}
        }
        let grows = self
            .expr(subscript)
            .parent
            .and_then(|up| self.attribute(up))
            .is_some_and(|(_, name)| {
                matches!(
                    name,
                    "append" | "add" | "extend" | "update" | "appendleft" | "put"
                )
            });
        if grows {
            UseKind::Inner(key)
        } else {
            UseKind::Keyed(key)
        }
    }

    fn method_use(&self, attribute: ExprId, name: &str) -> UseKind {
        let Some(call) = self.expr(attribute).parent.and_then(|up| self.call(up)) else {
            return UseKind::Read;
        };
        if call.function != attribute {
            // `task.add_done_callback(TASKS.discard)`: who is told of an end takes the entry out then.
            let is_told = matches!(call.name(), "add_done_callback" | "finalize" | "call_later");
            let takes = matches!(name, "discard" | "remove" | "pop");
            return match is_told && takes {
                true => UseKind::Shrink,
                false => UseKind::Read,
            };
        }
        match name {
            "pop"
            | "popitem"
            | "popleft"
            | "clear"
            | "remove"
            | "discard"
            | "difference_update"
            | "intersection_update" => UseKind::Shrink,
            "setdefault" => call.positional(0).map_or(UseKind::Append, UseKind::Insert),
            "append" | "appendleft" | "add" | "insert" | "extend" | "update" | "put"
            | "put_nowait" => UseKind::Append,
            _ => UseKind::Read,
        }
    }

    fn argument_use(&self, call: ExprId) -> UseKind {
        let Some(found) = self.call(call) else {
            return UseKind::Read;
        };
        if found.callee() == "len" {
            let compared = self
                .expr(call)
                .parent
                .is_some_and(|up| matches!(self.expr(up).kind, ExprKind::Compare { .. }));
            return if compared {
                UseKind::Size
            } else {
                UseKind::Read
            };
        }
        UseKind::Passed(call)
    }
}
