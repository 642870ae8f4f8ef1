//! Code that runs in training alone: nothing serves while it does.

use super::Facts;
use super::hir::*;

/// Callers of callers that are followed.
const DEPTH: u32 = 3;

/// Last words of classes that only training makes.
const TRAINS: &[&str] = &[
    "loss",
    "losses",
    "criterion",
    "trainer",
    "optimizer",
    "optimiser",
];

impl Facts {
    /// Whether a statement runs in training alone: its class or function says so, it stands where `self.training` is
    /// set, or all shown callers do.
    pub(crate) fn trains(&self, stmt: StmtId) -> bool {
        self.trains_within(stmt, DEPTH)
    }

    fn trains_within(&self, stmt: StmtId, depth: u32) -> bool {
        if self.stands_in_training(stmt) || self.follows_training_check(stmt) {
            return true;
        }
        let Some(function) = self.function_of(self.stmt(stmt).scope) else {
            return false;
        };
        if self.says_training(function) {
            return true;
        }
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let mut callers = self.calls_to(function).peekable();
        callers.peek().is_some() && callers.all(|call| self.trains_within(call.stmt(), depth))
    }

    /// In `if self.training:`, or in the `else` of its contrary.
    fn stands_in_training(&self, stmt: StmtId) -> bool {
        self.ancestors(stmt).any(|ancestor| {
            let StmtKind::If { test, .. } = self.stmt(ancestor.stmt).kind else {
                return false;
            };
            match ancestor.part {
                Part::Body => self.needs_training(test),
                Part::Else => self.is_so_outside_training(test),
                _ => false,
            }
        })
    }

    /// Behind `if not self.training: return`.
    fn follows_training_check(&self, stmt: StmtId) -> bool {
        let earlier = self.statements_of(self.stmt(stmt).scope);
        earlier
            .take_while(|&other| other < stmt)
            .any(|other| match &self.stmt(other).kind {
                StmtKind::If { test, body, .. } => {
                    self.is_so_outside_training(*test)
                        && self.always_leaves(body)
                        && self.always_before(other, stmt)
                }
                _ => false,
            })
    }

    /// A test that holds only in training: `self.training`, `self.training and x`.
    fn needs_training(&self, test: ExprId) -> bool {
        match &self.expr(test).kind {
            ExprKind::Bool { left, right } if self.joins_by(*left, *right, "and") => {
                self.needs_training(*left) || self.needs_training(*right)
            }
            ExprKind::Not(inner) => self.is_so_outside_training(*inner),
            _ => self.self_attribute(test) == Some("training"),
        }
    }

    /// A test that holds whenever nothing trains: `not self.training`, `not self.training or x`.
    fn is_so_outside_training(&self, test: ExprId) -> bool {
        match &self.expr(test).kind {
            ExprKind::Bool { left, right } if self.joins_by(*left, *right, "or") => {
                self.is_so_outside_training(*left) || self.is_so_outside_training(*right)
            }
            ExprKind::Not(inner) => self.needs_training(*inner),
            _ => false,
        }
    }

    fn joins_by(&self, left: ExprId, right: ExprId, word: &str) -> bool {
        let between = Span {
            start: self.expr(left).span.end,
            end: self.expr(right).span.start,
        };
        self.text(between)
            .split_whitespace()
            .any(|part| part == word)
    }

    /// The function, its class or a base of it is named for training, or it takes the truth that it is to learn.
    fn says_training(&self, function: ScopeId) -> bool {
        let name = self.scope_name(function).unwrap_or("");
        let by_name = topic::has_word(name, "train training backward loss losses");
        by_name || self.takes_truth(function) || self.is_of_training_class(function)
    }

    /// `forward(self, pred, target)`: targets are there in training.
    fn takes_truth(&self, function: ScopeId) -> bool {
        let scope = self.scope(function);
        let is_truth = |param: &Param| {
            let name = self.text(param.name);
            let named = matches!(name, "target" | "targets" | "gt" | "ground_truth")
                || name.starts_with("gt_")
                || name.ends_with("_gt");
            named && param.default.is_none()
        };
        let runs = matches!(self.scope_name(function), Some("forward" | "__call__"));
        runs && scope.params.iter().any(is_truth)
    }

    /// A class that derives from `nn.Module`.
    pub(crate) fn is_module_class(&self, class: ScopeId) -> bool {
        self.base_names(class).any(|name| name == "Module")
    }

    /// The last names of a class's bases, as written.
    pub(crate) fn base_names(&self, class: ScopeId) -> impl Iterator<Item = &str> {
        let head = self.scope(class).stmt.map(|stmt| &self.stmt(stmt).kind);
        let bases = match head {
            Some(StmtKind::Class { bases, .. }) => bases.as_slice(),
            _ => &[],
        };
        bases.iter().filter_map(|base| self.last_name(base.value))
    }

    fn is_of_training_class(&self, function: ScopeId) -> bool {
        let Some(class) = self.class_of(function) else {
            return false;
        };
        let last_is = |name: &str| {
            topic::words(name)
                .last()
                .is_some_and(|last| TRAINS.contains(&&*last))
        };
        self.scope_name(class).is_some_and(last_is) || self.base_names(class).any(last_is)
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        let facts = facts_of(text);
        let mark = facts.calls().find(|call| call.name() == "mark").unwrap();
        assert_eq!(facts.trains(mark.stmt()), expected, "{text}");
    }

    #[test]
    fn a_check_of_the_mode_says_so() {
        let method = |body: &str| format!("class Block:\n    def step(self, x):\n{body}");
        check(
            &method("        if self.training:\n            mark()\n"),
            true,
        );
        check(
            &method("        if self.training and x:\n            mark()\n"),
            true,
        );
        check(
            &method("        if self.training or x:\n            mark()\n"),
            false,
        );
        check(
            &method("        if not self.training:\n            mark()\n"),
            false,
        );
        check(
            &method(
                "        if not self.training:\n            pass\n        else:\n            mark()\n",
            ),
            true,
        );
        check(
            &method("        if not self.training or x:\n            return x\n        mark()\n"),
            true,
        );
        check(
            &method("        if not self.training and x:\n            return x\n        mark()\n"),
            false,
        );
        check(
            &method("        if self.training:\n            return x\n        mark()\n"),
            false,
        );
    }

    #[test]
    fn names_and_callers_say_so() {
        check(
            "class MaskLoss(Module):\n    def forward(self, a):\n        mark()\n",
            true,
        );
        check(
            "class Head(Module):\n    def forward(self, a, target):\n        mark()\n",
            true,
        );
        check(
            "class Head(Module):\n    def forward(self, a, target=None):\n        mark()\n",
            false,
        );
        check(
            "def training_step(batch):\n    draw()\ndef draw():\n    mark()\n",
            true,
        );
        check(
            "def training_step(batch):\n    draw()\ndef infer(x):\n    draw()\ndef draw():\n    mark()\n",
            false,
        );
        check("def pretrained(x):\n    mark()\n", false);
    }
}
