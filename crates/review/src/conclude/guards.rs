//! Which words of a line speak of a guard: of any, and of one that stands against the faults of a rule.

use super::normal::has_code;

/// The weight of a line that explains nothing.
pub(super) const NOTHING: usize = 2;

/// How little a line explains.
pub(super) fn weight(text: &str) -> usize {
    let names = |words: &[&str]| words.iter().any(|word| says(text, word));
    match (names(ACTS), names(FRAMES)) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => NOTHING,
    }
}

pub(super) fn guards(text: &str) -> impl Iterator<Item = &'static str> {
    let words = ACTS.iter().chain(FRAMES).copied();
    words.filter(|word| has_code(text) && says(text, word))
}

pub(super) fn says(text: &str, word: &str) -> bool {
    topic::words(text).any(|own| own == word)
}

/// Whether a line hands a failure on, or writes of it: `raise`, `logger.exception(...)`.
pub(super) fn tells(text: &str) -> bool {
    let text = text.trim_start();
    let names = |words: &[&str]| words.iter().any(|word| says(text, word));
    let writes = names(&["log", "logger", "logging", "warnings", "print"]) && text.contains('(');
    text == "raise" || text.starts_with("raise ") || writes
}

/// Words of what stands against a rule's faults.
pub(super) fn guards_against(rule: u8) -> &'static [&'static str] {
    match rule {
        1 | 2 => &[
            "lock",
            "acquire",
            "release",
            "timeout",
            "wait",
            "blocking",
            "with",
            "finally",
            "synchronize",
            "locked",
        ],
        3 => &[
            "shutdown",
            "join",
            "finalize",
            "close",
            "stop",
            "terminate",
            "cancel",
            "detach",
            "exit",
            "with",
            "finally",
            "put",
            "set",
            "wait",
            "timeout",
        ],
        4 => &[
            "timeout", "wait", "done", "with", "poll", "alive", "purge", "drain", "empty", "clear",
        ],
        5 => &[
            "atomic", "replace", "rename", "lock", "temp", "tmp", "with", "try", "except",
        ],
        6 => &[
            "sanitize",
            "slugify",
            "slug",
            "digest",
            "hexdigest",
            "hash",
            "match",
            "fullmatch",
            "validate",
            "check",
            "replace",
            "quote",
            "commonpath",
            "raise",
            "relative",
        ],
        7 => &[
            "lock", "timeout", "ignore", "missing", "suppress", "try", "except", "with", "exists",
        ],
        8 => &[
            "maxlen", "maxsize", "pop", "popitem", "popleft", "clear", "discard", "remove", "del",
            "ttl", "expire", "ex", "evict", "prune", "len",
        ],
        9 => &[
            "close",
            "release",
            "exit",
            "stop",
            "terminate",
            "unlink",
            "remove",
            "cleanup",
            "with",
            "finally",
            "try",
            "except",
            "shutdown",
            "disconnect",
        ],
        _ => &[
            "suppress", "ignore", "missing", "atomic", "try", "except", "finally", "clear", "with",
        ],
    }
}

/// Words of the very act that guards something: a deleted line with one of them explains more than its neighbours.
const ACTS: &[&str] = &[
    "timeout",
    "release",
    "lock",
    "join",
    "shutdown",
    "finalize",
    "maxlen",
    "maxsize",
    "atomic",
    "close",
    "replace",
    "expire",
    "ttl",
    "del",
    "pop",
    "popitem",
    "clear",
    "discard",
    "remove",
    "suppress",
    "cancel",
    "stop",
    "terminate",
    "detach",
    "wait",
    "purge",
    "drain",
    "blocking",
    "ignore",
    "missing",
    "sanitize",
    "exit",
];

/// Words of the frame around such an act.
const FRAMES: &[&str] = &["with", "finally", "except", "try"];
