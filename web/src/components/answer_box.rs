//! The reviewer's answer at a checklist line, and the note beside it.

use super::act_button::ActButton;
use super::words_box::WordsBox;
use crate::state::{Action, WorkAction};
use report::{Answer, LineWork};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Id of the checklist line.
    pub(crate) line: AttrValue,
    pub(crate) work: LineWork,
    /// Whether what the line rests on has changed since it was answered.
    pub(crate) is_outdated: bool,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn AnswerBox(props: &Props) -> Html {
    let line = props.line.clone();
    let note = props.act.reform(move |note| {
        let line = line.clone();
        Action::Work(WorkAction::Note { line, note })
    });
    html! {
        <div class="answer">
            if props.is_outdated {
                <Again line={props.line.clone()} answer={props.work.answer} act={props.act.clone()} />
            }
            <div class="answers" role="radiogroup" aria-label="Your answer">
                { for Answer::ALL.map(|answer| choice(answer, props)) }
            </div>
            <WordsBox label="Note" words={props.work.note.clone()} set={note} />
            if let Some(name) = &props.work.by {
                <span class="by">{ format!("by {name}") }</span>
            }
        </div>
    }
}

fn choice(answer: Answer, props: &Props) -> Html {
    let line = props.line.clone();
    let onchange = props.act.reform(move |_: Event| {
        let line = line.clone();
        Action::Work(WorkAction::Answer { line, answer })
    });
    let checked = props.work.answer == answer;
    html! {
        <label class={classes!(word(answer), checked.then_some("is-chosen"))}>
            <input type="radio" name={format!("answer-{}", props.line)} {checked} {onchange} />{ answer.words() }
        </label>
    }
}

fn word(answer: Answer) -> &'static str {
    match answer {
        Answer::Open => "open",
        Answer::Checked => "checked",
        Answer::NotApplicable => "not-applicable",
        Answer::ProblemRaised => "problem-raised",
    }
}

#[derive(Properties, PartialEq)]
struct AgainProps {
    line: AttrValue,
    answer: Answer,
    act: Callback<Action>,
}

/// The line is not what it was when it was answered.
#[component]
fn Again(props: &AgainProps) -> Html {
    let action = Action::Work(WorkAction::AnswerStands(props.line.clone()));
    html! {
        <p class="again">
            <strong>{ "Look again." }</strong>
            { " Its findings or evidence changed since you answered. " }
            <ActButton class="quiet" {action} act={props.act.clone()}>
                { format!("Still \u{201c}{}\u{201d}", props.answer.words().to_lowercase()) }
            </ActButton>
        </p>
    }
}
