//! Whether a name is refused where it does not fit.

use crate::facts::calls::Call;
use crate::facts::{BindingKind, ExprId, ExprKind, Facts, StmtId, StmtKind};
use topic::Profile;

impl Facts {
    /// Whether a name is refused before a statement where it does not fit: an `if` that asks for its form and leaves,
    /// or a validator that is given it.
    pub(crate) fn is_validated(&self, name: &str, before: StmtId, profile: &Profile) -> bool {
        self.statements_of(self.stmt(before).scope)
            .take_while(|&stmt| stmt <= before)
            .any(|stmt| self.validates(stmt, name, before, profile))
            || self.is_validated_by_decorator(name, before, profile)
    }

    /// Whether one statement refuses a name where it does not fit.
    pub(crate) fn is_refused(&self, name: &str, by: StmtId, profile: &Profile) -> bool {
        self.validates(by, name, by, profile)
    }

    pub(super) fn validates(
        &self,
        stmt: StmtId,
        name: &str,
        before: StmtId,
        profile: &Profile,
    ) -> bool {
        match &self.stmt(stmt).kind {
            StmtKind::If { test, body, .. } => {
                let refuses = self.never_lets_on(body) || stmt == before;
                let encloses = self.ancestors(before).any(|ancestor| ancestor.stmt == stmt);
                let by_form = (refuses || encloses) && self.asks_form(*test, name, profile);
                by_form
                    || (self.never_lets_on(body) && self.compares(*test, name, "!="))
                    || (encloses && self.compares(*test, name, "=="))
            }
            StmtKind::Assert(tests) => tests
                .iter()
                .any(|&test| self.asks_form(test, name, profile)),
            StmtKind::Expr(value) => self.call(*value).is_some_and(|call| {
                (self.says_validator(&call, profile) || self.makes_member(&call))
                    && self.mentions(call.id, name)
            }),
            _ => false,
        }
    }

    /// `kind != "input" and kind != "output"`: what is left is one of the literals.
    fn compares(&self, test: ExprId, name: &str, sign: &str) -> bool {
        self.within(test).any(|id| {
            let ExprKind::Compare {
                operands,
                operators,
            } = &self.expr(id).kind
            else {
                return false;
            };
            let is_name = |&id: &ExprId| self.dotted(id).as_deref() == Some(name);
            let is_text = |&id: &ExprId| self.string(id).is_some_and(|text| !text.is_empty());
            operands.iter().any(is_name)
                && operands.iter().any(is_text)
                && operators
                    .iter()
                    .all(|&operator| self.text(operator) == sign)
        })
    }

    pub(super) fn says_validator(&self, call: &Call<'_>, profile: &Profile) -> bool {
        profile.keys.says_sanitizer(call.callee())
            || topic::has_word(
                call.name(),
                "check checked ensure assert verify valid allowed safe",
            )
    }

    pub(super) fn mentions(&self, id: ExprId, name: &str) -> bool {
        self.within(id)
            .any(|inner| self.dotted(inner).as_deref() == Some(name))
    }

    /// Whether a value is one of the parts, or the whole, of what was unpacked before: `dataset, version = id.split("/")`
    /// raises where there are more slashes or fewer.
    pub(crate) fn is_of_fixed_parts(&self, id: ExprId, before: StmtId) -> bool {
        let own: Vec<ExprId> = std::iter::once(id).chain(self.values(id)).collect();
        let names: Vec<&str> = own.iter().map(|&value| self.expr_text(value)).collect();
        let unpacks = |stmt: StmtId| match &self.stmt(stmt).kind {
            StmtKind::Assign {
                targets,
                value: Some(value),
                ..
            } => {
                let of_parts = self.split_of(*value).is_some_and(|of| {
                    let is_part = targets.iter().any(|&target| {
                        let mut parts = self.within(target);
                        parts.any(|part| names.contains(&self.expr_text(part)))
                    });
                    is_part || names.contains(&self.expr_text(of))
                });
                let fixed = targets.iter().any(|&target| self.is_fixed_row(target));
                fixed && of_parts
            }
            _ => false,
        };
        self.statements_of(self.stmt(before).scope)
            .take_while(|&stmt| stmt < before)
            .any(unpacks)
            || self.is_unpacked_field(id)
    }

    /// `self.dataset, self.version = id.split("/")` of another method.
    fn is_unpacked_field(&self, id: ExprId) -> bool {
        let own = std::iter::once(id).chain(self.values(id));
        let fields = own.filter(|&value| self.self_attribute(value).is_some());
        fields
            .flat_map(|field| self.bindings_behind(field))
            .any(|binding| match binding.kind {
                BindingKind::Value {
                    value,
                    index: Some(_),
                } => {
                    let targets = match &self.stmt(binding.stmt).kind {
                        StmtKind::Assign { targets, .. } => targets.as_slice(),
                        _ => &[],
                    };
                    let fixed = targets.iter().any(|&target| self.is_fixed_row(target));
                    fixed && self.split_of(value).is_some()
                }
                _ => false,
            })
    }

    /// `id` of `id.split("/")`, which is not limited to a number of parts.
    fn split_of(&self, value: ExprId) -> Option<ExprId> {
        let call = self.call(value)?;
        let separator = call
            .positional(0)
            .and_then(|separator| self.string(separator));
        let all = call.args.len() == 1 && matches!(call.method()?, "split" | "rsplit");
        (all && separator == Some("/")).then(|| call.receiver())?
    }

    /// A row of targets without a starred one.
    fn is_fixed_row(&self, target: ExprId) -> bool {
        match &self.expr(target).kind {
            ExprKind::Tuple(items) | ExprKind::List(items) => !items
                .iter()
                .any(|&item| matches!(self.expr(item).kind, ExprKind::Starred(_))),
            _ => false,
        }
    }

    /// Whether a name is of something constant: `_SUFFIX`, `CONFIG_FILE`.
    pub(crate) fn is_constant_name(&self, id: ExprId) -> bool {
        let upper = |name: &str| {
            name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
        };
        matches!(
            self.expr(id).kind,
            ExprKind::Name | ExprKind::Attribute { .. }
        ) && self.last_name(id).is_some_and(upper)
    }
}
