//! Rows to files and hunks: one pass, row by row, never back.
//!
//! What a row begins ([`Anchor`]) against what is open:
//!
//! | begins                     | no file open           | file open, no hunk yet        | after a hunk             |
//! |----------------------------|------------------------|-------------------------------|--------------------------|
//! | `diff --git`, `diff --cc`  | file                   | file                          | file                     |
//! | `---`, `+++`, hunk header  | file                   | names of this file, or a file | file                     |
//! | hunk header                | file without a name    | hunk                          | hunk, or nameless file   |
//! | commit, mail               | commit                 | commit                        | commit                   |
//! | `Index:`, `diff -r`, fence | nothing                | closes the file               | closes the file          |
//! | binary note                | binary file            | binary file                   | binary file              |
//! | anything else              | prose                  | prose                         | prose, or glued to hunk  |
//!
//! A hunk header hands over to [`body`], which takes the lines that the header counts, whatever they look like.

mod anchor;
mod body;
mod commit;
mod cut_start;
mod file_header;
mod hunk_header;
mod hunks;
mod merge_body;
mod names;
mod open_file;
mod other_format;
mod rows;
mod space;
mod wording;

use anchor::{Anchor, anchor, margin_of};
use commit::Log;
use file_header::FileHeader;
use names::Name;
use open_file::OpenFile;
use rows::{Row, Rows, row_spans};

use crate::clean::Cleaned;
use crate::{File, Patch, Problem, ProblemKind};

/// Reads the files and hunks of a text that was cleaned.
pub(crate) fn read(cleaned: Cleaned) -> Patch {
    let spans = row_spans(&cleaned.text);
    let rows = Rows::new(&cleaned.text, &spans);
    let mut reader = Reader::new(rows, &cleaned.line_numbers, false);
    reader.read_all();
    if reader.has_lost_spaces() {
        // Then hunks whose lines are all indented have lost them too, and only their indentation shows it.
        reader = Reader::new(rows, &cleaned.line_numbers, true);
        reader.read_all();
    }
    let Reader {
        rows,
        files,
        mut problems,
        log,
        ..
    } = reader;
    if files.is_empty() && problems.is_empty() {
        problems.extend(other_format::find(&rows));
    }
    problems.splice(0..0, cut_start::find(&rows.with_margin("")));
    let mut patch = Patch {
        files,
        commits: log.commits,
        problems: cleaned.problems,
        source: String::new(),
    };
    patch.problems.append(&mut problems);
    shorten(&mut patch.problems);
    if patch.commits.len() < 2 {
        patch.files.iter_mut().for_each(|file| file.commit = None);
    }
    patch.source = cleaned.text.into_owned();
    patch
}

/// A text that is damaged all over needs no list of every place.
fn shorten(problems: &mut Vec<Problem>) {
    const MOST: usize = 500;
    if let Some(more) = problems.len().checked_sub(MOST).filter(|more| *more > 0) {
        problems.truncate(MOST);
        let message = wording::more_problems(more);
        problems.push(Problem {
            path: None,
            line: None,
            kind: ProblemKind::More,
            message,
        });
    }
}

struct Reader<'a> {
    rows: Rows<'a>,
    /// The line of the pasted text for each row; empty where rows are lines.
    line_numbers: &'a [u32],
    /// Elsewhere in the text, context lines lost the space in front.
    suspect_spaces: bool,
    at: usize,
    open: Option<OpenFile<'a>>,
    /// The name of the last `Index:` line, which binary files of Subversion have instead of name lines.
    index: &'a str,
    log: Log,
    files: Vec<File>,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn new(rows: Rows<'a>, line_numbers: &'a [u32], suspect_spaces: bool) -> Self {
        Self {
            rows,
            line_numbers,
            suspect_spaces,
            at: 0,
            open: None,
            index: "",
            log: Log::default(),
            files: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn read_all(&mut self) {
        while self.at < self.rows.count() {
            let next = self.at + 1;
            self.step();
            debug_assert!(self.at >= next, "a step reads at least its row");
            self.at = self.at.max(next);
        }
        self.close_file();
    }

    fn has_lost_spaces(&self) -> bool {
        self.problems
            .iter()
            .any(|problem| problem.kind == ProblemKind::SpaceLost)
    }

    fn step(&mut self) {
        match self.find_anchor() {
            Some(Anchor::Git | Anchor::Merge) => self.read_git_file(),
            Some(Anchor::Names | Anchor::OldName | Anchor::NewName) => self.read_plain_file(),
            Some(Anchor::Hunk) => self.read_hunk(),
            Some(Anchor::Commit) => self.read_commit(),
            Some(Anchor::Binary) => self.read_binary_note(),
            Some(Anchor::Index | Anchor::Command | Anchor::Fence) => self.read_boundary(),
            None => self.read_prose(),
        }
    }

    /// What the row begins, seen through the margin that holds, or through its own.
    fn find_anchor(&mut self) -> Option<Anchor> {
        if let Some(anchor) = anchor(&self.rows, self.at) {
            return Some(anchor);
        }
        let margin =
            margin_of(self.rows.raw(self.at)?).filter(|margin| *margin != self.rows.margin)?;
        let rows = self.rows.with_margin(margin);
        let anchor = anchor(&rows, self.at).filter(|_| !self.log.is_message(margin))?;
        self.rows = rows;
        Some(anchor)
    }

    fn read_git_file(&mut self) {
        let (header, next) = FileHeader::read_git(&self.rows, self.at);
        self.open_file(header);
        self.at = next;
    }

    fn read_plain_file(&mut self) {
        let (rows, at) = (self.rows, self.at);
        let adopted = self
            .open
            .as_mut()
            .filter(|open| open.file.hunks.is_empty())
            .and_then(|open| {
                let next = open.header.adopt_names(&rows, at)?;
                open.file = open.header.file(open.file.line, open.file.commit);
                Some(next)
            });
        if let Some(next) = adopted {
            self.at = next;
            return;
        }
        let (header, next) = FileHeader::read_plain(&self.rows, self.at);
        let lacks_a_name = header.lacks_a_name();
        self.open_file(header);
        if lacks_a_name {
            self.tell(ProblemKind::FileHeader, wording::name_line_lost());
        }
        self.tell_if_nameless();
        self.at = next;
    }

    fn read_binary_note(&mut self) {
        let line = self.rows.get(self.at).map_or("", Row::line);
        let named = |text: &str| Some((Name::read(text), Name::read(text)));
        let mercurial = line
            .strip_prefix("Binary file ")
            .and_then(|rest| rest.strip_suffix(" has changed"));
        let pair = names::split_binary(line).or_else(|| named(mercurial.unwrap_or(self.index)));
        if let Some(pair) = pair.filter(|(old, _)| !old.text.is_empty()) {
            self.open_file(FileHeader::of_binary(pair));
            self.close_file();
        }
        self.at += 1;
    }

    fn read_boundary(&mut self) {
        self.close_file();
        self.index = self
            .rows
            .get(self.at)
            .and_then(|row| row.line().strip_prefix("Index: "))
            .unwrap_or("");
        self.at += 1;
    }

    fn read_commit(&mut self) {
        self.close_file();
        let line = self.line(self.at);
        if let Some(row) = self.rows.get(self.at) {
            self.log.begin(row, self.rows.margin, line);
        }
        self.at += 1;
    }

    fn read_prose(&mut self) {
        if let Some(row) = self.rows.raw(self.at) {
            self.log.read(row);
            if let Some(open) = &mut self.open {
                open.prose |= !row.text.trim().is_empty();
            }
        }
        self.at += 1;
    }

    fn open_file(&mut self, header: FileHeader<'a>) {
        self.close_file();
        let commit = self.log.file_begins();
        let file = header.file(self.line(self.at), commit);
        self.open = Some(OpenFile {
            header,
            file,
            prose: false,
            unread: false,
        });
    }

    fn close_file(&mut self) {
        let Some(open) = self.open.take() else { return };
        if open.misses_hunks() {
            self.problems.push(Problem {
                path: Some(open.file.path().to_owned()),
                line: Some(open.file.line),
                kind: ProblemKind::FileCut,
                message: wording::file_cut(),
            });
        }
        self.files.extend(open.into_file());
    }

    fn tell_if_nameless(&mut self) {
        if self
            .open
            .as_ref()
            .is_some_and(|open| open.file.path().is_empty())
        {
            self.tell(ProblemKind::NoFileName, wording::no_file_name());
        }
    }

    /// Tells a problem of the row that is being read.
    fn tell(&mut self, kind: ProblemKind, message: String) {
        let line = self.line(self.at);
        let path = self
            .open
            .as_ref()
            .map(|open| open.file.path().to_owned())
            .filter(|path| !path.is_empty());
        self.problems.push(Problem {
            path,
            line: Some(line),
            kind,
            message,
        });
    }

    /// The line of the pasted text that a row is.
    fn line(&self, at: usize) -> u32 {
        let same = || u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1);
        self.line_numbers.get(at).copied().unwrap_or_else(same)
    }
}
