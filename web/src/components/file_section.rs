//! One file of the diff: its head, its rows as far as they are shown, its findings between them.

use super::act_button::ActButton;
use super::diff_rows::{DiffRows, Mark};
use super::file_rail::tallies;
use super::finding_card::FindingCard;
use super::icon::{Icon, Shape};
use super::visible;
use crate::diff_file::{CHUNK, DiffFile};
use crate::state::Action;
use crate::words::{count, thousands};
use report::{FileStatus, Finding};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use yew::prelude::*;

/// Lines below the first of a finding at most, before its card is put in.
const LINES_ABOVE_CARD: u32 = 8;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) file: Rc<DiffFile>,
    /// Id of the selected finding, if it is in this file.
    pub(crate) selected: Option<AttrValue>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn FileSection(props: &Props) -> Html {
    let file = &props.file;
    html! {
        <section class="file" id={format!("file-{}", file.index)} aria-label={file.view.path.clone()} tabindex="-1">
            <Head file={file.clone()} act={props.act.clone()} />
            if file.open {
                <div class="rows">{ body(props) }</div>
            }
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct HeadProps {
    file: Rc<DiffFile>,
    act: Callback<Action>,
}

#[component]
fn Head(props: &HeadProps) -> Html {
    let (file, view) = (&props.file, &props.file.view);
    let toggle = props.act.reform({
        let index = file.index;
        move |_: MouseEvent| Action::ToggleFile(index)
    });
    html! {
        <header class="file-head">
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
            <span class="sizes">
                <span class="n-added">{ format!("+{}", thousands(view.added as usize)) }</span>{ " " }
                <span class="n-removed">{ format!("\u{2212}{}", thousands(view.removed as usize)) }</span>
            </span>
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

fn body(props: &Props) -> Html {
    let file = &props.file;
    if file.view.n_rows() == 0 {
        return html! { <p class="no-rows">{ "No lines to show." }</p> };
    }
    let cards = cards_by_row(file);
    let mut drawn = Vec::new();
    let mut end = 0;
    for rows in &file.shown {
        drawn.push(gap(file, end..rows.start, &props.act));
        stretch(props, rows, &cards, &mut drawn);
        end = rows.end;
    }
    drawn.push(gap(file, end..file.view.n_rows(), &props.act));
    // While rows are on their way nobody knows yet which cards have no row among them.
    if file.missing().next().is_none() {
        let astray = cards.get(&u32::MAX).into_iter().flatten();
        let counted = astray.filter(|finding| finding.verdict.counts());
        drawn.extend(counted.map(|finding| card(finding, props)));
    }
    drawn.into_iter().collect()
}

/// Findings by the row that their card follows; those whose row is not loaded or not shown last of all.
fn cards_by_row(file: &DiffFile) -> BTreeMap<u32, Vec<Rc<Finding>>> {
    let mut cards: BTreeMap<u32, Vec<Rc<Finding>>> = BTreeMap::new();
    for finding in &file.findings {
        cards
            .entry(card_row(file, finding))
            .or_default()
            .push(finding.clone());
    }
    cards
}

fn card_row(file: &DiffFile, finding: &Finding) -> u32 {
    let last = finding.end_line.min(finding.line + LINES_ABOVE_CARD);
    let shown = |row: &u32| file.shown.iter().any(|rows| rows.contains(row));
    let mut lines = (finding.line..=last).rev();
    lines
        .find_map(|line| file.row_of(finding.side, line).filter(shown))
        .unwrap_or(u32::MAX)
}

/// Rows of one stretch, cut where a chunk ends and where a card follows.
fn stretch(
    props: &Props,
    rows: &Range<u32>,
    cards: &BTreeMap<u32, Vec<Rc<Finding>>>,
    drawn: &mut Vec<Html>,
) {
    let mut from = rows.start;
    while from < rows.end {
        let end_of_chunk = (from / CHUNK + 1) * CHUNK;
        let next_card = cards.range(from..rows.end).next();
        let end_at_card = next_card.map_or(u32::MAX, |(row, _)| row + 1);
        let end = rows.end.min(end_of_chunk).min(end_at_card);
        drawn.push(run(props, from..end));
        if let Some((_, findings)) = next_card.filter(|_| end == end_at_card) {
            drawn.extend(findings.iter().map(|finding| card(finding, props)));
        }
        from = end;
    }
}

/// Rows of one chunk without a card between them.
fn run(props: &Props, rows: Range<u32>) -> Html {
    let file = &props.file;
    let key = format!("rows-{}", rows.start);
    match file.chunk(rows.start / CHUNK) {
        Some(chunk) => {
            let (from, to) = (rows.start % CHUNK, rows.end - rows.start / CHUNK * CHUNK);
            html! { <DiffRows {key} chunk={chunk.clone()} {from} {to} marks={marks(file)} /> }
        }
        None => {
            html! { <p {key} class="no-rows">{ format!("{} not loaded yet", count(rows.len(), "line")) }</p> }
        }
    }
}

/// The stretches of text that findings stand at.
fn marks(file: &DiffFile) -> Vec<Mark> {
    let counted = file.counted();
    counted.map(|finding| Mark::of(finding)).collect()
}

fn card(finding: &Rc<Finding>, props: &Props) -> Html {
    let is_selected = props.selected.as_deref() == Some(finding.id.as_str());
    html! {
        <FindingCard key={finding.id.as_str()} finding={finding.clone()} {is_selected} act={props.act.clone()} />
    }
}

/// Rows that are left out, with a way to see more of them.
fn gap(file: &DiffFile, rows: Range<u32>, act: &Callback<Action>) -> Html {
    if rows.is_empty() {
        return html! {};
    }
    let (index, n_rows) = (file.index, rows.len() as u32);
    let show = |rows: Range<u32>, label: String| {
        html! {
            <ActButton class="quiet" action={Action::ShowRows { file: index, rows }} act={act.clone()}>{ label }</ActButton>
        }
    };
    html! {
        <div class="gap" key={format!("gap-{}", rows.start)}>
            <Icon shape={Shape::Fold} />
            <span>{ count(rows.len(), "line") }{ " not shown" }</span>
            if n_rows <= CHUNK {
                { show(rows, "Show".to_owned()) }
            } else {
                { show(rows.start..rows.start + CHUNK, format!("Next {CHUNK}")) }
                if rows.end < file.view.n_rows() {
                    { show(rows.end - CHUNK..rows.end, format!("Previous {CHUNK}")) }
                }
            }
        </div>
    }
}
