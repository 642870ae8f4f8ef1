//! What the user chooses once and the page keeps: by whose names it reviews, and what a BLOCK is called.

use super::State;
use report::export::Gravity;
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use yew::AttrValue;

#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Chosen {
    /// In place of the built-in names.
    pub(crate) profile: Option<Rc<Profile>>,
    /// The text of a file that the worker is asked about.
    pub(crate) offered: Option<AttrValue>,
    /// Why the file that was chosen last is no profile.
    pub(crate) refused: Option<AttrValue>,
    /// What a written review calls a BLOCK.
    pub(crate) gravity: Gravity,
}

/// A profile that the worker has read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Profile {
    pub(crate) name: String,
    /// Its JSON.
    pub(crate) text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Choice {
    /// The text of a profile's file, or why it could not be read.
    Profile(Result<AttrValue, AttrValue>),
    BuiltinProfile,
    Gravity(Gravity),
}

impl Chosen {
    /// The name of the profile that reviews use from now on.
    pub(crate) fn profile_name(&self) -> &str {
        let chosen = self.profile.as_deref();
        chosen.map_or(topic::BUILTIN_PROFILE, |profile| &profile.name)
    }
}

impl State {
    /// An empty page, with what was chosen at an earlier visit.
    pub(crate) fn with(chosen: Chosen) -> State {
        State {
            chosen,
            ..State::default()
        }
    }

    pub(super) fn choose(&mut self, choice: Choice) {
        match choice {
            Choice::Profile(Ok(text)) => {
                self.chosen.refused = None;
                self.chosen.offered = Some(text);
            }
            Choice::Profile(Err(sentence)) => self.refuse_profile(sentence),
            Choice::BuiltinProfile => self.use_profile(None),
            Choice::Gravity(gravity) => self.chosen.gravity = gravity,
        }
    }

    /// The worker has read the file that was offered.
    pub(super) fn take_profile(&mut self, name: String) {
        if let Some(text) = self.chosen.offered.take() {
            let text = text.to_string();
            self.use_profile(Some(Rc::new(Profile { name, text })));
        }
    }

    pub(super) fn refuse_profile(&mut self, sentence: AttrValue) {
        self.chosen.offered = None;
        self.chosen.refused = Some(sentence);
    }

    /// Says so where a link was made by other names than those that are used here.
    pub(super) fn compare_profile(&mut self, made_with: &str) {
        let here = self.chosen.profile_name();
        if here != made_with {
            let sentence = format!(
                "This link was made with the profile `{made_with}`; here `{here}` is used, so findings may differ. \
                 Choose the other one under Profile."
            );
            self.notice = Some(sentence.into());
        }
    }

    /// Reviews the text again, by other names.
    fn use_profile(&mut self, profile: Option<Rc<Profile>>) {
        self.chosen.refused = None;
        if self.chosen.profile != profile {
            self.chosen.profile = profile;
            if !self.input.is_blank() {
                self.begin();
            }
        }
    }
}
