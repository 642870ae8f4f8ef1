//! A hunk with its header.

use std::fmt::Write as _;

use crate::{Hunk, Line, LineKind, Patch};

/// Writes a hunk. Where old numbers have a gap, as in a merge, a new hunk begins, so that each line keeps its numbers.
pub(super) fn write(text: &mut String, patch: &Patch, hunk: &Hunk) {
    let mut next = Numbers {
        old: first(hunk.old_start, hunk.old_len),
        new: first(hunk.new_start, hunk.new_len),
    };
    let mut lines = hunk.lines.as_slice();
    while !lines.is_empty() {
        if let Some(old) = lines.first().and_then(|line| line.old) {
            next.old = old;
        }
        let (piece, rest) = lines.split_at(unbroken(lines, next.old));
        write_piece(text, patch, &hunk.section, piece, &mut next);
        lines = rest;
    }
}

/// The numbers of the next line on each side.
struct Numbers {
    old: u32,
    new: u32,
}

fn first(start: u32, len: u32) -> u32 {
    if len == 0 {
        start.saturating_add(1)
    } else {
        start.max(1)
    }
}

/// How many lines there are until the old numbers have a gap.
fn unbroken(lines: &[Line], mut old: u32) -> usize {
    let gap = |line: &Line| match line.old {
        Some(number) if number == old => {
            old += 1;
            false
        }
        number => number.is_some(),
    };
    lines.iter().position(gap).unwrap_or(lines.len()).max(1)
}

fn write_piece(
    text: &mut String,
    patch: &Patch,
    section: &str,
    lines: &[Line],
    next: &mut Numbers,
) {
    let old = range(
        next.old,
        lines.iter().filter(|line| line.old.is_some()).count(),
    );
    let new = range(
        next.new,
        lines.iter().filter(|line| line.new.is_some()).count(),
    );
    let space = if section.is_empty() { "" } else { " " };
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "@@ -{},{} +{},{} @@{space}{section}",
        old.0, old.1, new.0, new.1
    );
    for line in lines {
        write_line(text, patch, line);
        next.old = line.old.map_or(next.old, |old| old.saturating_add(1));
        next.new = line.new.map_or(next.new, |new| new.saturating_add(1));
    }
}

/// A range without lines names the line before it.
fn range(first: u32, len: usize) -> (u32, usize) {
    (
        if len == 0 {
            first.saturating_sub(1)
        } else {
            first
        },
        len,
    )
}

fn write_line(text: &mut String, patch: &Patch, line: &Line) {
    text.push(match line.kind {
        LineKind::Context => ' ',
        LineKind::Added => '+',
        LineKind::Deleted => '-',
    });
    text.push_str(patch.text(line));
    text.push('\n');
    if line.no_newline {
        text.push_str("\\ No newline at end of file\n");
    }
}
