//! The field that narrows which findings are listed and stepped through, and what it leaves of them.

use crate::state::{Action, Filtered, Step};
use crate::words::count;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) filtered: Filtered,
    pub(super) act: Callback<Action>,
}

#[component]
pub(super) fn FilterBox(props: &Props) -> Html {
    let field = use_node_ref();
    let filter = &props.filtered.filter;
    use_effect_with((filter.turn, field.clone()), |(turn, field)| {
        if let Some(field) = field.cast::<HtmlInputElement>().filter(|_| *turn > 0) {
            let _ = field.focus();
            field.select();
        }
    });
    let oninput = props.act.reform(|event: InputEvent| {
        let field: HtmlInputElement = event.target_unchecked_into();
        Action::Filter(field.value().into())
    });
    let act = props.act.clone();
    let onkeydown = move |event: KeyboardEvent| match event.key().as_str() {
        "Enter" if !event.is_composing() => act.emit(Action::Step(Step::Next)),
        "Escape" => {
            event.prevent_default();
            act.emit(Action::Filter(AttrValue::default()));
        }
        _ => {}
    };
    html! {
        <div class="filter">
            <input type="search" aria-label="Filter" placeholder="Filter findings" title="Filter (/)" autocomplete="off" spellcheck="false"
                ref={field} value={filter.words.clone()} {oninput} {onkeydown} />
            <span role="status" aria-label="Filtered">{ left(&props.filtered) }</span>
        </div>
    }
}

/// Nothing without a filter: the page says elsewhere how many findings there are.
fn left(filtered: &Filtered) -> String {
    let Some(shown) = &filtered.shown else {
        return String::new();
    };
    let of_all = format!("{} of {}", shown.len(), count(filtered.n_all, "finding"));
    match shown.len() {
        0 => format!("{of_all}. None matches; Escape clears the filter."),
        _ => of_all,
    }
}
