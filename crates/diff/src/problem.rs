//! What could not be read, in words for a reviewer.

/// Something in the text that was not read, read only in part, or read after a repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file it concerns, where one is known.
    pub path: Option<String>,
    /// The line of the pasted text, where one is known.
    pub line: Option<u32>,
    pub kind: ProblemKind,
    /// One sentence for a reviewer.
    pub message: String,
}

/// The kinds of problems that a text can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// Bytes that are no text in the encoding found; each became U+FFFD.
    InvalidEncoding,
    /// The text is longer than can be addressed; its end was not read.
    TooLong,
    /// The text ends, or other text begins, before all lines of a hunk have come.
    HunkCut,
    /// The hunk header counts fewer lines than stand glued to the hunk.
    HunkMiscounted,
    /// A hunk header has numbers that no file has, or counts no lines; nothing was read under it.
    HunkHeader,
    /// Context lines came without the space in front.
    SpaceLost,
    /// Hunks without any file header: which file they change is not known.
    NoFileName,
    /// One of the two file header lines is missing.
    FileHeader,
    /// A file header without the hunks that should follow.
    FileCut,
    /// The output of `--word-diff`, whose lines cannot be told apart.
    WordDiff,
    /// A context diff (`diff -c`) or a normal diff (plain `diff`), neither of which is read.
    OtherFormat,
    /// The text was escaped for HTML; it was unescaped.
    HtmlEscaped,
    /// More problems than are worth telling one by one.
    More,
}

impl ProblemKind {
    /// The name in reports, in kebab case.
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidEncoding => "invalid-encoding",
            Self::TooLong => "too-long",
            Self::HunkCut => "hunk-cut",
            Self::HunkMiscounted => "hunk-miscounted",
            Self::HunkHeader => "hunk-header",
            Self::SpaceLost => "space-lost",
            Self::NoFileName => "no-file-name",
            Self::FileHeader => "file-header",
            Self::FileCut => "file-cut",
            Self::WordDiff => "word-diff",
            Self::OtherFormat => "other-format",
            Self::HtmlEscaped => "html-escaped",
            Self::More => "more",
        }
    }

    /// Whether lines went unread. The other kinds tell of repairs, after which everything was read.
    pub fn loses_lines(self) -> bool {
        matches!(
            self,
            Self::TooLong
                | Self::HunkCut
                | Self::HunkHeader
                | Self::FileCut
                | Self::WordDiff
                | Self::OtherFormat
                | Self::More
        )
    }
}
