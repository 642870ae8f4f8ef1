//! What can be done with a review: hand it on as a link, or as a document.

use super::export_menu::ExportMenu;
use crate::diff_file::DiffFile;
use crate::input::Text;
use crate::state::Action;
use report::Report;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// The report of the present text, once there is one to hand on.
    pub(crate) report: Option<Rc<Report>>,
    /// The diff of the report; empty where the report came without it.
    pub(crate) files: Rc<Vec<Rc<DiffFile>>>,
    pub(crate) text: Text,
    pub(crate) share: Callback<()>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn Actions(props: &Props) -> Html {
    let share = props.share.reform(|_: MouseEvent| ());
    let can_share = props.report.is_some() && !props.files.is_empty();
    html! {
        <div class="actions">
            <button type="button" class="primary" disabled={!can_share} onclick={share}>{ "Share" }</button>
            <ExportMenu report={props.report.clone()} files={props.files.clone()} text={props.text.clone()} act={props.act.clone()} />
        </div>
    }
}
