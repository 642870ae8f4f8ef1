//! The diff as the page shows it: structure first, rows on request.

use serde::{Deserialize, Serialize};

/// Files and hunks without their text, so that it is small whatever the diff's size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffView {
    pub files: Vec<FileView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileView {
    /// The new path, or the old one of a deleted file.
    pub path: String,
    /// Set where the file was renamed or copied.
    pub old_path: Option<String>,
    pub status: FileStatus,
    /// Whether the topic reads this file.
    pub python: bool,
    /// Index of the commit, from 0, in a text that holds several.
    pub commit: Option<u32>,
    pub added: u32,
    pub removed: u32,
    /// How many lines the whole new side has, where its text is known and fits the hunks.
    #[serde(default)]
    pub whole: Option<u32>,
    pub hunks: Vec<HunkView>,
}

impl FileView {
    /// Rows of the file: one for each hunk header and one for each line.
    pub fn n_rows(&self) -> u32 {
        self.hunks.iter().map(|hunk| hunk.n_lines + 1).sum()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileStatus {
    Added,
    Deleted,
    Modified,
    Renamed,
    Copied,
    Mode,
    Binary,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HunkView {
    pub old_start: u32,
    pub old_len: u32,
    pub new_start: u32,
    pub new_len: u32,
    /// The section heading behind the second `@@`; may be empty.
    pub section: String,
    pub n_lines: u32,
    /// The kinds of its lines, in their order: so the page knows where each line stands before it has its text.
    #[serde(default, with = "runs")]
    pub runs: Vec<Run>,
}

/// Lines of a hunk that follow each other: so many context lines, then deleted ones, then added ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    pub context: u32,
    pub deleted: u32,
    pub added: u32,
}

impl From<[u32; 3]> for Run {
    fn from([context, deleted, added]: [u32; 3]) -> Run {
        Run {
            context,
            deleted,
            added,
        }
    }
}

impl From<Run> for [u32; 3] {
    fn from(run: Run) -> [u32; 3] {
        [run.context, run.deleted, run.added]
    }
}

/// Runs as one text of numbers: a large diff has tens of thousands, and a message pays for each value of its own.
mod runs {
    use super::Run;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(runs: &[Run], to: S) -> Result<S::Ok, S::Error> {
        let numbers = runs.iter().flat_map(|&run| <[u32; 3]>::from(run));
        let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
        to.serialize_str(&numbers.join(" "))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Run>, D::Error> {
        let text = String::deserialize(from)?;
        let numbers = text.split_ascii_whitespace().map(str::parse::<u32>);
        let numbers: Vec<u32> = numbers
            .collect::<Result<_, _>>()
            .map_err(serde::de::Error::custom)?;
        let run = |three: &[u32]| match *three {
            [context, deleted, added] => Run {
                context,
                deleted,
                added,
            },
            _ => Run::default(),
        };
        Ok(numbers.chunks(3).map(run).collect())
    }
}

/// One row of the rendered diff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    pub kind: RowKind,
    /// Old-side line number, from 1.
    pub old: Option<u32>,
    /// New-side line number, from 1.
    pub new: Option<u32>,
    /// Of a hunk row: the whole header. Of a very long line only its beginning.
    pub text: String,
    /// Not overlapping, ascending.
    pub spans: Vec<Span>,
    /// What differs from the line that this one replaces, or that replaces it: stretches of the text in UTF-16
    /// units, ends exclusive, ascending. Empty where there is no such line, or where most of it differs.
    #[serde(default)]
    pub words: Vec<[u32; 2]>,
    /// The length of the line in UTF-16 units, where `text` is only its beginning.
    #[serde(default)]
    pub cut: Option<u32>,
}

/// A line that a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundRow {
    /// Index of the file in the view.
    pub file: u32,
    /// As in `Rows`: row 0 is the first hunk's header.
    pub row: u32,
    /// UTF-16 units before the match.
    pub start: u32,
    /// The match's end, exclusive.
    pub end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowKind {
    Hunk,
    Context,
    Added,
    Deleted,
}

/// A stretch of a row's text in UTF-16 units, end exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    pub start: u32,
    pub end: u32,
    pub class: SpanClass,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpanClass {
    Keyword,
    String,
    Comment,
    Number,
    /// The name that a `def` or `class` defines.
    Definition,
    /// The function of a call.
    Call,
    Decorator,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_survive_a_message() {
        let hunk = HunkView {
            old_start: 1,
            old_len: 3,
            new_start: 1,
            new_len: 3,
            section: String::new(),
            n_lines: 4,
            runs: vec![[2, 1, 1].into(), [1, 0, 12].into()],
        };
        let message = serde_json::to_string(&hunk).unwrap();
        assert!(message.contains("\"2 1 1 1 0 12\""), "{message}");
        assert_eq!(serde_json::from_str::<HunkView>(&message).unwrap(), hunk);
    }
}
