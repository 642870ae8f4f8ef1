//! The files of the diff with their counts, each a way to its place. Of a long list only what is in view is drawn.

use super::act_button::ActButton;
use super::icon::{Icon, Shape};
use super::measured::Space;
use super::visible;
use crate::diff_file::DiffFile;
use crate::hooks::use_rail_part;
use crate::state::{Action, Place};
use crate::words::{count, file_name};
use report::{Finding, Severity, Status, Verdict};
use std::rc::Rc;
use yew::prelude::*;

/// Files that are drawn whatever is in view. In a longer list each entry has one height, in CSS pixels, as
/// review.css has it.
const SHORT: usize = 60;
const ENTRY: f64 = 40.0;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) files: Rc<Vec<Rc<DiffFile>>>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn FileRail(props: &Props) -> Html {
    let n_files = props.files.len();
    let rail = use_node_ref();
    let part = use_rail_part(rail.clone(), ENTRY);
    let is_long = n_files > SHORT;
    let (first, end) = match is_long {
        true => (part.0.min(n_files), part.1.min(n_files)),
        false => (0, n_files),
    };
    let files = props.files.get(first..end).unwrap_or_default();
    let entry = |file: &Rc<DiffFile>| {
        html! { <Entry key={file.index} file={file.clone()} {is_long} act={props.act.clone()} /> }
    };
    html! {
        <nav class={classes!("rail", is_long.then_some("is-long"))} aria-label="Files" ref={rail}>
            <h2>{ count(n_files, "file") }</h2>
            <Space height={ENTRY * first as f64} />
            { for files.iter().map(entry) }
            <Space height={ENTRY * (n_files - end) as f64} />
        </nav>
    }
}

#[derive(Properties, PartialEq)]
struct EntryProps {
    file: Rc<DiffFile>,
    is_long: bool,
    act: Callback<Action>,
}

#[component]
fn Entry(props: &EntryProps) -> Html {
    let (file, act) = (&props.file, &props.act);
    let path = file.view.path.as_str();
    // In a long list no name is broken.
    let drawn = match props.is_long {
        true => visible::visible,
        false => visible::path,
    };
    let folder = path.strip_suffix(file_name(path)).unwrap_or_default();
    html! {
        <ActButton class="rail-file" action={Action::Reveal(Place::File(file.index))} act={act.clone()}
            title={path.to_owned()}>
            <span class="rail-name">{ drawn(file_name(path)) }</span>
            <span class="rail-folder">{ drawn(folder) }</span>
            { tallies(file) }
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
