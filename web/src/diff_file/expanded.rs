//! Lines outside of the hunks, shown where the whole file is known.

use super::DiffFile;
use super::lines::{new_begin, new_end};
use std::ops::Range;

impl DiffFile {
    /// Shows these new lines too, as far as they exist.
    pub(crate) fn expand(&mut self, lines: Range<u32>) {
        let end = self.view.whole.map_or(0, |whole| whole + 1);
        let lines = lines.start.max(1)..lines.end.min(end);
        if lines.is_empty() {
            return;
        }
        self.expanded.push(lines);
        self.expanded.sort_by_key(|lines| lines.start);
        let mut apart: Vec<Range<u32>> = Vec::new();
        for lines in self.expanded.drain(..) {
            match apart.last_mut() {
                Some(last) if lines.start <= last.end => last.end = last.end.max(lines.end),
                _ => apart.push(lines),
            }
        }
        self.expanded = apart;
    }

    /// The new lines between the hunk before and this one, or behind the last hunk if this is one more than there
    /// are. Nothing where the file is not known whole.
    pub(crate) fn gap(&self, hunk: usize) -> Option<Range<u32>> {
        let whole = self.view.whole?;
        let before = hunk.checked_sub(1).and_then(|at| self.view.hunks.get(at));
        let start = before.map_or(1, new_end);
        let end = self.view.hunks.get(hunk).map_or(whole + 1, new_begin);
        Some(start..end.max(start))
    }

    /// A gap cut into what is shown and what is hidden, in order: each with whether it is shown.
    pub(crate) fn pieces(&self, gap: &Range<u32>) -> Vec<(Range<u32>, bool)> {
        let mut pieces = Vec::new();
        let mut at = gap.start;
        for shown in &self.expanded {
            let (start, end) = (shown.start.max(gap.start), shown.end.min(gap.end));
            if start >= end {
                continue;
            }
            pieces.push((at..start, false));
            pieces.push((start..end, true));
            at = end;
        }
        pieces.push((at..gap.end, false));
        pieces.retain(|(lines, _)| !lines.is_empty());
        pieces
    }
}
