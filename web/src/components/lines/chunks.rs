//! Which chunks of rows a part of the sheet is drawn from.

use crate::diff_file::{CHUNK, ChunkId, DiffFile, LineRows, Rows, lines_of};
use crate::sheet::{Drawn, Item, Kind, Model, Piece};
use report::{FileView, Row};
use std::ops::Range;
use std::rc::Rc;

/// Chunks of rows by their number, with those that are loaded.
#[derive(Clone, PartialEq)]
pub(crate) struct Chunks(Vec<(u32, Option<Rc<Vec<Row>>>)>);

impl Chunks {
    pub(crate) fn of(ids: &[ChunkId], rows: &Rows) -> Self {
        let chunk = |id: &ChunkId| (id.number, rows.chunk(*id).cloned());
        Chunks(ids.iter().map(chunk).collect())
    }

    pub(super) fn are_loaded(&self) -> bool {
        self.0.iter().all(|(_, chunk)| chunk.is_some())
    }

    pub(super) fn row(&self, index: u32) -> Option<&Row> {
        let (_, chunk) = self.0.iter().find(|(number, _)| *number == index / CHUNK)?;
        chunk.as_ref()?.get((index % CHUNK) as usize)
    }
}

/// The chunks that are drawn and not loaded.
pub(crate) fn missing(
    model: &Model,
    drawn: &Drawn,
    files: &[Rc<DiffFile>],
    rows: &Rows,
) -> Vec<ChunkId> {
    let mut ids = Vec::new();
    for file in &drawn.files {
        let (Some(of), Some(layout)) = (files.get(file.index), model.layout(file.index)) else {
            continue;
        };
        for piece in &file.pieces {
            let Piece::Items(items) = piece else { continue };
            let items = layout.items.get(items.clone()).unwrap_or_default();
            let chunks = |item: &Item| chunks_of(of, &item.kind, model.is_split());
            ids.extend(items.iter().flat_map(chunks));
        }
    }
    ids.retain(|id| rows.chunk(*id).is_none());
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The chunks with the lines of an item.
pub(crate) fn chunks_of(file: &DiffFile, item: &Kind, split: bool) -> Vec<ChunkId> {
    match item {
        Kind::Lines { hunk, lines } => chunks_of_lines(file, *hunk, lines, split),
        Kind::Whole { lines, .. } => chunks_of_whole(file.index, lines),
        _ => Vec::new(),
    }
}

fn chunks_of_lines(file: &DiffFile, hunk: u32, lines: &Range<u32>, split: bool) -> Vec<ChunkId> {
    let Some(of) = file.view.hunks.get(hunk as usize) else {
        return Vec::new();
    };
    let first = first_row(&file.view, hunk);
    let rows = lines_of(of, split, lines.start, lines.end);
    let mut ids: Vec<ChunkId> = rows
        .into_iter()
        .flat_map(|rows| match rows {
            LineRows::One(row) => [Some(row), None],
            LineRows::Two(old, new) => [old, new],
        })
        .flatten()
        .map(|row| ChunkId::of_row(file.index, first + row))
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn chunks_of_whole(file: u32, lines: &Range<u32>) -> Vec<ChunkId> {
    let mut ids = vec![
        ChunkId::of_line(file, lines.start),
        ChunkId::of_line(file, lines.end.saturating_sub(1)),
    ];
    ids.dedup();
    ids
}

/// The first row of a hunk behind its header.
pub(super) fn first_row(view: &FileView, hunk: u32) -> u32 {
    let before = view.hunks.iter().take(hunk as usize);
    before.map(|hunk| hunk.n_lines + 1).sum::<u32>() + 1
}
