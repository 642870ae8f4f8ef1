//! What is asked of GitHub, how far that is, and what came of it.

use super::{Fetched, State};
use crate::github::{Limit, Refusal, Target, Token, address};
use crate::input::{Input, Origin};
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

/// What to fetch, and the finding to select in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    pub(crate) target: Target,
    pub(crate) selected: Option<AttrValue>,
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
                    let selected = asking.wanted.selected.clone();
                    self.load(Input::new(text, Origin::GitHub(fetched)), selected);
                }
            }
            Fetch::Refused { turn, refusal } => {
                if github.asked(turn).is_some() {
                    github.refuse(refusal);
                }
            }
        }
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
