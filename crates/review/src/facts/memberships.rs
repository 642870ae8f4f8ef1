//! Which keys are asked for in which containers.

use super::Facts;
use super::hir::*;

/// `key in container`, or with `is_absence` `key not in container`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Membership {
    pub(crate) key: ExprId,
    pub(crate) container: ExprId,
    pub(crate) is_absence: bool,
}

impl Facts {
    /// The expression as a question for a key.
    pub(crate) fn membership(&self, id: ExprId) -> Option<Membership> {
        let ExprKind::Compare {
            operands,
            operators,
        } = &self.expr(id).kind
        else {
            return None;
        };
        let (&[key, container], &[operator]) = (&operands[..], &operators[..]) else {
            return None;
        };
        let words: Vec<&str> = self.text(operator).split_whitespace().collect();
        matches!(words[..], ["in"] | ["not", "in"]).then_some(Membership {
            key,
            container,
            is_absence: words.len() == 2,
        })
    }

    /// The keys that a test asks for, wherever in it.
    pub(crate) fn asked_members(&self, test: ExprId) -> impl Iterator<Item = Membership> {
        self.within(test).filter_map(|id| self.membership(id))
    }

    /// Whether an expression is of something by this name: `self._tiles`, `self._tiles.keys()`, `list(_tiles)`.
    pub(crate) fn is_about(&self, id: ExprId, name: &str) -> bool {
        self.within(id)
            .any(|inner| self.call(inner).is_none() && self.last_name(inner) == Some(name))
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    fn asked(test: &str) -> Vec<(String, String, bool)> {
        let facts = facts_of(&format!("if {test}:\n    pass\n"));
        let ids = facts.expr_ids();
        let found = ids.filter_map(|id| facts.membership(id));
        let text = |id| facts.expr_text(id).to_string();
        found
            .map(|one| (text(one.key), text(one.container), one.is_absence))
            .collect()
    }

    #[test]
    fn only_in_and_not_in_ask_for_a_key() {
        let one = |absence| vec![("key".to_string(), "tiles".to_string(), absence)];
        assert_eq!(asked("ready and key in tiles"), one(false));
        assert_eq!(asked("key not  in tiles"), one(true));
        assert_eq!(asked("key == tiles or key is not tiles"), []);
    }
}
