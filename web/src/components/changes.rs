//! The diff, file by file, with what was found in it. Only what is near the window is drawn.

use super::changes_bar::ChangesBar;
use super::file_section::FileSection;
use super::finding_card::FindingCard;
use super::lines::Hit;
use super::lines::missing;
use super::measured::Space;
use super::not_read::NotRead;
use super::nothing_found::NothingFound;
use super::paper::Paper;
use super::search_bar::SearchBar;
use super::topic_line::TopicLine;
use crate::diff_file::{ChunkId, DiffFile, Rows};
use crate::hooks::{use_code_copy, use_columns, use_reveal, use_sheet};
use crate::state::{Action, Search, Wish};
use report::{Finding, Report};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) files: Rc<Vec<Rc<DiffFile>>>,
    /// The request that the files belong to.
    pub(crate) review: u32,
    pub(crate) rows: Rc<Rows>,
    pub(crate) report: Option<Rc<Report>>,
    /// Findings without a line to show them at.
    pub(crate) astray: Rc<Vec<Rc<Finding>>>,
    /// Id of the selected finding.
    pub(crate) selected: Option<AttrValue>,
    /// What is to be brought into view.
    pub(crate) wish: Option<Wish>,
    pub(crate) search: Search,
    pub(crate) can_search: bool,
    /// Asks for chunks of rows.
    pub(crate) ask: Callback<Vec<ChunkId>>,
    pub(crate) act: Callback<Action>,
    /// What stands above the files.
    pub(crate) lead: Html,
}

#[component]
pub(crate) fn Changes(props: &Props) -> Html {
    let columns = use_columns();
    let split = columns.is_split();
    let (sheet, drawn, observer) = use_sheet(&props.files, props.review, split);
    use_code_copy(sheet.list(), props.act.clone());
    use_reveal(&sheet, &props.files, props.wish.as_ref());
    let missing = sheet.with(|model| missing(model, &drawn, &props.files, &props.rows));
    use_effect_with((missing, props.ask.clone()), |(missing, ask)| {
        if !missing.is_empty() {
            ask.emit(missing.clone());
        }
    });
    let is_partial = sheet.with(|model| !model.is_whole());
    let mut shown = Vec::new();
    for file in &drawn.files {
        let of = props.files.get(file.index);
        let layout = sheet.with(|model| model.layout(file.index).cloned());
        let (Some(of), Some(layout)) = (of, layout) else {
            continue;
        };
        // Only the file that carries the selected finding is told, so that no other is drawn again.
        let is_here = of
            .findings
            .iter()
            .any(|finding| is_selected(finding, props));
        let selected = props.selected.clone().filter(|_| is_here);
        shown.push(html! { <Space key={format!("above-{}", of.index)} height={file.above} /> });
        shown.push(html! {
            <FileSection key={of.index} file={of.clone()} {layout} pieces={file.pieces.clone()} rows={props.rows.clone()}
                hits={Rc::new(Hit::of_file(&props.search, of.index))} {split} observer={observer.clone()} {selected} act={props.act.clone()} />
        });
    }
    shown.push(html! { <Space key="below" height={drawn.below} /> });
    html! {
        <section class={classes!("changes", split.then_some("is-split"))} aria-label="Changes">
            { props.lead.clone() }
            if let Some(report) = &props.report {
                <NotRead report={report.clone()} />
                <NothingFound report={report.clone()} />
                <TopicLine report={report.clone()} act={props.act.clone()} />
            }
            <ChangesBar {columns} files={props.files.clone()} can_search={props.can_search} act={props.act.clone()} />
            if props.search.is_open {
                <SearchBar search={props.search.clone()} act={props.act.clone()} />
            }
            { for props.astray.iter().map(|finding| astray(finding, props)) }
            <div class={classes!("sheet", is_partial.then_some("is-partial"))} ref={sheet.list()}>{ shown.into_iter().collect::<Html>() }</div>
            <Paper files={props.files.clone()} rows={props.rows.clone()} {split} is_done={props.report.is_some()} ask={props.ask.clone()}
                act={props.act.clone()} />
        </section>
    }
}

fn is_selected(finding: &Finding, props: &Props) -> bool {
    props.selected.as_deref() == Some(finding.id.as_str())
}

fn astray(finding: &Rc<Finding>, props: &Props) -> Html {
    html! {
        <FindingCard key={finding.id.as_str()} finding={finding.clone()} is_selected={is_selected(finding, props)}
            act={props.act.clone()} />
    }
}
