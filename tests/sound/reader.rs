//! The diff reader: what it read is numbered, accounted for, and the same after a turn and back.

use anyhow::{Context as _, ensure};
use diff::{File, Hunk, Line, LineKind, Patch};

/// Whether what was read of a text can be what stands there.
pub fn patch(text: &str, patch: &Patch) -> anyhow::Result<()> {
    hunks(patch).try_for_each(is_numbered)?;
    is_in_order(patch)?;
    is_the_same_turned(patch)?;
    is_the_same_written(patch)?;
    match is_undisguised(text) {
        true => is_accounted_for(text, patch),
        false => Ok(()),
    }
}

fn hunks(patch: &Patch) -> impl Iterator<Item = &Hunk> {
    patch.files.iter().flat_map(|file| &file.hunks)
}

fn is_numbered(hunk: &Hunk) -> anyhow::Result<()> {
    let rising = |numbers: &[u32]| numbers.is_sorted_by(|a, b| a + 1 == *b);
    let olds: Vec<u32> = hunk.lines.iter().filter_map(|line| line.old).collect();
    let news: Vec<u32> = hunk.lines.iter().filter_map(|line| line.new).collect();
    ensure!(hunk.parents > 1 || rising(&olds), "old numbers: {hunk:?}");
    ensure!(rising(&news), "new numbers: {hunk:?}");
    ensure!(news.len() == hunk.new_len as usize, "new length: {hunk:?}");
    ensure!(olds.len() <= hunk.old_len as usize, "old length: {hunk:?}");
    let first = news.first().is_none_or(|&first| first == hunk.new_start);
    ensure!(first, "new start: {hunk:?}");
    let sided = hunk.lines.iter().all(|line| match line.kind {
        LineKind::Context => line.old.is_some() && line.new.is_some(),
        LineKind::Added => line.old.is_none() && line.new.is_some(),
        LineKind::Deleted => line.old.is_some() && line.new.is_none(),
    });
    ensure!(sided, "a line on a wrong side: {hunk:?}");
    Ok(())
}

fn is_in_order(patch: &Patch) -> anyhow::Result<()> {
    for hunk in hunks(patch) {
        let rows = hunk.end_line.checked_sub(hunk.header_line);
        let rows = rows.context("a hunk ends before it begins")? as usize;
        ensure!(hunk.lines.len() <= rows, "more lines than rows: {hunk:?}");
    }
    let hunks: Vec<&Hunk> = hunks(patch).collect();
    let apart = hunks.is_sorted_by(|a, b| a.end_line < b.header_line);
    ensure!(apart, "hunks share rows");
    Ok(())
}

/// The old side of the reverse is the new side, and turned back it is what it was.
fn is_the_same_turned(patch: &Patch) -> anyhow::Result<()> {
    let (new, old) = (side(patch, new), side(patch, old));
    let reversed = diff::reverse(patch);
    ensure!(new == side(&reversed, self::old), "the new side turned");
    ensure!(old == side(&reversed, self::new), "the old side turned");
    let back = diff::reverse(&reversed);
    ensure!(new == side(&back, self::new), "the new side turned back");
    ensure!(old == side(&back, self::old), "the old side turned back");
    Ok(())
}

/// What is written of a patch reads as the same patch, and has the same names.
fn is_the_same_written(patch: &Patch) -> anyhow::Result<()> {
    if hunks(patch).any(|hunk| reads_as_word_diff(patch, hunk)) {
        return Ok(());
    }
    let text = diff::to_text(patch);
    let again = diff::parse(&text);
    ensure!(
        side(patch, new) == side(&again, new),
        "new side of:\n{text}"
    );
    ensure!(
        side(patch, old) == side(&again, old),
        "old side of:\n{text}"
    );
    // Of a file without a name none can be written, and hunks of a merge are written as several.
    let whole = |file: &File| is_named(file) && file.hunks.iter().all(|hunk| hunk.parents == 1);
    let kept = !patch.files.iter().all(whole) || heads(patch) == heads(&again);
    ensure!(kept, "heads of:\n{text}");
    Ok(())
}

/// Hunks of a merge are written as several; one of context lines alone, with the marks of a word diff, reads as such.
fn reads_as_word_diff(patch: &Patch, hunk: &Hunk) -> bool {
    let is_marked = |line: &Line| {
        let text = patch.text(line);
        line.kind == LineKind::Context && (text.contains("-]") || text.contains("+}"))
    };
    hunk.parents > 1 && hunk.lines.iter().any(is_marked)
}

type Head<'p> = (Option<&'p str>, Option<&'p str>, Vec<(u32, u32, &'p str)>);

/// What stands before the lines of a patch: the names of files with hunks, and where each hunk begins.
fn heads(patch: &Patch) -> Vec<Head<'_>> {
    let files = patch.files.iter().filter(|file| !file.hunks.is_empty());
    files
        .map(|file| {
            let hunks = file.hunks.iter();
            (
                file.old_path.as_deref(),
                file.new_path.as_deref(),
                hunks.map(begin).collect(),
            )
        })
        .collect()
}

fn is_named(file: &File) -> bool {
    let empty = |name: &Option<String>| name.as_deref() == Some("");
    file.hunks.is_empty()
        || !(file.path().is_empty() || empty(&file.old_path) || empty(&file.new_path))
}

fn begin(hunk: &Hunk) -> (u32, u32, &str) {
    (hunk.old_start, hunk.new_start, &hunk.section)
}

fn new(line: &Line) -> Option<u32> {
    line.new
}

fn old(line: &Line) -> Option<u32> {
    line.old
}

/// One side of a patch: each line's number, whether it changes, its text, and whether the file ends in it.
fn side(patch: &Patch, number: fn(&Line) -> Option<u32>) -> Vec<(u32, bool, &str, bool)> {
    let lines = hunks(patch).flat_map(|hunk| &hunk.lines);
    lines
        .filter_map(|line| {
            let changes = line.kind != LineKind::Context;
            Some((number(line)?, changes, patch.text(line), line.no_newline))
        })
        .collect()
}

/// Whether the rows of a text are for certain what the reader saw: none of the disguises that change a row itself.
fn is_undisguised(text: &str) -> bool {
    let marks = ['\u{feff}', '\u{1b}', '\u{a0}', '&'];
    let returns = text.contains('\r') && !text.contains('\n');
    let encoded = text.contains("=3D") || text.to_ascii_lowercase().contains("quoted-printable");
    let mut every_second = text.lines().skip(1).step_by(2);
    let doubled = every_second.all(|line| line.trim().is_empty());
    !(text.contains(marks) || returns || encoded || doubled)
}

/// Every row that a hunk spans is a line of it or one that says nothing, and what follows a hunk is none of its lines.
fn is_accounted_for(text: &str, patch: &Patch) -> anyhow::Result<()> {
    let rows: Vec<&str> = text.split('\n').collect();
    for hunk in hunks(patch).filter(|hunk| hunk.parents == 1) {
        let header = rows.get(hunk.header_line as usize - 1);
        let at = header.and_then(|row| row.find("@@"));
        let margin = header.zip(at).and_then(|(row, at)| row.get(..at));
        let margin = margin.with_context(|| format!("no header where one was read: {hunk:?}"))?;
        let body = rows.get(hunk.header_line as usize..hunk.end_line as usize);
        let body = body.with_context(|| format!("a hunk beyond the text: {hunk:?}"))?;
        is_body(patch, hunk, body, margin).with_context(|| format!("{hunk:?}"))?;
        let next = rows
            .get(hunk.end_line as usize)
            .and_then(|row| row.strip_prefix(margin));
        ensure!(
            !next.is_some_and(goes_on),
            "a line was left behind: {next:?} after {hunk:?}"
        );
    }
    has_told_other_headers(&rows, patch)
}

/// A row that tells nothing but a change; a file's name or the dashes of a mail it is not.
fn goes_on(row: &str) -> bool {
    (row.starts_with('+') && !row.starts_with("+++ "))
        || (row.starts_with('-') && !row.starts_with("--"))
}

fn is_body(patch: &Patch, hunk: &Hunk, body: &[&str], margin: &str) -> anyhow::Result<()> {
    let quoted = margin.contains('>');
    let mut said = Vec::new();
    for row in body {
        match row.strip_prefix(margin) {
            Some(row) if row.starts_with('\\') || row.trim().is_empty() => {}
            Some(row) => said.push(row.trim_end_matches('\r')),
            None if row.trim_end() == margin.trim_end() || quoted => {}
            None => anyhow::bail!("a row without the margin: {row:?}"),
        }
    }
    let lines: Vec<&Line> = hunk.lines.iter().filter(|line| says(patch, line)).collect();
    ensure!(
        said.len() == lines.len(),
        "{} rows, {} lines",
        said.len(),
        lines.len()
    );
    for (row, line) in said.into_iter().zip(lines) {
        ensure!(is_row_of(row, patch, line), "{row:?} became {line:?}");
    }
    Ok(())
}

/// Whether the row of a line is not blank.
fn says(patch: &Patch, line: &Line) -> bool {
    line.kind != LineKind::Context || !patch.text(line).trim().is_empty()
}

fn is_row_of(row: &str, patch: &Patch, line: &Line) -> bool {
    let text = patch.text(line).trim_end_matches('\r');
    match line.kind {
        LineKind::Added => row.strip_prefix('+') == Some(text),
        LineKind::Deleted => row.strip_prefix('-') == Some(text),
        // The space may be lost.
        LineKind::Context => row == text || row.strip_prefix(' ') == Some(text),
    }
}

/// A hunk header that announces lines and became no hunk is a problem: silence is never sold as clean.
fn has_told_other_headers(rows: &[&str], patch: &Patch) -> anyhow::Result<()> {
    let read =
        |line: u32| hunks(patch).any(|hunk| (hunk.header_line..=hunk.end_line).contains(&line));
    for (row, line) in rows.iter().zip(1..) {
        let header = row.starts_with("@@ -");
        if header && diff_of(row) && !read(line) {
            ensure!(
                !patch.problems.is_empty(),
                "a hunk was not read, and nobody told: {row:?}"
            );
        }
    }
    Ok(())
}

/// Whether a row by itself is the header of a hunk, to the reader's own eyes.
fn diff_of(row: &str) -> bool {
    let body = "+x\n-x\n";
    let patch = diff::parse(&format!("--- a/x\n+++ b/x\n{row}\n{body}"));
    hunks(&patch).next().is_some()
}
