//! What the reviewer decides on a finding: accept it, dismiss it with a reason, or raise a folded one.

use super::act_button::ActButton;
use super::reason_form::ReasonForm;
use super::words_box::WordsBox;
use crate::state::{Action, WorkAction};
use crate::words::verdict_words;
use report::{Decision, FindingWork, Verdict};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Id of the finding.
    pub(crate) finding: AttrValue,
    /// What the rules made of it.
    pub(crate) verdict: Verdict,
    pub(crate) work: FindingWork,
    /// Whether it is to ask at once why the finding is dismissed.
    pub(crate) asks: bool,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn DecisionBar(props: &Props) -> Html {
    // Which decision the reviewer is giving a reason for.
    let asked = use_state_eq(|| None::<Decision>);
    use_effect_with(props.asks, {
        let (asked, can_ask, act) = (asked.setter(), can_dismiss(props), props.act.clone());
        move |&asks| {
            if asks {
                // A folded one has to be raised before, and a decided one reopened.
                if can_ask {
                    asked.set(Some(Decision::Dismissed));
                }
                act.emit(Action::ReasonAsked);
            }
        }
    });
    let ask = |decision: Decision, label: &'static str, title: &'static str| {
        let asked = asked.setter();
        let onclick = move |event: MouseEvent| {
            event.stop_propagation();
            asked.set(Some(decision));
        };
        html! { <button type="button" {title} {onclick}>{ label }</button> }
    };
    let close = use_callback((), {
        let asked = asked.setter();
        move |(), ()| asked.set(None)
    });
    if let Some(decision) = *asked {
        return html! {
            <ReasonForm finding={props.finding.clone()} {decision} reason={props.work.reason.clone()} {close} act={props.act.clone()} />
        };
    }
    let is_outdated = props.work.is_outdated(props.verdict);
    html! {
        <div class="decision">
            if is_outdated {
                { again(props) }
            }
            { match props.work.decision {
                _ if can_dismiss(props) => html! { <>{ accept(props) }{ ask(Decision::Dismissed, "Dismiss", "It is none here: asks for your reason (r)") }</> },
                Decision::Open => ask(Decision::Raised, "Raise", "It is a problem after all: asks for your reason"),
                _ => decided(props),
            } }
            { reached(props) }
        </div>
    }
}

/// Whether there is a finding to accept or dismiss, on which no decision stands.
fn can_dismiss(props: &Props) -> bool {
    match props.work.decision {
        Decision::Open | Decision::Raised => props.verdict.counts(),
        Decision::Accepted | Decision::Dismissed => props.work.is_outdated(props.verdict),
    }
}

fn decide(decision: Decision, props: &Props) -> Action {
    Action::Work(WorkAction::Decide {
        finding: props.finding.clone(),
        decision,
        reason: String::new(),
    })
}

fn accept(props: &Props) -> Html {
    html! {
        <ActButton title="It is a problem, and the author is told" action={decide(Decision::Accepted, props)}
            act={props.act.clone()}>{ "Accept" }</ActButton>
    }
}

/// A decision that stands, and the way back.
fn decided(props: &Props) -> Html {
    html! {
        <>
            if let Some(words) = decided_words(&props.work) {
                <span class="decided">{ words }</span>
            }
            <ActButton class="quiet" action={decide(Decision::Open, props)} act={props.act.clone()}>{ "Reopen" }</ActButton>
        </>
    }
}

/// Who decided what, where the card does not say it already.
fn decided_words(work: &FindingWork) -> Option<String> {
    let by = |word: &str| match &work.by {
        Some(name) => format!("{word} by {name}"),
        None => word.to_owned(),
    };
    match work.decision {
        Decision::Open => None,
        Decision::Accepted => Some(by("Accepted")),
        Decision::Dismissed => work.by.as_ref().map(|_| by("Dismissed")),
        Decision::Raised => Some(format!("{}: {}", by("Raised"), work.reason)),
    }
}

/// The rules judge it otherwise than when it was decided on.
fn again(props: &Props) -> Html {
    let was = props.work.seen.map(verdict_words).unwrap_or_default();
    let decided = match props.work.decision {
        Decision::Dismissed => format!(
            "You dismissed it when it was \u{201c}{was}\u{201d}: {}",
            props.work.reason
        ),
        _ => format!("It was \u{201c}{was}\u{201d} when you decided"),
    };
    html! { <p class="again"><strong>{ "Look again. " }</strong>{ decided }</p> }
}

/// How it is reached: asked for once the reviewer stands by the finding.
fn reached(props: &Props) -> Html {
    let stands = matches!(props.work.decision, Decision::Accepted | Decision::Raised);
    if !stands && props.work.reached.is_empty() {
        return html! {};
    }
    let finding = props.finding.clone();
    let set = props.act.reform(move |words| {
        let finding = finding.clone();
        Action::Work(WorkAction::Reached { finding, words })
    });
    html! {
        <WordsBox label="How it is reached" placeholder="How it is reached: which caller, input or moment"
            words={props.work.reached.clone()} {set} />
    }
}
