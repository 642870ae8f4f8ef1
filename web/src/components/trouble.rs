//! What went wrong, what is safe, and what to do.

use super::act_button::ActButton;
use super::prose::Prose;
use crate::browser::handover;
use crate::input::Text;
use crate::patch_file::names;
use crate::state::{Action, Phase};
use report::{BROKE_DOWN, NOT_REACHED, Report};
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) phase: Phase,
    /// Something beside the review.
    pub(crate) notice: Option<AttrValue>,
    /// The text under review, to be taken elsewhere.
    pub(crate) text: Text,
    /// The report of the present text, once it is done.
    pub(crate) report: Option<Rc<Report>>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn Trouble(props: &Props) -> Html {
    let button = |label: &'static str, action: Action| {
        html! { <ActButton {action} act={props.act.clone()}>{ label }</ActButton> }
    };
    html! {
        <div class="troubles">
            if let Some(notice) = &props.notice {
                <div class="trouble" role="alert">
                    <p><Prose text={notice.clone()} /></p>
                    { button("Close", Action::DropNotice) }
                </div>
            }
            if let Phase::Failed(sentence) = &props.phase {
                <div class="trouble" role="alert">
                    <p>
                        <strong><Prose text={sentence.clone()} /></strong>
                        { " Your text is still here, and nothing of it was sent anywhere. \
                           Try again, or go through the checklist by hand: each line opens its rule." }
                    </p>
                    <div class="ways">
                        { button("Retry", Action::Retry) }
                        <CopyText text={props.text.clone()} />
                    </div>
                </div>
            }
            if let Some(sentence) = props.report.as_deref().and_then(not_all_read) {
                <div class="trouble" role="alert">
                    <p><Prose text={sentence} />{ " All else is reviewed." }</p>
                    <div class="ways">
                        { button("Retry", Action::Retry) }
                        <CopyText text={props.text.clone()} />
                    </div>
                </div>
            }
            if let Some(sentence) = props.report.as_deref().and_then(nothing_to_review) {
                <div class="trouble" role="alert"><p><Prose text={sentence} /></p></div>
            }
        </div>
    }
}

/// What the analysis gave up, and what to do about it.
fn not_all_read(report: &Report) -> Option<AttrValue> {
    let of_kind = |kind: &str| {
        let problems = report.problems.iter().filter(|it| it.kind == kind);
        let paths: Vec<String> = problems
            .filter_map(|it| Some(format!("`{}`", it.path.as_deref()?)))
            .collect();
        (!paths.is_empty()).then(|| names(&paths))
    };
    let broke = of_kind(BROKE_DOWN).map(|names| {
        format!("The analysis broke down on {names} and went on without. Go through it by hand, or try once more.")
    });
    let late = of_kind(NOT_REACHED).map(|names| {
        format!("The review was ended after three minutes, before it came to {names}. Paste the diff of these alone.")
    });
    let sentences: Vec<String> = broke.into_iter().chain(late).collect();
    (!sentences.is_empty()).then(|| sentences.join(" ").into())
}

/// Why a text holds no diff.
fn nothing_to_review(report: &Report) -> Option<AttrValue> {
    let said = report
        .problems
        .first()
        .map(|problem| problem.message.clone());
    let sentence = said.unwrap_or_else(|| "There is no diff in this text.".to_owned());
    report.is_empty().then(|| sentence.into())
}

#[derive(Properties, PartialEq)]
struct CopyTextProps {
    text: Text,
}

#[component]
fn CopyText(props: &CopyTextProps) -> Html {
    let label = use_state_eq(|| "Copy the text");
    let onclick = {
        let (text, label) = (props.text.clone(), label.setter());
        move |_: MouseEvent| {
            let (text, label) = (text.to_string(), label.clone());
            spawn_local(async move {
                let is_copied = handover::copy(text).await;
                label.set(if is_copied {
                    "Copied"
                } else {
                    "The browser refused to copy"
                });
            });
        }
    };
    html! { <button type="button" {onclick}>{ *label }</button> }
}
