//! What is asked, and of which host.

use super::address::Target;
use std::fmt;

/// Only ever sent to this host.
pub(crate) const API: &str = "https://api.github.com/";

/// Where whole files lie for everybody. Never gets a token.
const RAW: &str = "https://raw.githubusercontent.com/";

/// Files on one page of a list; the API gives no more.
pub(crate) const PER_PAGE: u32 = 100;

/// What the API sends: a document, the diff, or a file's own bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Media {
    Json,
    Diff,
    Raw,
}

impl Media {
    pub(crate) fn accept(self) -> &'static str {
        match self {
            Media::Json => "application/vnd.github+json",
            Media::Diff => "application/vnd.github.diff",
            Media::Raw => "application/vnd.github.raw+json",
        }
    }
}

/// A personal access token. It is held in memory alone: it has no way into a document, a link or a log.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Token(String);

impl Token {
    pub(crate) fn new(text: &str) -> Self {
        // A header takes visible ASCII; anything else was not meant to be in a token.
        Token(text.chars().filter(char::is_ascii_graphic).collect())
    }

    pub(crate) fn is_given(&self) -> bool {
        !self.0.is_empty()
    }

    /// The header for the API.
    pub(crate) fn authorization(&self) -> Option<String> {
        self.is_given().then(|| format!("Bearer {}", self.0))
    }

    /// What its own field shows.
    pub(crate) fn typed(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(if self.is_given() {
            "Token(given)"
        } else {
            "Token(none)"
        })
    }
}

/// The address of the change itself, as a document or as a diff.
pub(crate) fn change(target: &Target) -> String {
    format!("{API}{}", target.api_path())
}

/// The address of a page of the change's files, from 1.
pub(crate) fn files(target: &Target, page: u32) -> String {
    let list = match target {
        Target::Pull { .. } => "/files",
        // The list stands in the document itself.
        Target::Commit { .. } | Target::Compare { .. } => "",
    };
    let path = target.api_path();
    format!("{API}{path}{list}?per_page={PER_PAGE}&page={page}")
}

/// Where a whole file lies at a commit: for everybody to read, or behind the API where a token opens it.
pub(crate) fn whole_file(repo: &str, commit: &str, path: &str, token: &Token) -> (String, Media) {
    let path = escape(path);
    if token.is_given() {
        let url = format!("{API}repos/{repo}/contents/{path}?ref={commit}");
        (url, Media::Raw)
    } else {
        (format!("{RAW}{repo}/{commit}/{path}"), Media::Raw)
    }
}

/// Percent-encodes all but the slashes between the parts of a path.
fn escape(path: &str) -> String {
    let mut escaped = String::new();
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => escaped.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => escaped.push(char::from(byte)),
            _ => escaped += &format!("%{byte:02X}"),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_asked_of_the_public_host_unless_a_token_is_given() {
        let none = whole_file("o/n", "abc", "a b/ü#?.py", &Token::default()).0;
        assert_eq!(
            none,
            "https://raw.githubusercontent.com/o/n/abc/a%20b/%C3%BC%23%3F.py"
        );
        let given = whole_file("o/n", "abc", "a.py", &Token::new("t")).0;
        assert_eq!(
            given,
            "https://api.github.com/repos/o/n/contents/a.py?ref=abc"
        );
    }

    #[test]
    fn a_token_is_not_shown_by_accident() {
        let token = Token::new(" ghp_secret\n");
        assert_eq!(format!("{token:?}"), "Token(given)");
        assert_eq!(token.authorization().as_deref(), Some("Bearer ghp_secret"));
    }

    #[test]
    fn only_pull_requests_have_their_files_at_an_address_of_their_own() {
        let pull = super::super::address::parse("o/n#1").unwrap();
        assert!(files(&pull, 2).ends_with("/pulls/1/files?per_page=100&page=2"));
        let commit = super::super::address::parse("o/n@0123456").unwrap();
        assert!(files(&commit, 1).ends_with("/commits/0123456?per_page=100&page=1"));
    }
}
