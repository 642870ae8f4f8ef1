//! What is only said: in a log line, on a terminal, in a warning or in the text of an exception.

use super::Facts;
use super::calls::Call;
use super::hir::*;

/// Names that are followed from one to the next.
const DEPTH: u32 = 3;

impl Facts {
    /// Whether a value gets into messages and nowhere else. A local name that holds it must be shown with all its uses.
    pub(crate) fn is_only_told(&self, id: ExprId) -> bool {
        self.is_told(id, DEPTH)
    }

    fn is_told(&self, id: ExprId, depth: u32) -> bool {
        let mut at = id;
        while let Some(parent) = self.expr(at).parent {
            match &self.expr(parent).kind {
                ExprKind::Call { .. } => match self.call(parent) {
                    Some(call) if call.function == at => return false,
                    Some(call) if call.is_message() => return true,
                    Some(call) if spells(&call) || self.is_raised(parent) => {}
                    _ => return false,
                },
                // `"...".format` of the text that the value stands in.
                ExprKind::Attribute { name, .. } if self.text(*name) == "format" => {
                    let formats = self.expr(parent).parent.and_then(|call| self.call(call));
                    match formats {
                        Some(call) if call.function == parent => at = call.id,
                        _ => return false,
                    }
                    continue;
                }
                ExprKind::FString(_)
                | ExprKind::Binary { .. }
                | ExprKind::Tuple(_)
                | ExprKind::Conditional { .. } => {}
                _ => return false,
            }
            at = parent;
        }
        match &self.stmt(self.expr(id).stmt).kind {
            StmtKind::Raise => true,
            StmtKind::Assert(exprs) => exprs.first() != Some(&at),
            StmtKind::Assign { targets, value, .. } if *value == Some(at) => match targets[..] {
                [target] => self.is_name_told(target, depth),
                _ => false,
            },
            _ => false,
        }
    }

    /// The exception of a `raise`, or of `except`'s like: what it is given is its text.
    fn is_raised(&self, call: ExprId) -> bool {
        let expr = self.expr(call);
        expr.parent.is_none() && matches!(self.stmt(expr.stmt).kind, StmtKind::Raise)
    }

    /// Whether all that reads a local name tells it.
    fn is_name_told(&self, target: ExprId, depth: u32) -> bool {
        let (Some(depth), Some(name)) = (depth.checked_sub(1), self.name(target)) else {
            return false;
        };
        let scope = self.expr(target).scope;
        let is_local = self.scope(scope).kind == ScopeKind::Function
            && self.is_visible(scope)
            && !self.bindings_of(scope, name).is_empty();
        let is_target = |id: &ExprId| match &self.stmt(self.expr(*id).stmt).kind {
            StmtKind::Assign { targets, .. } => targets.contains(id),
            _ => false,
        };
        let mut uses = self
            .exprs_named_in(scope, name)
            .filter(|&id| self.name(id).is_some() && !is_target(&id))
            .peekable();
        is_local && uses.peek().is_some() && uses.all(|id| self.is_told(id, depth))
    }
}

impl Call<'_> {
    /// Whether the call says what it is given to whoever reads the log or the terminal.
    pub(crate) fn is_message(&self) -> bool {
        let level = |word: &str| {
            matches!(
                word,
                "debug" | "info" | "warning" | "warn" | "error" | "exception" | "critical"
            )
        };
        let name = self.name();
        let mut words = topic::words(name);
        let logs =
            words.next().as_deref() == Some("log") && words.next().is_none_or(|word| level(&word));
        logs || level(name) || matches!(name, "print" | "pprint" | "echo" | "secho")
    }
}

/// A call that makes a text of its arguments.
fn spells(call: &Call<'_>) -> bool {
    matches!(call.callee(), "str" | "repr") || call.method() == Some("format")
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    fn told(body: &str) -> bool {
        let text = format!("def f(a, b):\n    {body}\n");
        let facts = facts_of(&text);
        let join = facts.calls().find(|call| call.name() == "join").unwrap();
        facts.is_only_told(join.id)
    }

    #[test]
    fn messages_are_logs_prints_warnings_and_errors() {
        assert!(told("logger.info('at %s', os.path.join(a, b))"));
        assert!(told("print(f'at {os.path.join(a, b)}')"));
        assert!(told("print('at {}'.format(os.path.join(a, b)))"));
        assert!(told("warnings.warn('at ' + os.path.join(a, b))"));
        assert!(told("raise ValueError(f'none at {os.path.join(a, b)}')"));
        assert!(told("assert a, f'none at {os.path.join(a, b)}'"));
        assert!(!told("log_artifact(os.path.join(a, b))"));
        assert!(!told("print(open(os.path.join(a, b)))"));
        assert!(!told("raise read(os.path.join(a, b)).error()"));
    }

    #[test]
    fn a_name_is_told_if_all_its_uses_are() {
        assert!(told("p = os.path.join(a, b)\n    logger.debug(p)"));
        assert!(told(
            "p = os.path.join(a, b)\n    m = f'at {p}'\n    print(m)"
        ));
        assert!(!told(
            "p = os.path.join(a, b)\n    logger.debug(p)\n    open(p)"
        ));
        assert!(!told("p = os.path.join(a, b)\n    print(p)\n    return p"));
        assert!(!told("p = os.path.join(a, b)"));
    }
}
