//! What is asked of GitHub, how far that is, and what came of it.

use super::{Fetched, State};
use crate::github::{Limit, Refusal, Target, Token, address};
use crate::input::{Input, Origin};
use report::Work;
use std::rc::Rc;
use yew::AttrValue;

/// Kept while texts come and go. The token is nowhere else, and nothing here is ever stored.
#[derive(Clone, PartialEq, Default)]
pub(crate) struct GitHub {
    /// What stands in the address field.
    pub(crate) address: AttrValue,
    pub(crate) token: Token,
    /// Counts what was asked from 1; answers to any but the newest are dropped.
    turn: u32,
    pub(crate) asking: Option<Asking>,
    pub(crate) refused: Option<Refused>,
    /// What a link names without holding it, until the user wants it fetched.
    pub(crate) offer: Option<Wanted>,
    pub(crate) limit: Option<Limit>,
}

/// What to fetch, and what a link wants with it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    pub(crate) target: Target,
    /// The finding to select.
    pub(crate) selected: Option<AttrValue>,
    /// Somebody's answers and notes that came with a link.
    pub(crate) work: Option<Box<Work>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asking {
    pub(crate) turn: u32,
    pub(crate) wanted: Wanted,
    pub(crate) stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// What the change is.
    Naming,
    /// All of it as one diff.
    Diff,
    /// The list of its files, where it is too large for one diff.
    Files { done: u32, total: u32 },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refused {
    /// None where the address named nothing.
    pub(crate) wanted: Option<Wanted>,
    pub(crate) refusal: Refusal,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fetch {
    TypeAddress(AttrValue),
    TypeToken(AttrValue),
    /// What an address names, whatever it is.
    Open(AttrValue),
    Want(Wanted),
    Offer(Wanted),
    Cancel,
    /// Asks again for what was refused.
    Retry,
    /// Asks again for what is on the page, which may have got new commits.
    Again,
    /// Takes a refusal or an offer off the page.
    Close,
    Stage {
        turn: u32,
        stage: Stage,
    },
    Limit(Limit),
    Came {
        turn: u32,
        fetched: Rc<Fetched>,
        text: AttrValue,
    },
    Refused {
        turn: u32,
        refusal: Refusal,
    },
}

impl State {
    pub(super) fn fetch(&mut self, fetch: Fetch) {
        let github = &mut self.github;
        match fetch {
            Fetch::TypeAddress(address) => github.address = address,
            Fetch::TypeToken(token) => github.token = Token::new(&token),
            Fetch::Open(text) => github.open(&text),
            Fetch::Want(wanted) => github.want(wanted),
            Fetch::Offer(wanted) => {
                github.settle();
                github.offer = Some(wanted);
            }
            Fetch::Cancel => github.refuse(Refusal::Cancelled),
            Fetch::Retry => github.retry(),
            Fetch::Again => self.fetch_again(),
            Fetch::Close => (github.refused, github.offer) = (None, None),
            Fetch::Limit(limit) => github.limit = Some(limit),
            Fetch::Stage { turn, stage } => {
                if let Some(asking) = github.asked(turn) {
                    asking.stage = stage;
                }
            }
            Fetch::Came {
                turn,
                fetched,
                text,
            } => {
                if let Some(asking) = github.asked(turn) {
                    let wanted = asking.wanted.clone();
                    self.take_change(wanted, fetched, text);
                }
            }
            Fetch::Refused { turn, refusal } => {
                if github.asked(turn).is_some() {
                    github.refuse(refusal);
                }
            }
        }
    }

    fn fetch_again(&mut self) {
        let Some(target) = self.fetched().and_then(|fetched| fetched.moving()) else {
            return;
        };
        let selected = self.selected.clone();
        self.github.want(Wanted {
            target,
            selected,
            work: None,
        });
    }

    fn take_change(&mut self, wanted: Wanted, fetched: Rc<Fetched>, text: AttrValue) {
        let is_same = |before: &Rc<Fetched>| before.is_as_before(&fetched);
        if self.fetched().is_some_and(is_same) && *self.input.text == text && self.is_done() {
            self.github.settle();
            let head = address::short(&fetched.head);
            self.notice =
                Some(format!("Nothing new: {} is still at {head}.", fetched.target).into());
            if let Some(work) = wanted.work {
                self.load_work(work);
            }
            return;
        }
        if let Some(work) = wanted.work {
            self.shelf.offer(work);
        }
        self.load(Input::new(text, Origin::GitHub(fetched)), wanted.selected);
    }
}

impl GitHub {
    /// What is under way, if it is that.
    fn asked(&mut self, turn: u32) -> Option<&mut Asking> {
        self.asking.as_mut().filter(|asking| asking.turn == turn)
    }

    fn open(&mut self, text: &str) {
        self.settle();
        self.address = text.trim().to_owned().into();
        match address::parse(text) {
            Ok(target) => self.want(Wanted {
                target,
                selected: None,
                work: None,
            }),
            Err(reason) => {
                self.refused = Some(Refused {
                    wanted: None,
                    refusal: Refusal::NotOpened(reason),
                });
            }
        }
    }

    fn want(&mut self, wanted: Wanted) {
        self.settle();
        self.turn += 1;
        self.asking = Some(Asking {
            turn: self.turn,
            wanted,
            stage: Stage::Naming,
        });
    }

    fn retry(&mut self) {
        if let Some(wanted) = self.refused.take().and_then(|refused| refused.wanted) {
            self.want(wanted);
        }
    }

    fn refuse(&mut self, refusal: Refusal) {
        let wanted = self.asking.take().map(|asking| asking.wanted);
        self.refused = Some(Refused { wanted, refusal });
    }

    /// Another text has come, or something else is asked: what was under way, refused or offered is over.
    pub(super) fn settle(&mut self) {
        self.asking = None;
        self.refused = None;
        self.offer = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Action;
    use yew::Reducible;

    const ADDRESS: &str = "https://github.com/o/n/pull/7";

    fn after(fetches: impl IntoIterator<Item = Fetch>) -> Rc<State> {
        let start = Rc::new(State::default());
        fetches
            .into_iter()
            .fold(start, |state, fetch| state.reduce(Action::Fetch(fetch)))
    }

    fn came(turn: u32) -> Fetch {
        let target = address::parse(ADDRESS).unwrap();
        Fetch::Came {
            turn,
            fetched: Rc::new(Fetched::new(&target)),
            text: "diff --git a/x b/x".into(),
        }
    }

    #[test]
    fn only_the_newest_wish_is_answered() {
        let twice = || [Fetch::Open(ADDRESS.into()), Fetch::Open("o/n#8".into())];
        let state = after(twice().into_iter().chain([came(1)]));
        assert!(state.input.is_blank());
        let asking = state.github.asking.as_ref().unwrap();
        assert_eq!(asking.wanted.target.to_string(), "o/n#8");
        let state = after(twice().into_iter().chain([came(2)]));
        assert_eq!(state.github.asking, None);
        assert!(state.fetched().is_some());
    }

    #[test]
    fn what_comes_after_a_cancel_is_dropped() {
        let state = after([Fetch::Open(ADDRESS.into()), Fetch::Cancel, came(1)]);
        assert!(state.input.is_blank());
        let refused = state.github.refused.as_ref().unwrap();
        assert_eq!(refused.refusal, Refusal::Cancelled);
    }

    #[test]
    fn a_refusal_keeps_the_address_and_can_be_asked_again() {
        let refused = Fetch::Refused {
            turn: 1,
            refusal: Refusal::Cut,
        };
        let state = after([Fetch::Open(ADDRESS.into()), refused, Fetch::Retry]);
        assert_eq!(state.github.address, ADDRESS);
        assert_eq!(state.github.asking.as_ref().unwrap().turn, 2);
        assert_eq!(state.github.refused, None);
    }

    #[test]
    fn an_address_that_names_nothing_asks_nobody() {
        let state = after([Fetch::Open("https://example.org/x".into())]);
        assert_eq!(state.github.asking, None);
        assert!(state.github.refused.is_some());
        let state = state.reduce(Action::Fetch(Fetch::Retry));
        assert_eq!(state.github.asking, None);
    }

    #[test]
    fn typing_ends_the_fetch_and_keeps_address_and_token() {
        let state = after([Fetch::TypeToken("t".into()), Fetch::Open(ADDRESS.into())]);
        let state = state.reduce(Action::Edit("--- a/x".into()));
        let state = state.reduce(Action::Fetch(came(1)));
        assert_eq!(*state.input.text, "--- a/x");
        assert_eq!(state.github.address, ADDRESS);
        let state = state.reduce(Action::Edit("".into()));
        assert!(state.github.token.is_given());
    }

    #[test]
    fn an_edited_text_is_no_longer_the_fetched_one() {
        let state = after([Fetch::Open(ADDRESS.into()), came(1)]);
        assert!(state.fetched().is_some());
        let state = state.reduce(Action::Edit("--- a/x".into()));
        assert!(state.fetched().is_none());
    }
}
