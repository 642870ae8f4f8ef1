//! What changed inside a line: the words that differ between a deleted line and the added one in its place.

use super::rows::code;
use crate::plan::Plan;
use diff::{Hunk, Line, LineKind};
use report::Row;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Bytes of a line beyond which words are not compared.
const LONGEST: usize = 1_000;
/// Deleted and added lines of one place beyond which it is a rewrite, not an edit.
const MOST: usize = 200;

/// Marks the changed words in rows of a hunk, the first of which is row `from` of it. Row 0 is the header.
pub(super) fn mark(plan: &Plan, hunk: &Hunk, from: usize, rows: &mut [Row]) {
    let end = from + rows.len();
    let mut at = 0;
    while let Some(edit) = next_edit(&hunk.lines, at) {
        at = edit.end;
        if edit.start + 1 >= end {
            break;
        }
        if edit.end < from || edit.n_pairs() == 0 || edit.end - edit.start > MOST {
            continue;
        }
        for pair in 0..edit.n_pairs() {
            mark_pair(plan, hunk, &edit, pair, from, rows);
        }
    }
}

/// Deleted lines and the added ones that follow them, as indices into the hunk's lines.
struct Edit {
    start: usize,
    added: usize,
    end: usize,
}

impl Edit {
    fn n_pairs(&self) -> usize {
        (self.added - self.start).min(self.end - self.added)
    }
}

fn next_edit(lines: &[Line], from: usize) -> Option<Edit> {
    let kind_at = |at: usize| lines.get(at).map(|line| line.kind);
    let run = |from: usize, kind: LineKind| {
        let mut end = from;
        while kind_at(end) == Some(kind) {
            end += 1;
        }
        end
    };
    let start = run(from, LineKind::Context);
    kind_at(start)?;
    let added = run(start, LineKind::Deleted);
    let end = run(added, LineKind::Added);
    Some(Edit { start, added, end })
}

fn mark_pair(plan: &Plan, hunk: &Hunk, edit: &Edit, pair: usize, from: usize, rows: &mut [Row]) {
    let (old, new) = (edit.start + pair, edit.added + pair);
    let shown = |line: usize| (line + 1).checked_sub(from).filter(|&row| row < rows.len());
    let (old_row, new_row) = (shown(old), shown(new));
    if old_row.is_none() && new_row.is_none() {
        return;
    }
    let (Some(old), Some(new)) = (hunk.lines.get(old), hunk.lines.get(new)) else {
        return;
    };
    let (old, new) = changed(code(plan, old), code(plan, new));
    for (row, words) in [(old_row, old), (new_row, new)] {
        if let Some(row) = row.and_then(|row| rows.get_mut(row)) {
            row.words = words;
        }
    }
}

/// Stretches in UTF-16 units.
type Words = Vec<[u32; 2]>;

/// What differs between two lines, on either side. Nothing where they have less than a third in common: then
/// marks all over would say no more than the colour of the line.
fn changed(old: &str, new: &str) -> (Words, Words) {
    if old.len() > LONGEST || new.len() > LONGEST {
        return Default::default();
    }
    let (old, new) = (words(old), words(new));
    let texts = |words: &[Word<'_>]| {
        words
            .iter()
            .map(|word| word.text.to_owned())
            .collect::<Vec<_>>()
    };
    let ops = capture_diff_slices(Algorithm::Myers, &texts(&old), &texts(&new));
    let mut equal = 0;
    let mut sides = (Words::new(), Words::new());
    for op in &ops {
        if let DiffOp::Equal { old_index, len, .. } = *op {
            equal += weight(old.iter().skip(old_index).take(len));
        } else {
            extend(&mut sides.0, &old, op.old_range());
            extend(&mut sides.1, &new, op.new_range());
        }
    }
    let most = weight(old.iter()).max(weight(new.iter()));
    if equal * 3 < most {
        return Default::default();
    }
    sides
}

/// Adds words to the stretches; two stretches with nothing but space between them become one.
fn extend(stretches: &mut Words, words: &[Word<'_>], range: std::ops::Range<usize>) {
    let (Some(first), Some(last)) = (words.get(range.start), words.get(range.end.wrapping_sub(1)))
    else {
        return;
    };
    if range.is_empty() {
        return;
    }
    let is_space = |end: u32| {
        let mut between = words
            .iter()
            .filter(|word| word.start >= end && word.end <= first.start);
        between.all(Word::is_space)
    };
    match stretches.last_mut() {
        Some(before) if is_space(before[1]) => before[1] = last.end,
        _ => stretches.push([first.start, last.end]),
    }
}

/// Bytes that are no space.
fn weight<'w>(words: impl Iterator<Item = &'w Word<'w>>) -> usize {
    words
        .filter(|word| !word.is_space())
        .map(|word| word.text.len())
        .sum()
}

#[derive(Clone, Copy, Debug)]
struct Word<'t> {
    text: &'t str,
    /// In UTF-16 units.
    start: u32,
    end: u32,
}

impl Word<'_> {
    fn is_space(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// A line as names, stretches of space, and single other characters.
fn words(line: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let (mut rest, mut start) = (line, 0);
    while let Some(first) = rest.chars().next() {
        let len = match class(first) {
            Class::Other => first.len_utf8(),
            same => rest.find(|char| class(char) != same).unwrap_or(rest.len()),
        };
        let Some((text, behind)) = rest.split_at_checked(len) else {
            break;
        };
        let end = start + text.encode_utf16().count() as u32;
        words.push(Word { text, start, end });
        (rest, start) = (behind, end);
    }
    words
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Name,
    Space,
    Other,
}

fn class(char: char) -> Class {
    if char.is_alphanumeric() || char == '_' {
        Class::Name
    } else if char.is_whitespace() {
        Class::Space
    } else {
        Class::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The changed stretches of both lines, in brackets.
    #[track_caller]
    fn check(old: &str, new: &str, expected: [&str; 2]) {
        let (old_words, new_words) = changed(old, new);
        let bracket = |text: &str, words: &Words| {
            let units: Vec<u16> = text.encode_utf16().collect();
            let mut out = Vec::new();
            for (at, unit) in (0..).zip(&units) {
                let opens = words.iter().any(|word| word[0] == at);
                let closes = words.iter().any(|word| word[1] == at);
                out.extend(closes.then_some(u16::from(b']')));
                out.extend(opens.then_some(u16::from(b'[')));
                out.push(*unit);
            }
            let closes = words.iter().any(|word| word[1] == units.len() as u32);
            out.extend(closes.then_some(u16::from(b']')));
            String::from_utf16_lossy(&out)
        };
        assert_eq!(
            [bracket(old, &old_words), bracket(new, &new_words)],
            expected
        );
    }

    #[test]
    fn the_words_that_differ_are_marked() {
        check(
            "result = future.result()",
            "result = future.result(timeout=30)",
            [
                "result = future.result()",
                "result = future.result([timeout=30])",
            ],
        );
        check("é😀 = old", "é😀 = new", ["é😀 = [old]", "é😀 = [new]"]);
    }

    #[test]
    fn stretches_with_only_space_between_them_are_one() {
        check(
            "return first, second, a(b, c)",
            "return one, two, a(b, c)",
            [
                "return [first], [second], a(b, c)",
                "return [one], [two], a(b, c)",
            ],
        );
        check(
            "assert value is not None, why(value)",
            "assert value in names, why(value)",
            [
                "assert value [is not None], why(value)",
                "assert value [in names], why(value)",
            ],
        );
    }

    #[test]
    fn lines_with_little_in_common_are_not_marked() {
        check("import os", "x = {1: 2}", ["import os", "x = {1: 2}"]);
        let long = "a ".repeat(600);
        check(&long, &format!("{long}b"), [&long, &format!("{long}b")]);
    }
}
