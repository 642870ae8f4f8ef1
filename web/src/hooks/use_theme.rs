//! Light, dark, or as the system says; kept between visits where the browser allows it.

use crate::browser::keep::{keep, kept};
use gloo::utils::document;
use serde::{Deserialize, Serialize};
use yew::prelude::*;

const KEY: &str = "hunkwise.theme";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    fn next(self) -> Self {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }
}

/// The theme and a callback that goes on to the next one.
#[hook]
pub(crate) fn use_theme() -> (Theme, Callback<()>) {
    let theme = use_state_eq(|| kept::<Theme>(KEY).unwrap_or_default());
    use_effect_with(*theme, |theme| {
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-theme", theme.word());
        }
    });
    let go_on = {
        let theme = theme.clone();
        Callback::from(move |()| {
            let next = theme.next();
            keep(KEY, Some(&next));
            theme.set(next);
        })
    };
    (*theme, go_on)
}
