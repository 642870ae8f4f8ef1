//! The reviews that are stored in this browser, on the page without a text: to go on with, or to delete.

use super::act_button::ActButton;
use super::visible;
use crate::browser::session;
use crate::kept::Kept;
use crate::state::{Action, Shelf, ShelfAction};
use crate::words::thousands;
use report::Answer;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) shelf: Shelf,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn RecentReviews(props: &Props) -> Html {
    let shelf = &props.shelf;
    // What the reviewer was asked about: deleting needs a second click.
    let asked = use_state_eq(|| None::<ShelfAction>);
    let deleting = |label: &'static str, sure: &'static str, action: ShelfAction| {
        if asked.as_ref() == Some(&action) {
            let action = Action::Shelf(action);
            return html! { <ActButton class="sure" {action} act={props.act.clone()}>{ sure }</ActButton> };
        }
        let asked = asked.setter();
        let onclick = move |_: MouseEvent| asked.set(Some(action.clone()));
        html! { <button type="button" class="quiet" {onclick}>{ label }</button> }
    };
    let item = |kept: &Rc<Kept>| {
        let delete = deleting(
            "Delete",
            "Delete for good",
            ShelfAction::Delete(kept.id.clone()),
        );
        html! { <li key={kept.id.clone()}>{ told(kept, shelf.is_older(&kept.id), &props.act) }{ delete }</li> }
    };
    html! {
        <section class="recent" aria-label="Recent reviews">
            if !shelf.kept.is_empty() {
                <div class="recent-head">
                    <h2>{ "Recent reviews" }</h2>
                    { deleting("Delete all", "Delete all for good", ShelfAction::DeleteAll) }
                </div>
                <ul>{ for shelf.kept.iter().map(item) }</ul>
            }
            <label class="remember">
                <input type="checkbox" checked={!shelf.forgets} onchange={remember(&props.act)} />
                { "Remember on this device" }
            </label>
            <p class="faint">
                if shelf.forgets {
                    { "Nothing more is stored: what you put in and write is gone with the page." }
                } else {
                    { "Diffs and your notes on them are stored in this browser, and nowhere else, until you delete them." }
                }
            </p>
        </section>
    }
}

fn remember(act: &Callback<Action>) -> Callback<Event> {
    act.reform(|event: Event| {
        let remembers = event.target_unchecked_into::<HtmlInputElement>().checked();
        session::set_remembers(remembers);
        Action::Shelf(ShelfAction::Remember(remembers))
    })
}

fn told(kept: &Kept, is_older: bool, act: &Callback<Action>) -> Html {
    let action = Action::Shelf(ShelfAction::Open(kept.id.clone()));
    html! {
        <>
            <ActButton class="recent-title" {action} act={act.clone()} title="Open">{ visible::path(&kept.title) }</ActButton>
            if is_older {
                <span class="file-status">{ "older version" }</span>
            }
            if kept.is_running {
                <span class="file-status">{ "did not end" }</span>
            }
            <span class="faint">{ facts(kept) }</span>
        </>
    }
}

/// How far it has come, how long its text is, and when it was stored.
fn facts(kept: &Kept) -> String {
    let answered = kept.work.lines.values();
    let n_answered = answered.filter(|line| line.answer != Answer::Open).count();
    let mut parts = vec![format!("{} lines", thousands(kept.n_lines))];
    if n_answered > 0 {
        parts.insert(0, format!("{n_answered} answered"));
    }
    if kept.updated > 0 {
        let date = js_sys::Date::new(&(kept.updated as f64).into());
        parts.push(
            date.to_locale_string("default", &wasm_bindgen::JsValue::UNDEFINED)
                .into(),
        );
    }
    parts.join(", ")
}
