//! What can be done with a review: hand it on as a link, or as a document.

use super::export_menu::ExportMenu;
use report::Report;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// The report of the present text, once there is one to hand on.
    pub(crate) report: Option<Rc<Report>>,
    pub(crate) share: Callback<()>,
}

#[component]
pub(crate) fn Actions(props: &Props) -> Html {
    let share = props.share.reform(|_: MouseEvent| ());
    html! {
        <div class="actions">
            <button type="button" class="primary" disabled={props.report.is_none()} onclick={share}>{ "Share" }</button>
            <ExportMenu report={props.report.clone()} />
        </div>
    }
}
