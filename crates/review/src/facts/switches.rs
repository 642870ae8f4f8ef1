//! Keywords that switch something on.

use super::Facts;
use super::calls::Call;
use super::hir::*;

/// What a call says of a keyword that is true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    On,
    Off,
    /// Not given.
    Unset,
    /// Given as something whose truth is not shown, or perhaps among the forwarded arguments.
    Unknown,
}

impl Facts {
    /// How a call sets a keyword. A parameter that is handed on counts by its default.
    pub(crate) fn switch(&self, call: &Call<'_>, keyword: &str) -> Switch {
        match call.keyword(keyword) {
            Some(value) => self.truth(value),
            None if call.args.iter().any(|arg| arg.stars == 2) => Switch::Unknown,
            None => Switch::Unset,
        }
    }

    fn truth(&self, value: ExprId) -> Switch {
        let value = match self.values(value)[..] {
            [only] => only,
            // The `None` literal alone has no value.
            [] => return Switch::Off,
            _ => return Switch::Unknown,
        };
        match self.expr(value).kind {
            ExprKind::True => Switch::On,
            ExprKind::False | ExprKind::None => Switch::Off,
            _ => match self.parameter(value).and_then(|(_, param)| param.default) {
                Some(default) if matches!(self.expr(default).kind, ExprKind::True) => Switch::On,
                _ => Switch::Unknown,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::facts_of;

    fn switch(text: &str) -> Switch {
        let facts = facts_of(text);
        let call = facts.calls().find(|call| call.name() == "build").unwrap();
        facts.switch(&call, "fast")
    }

    #[test]
    fn a_keyword_is_on_off_or_not_given() {
        assert_eq!(switch("build(fast=True)\n"), Switch::On);
        assert_eq!(switch("FAST = False\nbuild(fast=FAST)\n"), Switch::Off);
        assert_eq!(switch("build(fast=None)\n"), Switch::Off);
        assert_eq!(switch("build(1)\n"), Switch::Unset);
        assert_eq!(switch("build(*a)\n"), Switch::Unset);
        assert_eq!(switch("build(**a)\n"), Switch::Unknown);
        assert_eq!(switch("def f(x=True):\n    build(fast=x)\n"), Switch::On);
        assert_eq!(
            switch("def f(x=False):\n    build(fast=x)\n"),
            Switch::Unknown
        );
        assert_eq!(switch("def f(x):\n    build(fast=x)\n"), Switch::Unknown);
    }
}
