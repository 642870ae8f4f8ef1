//! The diff, file by file, with what was found in it.

use super::file_section::FileSection;
use super::finding_card::FindingCard;
use super::not_read::NotRead;
use super::nothing_found::NothingFound;
use super::topic_line::TopicLine;
use crate::diff_file::DiffFile;
use crate::state::Action;
use report::{Finding, Report};
use std::rc::Rc;
use yew::prelude::*;

/// Shown rows from which on the browser is told to lay out only what is in view.
const LONG: u32 = 2_000;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) files: Rc<Vec<Rc<DiffFile>>>,
    pub(crate) report: Option<Rc<Report>>,
    /// Findings without a line to show them at.
    pub(crate) astray: Rc<Vec<Rc<Finding>>>,
    /// Id of the selected finding.
    pub(crate) selected: Option<AttrValue>,
    pub(crate) act: Callback<Action>,
    /// What stands above the files.
    pub(crate) lead: Html,
}

#[component]
pub(crate) fn Changes(props: &Props) -> Html {
    let is_selected = |finding: &Finding| props.selected.as_deref() == Some(finding.id.as_str());
    let section = |file: &Rc<DiffFile>| {
        // Only the file that carries the selected finding is told, so that no other is drawn again.
        let selected = file.findings.iter().any(|finding| is_selected(finding));
        let selected = if selected {
            props.selected.clone()
        } else {
            None
        };
        html! { <FileSection key={file.index} file={file.clone()} {selected} act={props.act.clone()} /> }
    };
    let astray = |finding: &Rc<Finding>| {
        html! {
            <FindingCard key={finding.id.as_str()} finding={finding.clone()} is_selected={is_selected(finding)}
                act={props.act.clone()} />
        }
    };
    let is_long = props.files.iter().map(|file| file.n_shown()).sum::<u32>() > LONG;
    html! {
        <section class={classes!("changes", is_long.then_some("is-long"))} aria-label="Changes">
            { props.lead.clone() }
            if let Some(report) = &props.report {
                <NotRead report={report.clone()} />
                <NothingFound report={report.clone()} />
                <TopicLine report={report.clone()} act={props.act.clone()} />
            }
            { for props.astray.iter().map(astray) }
            { for props.files.iter().map(section) }
        </section>
    }
}
