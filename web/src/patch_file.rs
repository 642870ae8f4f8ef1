//! The bytes of a chosen or dropped file as text, and what several of them are called together.

/// Bytes; a larger file would not fit beside its own review.
pub(crate) const LARGEST: u64 = 100 << 20;

/// How packed files begin, and what they are called.
const PACKED: [(&[u8], &str); 5] = [
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "zip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
];

/// Bytes that are looked at to tell an encoding.
const SAMPLE: usize = 4_096;

/// The text of a file, or a sentence that says why it has none.
///
/// Some shells write UTF-16, with a byte order mark or without; anything else is taken for UTF-8.
pub(crate) fn text(bytes: &[u8], name: &str) -> Result<String, String> {
    if let Some((_, kind)) = PACKED.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Err(format!(
            "{name} is packed ({kind}). Unpack it first and choose what is inside."
        ));
    }
    match bytes {
        [0xff, 0xfe, rest @ ..] => Ok(utf16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Ok(utf16(rest, u16::from_be_bytes)),
        [0xef, 0xbb, 0xbf, rest @ ..] => Ok(String::from_utf8_lossy(rest).into_owned()),
        _ => match zeros(bytes) {
            Zeros::Few => Ok(String::from_utf8_lossy(bytes).into_owned()),
            Zeros::Odd => Ok(utf16(bytes, u16::from_le_bytes)),
            Zeros::Even => Ok(utf16(bytes, u16::from_be_bytes)),
            Zeros::Many => Err(format!("{name} is a binary file, not a diff.")),
        },
    }
}

/// Where the zero bytes of a file are. UTF-16 has one in nearly every unit of a diff, always on one side.
enum Zeros {
    Few,
    Odd,
    Even,
    Many,
}

fn zeros(bytes: &[u8]) -> Zeros {
    let sample = bytes.get(..SAMPLE).unwrap_or(bytes);
    let count = |parity: usize| {
        let places = sample.iter().enumerate();
        places
            .filter(|&(at, &byte)| byte == 0 && at % 2 == parity)
            .count()
    };
    let (even, odd) = (count(0), count(1));
    let most = sample.len() / 2;
    // One in a hundred: a diff of text may hold a stray one.
    let is_few = |zeros: usize| zeros * 100 <= sample.len();
    match (even, odd) {
        (even, odd) if is_few(even + odd) => Zeros::Few,
        (even, odd) if is_few(even) && odd * 10 >= most * 8 => Zeros::Odd,
        (even, odd) if is_few(odd) && even * 10 >= most * 8 => Zeros::Even,
        _ => Zeros::Many,
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, _) = bytes.as_chunks();
    let units = pairs.iter().map(|pair| unit(*pair));
    char::decode_utf16(units)
        .map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// `a`, `a and b`, `a, b and 2 more`.
pub(crate) fn names(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [one, other, last] => format!("{one}, {other} and {last}"),
        [one, other, rest @ ..] => format!("{one}, {other} and {} more", rest.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "--- a/é.py\n+++ b/é.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n";

    fn units(order: fn(u16) -> [u8; 2], text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    #[test]
    fn each_encoding_of_a_diff_gives_the_same_text() {
        let little = units(u16::to_le_bytes, DIFF);
        let big = units(u16::to_be_bytes, DIFF);
        for bytes in [
            DIFF.as_bytes(),
            &["\u{feff}", DIFF].concat().into_bytes(),
            &[&[0xff, 0xfe], &little[..]].concat(),
            &[&[0xfe, 0xff], &big[..]].concat(),
            &little,
            &big,
        ] {
            assert_eq!(text(bytes, "x.diff").as_deref(), Ok(DIFF));
        }
    }

    #[test]
    fn a_stray_zero_makes_no_binary_file() {
        let stray = DIFF.repeat(9) + "\0";
        assert_eq!(text(stray.as_bytes(), "x.diff"), Ok(stray));
    }

    #[test]
    fn packed_and_binary_files_are_refused_by_name() {
        let refused = |bytes: &[u8]| text(bytes, "x.diff.gz").unwrap_err();
        assert!(refused(b"\x1f\x8b\x08\0").starts_with("x.diff.gz is packed (gzip)"));
        assert!(refused(b"\x89PNG\0\0\0\x0d").contains("binary"));
    }

    #[test]
    fn many_names_are_counted() {
        let all = ["a", "b", "c", "d"].map(str::to_owned);
        let told: Vec<String> = (1..=4).map(|n| names(&all[..n])).collect();
        assert_eq!(told, ["a", "a and b", "a, b and c", "a, b and 2 more"]);
    }
}
