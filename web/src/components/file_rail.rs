//! The files of the diff with their counts, each a way to its place.

use super::act_button::ActButton;
use super::icon::{Icon, Shape};
use crate::diff_file::DiffFile;
use crate::state::{Action, Place};
use crate::words::{count, file_name};
use report::Severity;
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
    let folder = path
        .strip_suffix(file_name(path))
        .unwrap_or_default()
        .to_owned();
    html! {
        <ActButton class="rail-file" action={Action::Reveal(Place::File(file.index))} act={act.clone()}
            title={path.to_owned()}>
            <span class="rail-name">{ file_name(path).to_owned() }</span>
            { tallies(file) }
            <span class="rail-folder">{ folder }</span>
        </ActButton>
    }
}

/// How many findings of each severity a file carries.
pub(super) fn tallies(file: &DiffFile) -> Html {
    let tally = |severity: Severity| {
        let number = file
            .counted()
            .filter(|finding| finding.severity == severity)
            .count();
        let class = classes!("severity", severity.word().to_ascii_lowercase());
        (number > 0).then(|| {
            html! {
                <span {class} title={format!("{number} {}", severity.word())}>
                    <Icon shape={Shape::of_severity(severity)} />{ number }
                    <span class="unseen">{ format!(" {}", severity.word()) }</span>
                </span>
            }
        })
    };
    html! {
        <span class="tallies">{ for [Severity::Block, Severity::Flag, Severity::Nit].map(tally).into_iter().flatten() }</span>
    }
}
