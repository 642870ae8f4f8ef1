//! The head of a file: its path, what became of it, what was found in it, its size.

use super::act_button::ActButton;
use super::file_rail::tallies;
use super::icon::{Icon, Shape};
use super::visible;
use crate::diff_file::DiffFile;
use crate::state::Action;
use crate::words::thousands;
use report::FileStatus;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) file: Rc<DiffFile>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn FileHead(props: &Props) -> Html {
    let (file, view) = (&props.file, &props.file.view);
    let toggle = props.act.reform({
        let index = file.index;
        move |_: MouseEvent| Action::ToggleFile(index)
    });
    html! {
        <header class={classes!("file-head", (!file.open).then_some("is-closed"))}>
            <button type="button" class="fold" aria-expanded={file.open.to_string()} onclick={toggle}>
                <Icon shape={Shape::Chevron} /><span class="path">{ visible::path(&view.path) }</span>
            </button>
            if let Some(old) = &view.old_path {
                <span class="faint">{ "from " }{ visible::path(old) }</span>
            }
            if let Some(word) = status_word(view.status) {
                <span class="file-status">{ word }</span>
            }
            if !view.python {
                <span class="file-status">{ "out of scope" }</span>
            }
            if let Some(commit) = view.commit {
                <span class="faint">{ format!("commit {}", commit + 1) }</span>
            }
            { tallies(file) }
            if file.is_provisional {
                <span class="file-status">{ "provisional" }</span>
            }
            <span class="sizes">
                <span class="n-added">{ format!("+{}", thousands(view.added as usize)) }</span>{ " " }
                <span class="n-removed">{ format!("\u{2212}{}", thousands(view.removed as usize)) }</span>
            </span>
            if view.n_rows() > 0 {
                <ActButton class="quiet copy" label={format!("Copy the new side of {}", view.path)} title="Copy the new side"
                    action={Action::CopyRows { file: file.index, rows: 0..view.n_rows() }} act={props.act.clone()}>
                    <Icon shape={Shape::Copy} />
                </ActButton>
            }
        </header>
    }
}

fn status_word(status: FileStatus) -> Option<&'static str> {
    match status {
        FileStatus::Added => Some("added"),
        FileStatus::Deleted => Some("deleted"),
        FileStatus::Modified => None,
        FileStatus::Renamed => Some("renamed"),
        FileStatus::Copied => Some("copied"),
        FileStatus::Mode => Some("mode changed"),
        FileStatus::Binary => Some("binary"),
    }
}
