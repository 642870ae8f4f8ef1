//! The files of the diff with their counts, each a way to its place.

use super::act_button::ActButton;
use super::icon::{Icon, Shape};
use super::visible;
use crate::diff_file::DiffFile;
use crate::state::{Action, Place};
use crate::words::{count, file_name};
use report::{Finding, Severity, Status, Verdict};
use std::rc::Rc;
use yew::prelude::*;

/// Files that are listed.
const LISTED: usize = 300;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) files: Rc<Vec<Rc<DiffFile>>>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn FileRail(props: &Props) -> Html {
    let more = props.files.len().saturating_sub(LISTED);
    html! {
        <nav class="rail" aria-label="Files">
            <h2>{ count(props.files.len(), "file") }</h2>
            { for props.files.iter().take(LISTED).map(|file| entry(file, &props.act)) }
            if more > 0 {
                <p class="faint">{ format!("and {} more", count(more, "file")) }</p>
            }
        </nav>
    }
}

fn entry(file: &DiffFile, act: &Callback<Action>) -> Html {
    let path = file.view.path.as_str();
    let folder = path.strip_suffix(file_name(path)).unwrap_or_default();
    html! {
        <ActButton class="rail-file" action={Action::Reveal(Place::File(file.index))} act={act.clone()}
            title={path.to_owned()}>
            <span class="rail-name">{ visible::path(file_name(path)) }</span>
            { tallies(file) }
            <span class="rail-folder">{ visible::path(folder) }</span>
        </ActButton>
    }
}

/// Violations of each severity, then what is to look at: counted as in the summary.
pub(super) fn tallies(file: &DiffFile) -> Html {
    let n_of = |wanted: &dyn Fn(&Finding) -> bool| {
        let counted = file.counted();
        counted.filter(|finding| wanted(finding)).count()
    };
    let violations = [Severity::Block, Severity::Flag, Severity::Nit].map(|severity| {
        let number =
            n_of(&|finding| finding.severity == severity && finding.verdict == Verdict::Violation);
        let class = classes!("severity", severity.word().to_ascii_lowercase());
        tally(class, Shape::of_severity(severity), number, severity.word())
    });
    let looks = n_of(&|finding| finding.verdict == Verdict::Look);
    let looks = tally(
        classes!("status", "look"),
        Shape::Eye,
        looks,
        Status::Look.words(),
    );
    html! { <span class="tallies">{ for violations }{ looks }</span> }
}

fn tally(class: Classes, shape: Shape, number: usize, words: &'static str) -> Html {
    if number == 0 {
        return html! {};
    }
    html! {
        <span {class} title={format!("{number} {words}")}>
            <Icon {shape} />{ number }<span class="unseen">{ format!(" {words}") }</span>
        </span>
    }
}
