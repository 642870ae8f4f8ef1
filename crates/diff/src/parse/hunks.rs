//! One hunk of the file that is open: reads it, and tells what was wrong with it.

use super::anchor::is_anchor_anywhere;
use super::body::{self, Body, End};
use super::file_header::FileHeader;
use super::hunk_header::HunkHeader;
use super::rows::Row;
use super::space::ContextSigns;
use super::{Reader, merge_body, wording};
use crate::{Hunk, LineKind, ProblemKind};

impl Reader<'_> {
    pub(super) fn read_hunk(&mut self) {
        let Some(header) = self
            .rows
            .get(self.at)
            .and_then(|row| HunkHeader::read(row.line()))
        else {
            self.at += 1;
            return;
        };
        if !self
            .open
            .as_ref()
            .is_some_and(|open| open.can_continue(&header))
        {
            self.open_file(FileHeader::default());
            self.tell(ProblemKind::NoFileName, wording::no_file_name());
        }
        if !header.is_possible() {
            self.leave_unread(ProblemKind::HunkHeader, wording::impossible_header());
            self.at += 1;
            return;
        }
        let body = match header.other_parents.is_empty() {
            true => body::read(&self.rows, self.at + 1, &header, self.suspect_spaces),
            false => merge_body::read(&self.rows, self.at + 1, &header),
        };
        self.take_hunk(&header, body);
    }

    fn take_hunk(&mut self, header: &HunkHeader, body: Body) {
        let next = body.next.max(self.at + 1);
        if self.is_word_diff(&body) {
            self.leave_unread(ProblemKind::WordDiff, wording::word_diff());
        } else if body.lines.is_empty() && body.end == End::Complete {
            self.leave_unread(ProblemKind::HunkHeader, wording::empty_header());
        } else {
            self.judge(&body);
            let hunk = self.hunk(header, body);
            if let Some(open) = &mut self.open {
                open.take_hunk(hunk);
            }
        }
        self.at = next;
    }

    fn hunk(&self, header: &HunkHeader, body: Body) -> Hunk {
        Hunk {
            old_start: header.old.first_of(body.old_len),
            old_len: body.old_len,
            new_start: header.new.first_of(body.new_len),
            new_len: body.new_len,
            section: header.section.to_owned(),
            lines: body.lines,
            header_line: self.line(self.at),
            end_line: self.line(body.last),
            complete: body.end == End::Complete,
            parents: u8::try_from(header.other_parents.len() + 1).unwrap_or(u8::MAX),
        }
    }

    /// Tells what was wrong with a hunk.
    fn judge(&mut self, body: &Body) {
        match body.end {
            End::Complete => {}
            End::Cut { old, new } => self.tell(ProblemKind::HunkCut, wording::hunk_cut(old, new)),
            End::Miscounted => self.tell(ProblemKind::HunkMiscounted, wording::hunk_miscounted()),
        }
        if body.signs != ContextSigns::Kept {
            self.tell(ProblemKind::SpaceLost, wording::space_lost());
        }
    }

    /// A hunk without any added or deleted line, but with the marks that `--word-diff` sets; or one with the lines
    /// that end a line in `--word-diff=porcelain`.
    fn is_word_diff(&self, body: &Body) -> bool {
        let row = |at: usize| self.rows.get(at).map(Row::line);
        if body.lines.iter().any(|line| line.kind != LineKind::Context) {
            return (self.at + 1..=body.next)
                .filter_map(row)
                .any(|line| line == "~");
        }
        // Most of its lines have no sign, so it seems to be cut; it goes on to the next thing that begins.
        let rest =
            (body.next..self.rows.count()).take_while(|at| !is_anchor_anywhere(&self.rows, *at));
        (self.at + 1..body.next)
            .chain(rest)
            .filter_map(row)
            .any(has_word_marks)
    }

    fn leave_unread(&mut self, kind: ProblemKind, message: String) {
        let told = self
            .open
            .as_mut()
            .is_some_and(|open| std::mem::replace(&mut open.unread, true));
        if !told {
            self.tell(kind, message);
        }
    }
}

/// Whether a line has words marked as `--word-diff` marks them.
fn has_word_marks(line: &str) -> bool {
    (line.contains("[-") && line.contains("-]")) || (line.contains("{+") && line.contains("+}"))
}
