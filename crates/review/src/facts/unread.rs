//! Values that nobody reads: given to a name that is given another before anything asks for it, or never asked for.

use super::Facts;
use super::hir::*;
use super::lifecycle::Holder;

impl Facts {
    /// Whether an expression only becomes a part of a value that nobody reads. What a call is given is read by it, except
    /// where the call only puts a path or a text together.
    pub(crate) fn is_never_read(&self, id: ExprId) -> bool {
        let mut at = id;
        while let Some(parent) = self.expr(at).parent {
            if !self.only_keeps(parent, at) {
                return false;
            }
            at = parent;
        }
        let stmt = self.expr(id).stmt;
        match &self.stmt(stmt).kind {
            StmtKind::Assign {
                targets,
                value: Some(value),
                augmented: false,
                ..
            } if *value == at => match targets[..] {
                [target] => self.is_overwritten(target, stmt) || self.is_forgotten(target, stmt),
                _ => false,
            },
            _ => false,
        }
    }

    /// A display, or what composes a path or a text.
    fn only_keeps(&self, around: ExprId, part: ExprId) -> bool {
        match &self.expr(around).kind {
            ExprKind::Tuple(_)
            | ExprKind::List(_)
            | ExprKind::Set(_)
            | ExprKind::Dict(_)
            | ExprKind::FString(_)
            | ExprKind::Binary { .. }
            | ExprKind::Conditional { .. } => true,
            ExprKind::Call { .. } => self.call(around).is_some_and(|call| {
                let shapes = matches!(
                    call.name(),
                    "join" | "joinpath" | "Path" | "str" | "abspath"
                );
                shapes && call.function != part
            }),
            _ => false,
        }
    }

    /// The next statement of the block that knows the name gives it another value.
    fn is_overwritten(&self, target: ExprId, stmt: StmtId) -> bool {
        let name = self.expr_text(target);
        let is_field = self.self_attribute(target).is_some();
        if !is_field && self.name(target).is_none() {
            return false;
        }
        // A method that is called in between may read the field.
        let knows = |id: ExprId| {
            let is_it = self.expr_text(id) == name;
            is_it || (is_field && matches!(self.name(id), Some("self" | "cls" | "super")))
        };
        let inside = |stmt: StmtId| self.exprs_within(self.stmt(stmt).span);
        let mut behind = self.following(stmt).iter().copied();
        let next = behind.find(|&next| inside(next).any(knows));
        next.is_some_and(|next| match &self.stmt(next).kind {
            StmtKind::Assign {
                targets,
                value: Some(value),
                augmented: false,
                ..
            } => {
                let again = targets.iter().any(|&other| self.expr_text(other) == name);
                again && !self.within(*value).any(knows)
            }
            _ => false,
        })
    }

    /// A local name of a function that is shown whole, which nothing behind the statement asks for; of a loop the name
    /// that each round binds anew.
    fn is_forgotten(&self, target: ExprId, stmt: StmtId) -> bool {
        let Some(Holder::Local { function, name }) = self.holder_of(target) else {
            return false;
        };
        let from = match self.innermost_loop(stmt) {
            Some(outer) if !self.binds_each_round(outer, &name) => self.stmt(outer).span.start,
            _ => self.stmt(stmt).span.end,
        };
        let is_read = |id: ExprId| id != target && self.expr(id).span.start >= from;
        let mut mentions = self
            .exprs_named_in(function, &name)
            .filter(|&id| self.name(id).is_some());
        self.is_visible(function) && !mentions.any(is_read)
    }

    fn binds_each_round(&self, outer: StmtId, name: &str) -> bool {
        match self.stmt(outer).kind {
            StmtKind::For { target, .. } => {
                let mut parts = self.within(target);
                parts.any(|part| self.name(part) == Some(name))
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    #[track_caller]
    fn check(body: &str, expected: bool) {
        let facts = facts_of(&format!("def f(self, a):\n{body}"));
        let join = facts.calls_named("join").next().unwrap();
        assert_eq!(facts.is_never_read(join.id), expected, "{body}");
    }

    #[test]
    fn what_is_overwritten_is_not_read() {
        check(
            "    self.x = join(a)\n    self.x = 1\n    use(self.x)\n",
            true,
        );
        check("    x = join(a)\n    x = join(x)\n    use(x)\n", false);
        check(
            "    self.x = join(a)\n    self.show()\n    self.x = 1\n",
            false,
        );
        check(
            "    x = join(a)\n    if a:\n        x = 1\n    use(x)\n",
            false,
        );
    }

    #[test]
    fn what_a_loop_binds_anew_is_not_read() {
        check(
            "    for x in a:\n        if x:\n            x = (x, join(a))\n",
            true,
        );
        check(
            "    for y in a:\n        use(x)\n        x = join(y)\n",
            false,
        );
        check("    x = join(a)\n    return 1\n", true);
        check("    x = join(a)\n    return x\n", false);
        check("    x = open(join(a))\n", false);
    }
}
