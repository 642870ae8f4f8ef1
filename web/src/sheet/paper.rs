//! What of the sheet is put on paper: each finding's card, with the lines above it.

use super::layout::{Item, Kind, Layout};
use super::model::{Drawn, DrawnFile, Piece};
use crate::diff_file::DiffFile;
use std::rc::Rc;

/// Lines above a card that say enough; where its block has fewer, the one before is put there too.
const ENOUGH: usize = 6;

/// The files as they are printed: whatever has findings is open, and so is what was folded.
pub(crate) fn for_paper(files: &[Rc<DiffFile>]) -> Vec<Rc<DiffFile>> {
    let opened = |file: &Rc<DiffFile>| match file.findings.is_empty() {
        true => file.clone(),
        false => Rc::new(file.for_paper()),
    };
    files.iter().map(opened).collect()
}

/// What of these layouts, one for each file, is printed.
pub(super) fn drawn<'l>(layouts: impl Iterator<Item = &'l Layout>) -> Drawn {
    let mut drawn = Drawn::default();
    for (index, layout) in layouts.enumerate() {
        let pieces = pieces(&layout.items);
        if !pieces.is_empty() {
            drawn.files.push(DrawnFile {
                above: 0.0,
                index,
                pieces,
            });
        }
    }
    drawn
}

/// Nothing without a finding, else the head and each card with its lines.
fn pieces(items: &[Item]) -> Vec<Piece> {
    let head = 0..1;
    let mut printed = vec![head];
    for at in 0..items.len() {
        if !is_card(items, at) {
            continue;
        }
        let begin = first_line_block(items, at);
        match printed.last_mut() {
            Some(last) if begin <= last.end => last.end = at + 1,
            _ => printed.push(begin..at + 1),
        }
    }
    let has_card = printed.iter().any(|items| items.end > 1);
    let printed = printed.into_iter().filter(|_| has_card);
    printed.map(Piece::Items).collect()
}

/// Where the lines begin that a card is printed with.
fn first_line_block(items: &[Item], card: usize) -> usize {
    let (mut begin, mut n_lines) = (card, 0);
    for at in (0..card).rev() {
        match items.get(at).map(|item| &item.kind) {
            Some(Kind::Lines { lines, .. }) => n_lines += lines.len(),
            Some(Kind::Whole { lines, .. }) => n_lines += lines.len(),
            Some(Kind::Card(_)) => {}
            _ => break,
        }
        begin = at;
        if n_lines >= ENOUGH {
            break;
        }
    }
    begin
}

fn is_card(items: &[Item], at: usize) -> bool {
    matches!(items.get(at), Some(item) if matches!(item.kind, Kind::Card(_)))
}
