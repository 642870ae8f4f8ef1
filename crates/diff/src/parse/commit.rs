//! Commits of a log and mails of a series: which file belongs to which, and where their messages end.

use super::rows::{Row, Rows};
use crate::Commit;

/// The commits met so far, and whether their last one is still in its message.
#[derive(Default)]
pub(super) struct Log {
    pub(super) commits: Vec<Commit>,
    /// How many bytes of margin the current message has; `None` outside of a log's message.
    message: Option<usize>,
    /// The current commit is a mail, and no file came yet.
    empty_mail: bool,
}

/// Whether the row begins a commit of `git log`, `git log --oneline` or Mercurial, or a mail.
pub(super) fn begins(rows: &Rows, at: usize) -> bool {
    let Some(line) = rows.get(at).map(Row::line) else {
        return false;
    };
    match line.as_bytes().first() {
        Some(b'c') => line.strip_prefix("commit ").is_some_and(is_commit_id),
        Some(b'F') => line.strip_prefix("From ").is_some_and(is_mail_line),
        Some(b'#') => line == "# HG changeset patch",
        Some(b'0'..=b'9' | b'a'..=b'f') => is_oneline(rows, at, line),
        _ => false,
    }
}

impl Log {
    /// Begins the commit that the row, known to begin one, stands for.
    pub(super) fn begin(&mut self, row: Row, margin: &str, line: u32) {
        if self.empty_mail {
            // A cover letter is no commit.
            self.commits.pop();
        }
        let text = row.line();
        let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
        let oneline = is_hex(first);
        let id = if oneline {
            first
        } else {
            rest.split(' ').next().unwrap_or("")
        };
        self.commits.push(Commit {
            id: if is_hex(id) {
                id.to_owned()
            } else {
                String::new()
            },
            title: if oneline {
                rest.to_owned()
            } else {
                String::new()
            },
            line,
        });
        self.message = (first == "commit").then_some(margin.len());
        self.empty_mail = first == "From";
    }

    /// Reads a row that is part of no file.
    pub(super) fn read(&mut self, row: Row) {
        let line = row.line();
        match self.message {
            Some(margin) => self.read_message(row.skip(margin).line()),
            None => self.read_mail(line),
        }
    }

    /// A file begins, so the message is over.
    pub(super) fn file_begins(&mut self) -> Option<u32> {
        self.message = None;
        self.empty_mail = false;
        self.commits
            .len()
            .checked_sub(1)
            .and_then(|index| u32::try_from(index).ok())
    }

    /// Whether text behind that margin is text of a message: `git log` indents it by four spaces.
    pub(super) fn is_message(&self, margin: &str) -> bool {
        self.message
            .and_then(|outer| margin.get(outer..))
            .is_some_and(|inner| inner.starts_with("    "))
    }

    fn read_message(&mut self, line: &str) {
        if let Some(text) = line.strip_prefix("    ") {
            self.entitle(text);
        } else if !line.is_empty() && !line.starts_with([' ', ':', '-']) && !line.contains(':') {
            self.message = None;
        }
    }

    fn read_mail(&mut self, line: &str) {
        if let Some(subject) = line.strip_prefix("Subject: ").filter(|_| self.empty_mail) {
            let tagged = subject
                .strip_prefix('[')
                .and_then(|rest| rest.split_once("] "));
            self.entitle(tagged.map_or(subject, |(_, title)| title));
        }
    }

    fn entitle(&mut self, text: &str) {
        if let Some(commit) = self
            .commits
            .last_mut()
            .filter(|commit| commit.title.is_empty())
        {
            commit.title = text.trim().to_owned();
        }
    }
}

/// `git log` writes the id, then parents, then names in parentheses.
fn is_commit_id(rest: &str) -> bool {
    let ids = rest.split(" (").next().unwrap_or("").trim_end();
    !ids.is_empty() && ids.split(' ').all(is_hex)
}

/// Mailboxes write the sender, `git format-patch` the id, then a date that ends in the year.
fn is_mail_line(rest: &str) -> bool {
    let Some((_, date)) = rest.split_once(' ') else {
        return false;
    };
    let year = date.trim_end().rsplit(' ').next().unwrap_or("");
    date.matches(':').count() == 2
        && year.len() == 4
        && year.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_oneline(rows: &Rows, at: usize, line: &str) -> bool {
    let id = line.split(' ').next().unwrap_or("");
    is_hex(id)
        && rows
            .get(at + 1)
            .is_some_and(|next| next.text.starts_with("diff --git "))
}

fn is_hex(word: &str) -> bool {
    (7..=64).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}
