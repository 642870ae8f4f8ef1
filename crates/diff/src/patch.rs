//! What a diff holds: files, hunks and lines.
//!
//! Line numbers count from 1. The texts of all lines live in one string inside the [`Patch`], so a line is a few
//! numbers and `patch.text(&line)` gives its text.

use crate::Problem;

/// A diff that was read, with everything that could not be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    /// The files in the order of the text. A file that occurs in several commits occurs several times.
    pub files: Vec<File>,
    /// The commits of the text, in its order, where it holds any (`git log -p`, `git show`, mails of `format-patch`).
    pub commits: Vec<Commit>,
    /// What was not read, or only in part, in the order of the text.
    pub problems: Vec<Problem>,
    /// The text that the lines of all hunks are cut from.
    pub(crate) source: String,
}

/// One commit of a text that holds commits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Commit {
    /// The hexadecimal id, or empty where the text has none.
    pub id: String,
    /// The first line of the message, or empty.
    pub title: String,
    /// The line of the pasted text that begins it.
    pub line: u32,
}

/// One file that the diff changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct File {
    /// The path before the change; `None` where the file did not exist, or where the text names no file.
    pub old_path: Option<String>,
    /// The path after the change; `None` where the file no longer exists, or where the text names no file.
    pub new_path: Option<String>,
    pub status: Status,
    /// The hunks in the order of the text.
    pub hunks: Vec<Hunk>,
    /// Which commit changes the file, counted from 0; `None` unless the text holds several commits.
    pub commit: Option<u32>,
    /// The content is not text, so there are no hunks.
    pub binary: bool,
    /// The change is that of a merge (`diff --cc`), seen from its first parent; see [`Hunk::parents`].
    pub combined: bool,
    /// The file mode before the change, such as `0o100644`, where the text says it.
    pub old_mode: Option<u32>,
    /// The file mode after the change, where the text says it.
    pub new_mode: Option<u32>,
    /// The line of the pasted text where the file's header begins.
    pub line: u32,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Status {
    Added,
    Deleted,
    #[default]
    Modified,
    Renamed,
    Copied,
    /// Only the file mode changes.
    Mode,
    /// The content is not text; whether the file is new or gone shows in which paths are there.
    Binary,
}

/// One stretch of changed lines with the context around it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The first line on the old side. With `old_len` 0 it is the line before the change, as in the hunk header.
    pub old_start: u32,
    /// How many lines of the old side the hunk shows. This is counted, so it can differ from a wrong header.
    pub old_len: u32,
    /// The first line on the new side. With `new_len` 0 it is the line before the change, as in the hunk header.
    pub new_start: u32,
    /// How many lines of the new side the hunk shows, counted.
    pub new_len: u32,
    /// The section heading: what stands after the second `@@`, as a rule the line of the enclosing `def` or `class`.
    pub section: String,
    /// Context, deleted and added lines in the order of the text.
    pub lines: Vec<Line>,
    /// The line of the pasted text with the hunk header.
    pub header_line: u32,
    /// The last line of the pasted text that belongs to the hunk.
    pub end_line: u32,
    /// False if the hunk is cut off, or its header counts other lines than there are.
    pub complete: bool,
    /// How many parents the hunk compares with: 1, or more in a merge (`diff --cc`).
    ///
    /// In a merge the old side is the first parent, and a line is added if any parent lacks it. Such a line may stand
    /// in the first parent: then the old numbers of the lines around it have a gap.
    pub parents: u8,
}

/// One line of a hunk. Its text comes from [`Patch::text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    pub kind: LineKind,
    /// The line's number on the old side; `None` for an added line.
    pub old: Option<u32>,
    /// The line's number on the new side; `None` for a deleted line.
    pub new: Option<u32>,
    /// The file ends here without a line break.
    pub no_newline: bool,
    /// Where the text stands in the patch's source.
    pub(crate) text: Span,
}

/// Which sides a line stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineKind {
    Context,
    Added,
    Deleted,
}

/// A stretch of the patch's source in UTF-8 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Patch {
    /// The text of a line without its sign and its line break. A carriage return that belongs to the file stays.
    pub fn text(&self, line: &Line) -> &str {
        self.source
            .get(line.text.start as usize..line.text.end as usize)
            .unwrap_or("")
    }
}

impl File {
    /// The path to speak of the file by: the new one, else the old one; empty where the text names no file.
    pub fn path(&self) -> &str {
        self.new_path
            .as_deref()
            .or(self.old_path.as_deref())
            .unwrap_or("")
    }

    /// How many lines the file's hunks add.
    pub fn added(&self) -> usize {
        self.count(LineKind::Added)
    }

    /// How many lines the file's hunks delete.
    pub fn deleted(&self) -> usize {
        self.count(LineKind::Deleted)
    }

    fn count(&self, kind: LineKind) -> usize {
        self.hunks
            .iter()
            .flat_map(|hunk| &hunk.lines)
            .filter(|line| line.kind == kind)
            .count()
    }
}

impl Status {
    /// The word for it: `added`, `deleted`, `modified`, `renamed`, `copied`, `mode` or `binary`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Deleted => "deleted",
            Self::Modified => "modified",
            Self::Renamed => "renamed",
            Self::Copied => "copied",
            Self::Mode => "mode",
            Self::Binary => "binary",
        }
    }
}
