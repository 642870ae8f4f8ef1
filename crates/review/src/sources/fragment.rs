//! One side of a file's hunks as runs of lines that follow each other in the file.

use super::heading::Heading;
use diff::{File, Hunk, Line, LineKind, Patch};
use report::Side;
use std::borrow::Cow;

/// Lines without a gap between them, and the section heading of the hunk they begin in.
#[derive(Clone, Debug)]
pub(super) struct Fragment<'p> {
    pub(super) lines: Vec<SideLine<'p>>,
    pub(super) heading: Option<Heading>,
    /// The line of the pasted text with the hunk header.
    pub(super) header_line: u32,
}

/// A line of one side.
#[derive(Clone, Debug)]
pub(super) struct SideLine<'p> {
    pub(super) text: Cow<'p, str>,
    /// Line number on the side, from 1.
    pub(super) number: u32,
    pub(super) changed: bool,
    /// Index of the hunk in the file.
    pub(super) hunk: u32,
}

/// The fragments in the order of the diff. Hunks that touch on this side are one fragment.
pub(super) fn fragments<'p>(file: &File, patch: &'p Patch, side: Side) -> Vec<Fragment<'p>> {
    let mut fragments: Vec<Fragment<'p>> = Vec::new();
    for (index, hunk) in file.hunks.iter().enumerate() {
        let mut heading = Heading::read(&hunk.section);
        for line in side_lines(hunk, index as u32, patch, side) {
            match fragments.last_mut() {
                Some(last) if last.goes_on(&line) => last.lines.push(line),
                _ => fragments.push(Fragment {
                    lines: vec![line],
                    // Behind a gap inside a hunk (in a merge) the heading says nothing.
                    heading: heading.take(),
                    header_line: hunk.header_line,
                }),
            }
        }
    }
    fragments.iter_mut().for_each(Fragment::place_heading);
    fragments
}

impl Fragment<'_> {
    fn goes_on(&self, line: &SideLine<'_>) -> bool {
        let last = self.lines.last();
        last.is_some_and(|last| last.number.checked_add(1) == Some(line.number))
    }

    /// A function of whose parameters nothing is known is a method if the fragment uses `self`.
    ///
    /// With git's Python driver the class of a method stays unknown. The class that the diff showed last is the
    /// wrong one in every third case, so it is not taken for it.
    fn place_heading(&mut self) {
        let uses_self = || self.lines.iter().any(|line| line.text.contains("self."));
        let heading = self.heading.as_mut();
        if let Some(heading) = heading.filter(|heading| heading.may_be_method() && uses_self()) {
            heading.make_method();
        }
    }

    pub(super) fn texts(&self) -> Vec<&str> {
        self.lines.iter().map(|line| line.text.as_ref()).collect()
    }
}

/// The lines of a hunk that stand on a side.
pub(super) fn side_lines<'p>(
    hunk: &Hunk,
    index: u32,
    patch: &'p Patch,
    side: Side,
) -> impl Iterator<Item = SideLine<'p>> {
    hunk.lines.iter().filter_map(move |line| {
        Some(SideLine {
            text: plain(patch.text(line)),
            number: number(line, side)?,
            changed: line.kind != LineKind::Context,
            hunk: index,
        })
    })
}

fn number(line: &Line, side: Side) -> Option<u32> {
    match side {
        Side::Old => line.old,
        Side::New => line.new,
    }
}

/// A line as the parser may see it: no carriage return at its end, and none of the characters inside that would end
/// the line or the text for it. Columns stay.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let text = text.trim_end_matches('\r');
    if text.contains(['\r', '\n', '\0']) {
        return Cow::Owned(text.replace(['\r', '\n', '\0'], " "));
    }
    Cow::Borrowed(text)
}
