//! Addresses on the code host: of a pull request, and of a line at the commit that was reviewed.

use crate::finding::Side;
use crate::model::Source;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What stands raw in a path of an address; all else would end it, or the Markdown around it.
const IN_PATHS: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// The address of a pull request that a finding or a card refers to.
pub fn pull_url(number: u32) -> String {
    format!("https://github.com/roboflow/inference/pull/{number}")
}

/// The address of a file of the repository that the cards learn from.
pub fn key_file_url(path: &str) -> String {
    format!(
        "https://github.com/roboflow/inference/blob/main/{}",
        utf8_percent_encode(path, IN_PATHS)
    )
}

/// The address of lines as they stood at the reviewed head, where repository and head are known.
/// Lines of the old side have none: what they count on is the merge base, and nobody named that.
pub(super) fn line_url(
    source: &Source,
    side: Side,
    path: &str,
    lines: (u32, u32),
) -> Option<String> {
    let (repo, head) = (source.repo.as_deref()?, commit(source)?);
    if side == Side::Old || !is_repository(repo) {
        return None;
    }
    let path = utf8_percent_encode(path, IN_PATHS);
    let (first, last) = lines;
    let range = match first < last {
        true => format!("#L{first}-L{last}"),
        false => format!("#L{first}"),
    };
    Some(format!(
        "https://github.com/{repo}/blob/{head}/{path}{range}"
    ))
}

/// The reviewed head, if it is the name of a commit and no branch that moves on.
pub(super) fn commit(source: &Source) -> Option<&str> {
    let head = source.head.as_deref()?;
    let is_commit =
        (7..=64).contains(&head.len()) && head.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then_some(head)
}

fn is_repository(repo: &str) -> bool {
    let allowed = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    repo.split_once('/').is_some_and(|(owner, name)| {
        [owner, name]
            .iter()
            .all(|part| !part.is_empty() && part.chars().all(allowed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(repo: &str, head: &str) -> Source {
        Source {
            repo: Some(repo.to_owned()),
            head: Some(head.to_owned()),
            ..Source::default()
        }
    }

    #[test]
    fn a_line_of_the_new_side_has_an_address_at_the_head() {
        let known = source("acme/serve", "4d5e6f7");
        assert_eq!(
            line_url(&known, Side::New, "a b/(c).py", (3, 5)).unwrap(),
            "https://github.com/acme/serve/blob/4d5e6f7/a%20b/%28c%29.py#L3-L5"
        );
        assert_eq!(line_url(&known, Side::Old, "a.py", (3, 3)), None);
    }

    #[test]
    fn what_is_no_commit_or_no_repository_has_none() {
        for source in [
            source("acme/serve", "main"),
            source("acme", "4d5e6f7"),
            source("acme/x](y", "4d5e6f7"),
            Source::default(),
        ] {
            assert_eq!(line_url(&source, Side::New, "a.py", (1, 1)), None);
        }
    }
}
