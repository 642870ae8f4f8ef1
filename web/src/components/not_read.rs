//! What the review did not read, so that its silence there is not taken for an answer.

use super::prose::Prose;
use super::visible::visible;
use crate::words::count;
use report::{Problem, Report};
use std::rc::Rc;
use yew::prelude::*;

/// Problems that are listed.
const LISTED: usize = 50;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) report: Rc<Report>,
}

#[component]
pub(crate) fn NotRead(props: &Props) -> Html {
    let problems: Vec<&Problem> = props.report.unread().collect();
    if problems.is_empty() {
        return html! {};
    }
    let more = problems.len().saturating_sub(LISTED);
    html! {
        <section class="unread" aria-label="Not read">
            <h2>{ "Not read" }</h2>
            <ul>
                { for problems.into_iter().take(LISTED).map(item) }
                if more > 0 {
                    <li>{ format!("and {} more", count(more, "place")) }</li>
                }
            </ul>
            <p>{ "No line of the checklist is called clear while something was not read." }</p>
        </section>
    }
}

fn item(problem: &Problem) -> Html {
    html! {
        <li>
            if let Some(path) = &problem.path {
                <code>{ visible(path) }</code>{ " " }
            }
            <Prose text={problem.message.clone()} />
            if let Some(line) = problem.line {
                <span class="faint">{ format!(" (line {line} of the text)") }</span>
            }
        </li>
    }
}
