//! How names and paths of the topic's data are compared with those of a diff. Never by substring.

use std::borrow::Cow;

/// Whether a dotted name is the one that `pattern` means.
///
/// Both are compared segment by segment from the right, over the shorter of the two, `*` standing for any part of one segment:
/// `os.replace` matches `os.replace`, and `threading.Thread` matches `Thread` where the import is not shown.
/// A bare lower-case name is too common for that: `load` is not `torch.jit.load`, while `jit.load` is.
/// Nor is any bare name a `tempfile.*`.
pub fn name_matches(pattern: &str, name: &str) -> bool {
    if name.is_empty() || !segments_match(pattern, name) {
        return false;
    }
    let bare = !name.contains('.') && pattern.contains('.');
    let is_common =
        !name.starts_with(|first: char| first.is_uppercase()) || pattern.ends_with(".*");
    !(bare && is_common)
}

/// Over the shorter of the two. Rules ask this of every call for every name that they know, so the last letter is
/// compared before anything else.
fn segments_match(pattern: &str, name: &str) -> bool {
    let last = |text: &str| text.as_bytes().last().copied();
    if last(pattern) != last(name) && last(pattern) != Some(b'*') {
        return false;
    }
    if !pattern.contains('*') {
        return ends_in(pattern, name) || ends_in(name, pattern);
    }
    pattern
        .rsplit('.')
        .zip(name.rsplit('.'))
        .all(|(pattern, segment)| segment_matches(pattern, segment))
}

/// Whether the last segments of a dotted name are those of another.
fn ends_in(name: &str, end: &str) -> bool {
    name.strip_suffix(end)
        .is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Whether a path of the diff (with `/`, and without `a/` or `b/`) matches a glob: `*` within a folder, `**` across folders.
pub fn path_matches(glob: &str, path: &str) -> bool {
    fast_glob::glob_match(glob, path)
}

/// Whether `phrase`, words with blanks between, stands in an identifier as whole words next to each other.
///
/// `cache dir` stands in `MODEL_CACHE_DIR` and in `modelCacheDir`; `lock` does not stand in `clock`.
pub fn says(identifier: &str, phrase: &str) -> bool {
    if !may_say(identifier, phrase) {
        return false;
    }
    let mut rest = parts(identifier);
    loop {
        if begins_with(rest.clone(), phrase) {
            return true;
        }
        if rest.next().is_none() {
            return false;
        }
    }
}

/// Whether the first word of a phrase stands in an identifier at all, in a word or across several. It seldom does.
fn may_say(identifier: &str, phrase: &str) -> bool {
    let (text, phrase) = (identifier.as_bytes(), phrase.as_bytes());
    let first = phrase.split(|&byte| byte == b' ').next().unwrap_or(phrase);
    !identifier.is_ascii()
        || text
            .windows(first.len().max(1))
            .any(|window| window.eq_ignore_ascii_case(first))
}

fn begins_with<'a>(mut parts: impl Iterator<Item = &'a str>, phrase: &str) -> bool {
    phrase
        .split(' ')
        .all(|want| parts.next().is_some_and(|part| is_word(part, want)))
}

/// Whether a part of an identifier is this word in lower case.
fn is_word(part: &str, word: &str) -> bool {
    if part.is_ascii() {
        return part.len() == word.len()
            && part
                .bytes()
                .map(|byte| byte.to_ascii_lowercase())
                .eq(word.bytes());
    }
    part.chars().flat_map(char::to_lowercase).eq(word.chars())
}

/// Whether one of some words, in lower case with blanks between, stands in an identifier.
///
/// `"lock mutex"` has a word in `cacheLock`; what has to stand side by side is asked of [`says`].
pub fn has_word(identifier: &str, of: &str) -> bool {
    parts(identifier).any(|part| is_one_of(part, of))
}

/// Whether the first word of an identifier is one of some words, in lower case with blanks between.
pub fn begins_with_word(identifier: &str, of: &str) -> bool {
    let first = parts(identifier).next();
    first.is_some_and(|part| is_one_of(part, of))
}

/// Whether the last word of an identifier is one of some words, in lower case with blanks between.
pub fn ends_in_word(identifier: &str, of: &str) -> bool {
    let last = parts(identifier).last();
    last.is_some_and(|part| is_one_of(part, of))
}

fn is_one_of(part: &str, words: &str) -> bool {
    words.split(' ').any(|word| is_word(part, word))
}

/// The words of an identifier in lower case: split at underscores, dots, and where camel case turns.
pub fn words(identifier: &str) -> impl Iterator<Item = Cow<'_, str>> {
    // Most are in lower case as they stand, and rules ask for the words of every name.
    parts(identifier).map(
        |part| match part.bytes().all(|byte| byte.is_ascii_lowercase()) {
            true => Cow::Borrowed(part),
            false => Cow::Owned(part.chars().flat_map(char::to_lowercase).collect()),
        },
    )
}

/// The words as they are written.
fn parts(identifier: &str) -> impl Iterator<Item = &str> + Clone {
    let mut rest = identifier;
    std::iter::from_fn(move || {
        let (part, behind) = next_part(rest)?;
        rest = behind;
        Some(part)
    })
}

fn next_part(text: &str) -> Option<(&str, &str)> {
    let start = text.find(char::is_alphanumeric)?;
    let (_, text) = text.split_at_checked(start)?;
    let mut before = '_';
    for (at, char) in text.char_indices() {
        let after = || text.get(at + char.len_utf8()..)?.chars().next();
        if !char.is_alphanumeric() || turns(before, char, after) {
            return text.split_at_checked(at);
        }
        before = char;
    }
    Some((text, ""))
}

/// Whether a new word begins at a character: `modelCache`, and the last capital of `HTTPServer`.
fn turns(before: char, char: char, after: impl Fn() -> Option<char>) -> bool {
    char.is_uppercase()
        && (before.is_lowercase()
            || (before.is_uppercase() && after().is_some_and(char::is_lowercase)))
}

fn segment_matches(pattern: &str, segment: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == segment,
        Some((head, rest)) => segment
            .strip_prefix(head)
            .is_some_and(|tail| tail_matches(rest, tail)),
    }
}

/// Whether some end of `tail` matches `rest`: what follows a `*`.
fn tail_matches(rest: &str, tail: &str) -> bool {
    tail.char_indices()
        .map(|(idx, _)| idx)
        .chain([tail.len()])
        .filter_map(|idx| tail.get(idx..))
        .any(|end| segment_matches(rest, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_by_segments_from_the_right() {
        assert!(name_matches("torch.jit.load", "torch.jit.load"));
        assert!(name_matches("torch.jit.load", "jit.load"));
        assert!(!name_matches("torch.jit.load", "load"));
        assert!(!name_matches("torch.jit.load", "json.load"));
        assert!(name_matches("threading.Thread", "Thread"));
        assert!(!name_matches("threading.Thread", "mail.Thread"));
        assert!(name_matches(
            "acquire_with_timeout",
            "managers.base.acquire_with_timeout"
        ));
        assert!(!name_matches("lock", "block"));
        assert!(!name_matches("lock", ""));
    }

    #[test]
    fn a_star_stands_for_a_part_of_one_segment() {
        assert!(name_matches("dump_*_atomic", "dump_text_lines_atomic"));
        assert!(!name_matches("dump_*_atomic", "dump_json"));
        assert!(name_matches("*_CACHE_DIR", "env.MODEL_CACHE_DIR"));
        assert!(name_matches("a*b*", "aXbY"));
        assert!(!name_matches("*.close", "close"));
        assert!(!name_matches("tempfile.*", "RuntimeError"));
    }

    #[test]
    fn one_of_several_words_stands_anywhere_first_or_last() {
        assert!(has_word("_cacheLock", "mutex lock"));
        assert!(!has_word("clock", "mutex lock"));
        assert!(!has_word("", "lock"));
        assert!(begins_with_word("LOCK_FILE", "mutex lock"));
        assert!(!begins_with_word("file_lock", "mutex lock"));
        assert!(ends_in_word("fileLock", "mutex lock"));
        assert!(!ends_in_word("lock_file", "mutex lock"));
    }

    #[test]
    fn words_are_whole() {
        let of = |name| words(name).collect::<Vec<_>>().join(" ");
        assert_eq!(of("MODEL_CACHE_DIR"), "model cache dir");
        assert_eq!(of("self._modelCacheDir2"), "self model cache dir2");
        assert_eq!(of("HTTPServer"), "http server");
        assert!(says("MODEL_CACHE_DIR", "cache dir"));
        assert!(!says("wall_clock", "lock"));
        assert!(!says("cache", "cache dir"));
    }

    #[test]
    fn globs_match_whole_paths() {
        assert!(path_matches("tests/**", "tests/unit/test_a.py"));
        assert!(path_matches("**/test_*.py", "test_a.py"));
        assert!(path_matches("**/tests/**", "tests/a.py"));
        assert!(!path_matches("tests/**", "inference/tests/a.py"));
        assert!(path_matches("**/setup.py", "setup.py"));
    }
}
