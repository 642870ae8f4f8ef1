//! Lines of the diff. The text comes first and is all that is copied; numbers and signs are drawn by the style sheet.

mod chunks;
mod hit;
mod mark;
mod text;

pub(crate) use chunks::{Chunks, chunks_of, missing};
pub(crate) use hit::Hit;
pub(crate) use mark::Mark;

use self::chunks::first_row;
use super::act_button::ActButton;
use super::measured::Space;
use crate::diff_file::{LineRows, lines_of};
use crate::state::{Action, Place};
use crate::words::thousands;
use report::{FileView, Row, RowKind, Side};
use std::ops::Range;
use std::rc::Rc;
use yew::prelude::*;

/// The height of a line that is not broken, in CSS pixels.
const LINE: f64 = 20.0;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Index of the file.
    pub(crate) file: u32,
    pub(crate) view: Rc<FileView>,
    pub(crate) hunk: u32,
    pub(crate) lines: Range<u32>,
    pub(crate) split: bool,
    pub(crate) chunks: Chunks,
    pub(crate) marks: Rc<Vec<Mark>>,
    pub(crate) hits: Rc<Vec<Hit>>,
    pub(crate) act: Callback<Action>,
}

/// Lines of a hunk.
#[component]
pub(crate) fn Lines(props: &Props) -> Html {
    let (chunks, lines) = (&props.chunks, &props.lines);
    let hunk = props.view.hunks.get(props.hunk as usize);
    let Some(hunk) = hunk.filter(|_| chunks.are_loaded()) else {
        return waiting(lines);
    };
    let first = first_row(&props.view, props.hunk);
    let draw = Drawing {
        marks: &props.marks,
        hits: &props.hits,
        act: &props.act,
        file: props.file,
    };
    let row = |at: u32| chunks.row(first + at).map(|row| (row, first + at));
    let line = |rows: LineRows| match rows {
        LineRows::One(at) => row(at)
            .map(|(row, at)| draw.row(row, at, None))
            .unwrap_or_default(),
        LineRows::Two(old, new) => draw.pair(old.and_then(row), new.and_then(row)),
    };
    lines_of(hunk, props.split, lines.start, lines.end)
        .into_iter()
        .map(line)
        .collect()
}

#[derive(Properties, PartialEq)]
pub(crate) struct WholeProps {
    pub(crate) file: u32,
    /// Lines of the new side.
    pub(crate) lines: Range<u32>,
    /// New line number less old one.
    pub(crate) growth: i64,
    pub(crate) split: bool,
    pub(crate) chunks: Chunks,
    pub(crate) marks: Rc<Vec<Mark>>,
    pub(crate) act: Callback<Action>,
}

/// Lines outside of the hunks.
#[component]
pub(crate) fn WholeLines(props: &WholeProps) -> Html {
    let (chunks, lines) = (&props.chunks, &props.lines);
    if !chunks.are_loaded() {
        return waiting(lines);
    }
    let draw = Drawing {
        marks: &props.marks,
        act: &props.act,
        file: props.file,
        hits: &[],
    };
    let line = |number: u32| {
        let Some(row) = chunks.row(number.saturating_sub(1)) else {
            return html! {};
        };
        let old = u32::try_from(i64::from(number) - props.growth).ok();
        let row = Row { old, ..row.clone() };
        match props.split {
            true => draw.pair(Some((&row, 0)), Some((&row, 0))),
            false => draw.row(&row, 0, None),
        }
    };
    lines.clone().map(line).collect()
}

fn waiting(lines: &Range<u32>) -> Html {
    html! { <Space height={LINE * lines.len() as f64} /> }
}

/// What a row needs beside itself.
struct Drawing<'p> {
    marks: &'p [Mark],
    hits: &'p [Hit],
    act: &'p Callback<Action>,
    file: u32,
}

/// A row, and its index in the file.
type Numbered<'r> = (&'r Row, u32);

impl Drawing<'_> {
    /// Old and new beside each other. Context stands on both sides and is read once.
    fn pair(&self, old: Option<Numbered<'_>>, new: Option<Numbered<'_>>) -> Html {
        let half = |row: Option<Numbered<'_>>, side: Side| match row {
            Some((row, at)) => self.row(row, at, Some(side)),
            None => html! { <div class="row none"></div> },
        };
        html! { <div class="pair">{ half(old, Side::Old) }{ half(new, Side::New) }</div> }
    }

    /// One row. In the split view it shows one side.
    fn row(&self, row: &Row, at: u32, side: Option<Side>) -> Html {
        let marks = || self.marks.iter().filter(|mark| mark.covers(row, side));
        let covering = marks().find(|mark| mark.is_finding());
        let class = classes!("row", kind_class(row.kind), covering.map(Mark::class));
        let number = |of: Side, number: Option<u32>| {
            let number = number.filter(|_| side.is_none_or(|side| side == of))?;
            Some(number.to_string())
        };
        let is_repeated = side == Some(Side::Old) && row.kind == RowKind::Context;
        let text = text::text(
            row,
            marks().find(|mark| mark.starts_at(row)),
            Hit::in_row(self.hits, at),
        );
        let code = match row.kind {
            RowKind::Added => html! { <ins>{ text }</ins> },
            RowKind::Deleted => html! { <del>{ text }</del> },
            RowKind::Context | RowKind::Hunk => text,
        };
        html! {
            <div {class} data-old={number(Side::Old, row.old)} data-new={number(Side::New, row.new)}
                data-row={(at > 0).then(|| at.to_string())} aria-hidden={is_repeated.then_some("true")}>
                <code>{ code }</code>{ self.cut(row, at) }
                if !is_repeated { { for marks().filter_map(|mark| self.back(mark)) } }
            </div>
        }
    }

    /// Says that only the beginning of a very long line is drawn.
    fn cut(&self, row: &Row, at: u32) -> Html {
        let Some(units) = row.cut else {
            return html! {};
        };
        let action = Action::CopyRows {
            file: self.file,
            rows: at..at + 1,
        };
        html! {
            <span class="beside">
                { format!("The beginning of a line of {} characters. ", thousands(units as usize)) }
                if at > 0 {
                    <ActButton {action} act={self.act.clone()}>{ "Copy the whole line" }</ActButton>
                }
            </span>
        }
    }

    /// From a place that belongs to a finding back to it.
    fn back(&self, mark: &Mark) -> Option<Html> {
        let (finding, name) = mark.belongs_to()?;
        let action = Action::Reveal(Place::Finding(finding.clone()));
        Some(html! {
            <span class="beside">
                <ActButton class="place" {action} act={self.act.clone()}>{ format!("Belongs to {name}") }</ActButton>
            </span>
        })
    }
}

fn kind_class(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Hunk => "hunk",
        RowKind::Context => "context",
        RowKind::Added => "added",
        RowKind::Deleted => "deleted",
    }
}
