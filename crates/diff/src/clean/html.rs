//! Text that was escaped for HTML.

use crate::{Problem, ProblemKind};

/// Resolves the entities if the text must have been escaped: it holds some, no bare `<` or `>`, and no other `&`.
pub(super) fn clean(text: &str) -> Option<String> {
    let telling = ["&lt;", "&gt;", "&quot;", "&#39;", "&#x27;", "&#34;"];
    let bare = text.contains(['<', '>']) || !telling.iter().any(|entity| text.contains(entity));
    if bare { None } else { resolve(text) }
}

pub(super) fn problem() -> Problem {
    Problem {
        path: None,
        line: None,
        kind: ProblemKind::HtmlEscaped,
        message: "The text was escaped for HTML; it was read with its entities resolved."
            .to_owned(),
    }
}

fn resolve(text: &str) -> Option<String> {
    let mut pieces = text.split('&');
    let mut resolved = String::with_capacity(text.len());
    resolved.push_str(pieces.next().unwrap_or(""));
    for piece in pieces {
        let (name, rest) = piece.split_once(';')?;
        resolved.push(entity(name)?);
        resolved.push_str(rest);
    }
    Some(resolved)
}

fn entity(name: &str) -> Option<char> {
    Some(match name {
        "lt" | "#60" => '<',
        "gt" | "#62" => '>',
        "amp" | "#38" => '&',
        "quot" | "#34" | "#x22" => '"',
        "apos" | "#39" | "#x27" | "#039" => '\'',
        "nbsp" | "#160" => ' ',
        "#x2F" | "#47" => '/',
        "#x60" | "#96" => '`',
        "#x3D" | "#61" => '=',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_text_is_resolved() {
        assert_eq!(
            clean("+if a &lt; b &amp;&amp; c\n").as_deref(),
            Some("+if a < b && c\n")
        );
    }

    #[test]
    fn code_about_entities_stays() {
        assert_eq!(clean("+text.replace('<', '&lt;')\n"), None);
        assert_eq!(clean("+a & b, '&lt;'\n"), None);
    }
}
