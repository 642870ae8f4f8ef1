//! A file's text taken back to what could have stood there before, and the diff from there.

use std::fmt::Write as _;

/// Lines around a change, as `git diff` shows them.
const CONTEXT: usize = 3;

/// The diff of one file.
#[derive(Debug)]
pub(crate) struct Edited {
    pub(crate) diff: String,
    /// Added and deleted lines.
    pub(crate) n_changed: usize,
}

/// A fixed sequence of numbers that looks like chance.
#[derive(Debug, Default)]
pub(crate) struct Wheel(u64);

impl Wheel {
    /// True once in about `each` turns.
    fn turns(&mut self, each: u64) -> bool {
        // The constants are those of Knuth's MMIX.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33).is_multiple_of(each)
    }
}

/// A row of the diff: its sign and its text.
type Row<'t> = (char, std::borrow::Cow<'t, str>);

/// The diff that leads to `text`, of about `limit` changed lines at most.
pub(crate) fn edited(
    path: &str,
    text: &str,
    is_new: bool,
    limit: usize,
    wheel: &mut Wheel,
) -> Edited {
    let rows: Vec<Row<'_>> = match is_new {
        true => text.lines().map(|line| ('+', line.into())).collect(),
        false => taken_back(text, limit, wheel),
    };
    let before = match is_new {
        true => "new file mode 100644\n--- /dev/null".to_owned(),
        false => format!("--- a/{path}"),
    };
    let mut diff = format!("diff --git a/{path} b/{path}\n{before}\n+++ b/{path}\n");
    hunks(&rows, &mut diff);
    let n_changed = rows.iter().filter(|row| row.0 != ' ').count();
    Edited { diff, n_changed }
}

/// Functions that did not stand there before, lines that read otherwise, and lines that are gone.
fn taken_back<'t>(text: &'t str, limit: usize, wheel: &mut Wheel) -> Vec<Row<'t>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut n_changed = 0;
    let mut is_added = false;
    for line in text.lines() {
        let begins = line.starts_with(|c: char| c.is_alphabetic() || c == '@');
        if begins || n_changed >= limit {
            let is_block = ["def ", "class ", "async "]
                .iter()
                .any(|head| line.starts_with(head));
            is_added = n_changed < limit && is_block && wheel.turns(4);
        }
        let first = rows.len();
        if is_added {
            rows.push(('+', line.into()));
        } else if n_changed < limit && may_change(line) && wheel.turns(10) {
            rows.extend(changed(line, wheel));
        } else {
            rows.push((' ', line.into()));
        }
        let new = rows.get(first..).unwrap_or(&[]);
        n_changed += new.iter().filter(|row| row.0 != ' ').count();
    }
    rows
}

/// A comment can stand behind any line but one that goes on below. In a string it is text.
fn may_change(line: &str) -> bool {
    !line.trim().is_empty() && !line.ends_with('\\')
}

fn changed<'t>(line: &'t str, wheel: &mut Wheel) -> Vec<Row<'t>> {
    let before = ('-', format!("{line}  # as it was").into());
    match wheel.turns(4) {
        true => vec![before, (' ', line.into())],
        false => vec![before, ('+', line.into())],
    }
}

fn hunks(rows: &[Row<'_>], out: &mut String) {
    let mut at = 0;
    let (mut old, mut new) = (1, 1);
    let mut heading = String::new();
    while let Some(first) = rows.iter().skip(at).position(|row| row.0 != ' ') {
        let start = (at + first).saturating_sub(CONTEXT).max(at);
        let end = hunk_end(rows, at + first);
        for row in rows.get(at..start).unwrap_or(&[]) {
            (old, new) = behind(row, old, new);
            read_heading(row, &mut heading);
        }
        let hunk = rows.get(start..end).unwrap_or(&[]);
        (old, new) = write_hunk(hunk, old, new, &heading, out);
        hunk.iter().for_each(|row| read_heading(row, &mut heading));
        at = end;
    }
}

/// A hunk goes on while the next change is near enough for the context of both to touch.
fn hunk_end(rows: &[Row<'_>], first: usize) -> usize {
    let mut last = first;
    while let Some(next) = rows
        .iter()
        .skip(last + 1)
        .take(2 * CONTEXT + 1)
        .position(|row| row.0 != ' ')
    {
        last += 1 + next;
    }
    (last + 1 + CONTEXT).min(rows.len())
}

fn write_hunk(
    hunk: &[Row<'_>],
    old: usize,
    new: usize,
    heading: &str,
    out: &mut String,
) -> (usize, usize) {
    let behind = hunk
        .iter()
        .fold((old, new), |(old, new), row| behind(row, old, new));
    let (n_old, n_new) = (behind.0 - old, behind.1 - new);
    // A side without lines names the line before it.
    let (first_old, first_new) = (old - usize::from(n_old == 0), new - usize::from(n_new == 0));
    let header = format!("@@ -{first_old},{n_old} +{first_new},{n_new} @@ {heading}");
    let _ = writeln!(out, "{}", header.trim_end());
    for (sign, text) in hunk {
        let _ = writeln!(out, "{sign}{text}");
    }
    behind
}

fn behind(row: &Row<'_>, old: usize, new: usize) -> (usize, usize) {
    (
        old + usize::from(row.0 != '+'),
        new + usize::from(row.0 != '-'),
    )
}

/// Git shows the last line of the old side that begins with a letter.
fn read_heading(row: &Row<'_>, heading: &mut String) {
    if row.0 != '+' && row.1.starts_with(|c: char| c.is_alphabetic()) {
        *heading = row.1.chars().take(80).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_one_hunk() {
        let edited = edited("a.py", "x = 1\ny = 2\n", true, 10, &mut Wheel::default());
        assert_eq!(edited.n_changed, 2);
        assert!(edited.diff.ends_with("@@ -0,0 +1,2 @@\n+x = 1\n+y = 2\n"));
    }

    #[test]
    fn changes_far_apart_are_two_hunks_with_their_numbers() {
        let mut rows: Vec<Row<'_>> = (0..20).map(|_| (' ', "    pass".into())).collect();
        rows.insert(0, (' ', "def run():".into()));
        rows.insert(2, ('+', "    one()".into()));
        rows.insert(15, ('-', "    two()".into()));
        let mut out = String::new();
        hunks(&rows, &mut out);
        let headers: Vec<&str> = out.lines().filter(|line| line.starts_with("@@")).collect();
        assert_eq!(headers, ["@@ -1,5 +1,6 @@", "@@ -12,7 +13,6 @@ def run():"]);
    }
}
