//! A statement's text without what a formatter or an indent changes, for comparing statements.

/// A piece of Python source, as far as comments and strings are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'t> {
    Code(&'t str),
    /// With its quotes, without its prefix.
    Str(&'t str),
    /// With its `#`.
    Comment(&'t str),
}

/// The statement without comments, line breaks, and white space that means nothing; quotes are made alike,
/// a comma before a closing bracket is dropped, and the brackets around a whole right side or answer as well.
pub(super) fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Code(code) => push_code(&mut out, code),
            Piece::Str(string) => push_string(&mut out, string),
            Piece::Comment(_) => {}
        }
    }
    unwrap_whole(&out).unwrap_or(out)
}

/// `x=(a/b)` as `x=a/b`, `return(a)` as `return a`: whoever makes a line longer puts such brackets in.
fn unwrap_whole(text: &str) -> Option<String> {
    let (before, inside) = match text.strip_prefix("return(") {
        Some(inside) => ("return ", inside),
        None => {
            let at = text.find('=')? + 1;
            (text.get(..at)?, text.get(at..)?.strip_prefix('(')?)
        }
    };
    let inside = inside.strip_suffix(')')?;
    let mut depth = 0_u32;
    for c in inside.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    let stands_apart = |c: char| is_word(c) || matches!(c, '"' | '\'');
    let before = match inside.starts_with(stands_apart) {
        true => before,
        false => before.trim_end(),
    };
    (depth == 0 && !inside.is_empty()).then(|| format!("{before}{inside}"))
}

/// The comments of a text, with their `#`.
pub(super) fn comments(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).filter_map(|piece| match piece {
        Piece::Comment(comment) => Some(comment),
        _ => None,
    })
}

/// Whether a line holds anything but white space and comments.
pub(super) fn has_code(text: &str) -> bool {
    let code = text.trim_start();
    !code.is_empty() && !code.starts_with('#')
}

fn push_code(out: &mut String, code: &str) {
    let mut blank = out.is_empty();
    for c in code.chars() {
        if c.is_whitespace() || c == '\\' {
            blank = true;
            continue;
        }
        if matches!(c, ')' | ']' | '}') && out.ends_with(',') {
            out.pop();
        }
        if blank && is_word(c) && out.ends_with(is_word) {
            out.push(' ');
        }
        blank = false;
        out.push(c);
    }
    // Keeps `return "x"` apart from a string with a prefix.
    if blank && out.ends_with(is_word) {
        out.push(' ');
    }
}

fn push_string(out: &mut String, string: &str) {
    let quote = if string.starts_with('\'') { '\'' } else { '"' };
    let inner = string
        .strip_prefix(quote)
        .and_then(|s| s.strip_suffix(quote));
    match inner {
        Some(inner) if !inner.contains(['\'', '"', '\\']) => {
            out.push('"');
            out.push_str(inner);
            out.push('"');
        }
        _ => out.push_str(string),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let len = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => string_len(rest, first),
            _ => rest.find(['#', '"', '\'']).unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at_checked(len).unwrap_or((rest, ""));
        rest = after;
        Some(match first {
            '#' => Piece::Comment(piece),
            '"' | '\'' => Piece::Str(piece),
            _ => Piece::Code(piece),
        })
    })
}

/// The length in bytes of the string literal at the start of a text; to the end where it is not closed.
fn string_len(text: &str, quote: char) -> usize {
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    let end = if text.starts_with(&triple) {
        triple
    } else {
        quote.to_string()
    };
    let mut at = end.len();
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if text.get(at..).is_some_and(|rest| rest.starts_with(&end)) {
            return at + end.len();
        }
        at += c.len_utf8();
        if c == '\\' {
            let escaped = text.get(at..).and_then(|rest| rest.chars().next());
            at += escaped.map_or(0, char::len_utf8);
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_does_not_count() {
        let one = normal("x = pool.submit(f, 'a', timeout=3)");
        let other = normal("x = pool.submit(\n    f,\n    \"a\",  # why\n    timeout = 3,\n)");
        assert_eq!(one, other);
        assert_eq!(normal("return  x if y else\\\n z"), "return x if y else z");
    }

    #[test]
    fn brackets_around_the_whole_do_not_count() {
        assert_eq!(normal("x = (\n    a / b\n)"), normal("x = a / b"));
        assert_eq!(normal("return (\n    'a' + b\n)"), normal("return 'a' + b"));
        assert_eq!(normal("return ([a])"), normal("return [a]"));
        assert_ne!(normal("x = (a + b) * (c)"), normal("x = a + b) * (c"));
        assert_ne!(normal("x = ()"), normal("x ="));
    }

    #[test]
    fn strings_count_as_they_are() {
        assert_ne!(normal("open('a  b')"), normal("open('a b')"));
        assert_ne!(normal("f('# x')"), normal("f('')"));
        assert_ne!(normal("return 'x'"), normal("returnx"));
        assert_eq!(comments("f('# no')  # yes").collect::<Vec<_>>(), ["# yes"]);
        assert_eq!(
            comments("'''a\n# no\n''' # yes").collect::<Vec<_>>(),
            ["# yes"]
        );
    }

    #[test]
    fn an_open_string_ends_with_the_text() {
        assert_eq!(normal("f('a\\"), "f('a\\");
        assert_eq!(normal("\"\"\"ä"), "\"\"\"ä");
    }
}
