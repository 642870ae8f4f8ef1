//! A sentence in which backquotes mark code.

use super::visible::visible;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) text: AttrValue,
}

#[component]
pub(crate) fn Prose(props: &Props) -> Html {
    // Between an odd and the next even backquote stands code; a lone one at the end is only a mark.
    let pieces: Vec<&str> = props.text.split('`').collect();
    let n_pieces = pieces.len();
    let piece = |(index, piece): (usize, &str)| {
        let piece = visible(piece);
        match index % 2 {
            1 if index + 1 < n_pieces => html! { <code>{ piece }</code> },
            1 => html! { <>{ "`" }{ piece }</> },
            _ => piece,
        }
    };
    pieces.into_iter().enumerate().map(piece).collect()
}
