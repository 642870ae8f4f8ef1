//! The field that searches the text of the diff, also where it is not drawn.

use super::act_button::ActButton;
use super::icon::{Icon, Shape};
use crate::browser::scroll::focus_marked;
use crate::state::{Action, Search, SearchAction, Step};
use crate::words::thousands;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) search: Search,
    pub(super) act: Callback<Action>,
}

#[component]
pub(super) fn SearchBar(props: &Props) -> Html {
    let field = use_node_ref();
    let search = &props.search;
    use_effect_with((search.turn, field.clone()), |(_, field)| {
        if let Some(field) = field.cast::<HtmlInputElement>() {
            let _ = field.focus();
            field.select();
        }
    });
    let oninput = props.act.reform(|event: InputEvent| {
        let field: HtmlInputElement = event.target_unchecked_into();
        Action::Search(SearchAction::Words(field.value().into()))
    });
    let onkeydown = on_key(props.act.clone());
    let button = |action, class: &'static str, label: &'static str, shape| {
        html! {
            <ActButton {class} {label} title={label} action={Action::Search(action)} act={props.act.clone()}>
                <Icon {shape} />
            </ActButton>
        }
    };
    html! {
        <div class="search-place">
            <div class="search" role="search" aria-label="Find in diff">
                <input type="search" aria-label="Find in diff" placeholder="Find in diff" autocomplete="off" spellcheck="false"
                    ref={field} value={search.words.clone()} {oninput} {onkeydown} />
                <span role="status" aria-label="Hits" class="n-hits">{ told(search) }</span>
                { button(SearchAction::Step(Step::Previous), "up", "Previous hit", Shape::Chevron) }
                { button(SearchAction::Step(Step::Next), "down", "Next hit", Shape::Chevron) }
                { button(SearchAction::Close, "end", "Close search", Shape::Close) }
            </div>
        </div>
    }
}

fn on_key(act: Callback<Action>) -> impl Fn(KeyboardEvent) {
    move |event: KeyboardEvent| {
        let action = match event.key().as_str() {
            "Enter" if event.is_composing() => return,
            "Enter" if event.shift_key() => SearchAction::Step(Step::Previous),
            "Enter" => SearchAction::Step(Step::Next),
            "Escape" => {
                // Keys of the page go on from the hit.
                focus_marked();
                SearchAction::Close
            }
            _ => return,
        };
        event.prevent_default();
        act.emit(Action::Search(action));
    }
}

fn told(search: &Search) -> String {
    match search.at {
        _ if search.words.is_empty() => String::new(),
        Some(at) => place(at + 1, search.hits.len(), search.total as usize),
        None if search.is_waiting() => "\u{2026}".to_owned(),
        None => "No hit".to_owned(),
    }
}

/// The hit's number among those that can be gone to, and how many there are in all.
fn place(number: usize, n_hits: usize, total: usize) -> String {
    let [number, n_hits, in_all] = [number, n_hits, total].map(thousands);
    if n_hits == in_all {
        format!("{number} of {in_all}")
    } else {
        format!("{number} of the first {n_hits}, {in_all} in all")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_that_cannot_be_gone_to_are_told() {
        assert_eq!(place(2, 3, 3), "2 of 3");
        assert_eq!(place(1, 2, 1_200), "1 of the first 2, 1,200 in all");
    }
}
