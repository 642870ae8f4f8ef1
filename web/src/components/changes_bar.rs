//! How the changes are shown: in one column or two, and which files are open.

use super::act_button::ActButton;
use crate::diff_file::DiffFile;
use crate::hooks::Columns;
use crate::state::{Action, SearchAction};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) columns: Columns,
    pub(crate) files: Rc<Vec<Rc<DiffFile>>>,
    pub(crate) can_search: bool,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn ChangesBar(props: &Props) -> Html {
    let columns = &props.columns;
    let choice = |label: &'static str, split: bool| {
        let is_chosen = columns.is_split() == split;
        let onclick = columns.choose(split);
        html! { <button type="button" aria-pressed={is_chosen.to_string()} {onclick}>{ label }</button> }
    };
    let all_open = props.files.iter().all(|file| file.open);
    html! {
        <div class="changes-bar">
            if props.can_search {
                <ActButton class="quiet" title="Find in diff (f)" action={Action::Search(SearchAction::Open)} act={props.act.clone()}>
                    { "Find in diff" }
                </ActButton>
            }
            if props.files.len() > 1 {
                <ActButton class="quiet" action={Action::OpenAll(!all_open)} act={props.act.clone()}>
                    { if all_open { "Close all files" } else { "Open all files" } }
                </ActButton>
            }
            if columns.have_room() {
                <div class="segments" role="group" aria-label="Columns">
                    { choice("Unified", false) }{ choice("Split", true) }
                </div>
            }
        </div>
    }
}
