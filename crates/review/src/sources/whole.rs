//! Whole-file context: the new file's text is given, and the old one follows from it by undoing the hunks.

use super::fragment::{SideLine, plain, side_lines};
use super::{DocLine, Document};
use diff::{File, Hunk, LineKind, Patch};
use report::Side;

/// The document of a side, or `None` if the text does not fit the hunks.
pub(super) fn document(file: &File, patch: &Patch, side: Side, text: &str) -> Option<Document> {
    let mut new: Vec<&str> = text.split('\n').collect();
    if new.last() == Some(&"") {
        new.pop();
    }
    let mut document = Document::empty(side, true);
    let mut next = 0;
    for (index, hunk) in file.hunks.iter().enumerate() {
        let before = lines_before(hunk);
        document.copy(new.get(next..before)?, index.saturating_sub(1) as u32);
        next = check(hunk, patch, &new, before)?;
        for line in side_lines(hunk, index as u32, patch, side) {
            if line.number as usize != document.lines.len() + 1 {
                return None;
            }
            document.push_line(&line);
        }
    }
    let last = file.hunks.len().saturating_sub(1);
    document.copy(new.get(next..)?, last as u32);
    Some(document)
}

/// How many lines of the new file stand before the hunk. A hunk without new lines names the line before it.
fn lines_before(hunk: &Hunk) -> usize {
    let first = hunk.new_start as usize;
    if hunk.new_len == 0 {
        first
    } else {
        first.saturating_sub(1)
    }
}

/// The number of new lines up to the hunk's end, if they are those of the hunk.
fn check(hunk: &Hunk, patch: &Patch, new: &[&str], before: usize) -> Option<usize> {
    let mut at = before;
    for line in hunk
        .lines
        .iter()
        .filter(|line| line.kind != LineKind::Deleted)
    {
        if plain(new.get(at)?) != plain(patch.text(line)) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

impl Document {
    /// Takes over lines that stand on both sides, outside of the hunks.
    fn copy(&mut self, lines: &[&str], hunk: u32) {
        for line in lines {
            let number = self.lines.len() as u32 + 1;
            let from = DocLine::Diff {
                number,
                changed: false,
                hunk,
            };
            self.push(&plain(line), from);
        }
    }

    pub(super) fn push_line(&mut self, line: &SideLine<'_>) {
        let from = DocLine::Diff {
            number: line.number,
            changed: line.changed,
            hunk: line.hunk,
        };
        self.push(&line.text, from);
    }
}
