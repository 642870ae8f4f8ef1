//! How far the reviewer has come, in the checklist's head.

use super::act_button::ActButton;
use crate::desk::Desk;
use crate::state::{Action, WorkAction};
use report::{Answer, ChecklistLine, Status};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn Progress(props: &Props) -> Html {
    let desk = use_context::<Desk>().unwrap_or_default();
    let (n_done, n_lines) = desk.n_done();
    let n_again = desk.n_again();
    let n_to_take = n_open_and_not_applicable(&desk);
    html! {
        <>
            <span class="progress" role="status" aria-label="Progress">
                { format!("{n_done} of {n_lines} done") }
                if n_again > 0 {
                    <span class="n-again">{ format!(", {n_again} to look at again") }</span>
                }
            </span>
            if n_to_take > 0 {
                <ActButton class="quiet" action={Action::Work(WorkAction::AnswerWhatDoesNotApply)} act={props.act.clone()}
                    title="Answers the open lines whose subject does not occur in the diff">
                    { format!("Take over {n_to_take} that do{} not apply", if n_to_take == 1 { "es" } else { "" }) }
                </ActButton>
            }
        </>
    }
}

fn n_open_and_not_applicable(desk: &Desk) -> usize {
    let lines = desk.found.iter().flat_map(|found| &found.checklist);
    let is_open = |line: &&ChecklistLine| {
        line.status == Status::NotApplicable && desk.line(&line.id).answer == Answer::Open
    };
    lines.filter(is_open).count()
}
