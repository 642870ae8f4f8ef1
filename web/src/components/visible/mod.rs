//! Text of the diff's author as it is drawn: what is invisible, reorders the text or looks like another letter is
//! shown by its name, and paths break where people would.

mod odd;

pub(super) use odd::{Odd, odd};

use yew::prelude::*;

/// A text in which no character deceives. Each odd one stays in the text, for whoever copies it, but alone in an
/// element that names it and ends its effect.
pub(super) fn visible(text: &str) -> Html {
    let odds = odd(text, |_| false);
    if odds.is_empty() {
        return html! { <>{ text.to_owned() }</> };
    }
    let mut drawn = Vec::new();
    let mut at = 0;
    for odd in &odds {
        let plain = text.get(at..odd.start).unwrap_or_default();
        drawn.push(html! { <>{ plain.to_owned() }</> });
        drawn.push(named(
            odd,
            text.get(odd.start..odd.end()).unwrap_or_default(),
        ));
        at = odd.end();
    }
    let rest = text.get(at..).unwrap_or_default();
    drawn.push(html! { <>{ rest.to_owned() }</> });
    drawn.into_iter().collect()
}

/// The odd character itself, with its name before it.
pub(super) fn named(odd: &Odd, char: &str) -> Html {
    html! { <span class="control" data-name={odd.name()} title={odd.why()}>{ char.to_owned() }</span> }
}

/// A path or a file name, with a place to break it after each of its parts.
pub(super) fn path(text: &str) -> Html {
    let part = |part: &str| html! { <>{ visible(part) }<wbr /></> };
    text.split_inclusive(['/', '_', '-']).map(part).collect()
}
