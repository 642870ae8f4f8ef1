//! The keys of the page. One list, so that what Help says is what they do.

use crate::state::{Action, SearchAction, Step};

pub(crate) struct Key {
    pub(crate) key: &'static str,
    pub(crate) words: &'static str,
    action: fn() -> Action,
}

pub(crate) const KEYS: [Key; 9] = [
    Key {
        key: "j",
        words: "Next finding",
        action: || Action::Step(Step::Next),
    },
    Key {
        key: "k",
        words: "Previous finding",
        action: || Action::Step(Step::Previous),
    },
    Key {
        key: "n",
        words: "Next file",
        action: || Action::StepFile(Step::Next),
    },
    Key {
        key: "p",
        words: "Previous file",
        action: || Action::StepFile(Step::Previous),
    },
    Key {
        key: "x",
        words: "Next answer of the checklist line that the selected finding belongs to",
        action: || Action::NextAnswer,
    },
    Key {
        key: "r",
        words: "Dismiss the selected finding, with a reason",
        action: || Action::AskReason,
    },
    Key {
        key: "/",
        words: "Filter the findings",
        action: || Action::SeekFilter,
    },
    Key {
        key: "f",
        words: "Find in the diff, also where it is not drawn",
        action: || Action::Search(SearchAction::Open),
    },
    Key {
        key: "?",
        words: "This help",
        action: || Action::Help(true),
    },
];

/// What a key of the page does.
pub(crate) fn meaning(key: &str) -> Option<Action> {
    let key = KEYS.iter().find(|of| of.key == key)?;
    Some((key.action)())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_means_one_thing_and_capitals_mean_nothing() {
        for (index, key) in KEYS.iter().enumerate() {
            assert!(
                KEYS.iter()
                    .skip(index + 1)
                    .all(|other| other.key != key.key)
            );
        }
        assert_eq!(meaning("n"), Some(Action::StepFile(Step::Next)));
        assert_eq!(meaning("N"), None);
    }
}
