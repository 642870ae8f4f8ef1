//! The lines before a file's first hunk: which file, and what happens to it.

mod paths;

use super::anchor::{Anchor, anchor};
use super::names::{self, Name};
use super::rows::Rows;
use crate::{File, Status};

/// What the header lines of one file say, as written.
#[derive(Debug, Clone, Default)]
pub(super) struct FileHeader<'a> {
    /// What follows `diff --git `: two names.
    pair: Option<&'a str>,
    /// What follows `diff --cc `: one name without prefix.
    merge: Option<&'a str>,
    /// What follows `--- `.
    old_name: Option<&'a str>,
    /// What follows `+++ `.
    new_name: Option<&'a str>,
    /// What follows `rename from ` or `copy from `, and their `to`.
    moved: (Option<&'a str>, Option<&'a str>),
    /// Both names of a line that says that binary files differ.
    pub(super) binary_pair: Option<(Name, Name)>,
    copied: bool,
    created: bool,
    removed: bool,
    mode_changed: bool,
    pub(super) binary: bool,
    /// An `index` line: git names both contents, so the file counts even without hunks.
    pub(super) indexed: bool,
    old_mode: Option<u32>,
    new_mode: Option<u32>,
}

impl<'a> FileHeader<'a> {
    /// Reads the header that a `diff --git` or `diff --cc` line begins, and gives the row after it.
    pub(super) fn read_git(rows: &Rows<'a>, at: usize) -> (Self, usize) {
        let mut header = Self::default();
        let line = rows.get(at).map_or("", |row| row.line());
        header.pair = line.strip_prefix("diff --git ");
        header.merge = line
            .strip_prefix("diff --cc ")
            .or_else(|| line.strip_prefix("diff --combined "));
        let mut next = at + 1;
        while rows
            .get(next)
            .is_some_and(|row| header.read_extended(row.line()))
        {
            next += 1;
        }
        header.read_names(rows, next)
    }

    /// Reads a header of `---` and `+++` lines, of which one may be lost, and gives the row after it.
    pub(super) fn read_plain(rows: &Rows<'a>, at: usize) -> (Self, usize) {
        let mut header = Self::default();
        let mut next = at;
        header.old_name = name_field(rows, next, "--- ").inspect(|_| next += 1);
        header.new_name = name_field(rows, next, "+++ ").inspect(|_| next += 1);
        (header, next)
    }

    /// A header for a file of which only the name is known, such as one that Subversion calls binary.
    pub(super) fn of_binary(pair: (Name, Name)) -> Self {
        Self {
            binary: true,
            binary_pair: Some(pair),
            ..Self::default()
        }
    }

    /// Whether git's own line begins it, which is right about what happens to the file.
    pub(super) fn is_git(&self) -> bool {
        self.pair.is_some() || self.merge.is_some()
    }

    /// Whether it names a file by `---` or `+++` lines, after which hunks should follow.
    pub(super) fn has_names(&self) -> bool {
        self.old_name.is_some() || self.new_name.is_some()
    }

    /// Whether one of the two name lines is missing.
    pub(super) fn lacks_a_name(&self) -> bool {
        self.old_name.is_some() != self.new_name.is_some()
    }

    /// Takes the name lines at `at`, if they are of the file that this header is about.
    pub(super) fn adopt_names(&mut self, rows: &Rows<'a>, at: usize) -> Option<usize> {
        let (header, next) = Self::read_names(self.clone(), rows, at);
        let adopted = next > at && !self.has_names() && self.is_git();
        *self = header;
        adopted.then_some(next)
    }

    /// Whether the header says more than a name: then the file counts even without hunks.
    pub(super) fn says_a_change(&self) -> bool {
        let moved = self.moved.0.is_some() || self.moved.1.is_some();
        moved || self.created || self.removed || self.mode_changed || self.binary
    }

    /// The file that the header describes, still without hunks.
    pub(super) fn file(&self, line: u32, commit: Option<u32>) -> File {
        let (old_path, new_path) = self.paths();
        File {
            status: self.status(&old_path, &new_path),
            old_path,
            new_path,
            hunks: Vec::new(),
            commit,
            binary: self.binary,
            combined: self.merge.is_some(),
            old_mode: self.old_mode,
            new_mode: self.new_mode,
            line,
        }
    }

    fn read_names(mut self, rows: &Rows<'a>, at: usize) -> (Self, usize) {
        let (names, next) = Self::read_plain(rows, at);
        // Hunks may follow, or the text ends; the first of two lone names is one only if they do.
        let whole = !names.lacks_a_name()
            || next == rows.count()
            || anchor(rows, next) == Some(Anchor::Hunk);
        if next == at || !whole || !self.is_about(&names) {
            return (self, at);
        }
        self.old_name = names.old_name;
        self.new_name = names.new_name;
        (self, next)
    }

    /// Whether name lines are of the file that the git line names. If not, they begin another file.
    fn is_about(&self, names: &Self) -> bool {
        let pair = self.merge.or(self.pair).unwrap_or("");
        let mut fields = [names.old_name, names.new_name]
            .into_iter()
            .flatten()
            .peekable();
        fields.peek().is_some() && fields.any(|field| is_named(pair, field))
    }

    fn read_extended(&mut self, line: &'a str) -> bool {
        let word = |prefix: &str| line.strip_prefix(prefix);
        if let Some(mode) = word("old mode ") {
            self.old_mode = octal(mode);
            self.mode_changed = true;
        } else if let Some(mode) = word("new mode ") {
            self.new_mode = octal(mode);
        } else if let Some(mode) = word("new file mode ") {
            self.new_mode = octal(mode);
            self.created = true;
        } else if let Some(mode) = word("deleted file mode ") {
            self.old_mode = octal(mode);
            self.removed = true;
        } else if let Some(name) = word("rename from ").or_else(|| word("rename old ")) {
            self.moved.0 = Some(name);
        } else if let Some(name) = word("rename to ").or_else(|| word("rename new ")) {
            self.moved.1 = Some(name);
        } else if let Some(name) = word("copy from ") {
            self.moved.0 = Some(name);
            self.copied = true;
        } else if let Some(name) = word("copy to ") {
            self.moved.1 = Some(name);
            self.copied = true;
        } else if let Some(index) = word("index ") {
            self.indexed = true;
            self.read_index_mode(index);
        } else if line == "GIT binary patch" || line.starts_with("Binary file") {
            self.binary = true;
        } else {
            return ["similarity index ", "dissimilarity index ", "mode "]
                .iter()
                .any(|prefix| line.starts_with(prefix));
        }
        true
    }

    /// `index 1234567..89abcde 100644`: the mode where it stays the same.
    fn read_index_mode(&mut self, index: &str) {
        if let Some(mode) = index.split_once(' ').and_then(|(_, mode)| octal(mode)) {
            self.old_mode = Some(mode);
            self.new_mode = Some(mode);
        }
    }

    fn status(&self, old_path: &Option<String>, new_path: &Option<String>) -> Status {
        match (old_path, new_path) {
            _ if self.binary => Status::Binary,
            (None, Some(_)) => Status::Added,
            (Some(_), None) => Status::Deleted,
            _ if self.copied => Status::Copied,
            _ if self.moved.0.is_some() => Status::Renamed,
            _ if self.mode_changed => Status::Mode,
            _ => Status::Modified,
        }
    }
}

/// Whether a git line names what a name line names, as both are written.
fn is_named(pair: &str, field: &str) -> bool {
    let name = field.split('\t').next().unwrap_or(field);
    if pair.starts_with(name) || pair.ends_with(name) {
        return true;
    }
    // Programs that write other prefixes, or other quotes, on the two lines still agree on the file's own name.
    let read = Name::read(field).text;
    let own = read.rsplit('/').next().unwrap_or(&read);
    !own.is_empty()
        && read != "/dev/null"
        && names::read_name(pair.rsplit('/').next().unwrap_or(pair)).contains(own)
}

fn name_field<'a>(rows: &Rows<'a>, at: usize, sign: &str) -> Option<&'a str> {
    rows.get(at)?
        .line()
        .strip_prefix(sign)
        .filter(|name| !name.is_empty())
}

fn octal(mode: &str) -> Option<u32> {
    // In a merge the parents' modes stand before the last one.
    let mode = mode.rsplit([',', '.']).next().unwrap_or(mode);
    u32::from_str_radix(mode.trim(), 8).ok()
}
