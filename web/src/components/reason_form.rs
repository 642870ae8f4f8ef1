//! Asks why a finding is dismissed or raised. Without a reason nothing is decided.

use super::words_box::WordsBox;
use crate::state::{Action, WorkAction};
use report::Decision;
use web_sys::HtmlElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Id of the finding.
    pub(crate) finding: AttrValue,
    pub(crate) decision: Decision,
    /// What it was before.
    pub(crate) reason: AttrValue,
    pub(crate) close: Callback<()>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn ReasonForm(props: &Props) -> Html {
    let reason = use_state_eq(|| props.reason.to_string());
    let is_missing = use_state_eq(|| false);
    let field = use_node_ref();
    use_effect_with(field.clone(), focus);
    let (label, ask) = match props.decision {
        Decision::Raised => ("Raise", "Why it counts: what the change makes worse"),
        _ => ("Dismiss", "Why it does not matter here"),
    };
    let submit = {
        let (finding, decision) = (props.finding.clone(), props.decision);
        let (act, close, reason) = (props.act.clone(), props.close.clone(), reason.clone());
        let (field, is_missing) = (field.clone(), is_missing.setter());
        Callback::from(move |()| {
            if reason.trim().is_empty() {
                is_missing.set(true);
                return focus(&field);
            }
            act.emit(Action::Work(WorkAction::Decide {
                finding: finding.clone(),
                decision,
                reason: reason.trim().to_owned(),
            }));
            close.emit(());
        })
    };
    let onkeydown = {
        let (submit, close) = (submit.clone(), props.close.clone());
        move |event: KeyboardEvent| match event.key().as_str() {
            "Enter" if !event.shift_key() && !event.is_composing() => {
                event.prevent_default();
                submit.emit(());
            }
            "Escape" => close.emit(()),
            _ => {}
        }
    };
    let set = Callback::from({
        let (reason, is_missing) = (reason.setter(), is_missing.setter());
        move |words| {
            is_missing.set(false);
            reason.set(words);
        }
    });
    let onclick = |event: MouseEvent| event.stop_propagation();
    html! {
        <div class="decision is-asking" {onkeydown} {onclick}>
            <WordsBox label="Reason" placeholder={ask} words={(*reason).clone()} {set} node={field} />
            <button type="button" onclick={submit.reform(|_: MouseEvent| ())}>{ label }</button>
            <button type="button" class="quiet" onclick={props.close.reform(|_: MouseEvent| ())}>{ "Back" }</button>
            if *is_missing {
                <p class="missing" role="alert">{ "Write a reason first: it goes with the finding wherever the review goes." }</p>
            }
        </div>
    }
}

fn focus(field: &NodeRef) {
    if let Some(field) = field.cast::<HtmlElement>() {
        let _ = field.focus();
    }
}
