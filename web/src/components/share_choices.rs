//! What the link is to hold: how much of the diff, and the reviewer's own words.

use super::name_field::NameField;
use crate::sharing::{Holding, Sharing};
use crate::state::Action;
use report::permalink::Reference;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) sharing: Sharing,
    /// Whether there are hunks to leave out.
    pub(super) can_cut: bool,
    pub(super) reference: Option<Reference>,
    /// Lines answered and findings decided on.
    pub(super) n_done: usize,
    pub(super) set: Callback<Sharing>,
    pub(super) act: Callback<Action>,
}

#[component]
pub(super) fn ShareChoices(props: &Props) -> Html {
    html! {
        <>
            <fieldset>
                <legend>{ "What the link holds" }</legend>
                { holding(Holding::Whole, "The whole diff", "Opens anywhere, whether or not the change is public.", true, props) }
                { holding(Holding::Excerpt, "Only hunks with findings", "Shorter. Whoever opens it is told so.", props.can_cut, props) }
                { by_reference(props) }
            </fieldset>
            if props.n_done > 0 {
                { work(props) }
            }
        </>
    }
}

fn holding(
    holding: Holding,
    label: impl Into<AttrValue>,
    meaning: &'static str,
    is_possible: bool,
    props: &Props,
) -> Html {
    let sharing = Sharing {
        holding,
        ..props.sharing.clone()
    };
    let onchange = props.set.reform(move |_: Event| sharing.clone());
    let class = classes!("choice", (!is_possible).then_some("is-impossible"));
    html! {
        <label {class}>
            <input type="radio" name="holding" checked={props.sharing.holding == holding} disabled={!is_possible} {onchange} />
            <span>{ label.into() }<span class="meaning">{ meaning }</span></span>
        </label>
    }
}

fn by_reference(props: &Props) -> Html {
    let Some(reference) = &props.reference else {
        let meaning = "Only for a change that was opened from GitHub: then its commits are known.";
        return holding(
            Holding::Reference,
            "A reference to the change",
            meaning,
            false,
            props,
        );
    };
    let head: String = reference.head.chars().take(7).collect();
    let label = match reference.pull {
        Some(pull) => format!("A reference to {}#{pull} at {head}", reference.repo),
        None => format!("A reference to {} at {head}", reference.repo),
    };
    let meaning = "Very short. Whoever opens it gets the diff from GitHub.";
    holding(Holding::Reference, label, meaning, true, props)
}

fn work(props: &Props) -> Html {
    let sharing = props.sharing.clone();
    let onchange = props.set.reform(move |event: Event| Sharing {
        with_work: event.target_unchecked_into::<HtmlInputElement>().checked(),
        ..sharing.clone()
    });
    html! {
        <>
            <label class="choice">
                <input type="checkbox" checked={props.sharing.with_work} {onchange} />
                <span>{ "My answers, decisions and notes" }</span>
            </label>
            if props.sharing.with_work {
                <NameField act={props.act.clone()} />
            }
        </>
    }
}
