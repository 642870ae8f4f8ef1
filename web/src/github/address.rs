//! What people type to name a pull request or a commit, and what it names.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A change on GitHub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Target {
    Pull {
        /// `owner/name`.
        repo: String,
        number: u32,
    },
    Commit {
        repo: String,
        sha: String,
    },
    /// What a link without its diff names: two commits, and the pull request that they belong to.
    Compare {
        repo: String,
        base: String,
        head: String,
        pull: Option<u32>,
    },
}

/// Why a text names no change on GitHub.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotOpened {
    #[error("Type the address of a pull request or a commit first.")]
    Blank,
    #[error(
        "This is not an address of GitHub. It looks like https://github.com/OWNER/NAME/pull/NUMBER, or OWNER/NAME#NUMBER."
    )]
    NoAddress,
    #[error(
        "Only github.com is asked from here, and {0} is another host: browsers may not read its diffs from this page. \
         Open the change there, take its plain diff (most hosts show it at the address with `.diff` at its end), and paste it into the box."
    )]
    OtherHost(String),
    #[error(
        "This address of GitHub names no change: it has to lead to a pull request, a commit or a comparison of two commits."
    )]
    NoChange,
    #[error("This is the address of an issue. Open the pull request that belongs to it.")]
    Issue,
}

impl Target {
    pub(crate) fn repo(&self) -> &str {
        match self {
            Target::Pull { repo, .. }
            | Target::Commit { repo, .. }
            | Target::Compare { repo, .. } => repo,
        }
    }

    /// Where people look at it.
    pub(crate) fn page(&self) -> String {
        let repo = self.repo();
        match self {
            Target::Pull { number, .. } => format!("https://github.com/{repo}/pull/{number}"),
            Target::Commit { sha, .. } => format!("https://github.com/{repo}/commit/{sha}"),
            Target::Compare { base, head, .. } => {
                format!("https://github.com/{repo}/compare/{base}...{head}")
            }
        }
    }

    /// The path of the API's address, below its host.
    pub(crate) fn api_path(&self) -> String {
        let repo = self.repo();
        match self {
            Target::Pull { number, .. } => format!("repos/{repo}/pulls/{number}"),
            Target::Commit { sha, .. } => format!("repos/{repo}/commits/{sha}"),
            Target::Compare { base, head, .. } => format!("repos/{repo}/compare/{base}...{head}"),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let repo = self.repo();
        match self {
            Target::Pull { number, .. } => write!(out, "{repo}#{number}"),
            Target::Commit { sha, .. } => write!(out, "{repo}@{}", short(sha)),
            Target::Compare {
                base, head, pull, ..
            } => {
                let pull = pull.map_or(String::new(), |pull| format!("#{pull}"));
                write!(out, "{repo}{pull} {}...{}", short(base), short(head))
            }
        }
    }
}

/// The first characters of a commit's name, as GitHub shows it; other names as they are.
pub(crate) fn short(name: &str) -> &str {
    if is_sha(name) {
        name.get(..7).unwrap_or(name)
    } else {
        name
    }
}

/// Reads an address in any of its forms, or a short name.
pub(crate) fn parse(text: &str) -> Result<Target, NotOpened> {
    let text = text
        .trim()
        .trim_matches(|char| "<>()[]\"'`,;".contains(char));
    if text.is_empty() {
        return Err(NotOpened::Blank);
    }
    if text.contains(char::is_whitespace) {
        return Err(NotOpened::NoAddress);
    }
    match split_host(text) {
        Some((host, path)) => at_host(&host, path),
        None => short_name(text).ok_or(NotOpened::NoAddress),
    }
}

/// Whether a pasted text is meant to be opened and not to be reviewed: one address, and nothing else.
pub(crate) fn is_address(text: &str) -> bool {
    let text = text.trim();
    let begins = |start: &str| {
        text.get(..start.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(start))
    };
    let is_web = begins("https://") || begins("http://") || begins("github.com/");
    is_web && !text.contains(char::is_whitespace)
}

/// Host in lower case and path, of an address with or without its scheme.
fn split_host(text: &str) -> Option<(String, &str)> {
    let rest = match text.split_once("://") {
        Some((scheme, rest)) if ["http", "https"].contains(&&*scheme.to_ascii_lowercase()) => rest,
        Some(_) => return None,
        // `github.com/...`: a host has a dot, an owner has none.
        None => text
            .split_once('/')
            .filter(|(host, _)| host.contains('.'))
            .map(|_| text)?,
    };
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    Some((host.to_ascii_lowercase(), path))
}

fn at_host(host: &str, path: &str) -> Result<Target, NotOpened> {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let found = match host {
        "github.com" | "www.github.com" => on_site(&parts),
        "api.github.com" => match parts.split_first() {
            Some((&"repos", rest)) => on_site(rest),
            _ => None,
        },
        "patch-diff.githubusercontent.com" => match parts.split_first() {
            Some((&"raw", rest)) => on_site(rest),
            _ => None,
        },
        other => return Err(NotOpened::OtherHost(other.to_owned())),
    };
    found.ok_or(match parts.get(2) {
        Some(&"issues") => NotOpened::Issue,
        _ => NotOpened::NoChange,
    })
}

/// `OWNER/NAME/pull/NUMBER` and its relatives.
fn on_site(parts: &[&str]) -> Option<Target> {
    let (&[owner, name, kind, what], rest) = parts.split_first_chunk()?;
    let repo = repository(owner, name)?;
    match kind {
        "pull" | "pulls" => match rest {
            // One commit of a pull request, as its list of commits links it.
            ["commits" | "changes", sha, ..] if is_sha(bare(sha)) => Some(commit(repo, sha)),
            _ => Some(Target::Pull {
                repo,
                number: number(bare(what))?,
            }),
        },
        "commit" | "commits" if is_sha(bare(what)) => Some(commit(repo, what)),
        "compare" => compare(repo, parts.get(3..)?.join("/").as_str()),
        _ => None,
    }
}

/// `OWNER/NAME#NUMBER`, `OWNER/NAME/NUMBER` as links have it, or `OWNER/NAME@COMMIT`.
fn short_name(text: &str) -> Option<Target> {
    let (owner, rest) = text.split_once('/')?;
    let (name, what) = rest.split_once(['#', '/', '@'])?;
    let repo = repository(owner, name)?;
    if rest.contains('@') {
        return is_sha(what).then(|| commit(repo, what));
    }
    let number = number(what)?;
    Some(Target::Pull { repo, number })
}

fn compare(repo: String, range: &str) -> Option<Target> {
    let (base, head) = bare(range).split_once("...")?;
    // Git allows no name with two dots, and an address would climb by them.
    let named =
        |name: &str| !name.is_empty() && !name.contains("..") && name.chars().all(is_ref_char);
    (named(base) && named(head)).then(|| Target::Compare {
        repo,
        base: base.to_owned(),
        head: head.to_owned(),
        pull: None,
    })
}

fn commit(repo: String, sha: &str) -> Target {
    let sha = bare(sha).to_ascii_lowercase();
    Target::Commit { repo, sha }
}

/// Without the ending that asks for plain text.
fn bare(what: &str) -> &str {
    let without = |end| what.strip_suffix(end);
    without(".diff")
        .or_else(|| without(".patch"))
        .unwrap_or(what)
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&number| number > 0)
}

fn repository(owner: &str, name: &str) -> Option<String> {
    let allowed = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    let named = |part: &str| {
        !part.is_empty() && part.chars().all(allowed) && part.chars().any(|char| char != '.')
    };
    (named(owner) && named(name)).then(|| format!("{owner}/{name}"))
}

/// Whether a text is the name of a commit, whole or shortened.
pub(crate) fn is_sha(text: &str) -> bool {
    (7..=64).contains(&text.len()) && text.chars().all(|char| char.is_ascii_hexdigit())
}

/// What names of branches, tags and forks are made of here; anything else would change the request.
fn is_ref_char(char: char) -> bool {
    char.is_alphanumeric() || "-_./:@+,=!".contains(char)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn names(text: &str, path: &str) {
        let found = parse(text).map(|target| target.api_path());
        assert_eq!(found.as_deref(), Ok(path), "{text}");
    }

    #[track_caller]
    fn names_nothing(text: &str, reason: NotOpened) {
        assert_eq!(parse(text), Err(reason), "{text}");
    }

    #[test]
    fn every_address_of_a_pull_request_names_it() {
        for text in [
            "https://github.com/o/n-1.x/pull/12",
            "https://github.com/o/n-1.x/pull/12/",
            "http://www.GitHub.com/o/n-1.x/pull/12/files?w=1#diff-0",
            "https://github.com/o/n-1.x/pull/12/changes",
            "https://github.com/o/n-1.x/pull/12.diff",
            "https://github.com/o/n-1.x/pull/12.patch",
            "https://patch-diff.githubusercontent.com/raw/o/n-1.x/pull/12.diff",
            "https://api.github.com/repos/o/n-1.x/pulls/12",
            "github.com/o/n-1.x/pull/12#issuecomment-1",
            "  <https://github.com/o/n-1.x/pull/12>,",
            "o/n-1.x#12",
            "o/n-1.x/12",
        ] {
            names(text, "repos/o/n-1.x/pulls/12");
        }
    }

    #[test]
    fn commits_and_comparisons_have_addresses_too() {
        let sha = "0123456789abcdef0123456789abcdef01234567";
        for text in [
            format!("https://github.com/o/n/commit/{sha}"),
            format!("https://github.com/o/n/commit/{}.diff", sha.to_uppercase()),
            format!("https://github.com/o/n/pull/12/commits/{sha}"),
            format!("o/n@{sha}"),
        ] {
            names(&text, &format!("repos/o/n/commits/{sha}"));
        }
        names(
            "https://github.com/o/n/compare/main...feature/a.diff",
            "repos/o/n/compare/main...feature/a",
        );
    }

    #[test]
    fn anything_else_says_what_it_is() {
        names_nothing("  ", NotOpened::Blank);
        names_nothing("the pull request", NotOpened::NoAddress);
        names_nothing("12", NotOpened::NoAddress);
        names_nothing("ftp://github.com/o/n/pull/1", NotOpened::NoAddress);
        names_nothing("https://github.com/o/n", NotOpened::NoChange);
        names_nothing("https://github.com/o/n/pull/x", NotOpened::NoChange);
        names_nothing("https://github.com/o/n/pull/0", NotOpened::NoChange);
        names_nothing("https://github.com/o/n/issues/3", NotOpened::Issue);
        names_nothing(
            "https://gitlab.com/o/n/-/merge_requests/3",
            NotOpened::OtherHost("gitlab.com".to_owned()),
        );
    }

    #[test]
    fn no_address_leads_elsewhere_in_the_api() {
        for text in ["../x#1", "o/..#1", "o/n?x=1#1", "o/n/pull/1/../../../user"] {
            assert!(parse(text).is_err(), "{text}");
        }
        for range in ["a?b...c", "a...b/../../c"] {
            let odd = format!("https://github.com/o/n/compare/{range}");
            assert!(parse(&odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn a_lone_address_is_to_be_opened_and_a_diff_is_not() {
        assert!(is_address("https://gitlab.com/o/n/-/merge_requests/3 "));
        assert!(is_address("GitHub.com/o/n/pull/3"));
        assert!(!is_address("see https://github.com/o/n/pull/3"));
        assert!(!is_address("diff --git a/x b/x\n--- a/x\n+++ b/x\n"));
    }
}
