//! Words of a diff inside Markdown: they stay words.

/// UTF-16 units of one text (a message, a note, a path) that are written out.
const TEXT_LIMIT: usize = 1_200;

/// A text of one line that mentions nobody, links to no issue and opens no tag. Code spans in it stay as they are.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::new();
    let clipped = clip(text);
    // An odd number of backticks closes nothing: then all of it is prose.
    let spans = clipped.matches('`').count().is_multiple_of(2);
    for (idx, part) in clipped.split('`').enumerate() {
        if idx > 0 {
            out.push_str(if spans { "`" } else { "&#96;" });
        }
        match spans && idx % 2 == 1 {
            true => out.push_str(part),
            false => escape(part, &mut out),
        }
    }
    out
}

fn escape(text: &str, out: &mut String) {
    for char in text.chars() {
        match char {
            '<' => out.push_str("&lt;"),
            '@' => out.push_str("&#64;"),
            '#' => out.push_str("&#35;"),
            '[' | ']' | '*' | '_' | '\\' => out.extend(['\\', char]),
            char => out.push(char),
        }
    }
}

/// A code span that no backtick inside can close.
pub(super) fn code(text: &str) -> String {
    let text = clip(text);
    let longest = text
        .split(|char| char != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    match longest {
        0 => format!("{fence}{text}{fence}"),
        _ => format!("{fence} {text} {fence}"),
    }
}

/// On one line, and not longer than [`TEXT_LIMIT`].
fn clip(text: &str) -> String {
    let mut out = String::new();
    let mut left = TEXT_LIMIT;
    for char in text.trim().chars() {
        let Some(rest) = left.checked_sub(char.len_utf16()) else {
            out.push('…');
            break;
        };
        left = rest;
        out.push(if char.is_control() { ' ' } else { char });
    }
    out
}

pub(super) fn n_units(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_diff_can_mention_or_mark_up() {
        assert_eq!(
            prose("@team <b> #12 `@x` a_b"),
            "&#64;team &lt;b> &#35;12 `@x` a\\_b"
        );
        assert_eq!(prose("one ` @team"), "one &#96; &#64;team");
        assert_eq!(code("a`b\n@c"), "`` a`b @c ``");
        assert_eq!(n_units(&prose(&"x".repeat(9_000))), TEXT_LIMIT + 1);
    }
}
