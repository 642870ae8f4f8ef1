//! What the reader says about a text that it could not take as it is.

pub(super) fn name_line_lost() -> String {
    "One of the two lines that name the file (--- and +++) is missing; the other one was taken for both.".to_owned()
}

pub(super) fn no_file_name() -> String {
    "These hunks come without the lines that name their file, so what depends on the path was not checked.".to_owned()
}

pub(super) fn impossible_header() -> String {
    "The hunk header has a line number that no file reaches, so the hunk was not read.".to_owned()
}

pub(super) fn empty_header() -> String {
    "The hunk header counts no lines and none stand under it, so no hunk was read here.".to_owned()
}

pub(super) fn word_diff() -> String {
    "This is a word diff, whose lines cannot be told apart; paste the output of git diff without --word-diff.".to_owned()
}

pub(super) fn file_cut() -> String {
    "The text names this file, but none of its hunks follow; it may have been cut off here."
        .to_owned()
}

pub(super) fn cut_start(rows: usize) -> String {
    let lines = match rows {
        1 => "The first line belongs".to_owned(),
        rows => format!("The first {rows} lines belong"),
    };
    format!(
        "{lines} to a hunk whose header was cut off, so it is not known where; copy the diff from its first line on."
    )
}

pub(super) fn hunk_cut(old: u32, new: u32) -> String {
    let missing = match old.max(new) {
        1 => "1 line".to_owned(),
        lines => format!("{lines} lines"),
    };
    format!("The hunk ends {missing} before its header says; what came was read.")
}

pub(super) fn hunk_miscounted() -> String {
    "The hunk has more lines than its header counts; all of them were read.".to_owned()
}

pub(super) fn space_lost() -> String {
    "Context lines lost the space in front of them; they were read as context, with their indentation as it stands."
        .to_owned()
}

pub(super) fn other_format(name: &str) -> String {
    format!(
        "This is {name}, which is not read; paste a unified diff, as git diff or diff -u gives it."
    )
}

pub(super) fn more_problems(more: usize) -> String {
    format!("The text has {more} more problems, and may be no diff at all.")
}
