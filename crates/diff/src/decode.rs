//! Bytes to text, whatever a shell, an editor or a mail program made of them.

use crate::{Problem, ProblemKind};

/// Text, and what in the bytes was none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decoded {
    pub text: String,
    pub problems: Vec<Problem>,
}

/// Reads bytes as UTF-8, or as UTF-16 where they say so. A byte order mark is taken off; bytes that are no text become
/// U+FFFD and one problem.
pub fn decode(bytes: &[u8]) -> Decoded {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest),
        // ASCII text in UTF-16 without a mark: every other byte is zero.
        [1..=127, 0, 1..=127, 0, ..] => utf16(bytes, u16::from_le_bytes),
        [0, 1..=127, 0, 1..=127, ..] => utf16(bytes, u16::from_be_bytes),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> Decoded {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => {
            return Decoded {
                text: text.to_owned(),
                problems: Vec::new(),
            };
        }
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    };
    let problems = vec![invalid("UTF-8", &text)];
    Decoded { text, problems }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Decoded {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|&pair| unit(pair));
    let mut whole = odd.is_empty();
    let text = char::decode_utf16(units)
        .map(|char| char.unwrap_or_else(|_| replacement(&mut whole)))
        .collect::<String>();
    let problems = if whole {
        Vec::new()
    } else {
        vec![invalid("UTF-16", &text)]
    };
    Decoded { text, problems }
}

fn replacement(whole: &mut bool) -> char {
    *whole = false;
    char::REPLACEMENT_CHARACTER
}

fn invalid(encoding: &str, text: &str) -> Problem {
    let before = text.split(char::REPLACEMENT_CHARACTER).next().unwrap_or("");
    let line = u32::try_from(before.matches('\n').count())
        .unwrap_or(u32::MAX)
        .saturating_add(1);
    Problem {
        path: None,
        line: Some(line),
        kind: ProblemKind::InvalidEncoding,
        message: format!(
            "Some bytes are not {encoding} text; each stands as \u{FFFD}, the first one on line {line}."
        ),
    }
}
