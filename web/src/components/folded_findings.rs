//! Excused and existing findings of a file, counted; and whether they stand at their lines.

use super::icon::{Icon, Shape};
use crate::diff_file::DiffFile;
use crate::state::Action;
use report::Verdict;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) file: Rc<DiffFile>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn FoldedFindings(props: &Props) -> Html {
    let file = &props.file;
    let n_of = |verdict| {
        file.folded()
            .filter(|finding| finding.verdict == verdict)
            .count()
    };
    let counts: Vec<String> = [Verdict::Excused, Verdict::Existing]
        .into_iter()
        .map(|verdict| (n_of(verdict), verdict.word()))
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    let toggle = props.act.reform({
        let index = file.index;
        move |_: MouseEvent| Action::ToggleFolded(index)
    });
    let is_one = file.folded().count() == 1;
    let where_to = match (file.unfolded, is_one) {
        (true, true) => "shown at its line",
        (true, false) => "shown at their lines",
        (false, true) => "folded, with its reason",
        (false, false) => "folded, each with its reason",
    };
    html! {
        <button type="button" class="fold-bar" aria-expanded={file.unfolded.to_string()} onclick={toggle}>
            <Icon shape={Shape::Chevron} />
            <span>{ counts.join(", ") }</span><span class="faint">{ where_to }</span>
        </button>
    }
}
