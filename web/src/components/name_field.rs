//! The name that goes with the reviewer's answers and notes, if one is wanted.

use crate::browser::session;
use crate::desk::Desk;
use crate::state::{Action, WorkAction};
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn NameField(props: &Props) -> Html {
    let desk = use_context::<Desk>().unwrap_or_default();
    let name = desk.kept.work.reviewer.clone();
    let set = props
        .act
        .reform(|name| Action::Work(WorkAction::Name(name)));
    let is_used = !desk.kept.has_no_entry();
    use_effect_with(is_used, {
        let (set, is_missing) = (set.clone(), name.is_none());
        move |is_used| {
            if let Some(name) = session::name().filter(|_| is_missing && *is_used) {
                set.emit(name);
            }
        }
    });
    // Not at every key: each name makes another link.
    let onchange = move |event: Event| {
        let name = event.target_unchecked_into::<HtmlInputElement>().value();
        session::set_name(&name);
        set.emit(name);
    };
    if !is_used {
        return html! {};
    }
    html! {
        <label class="name-field">
            { "Your name (optional)" }
            <input aria-label="Your name (optional)" autocomplete="off" placeholder="Without one, nobody is told whose words they are" value={name.unwrap_or_default()} {onchange} />
        </label>
    }
}
