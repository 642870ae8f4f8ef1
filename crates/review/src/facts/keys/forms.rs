//! What asks for the form of a text: patterns, tests of characters, lists of what is allowed, members of an enum.

use crate::facts::Facts;
use crate::facts::calls::Call;
use crate::facts::hir::*;
use topic::Profile;

/// Functions that ask for the form of the whole text.
const FORMS: &[&str] = &[
    "fullmatch",
    "isalnum",
    "isidentifier",
    "isdigit",
    "is_relative_to",
    "search",
];

/// Calls that end the request or the program: they raise.
const REFUSALS: &[&str] = &["abort", "fail", "exit", "reject", "refuse"];

impl Facts {
    /// A full-match pattern, a test of characters, a list of allowed values, a containment check.
    pub(super) fn asks_form(&self, test: ExprId, name: &str, profile: &Profile) -> bool {
        self.within(test).any(|id| {
            let by_call = self.call(id).is_some_and(|call| {
                let matches = match call.name() {
                    "match" => !self.lets_rest_through(&call, test),
                    name => FORMS.contains(&name),
                };
                let checks = profile.keys.is_containment_check(call.callee())
                    || self.says_validator(&call, profile);
                (matches || checks) && self.mentions(call.id, name)
            });
            let by_list = match &self.expr(id).kind {
                ExprKind::Compare {
                    operands,
                    operators,
                } => {
                    operators.iter().any(|operator| {
                        self.text(*operator)
                            .split_whitespace()
                            .any(|word| word == "in")
                    }) && operands.iter().any(|&operand| self.mentions(operand, name))
                }
                _ => false,
            };
            by_call || by_list
        })
    }

    /// `if not NAME.match(text): raise` where the shown pattern has no end: what follows the match may be anything.
    fn lets_rest_through(&self, call: &Call<'_>, test: ExprId) -> bool {
        let is_denied = self.within(test).any(|id| match &self.expr(id).kind {
            ExprKind::Not(inner) => self.expr(*inner).span.contains(call.span()),
            ExprKind::Compare { operators, .. } => {
                let mut signs = operators.iter().map(|sign| self.text(*sign));
                signs.any(|sign| sign == "is")
            }
            _ => false,
        });
        is_denied && self.open_pattern(call).is_some()
    }

    /// The pattern of `PATTERN.match(text)` or `re.match(pattern, text)` that is shown and has no end.
    pub(crate) fn open_pattern(&self, call: &Call<'_>) -> Option<ExprId> {
        if call.name() != "match" {
            return None;
        }
        let given = match call.is(&["re.match", "regex.match"]) {
            true => call.positional(0),
            false => call.receiver(),
        };
        let is_open = |&pattern: &ExprId| {
            let text = self.string(pattern).unwrap_or("$");
            !["$", "\\Z", "\\z", ".*"]
                .iter()
                .any(|end| text.ends_with(end))
        };
        let compiled = |value: ExprId| {
            let call = self.call(value).filter(|call| call.name() == "compile");
            call.map_or(Some(value), |call| call.positional(0))
        };
        let patterns = self.values(given?).into_iter().filter_map(compiled);
        patterns
            .flat_map(|pattern| self.values(pattern))
            .find(is_open)
    }

    /// Whether a block never lets go on what came into it: it leaves, or calls what raises.
    pub(super) fn never_lets_on(&self, body: &[StmtId]) -> bool {
        let raises = |stmt: StmtId| {
            let StmtKind::Expr(value) = self.stmt(stmt).kind else {
                return false;
            };
            self.awaited_call(value).is_some_and(|call| {
                let helper = self.callee_scope(&call);
                REFUSALS.contains(&call.name())
                    || helper.is_some_and(|helper| self.always_leaves(&self.scope(helper).body))
            })
        };
        self.always_leaves(body) || body.iter().any(|&stmt| raises(stmt))
    }

    /// `Kind(text)` of an enum of this file: another text raises.
    pub(super) fn makes_member(&self, call: &Call<'_>) -> bool {
        self.definition(call.function)
            .is_some_and(|class| self.is_enum(class))
    }

    fn is_enum(&self, class: ScopeId) -> bool {
        let Some(StmtKind::Class { bases, .. }) =
            self.scope(class).stmt.map(|stmt| &self.stmt(stmt).kind)
        else {
            return false;
        };
        bases.iter().any(|base| {
            self.last_name(base.value)
                .is_some_and(|name| name.ends_with("Enum"))
        })
    }

    /// The member of an enum, its name or its value: `Kind(text).value`, `kind.value` of `kind: Kind`.
    pub(super) fn is_of_enum(&self, id: ExprId) -> bool {
        let is_named_so = |class: ExprId| match self.definition(class) {
            Some(class) => self.is_enum(class),
            None => false,
        };
        let made = |value: ExprId| {
            self.call(value)
                .is_some_and(|call| self.makes_member(&call))
        };
        let annotated = |value: ExprId| {
            let param = self
                .parameter(value)
                .and_then(|(_, param)| param.annotation);
            param.is_some_and(is_named_so)
        };
        // Of an enum that is not shown `.value` of what a class makes says as much.
        let imported = |value: ExprId| {
            self.call(value).is_some_and(|call| {
                let of_class = call.name().starts_with(char::is_uppercase);
                of_class && self.definition(call.function).is_none()
            })
        };
        match self.attribute(id) {
            Some((of, "value" | "name")) => {
                let values = self.values(of);
                let from_afar = matches!(self.attribute(id), Some((_, "value")));
                values
                    .into_iter()
                    .any(|value| made(value) || annotated(value) || (from_afar && imported(value)))
            }
            _ => made(id) || annotated(id),
        }
    }
}
