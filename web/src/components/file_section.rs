//! One file of the diff: of its items those that are drawn, and the space of the others.

use super::file_head::FileHead;
use super::finding_card::FindingCard;
use super::folded_findings::FoldedFindings;
use super::hunk_header::{Gap, HunkHeader};
use super::lines::{Chunks, Hit, Lines, Mark, WholeLines, chunks_of};
use super::measured::{Measured, Space};
use crate::browser::heights::Observer;
use crate::diff_file::{DiffFile, Rows};
use crate::sheet::{Item, Kind, Layout, Piece};
use crate::state::Action;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) file: Rc<DiffFile>,
    pub(crate) layout: Rc<Layout>,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) rows: Rc<Rows>,
    /// What was searched and stands in this file.
    pub(crate) hits: Rc<Vec<Hit>>,
    pub(crate) split: bool,
    pub(crate) observer: Observer,
    /// Id of the selected finding, if it is in this file.
    pub(crate) selected: Option<AttrValue>,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn FileSection(props: &Props) -> Html {
    let file = &props.file;
    let marks = use_memo(file.clone(), |file| Mark::all(file));
    // One flat list, each with its key, so that what stays is kept and what has the focus keeps it.
    let mut drawn = Vec::new();
    for (at, piece) in props.pieces.iter().enumerate() {
        match piece {
            Piece::Space(height) => {
                drawn.push(html! { <Space key={format!("space-{at}")} height={*height} /> });
            }
            Piece::Items(items) => {
                let items = props.layout.items.get(items.clone()).unwrap_or_default();
                drawn.extend(items.iter().map(|item| measured(item, &marks, props)));
            }
        }
    }
    html! {
        <section class="file" id={format!("file-{}", file.index)} aria-label={file.view.path.clone()} tabindex="-1">
            { drawn.into_iter().collect::<Html>() }
        </section>
    }
}

fn measured(item: &Item, marks: &Rc<Vec<Mark>>, props: &Props) -> Html {
    let class = (item.kind == Kind::Head).then_some("item-head");
    html! {
        <Measured key={item.key.to_string()} item={item.key} observer={props.observer.clone()} class={classes!(class)}>
            { content(&item.kind, marks, props) }
        </Measured>
    }
}

fn content(kind: &Kind, marks: &Rc<Vec<Mark>>, props: &Props) -> Html {
    let (file, act, split) = (&props.file, &props.act, props.split);
    let chunks = || Chunks::of(&chunks_of(file, kind, split), &props.rows);
    match kind {
        Kind::Head => html! { <FileHead file={file.clone()} act={act.clone()} /> },
        Kind::Fold => html! { <FoldedFindings file={file.clone()} act={act.clone()} /> },
        Kind::NoRows => html! { <p class="no-rows">{ "No lines to show." }</p> },
        Kind::Header { hunk, hidden } => html! {
            <HunkHeader file={file.clone()} hunk={*hunk} hidden={hidden.clone()} act={act.clone()} />
        },
        Kind::Gap(hidden) => html! {
            <Gap file={file.clone()} hidden={hidden.clone()} act={act.clone()} />
        },
        Kind::Lines { hunk, lines } => html! {
            <Lines file={file.index} view={file.view.clone()} hunk={*hunk} lines={lines.clone()} {split}
                chunks={chunks()} marks={marks.clone()} hits={props.hits.clone()} act={act.clone()} />
        },
        Kind::Whole { lines, growth } => html! {
            <WholeLines file={file.index} lines={lines.clone()} growth={*growth} {split}
                chunks={chunks()} marks={marks.clone()} act={act.clone()} />
        },
        Kind::Card(finding) => html! {
            <FindingCard finding={finding.clone()} act={act.clone()} is_provisional={file.is_provisional}
                is_selected={props.selected.as_deref() == Some(finding.id.as_str())} />
        },
    }
}
