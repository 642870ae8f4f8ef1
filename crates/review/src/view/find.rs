//! A search in the text of the diff.

use super::rows::code;
use crate::plan::Plan;
use report::FoundRow;

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The first of them, in the order of the diff.
    pub rows: Vec<FoundRow>,
    /// How many there are in all.
    pub total: u32,
}

/// Where the lines of the diff hold a text, and the first `limit` of these places. Letters of ASCII match in both cases.
pub fn find(plan: &Plan, text: &str, limit: usize) -> Found {
    let mut found = Found::default();
    if text.is_empty() {
        return found;
    }
    for (file, of) in (0..).zip(&plan.patch.files) {
        let mut row = 0;
        for hunk in &of.hunks {
            for line in &hunk.lines {
                row += 1;
                for (start, end) in matches(code(plan, line), text) {
                    found.total += 1;
                    if found.rows.len() < limit {
                        found.rows.push(FoundRow {
                            file,
                            row,
                            start,
                            end,
                        });
                    }
                }
            }
            row += 1;
        }
    }
    found
}

/// In UTF-16 units.
fn matches(line: &str, text: &str) -> Vec<(u32, u32)> {
    let units = |text: &str| text.encode_utf16().count() as u32;
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = line.get(from..).and_then(|rest| position(rest, text)) {
        let start = units(line.get(..from + at).unwrap_or(""));
        found.push((start, start + units(text)));
        from += at + text.len();
    }
    found
}

/// The first byte of the first match.
fn position(line: &str, text: &str) -> Option<usize> {
    let starts = line.as_bytes().windows(text.len());
    let is_match = |bytes: &[u8]| bytes.eq_ignore_ascii_case(text.as_bytes());
    starts
        .enumerate()
        .find(|(_, bytes)| is_match(bytes))
        .map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_counted_in_utf16_units_and_ignore_case() {
        assert_eq!(matches("😀 Lock, lock", "LOCK"), [(3, 7), (9, 13)]);
        assert_eq!(matches("aaa", "aa"), [(0, 2)]);
        assert_eq!(matches("é", "e"), []);
    }
}
