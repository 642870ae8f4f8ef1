//! The header of a hunk, and the bars of hidden lines, each with a way to show more.

use super::act_button::ActButton;
use super::icon::{Icon, Shape};
use super::visible::visible;
use crate::diff_file::DiffFile;
use crate::state::Action;
use crate::words::count;
use std::ops::Range;
use std::rc::Rc;
use yew::prelude::*;

/// Lines that are shown at a time.
const STEP: u32 = 20;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) file: Rc<DiffFile>,
    pub(crate) hunk: u32,
    /// New lines above the hunk that are hidden; empty where none are, or where nobody knows them.
    pub(crate) hidden: Range<u32>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn HunkHeader(props: &Props) -> Html {
    let file = &props.file;
    let Some(hunk) = file.view.hunks.get(props.hunk as usize) else {
        return html! {};
    };
    let before = file.view.hunks.iter().take(props.hunk as usize);
    let first: u32 = before.map(|hunk| hunk.n_lines + 1).sum();
    let rows = first..first + hunk.n_lines + 1;
    let place = format!(
        "@@ -{},{} +{},{} @@",
        hunk.old_start, hunk.old_len, hunk.new_start, hunk.new_len
    );
    html! {
        <div class="hunk-header">
            <code>{ place }if !hunk.section.is_empty() { { " " }{ visible(&hunk.section) } }</code>
            { more(file, &props.hidden, &props.act) }
            if hunk.n_lines > 0 {
                <ActButton class="quiet copy" label={format!("Copy the new side from line {}", hunk.new_start)}
                    title="Copy the new side of this hunk" action={Action::CopyRows { file: file.index, rows }}
                    act={props.act.clone()}>
                    <Icon shape={Shape::Copy} />
                </ActButton>
            }
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct GapProps {
    pub(crate) file: Rc<DiffFile>,
    pub(crate) hidden: Range<u32>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn Gap(props: &GapProps) -> Html {
    html! { <div class="hunk-header">{ more(&props.file, &props.hidden, &props.act) }</div> }
}

/// How many lines are hidden, and buttons that show them from either end. What is shown by "above" ends at the
/// code below, and the other way round.
fn more(file: &DiffFile, hidden: &Range<u32>, act: &Callback<Action>) -> Html {
    if hidden.is_empty() {
        return html! {};
    }
    let n_hidden = hidden.len() as u32;
    let last = file.view.whole.unwrap_or_default();
    let show = |lines: Range<u32>, label: String| {
        let action = Action::Expand {
            file: file.index,
            lines,
        };
        html! { <ActButton class="quiet" {action} act={act.clone()}>{ label }</ActButton> }
    };
    html! {
        <span class="hidden-lines">
            <Icon shape={Shape::Fold} /><span>{ count(hidden.len(), "line") }{ " hidden" }</span>
            if n_hidden > STEP && hidden.start > 1 {
                { show(hidden.start..hidden.start + STEP, format!("Show {STEP} more below")) }
            }
            if n_hidden > STEP && hidden.end <= last {
                { show(hidden.end - STEP..hidden.end, format!("Show {STEP} more above")) }
            }
            { show(hidden.clone(), "Show all".to_owned()) }
        </span>
    }
}
