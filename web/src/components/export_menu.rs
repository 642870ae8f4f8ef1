//! The report as a file or on the clipboard.

use crate::state::Action;
use report::Report;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// What to export, once there is something.
    pub(crate) report: Option<Rc<Report>>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn ExportMenu(props: &Props) -> Html {
    html! { <button type="button" disabled={props.report.is_none()}>{ "Export" }</button> }
}
