//! The file whose hunks may come.

use super::file_header::FileHeader;
use super::hunk_header::HunkHeader;
use crate::{File, Hunk, Status};

/// The file whose hunks may come.
pub(super) struct OpenFile<'a> {
    pub(super) header: FileHeader<'a>,
    pub(super) file: File,
    /// Text came after its last hunk.
    pub(super) prose: bool,
    /// A hunk was not read, so the problem is told and the file without hunks is no change.
    pub(super) unread: bool,
}

impl OpenFile<'_> {
    pub(super) fn take_hunk(&mut self, hunk: Hunk) {
        self.prose = false;
        if hunk.lines.is_empty() {
            self.unread = true;
        } else {
            self.file.hunks.push(hunk);
        }
    }

    /// Whether a hunk belongs to this file. After other text it does only if it lies further down.
    pub(super) fn can_continue(&self, header: &HunkHeader) -> bool {
        let below = |last: &Hunk| header.old.start >= last.old_start.saturating_add(last.old_len);
        !self.prose || self.file.hunks.last().is_none_or(below)
    }

    pub(super) fn misses_hunks(&self) -> bool {
        let expected =
            self.header.has_names() || !(self.header.says_a_change() || self.header.indexed);
        expected && !self.header.binary && !self.unread && self.file.hunks.is_empty()
    }

    /// The file, if it is a change: a name alone, or a name whose hunks could not be read, is none.
    pub(super) fn into_file(self) -> Option<File> {
        let mut file = self.file;
        if file.hunks.is_empty() {
            let index_alone = self.header.indexed && !self.header.has_names();
            return (!self.unread && (self.header.says_a_change() || index_alone)).then_some(file);
        }
        if file.status == Status::Mode {
            file.status = Status::Modified;
        }
        if !self.header.is_git() {
            keep_sides_with_lines(&mut file);
        }
        Some(file)
    }
}

/// A side that has lines is there, whatever its timestamp says: archives often give every file the time 0.
fn keep_sides_with_lines(file: &mut File) {
    let old = file.hunks.iter().any(|hunk| hunk.old_len > 0);
    let new = file.hunks.iter().any(|hunk| hunk.new_len > 0);
    if old && new && matches!(file.status, Status::Added | Status::Deleted) {
        let path = file.path().to_owned();
        file.status = Status::Modified;
        file.old_path.get_or_insert_with(|| path.clone());
        file.new_path.get_or_insert(path);
    }
}
