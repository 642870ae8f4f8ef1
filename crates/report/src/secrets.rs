//! Secrets that a diff would take with it into a link: private keys, and tokens whose form gives them away.
//!
//! Silence proves nothing, since most passwords look like any other word. What is named here is meant to be right: documentation,
//! placeholders and code that only speaks of such tokens are left alone.

/// Places that are named; who has that many does not read them one by one.
const MOST: usize = 20;

/// A secret in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Secret {
    /// The line in the text, from 1.
    pub line: u32,
    /// What it seems to be, as a noun.
    pub kind: &'static str,
}

/// The secrets that a text seems to hold, in the order of their lines; at most twenty.
pub fn secrets(text: &str) -> Vec<Secret> {
    let mut found: Vec<(usize, &'static str)> = TOKENS
        .iter()
        .flat_map(|token| token.starts(text).map(|at| (at, token.kind)))
        .chain(keys(text).map(|at| (at, "a private key")))
        .collect();
    found.sort_unstable();
    found.truncate(MOST);
    let lines = lines_of(text, found.iter().map(|(at, _)| *at));
    let mut secrets: Vec<Secret> = lines
        .zip(&found)
        .map(|(line, &(_, kind))| Secret { line, kind })
        .collect();
    secrets.dedup();
    secrets
}

/// A kind of token: what it begins with, and what follows.
struct Token {
    kind: &'static str,
    prefix: &'static str,
    /// Characters behind the prefix.
    lengths: std::ops::RangeInclusive<usize>,
    allowed: fn(char) -> bool,
}

const TOKENS: &[Token] = &[
    token("a GitHub token", "ghp_", 36..=255, alphanumeric),
    token("a GitHub token", "gho_", 36..=255, alphanumeric),
    token("a GitHub token", "ghu_", 36..=255, alphanumeric),
    token("a GitHub token", "ghs_", 36..=255, alphanumeric),
    token("a GitHub token", "ghr_", 36..=255, alphanumeric),
    token("a GitHub token", "github_pat_", 40..=255, word),
    token("a GitLab token", "glpat-", 20..=255, dashed),
    token("an AWS access key", "AKIA", 16..=16, upper),
    token("an AWS access key", "ASIA", 16..=16, upper),
    token("a Slack token", "xoxa-", 24..=255, dashed),
    token("a Slack token", "xoxb-", 24..=255, dashed),
    token("a Slack token", "xoxp-", 24..=255, dashed),
    token("a Slack token", "xoxr-", 24..=255, dashed),
    token("a Slack token", "xoxs-", 24..=255, dashed),
    token("an API key", "sk-", 32..=255, dashed),
    token("an API key", "sk_live_", 24..=255, alphanumeric),
    token("a Google API key", "AIza", 35..=35, dashed),
    token("a Hugging Face token", "hf_", 34..=40, alphanumeric),
    token("an npm token", "npm_", 36..=36, alphanumeric),
    token("a PyPI token", "pypi-", 80..=400, dashed),
];

const fn token(
    kind: &'static str,
    prefix: &'static str,
    lengths: std::ops::RangeInclusive<usize>,
    allowed: fn(char) -> bool,
) -> Token {
    Token {
        kind,
        prefix,
        lengths,
        allowed,
    }
}

impl Token {
    /// Byte offsets at which such a token begins.
    fn starts<'a>(&'a self, text: &'a str) -> impl Iterator<Item = usize> + 'a {
        let starts = text.match_indices(self.prefix).map(|(at, _)| at);
        starts.filter(|&at| self.is_at(text, at))
    }

    fn is_at(&self, text: &str, at: usize) -> bool {
        let Some((before, rest)) = text.split_at_checked(at) else {
            return false;
        };
        let tail = rest.strip_prefix(self.prefix).unwrap_or_default();
        let end = tail.find(|char| !(self.allowed)(char));
        let tail = end.map_or(Some(tail), |end| tail.get(..end));
        !before.ends_with(dashed)
            && tail.is_some_and(|tail| self.lengths.contains(&tail.len()) && is_random(tail))
    }
}

fn alphanumeric(char: char) -> bool {
    char.is_ascii_alphanumeric()
}

fn upper(char: char) -> bool {
    char.is_ascii_uppercase() || char.is_ascii_digit()
}

fn word(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

fn dashed(char: char) -> bool {
    word(char) || char == '-'
}

/// Whether nobody wrote this by hand: letters and digits, many different ones, in no order, and no word of a placeholder.
fn is_random(tail: &str) -> bool {
    const WORDS: &[&str] = &[
        "example",
        "placeholder",
        "your",
        "xxxx",
        "0000",
        "dummy",
        "fake",
        "redacted",
        "secret",
        "token",
        "change",
    ];
    let mut kinds: Vec<u8> = tail.bytes().collect();
    kinds.sort_unstable();
    kinds.dedup();
    let lower = tail.to_ascii_lowercase();
    kinds.len() >= 9
        && tail.bytes().any(|byte| byte.is_ascii_digit())
        && tail.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !WORDS.iter().any(|word| lower.contains(word))
        && !climbs(lower.as_bytes())
}

/// Whether six characters follow each other as in the alphabet or in counting.
fn climbs(bytes: &[u8]) -> bool {
    bytes.windows(6).any(|six| {
        let pairs = six.iter().zip(six.iter().skip(1));
        pairs.clone().all(|(a, b)| a.checked_add(1) == Some(*b))
    })
}

/// Byte offsets at which the block of a private key begins. Code that only looks for such blocks has no key behind the mark.
fn keys(text: &str) -> impl Iterator<Item = usize> + '_ {
    const MARK: &str = "PRIVATE KEY-----";
    text.match_indices(MARK).filter_map(|(at, mark)| {
        let (before, rest) = text.split_at_checked(at)?;
        let body = rest.strip_prefix(mark)?;
        let line = before.rsplit('\n').next()?;
        let begins = line.rfind("-----BEGIN ")?;
        let content: String = body
            .split("\\n")
            .flat_map(str::lines)
            .take(3)
            .flat_map(|line| {
                line.trim_start_matches(['+', '-', ' ', '\t', '"', '\''])
                    .chars()
            })
            .take_while(|&char| char.is_ascii_alphanumeric() || "+/=".contains(char))
            .take(48)
            .collect();
        let is_key = content.len() >= 40 && is_random(&content);
        is_key.then_some(at - line.len() + begins)
    })
}

/// The lines of ascending byte offsets, from 1.
fn lines_of(text: &str, offsets: impl Iterator<Item = usize>) -> impl Iterator<Item = u32> {
    let (mut line, mut from) = (1_u32, 0);
    offsets.map(move |at| {
        let between = text.get(from..at).unwrap_or_default();
        let breaks = between.bytes().filter(|&byte| byte == b'\n').count();
        line = line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        from = at;
        line
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tail of this many characters that no human wrote. Whole tokens stand nowhere in this file.
    fn tail(n: usize) -> String {
        "q7Zk2mVx9Lp4Rt8Wc3Yb6Nd1Hs5Jf0Gg"
            .chars()
            .cycle()
            .take(n)
            .collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[(u32, &str)]) {
        let found: Vec<_> = secrets(text).iter().map(|it| (it.line, it.kind)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn tokens_are_told_by_their_form() {
        for (prefix, n, kind) in [
            ("ghp_", 36, "a GitHub token"),
            ("github_pat_", 82, "a GitHub token"),
            ("sk-", 48, "an API key"),
            ("sk-proj-", 60, "an API key"),
            ("xoxb-", 50, "a Slack token"),
            ("AIza", 35, "a Google API key"),
            ("hf_", 34, "a Hugging Face token"),
        ] {
            let text = format!("+++ b/a.py\n+TOKEN = \"{prefix}{}\"\n", tail(n));
            check(&text, &[(2, kind)]);
        }
        let upper = tail(16).to_ascii_uppercase();
        check(&format!("+key=AKIA{upper}\n"), &[(1, "an AWS access key")]);
    }

    #[test]
    fn placeholders_and_talk_of_tokens_are_none() {
        for text in [
            "+token = \"ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"",
            "+token = \"ghp_abcdefghijklmnopqrstuvwxyz0123456789\"",
            "+AWS = \"AKIAIOSFODNN7EXAMPLE\"",
            "+key = os.environ[\"OPENAI_KEY\"]  # begins with sk-",
            "+key = \"sk-your-key-goes-here-and-nowhere-else-1234\"",
            "+if name.startswith((\"ghp_\", \"xoxb-\", \"AKIA\")):",
            "+risk-assessment-of-the-whole-pipeline-in-2024-and-later-years-x9",
            "+class AKIAMANAGERFACTORY:",
            "+HASH = \"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"",
            "+if b\"-----BEGIN PRIVATE KEY-----\" in head:\n+    raise ValueError(\"a key\")",
            "+-----BEGIN RSA PRIVATE KEY-----\n+...\n+-----END RSA PRIVATE KEY-----",
            "+-----BEGIN CERTIFICATE-----\n+MIIC",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn a_private_key_is_told_by_its_block() {
        let body = tail(64);
        let block = format!(" x\n+-----BEGIN RSA PRIVATE KEY-----\n+{body}\n");
        check(&block, &[(2, "a private key")]);
        let quoted = format!("+K = \"-----BEGIN PRIVATE KEY-----\\n{body}\\n\"\n");
        check(&quoted, &[(1, "a private key")]);
    }

    #[test]
    fn twenty_are_enough() {
        let line = format!("+a = \"ghp_{}\"\n", tail(36));
        assert_eq!(secrets(&line.repeat(30)).len(), MOST);
    }
}
