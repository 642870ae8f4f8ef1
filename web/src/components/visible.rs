//! Text of the diff's author as it is drawn: what would reorder it is shown by its name, and paths break where people would.

use yew::prelude::*;

/// A text in which no invisible character changes the order of the others. Each such character stays in
/// the text, for whoever copies it, but alone in an element that ends its effect.
pub(super) fn visible(text: &str) -> Html {
    if !text.contains(reorders) {
        return html! { <>{ text.to_owned() }</> };
    }
    let piece = |piece: &str| match piece.chars().next().filter(|&char| reorders(char)) {
        Some(char) => {
            html! { <span class="control" data-name={format!("U+{:04X}", u32::from(char))}>{ char }</span> }
        }
        None => html! { <>{ piece.to_owned() }</> },
    };
    pieces(text).into_iter().map(piece).collect()
}

/// A path or a file name, with a place to break it after each of its parts.
pub(super) fn path(text: &str) -> Html {
    let part = |part: &str| html! { <>{ visible(part) }<wbr /></> };
    text.split_inclusive(['/', '_', '-']).map(part).collect()
}

/// Whether a character is one of those that set the direction of text around them.
fn reorders(char: char) -> bool {
    matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text cut before and after each character that reorders.
fn pieces(text: &str) -> Vec<&str> {
    let stretches = text.split_inclusive(reorders);
    let cut = |stretch: &'_ str| {
        let last = stretch.char_indices().next_back();
        last.filter(|&(_, char)| reorders(char))
            .map_or(stretch.len(), |(index, _)| index)
    };
    stretches
        .flat_map(|stretch| {
            let at = cut(stretch);
            stretch.split_at_checked(at).map(<[&str; 2]>::from)
        })
        .flatten()
        .filter(|piece| !piece.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reorders_stands_alone() {
        assert_eq!(
            pieces("a\u{202e}bc\u{2066}"),
            ["a", "\u{202e}", "bc", "\u{2066}"]
        );
        assert_eq!(pieces("\u{202e}\u{202e}é"), ["\u{202e}", "\u{202e}", "é"]);
        assert_eq!(pieces("plain"), ["plain"]);
    }
}
