//! No-break spaces, which web pages put in place of the spaces at the start of a line.

const NO_BREAK_SPACE: char = '\u{A0}';

/// Makes plain spaces of no-break spaces before and after a line's signs, and in the margin of a quoted or
/// drawn one. Python allows none there, so no code changes.
pub(super) fn clean(text: &str) -> Option<String> {
    if !text
        .split_inclusive('\n')
        .any(|line| indentation(line).contains(NO_BREAK_SPACE))
    {
        return None;
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let spaces = indentation(line);
        plain.extend(
            spaces
                .chars()
                .map(|char| if char == NO_BREAK_SPACE { ' ' } else { char }),
        );
        plain.push_str(line.get(spaces.len()..).unwrap_or(""));
    }
    Some(plain)
}

/// What a margin is made of, a mail's or a drawn log's.
const MARGIN: [char; 8] = ['>', '|', '*', '/', '\\', '_', '.', '-'];

/// The margin, the signs and the spaces at the start of a line; a merge has a sign for each parent.
fn indentation(line: &str) -> &str {
    let stands_before =
        |char| matches!(char, '+' | ' ' | '\t' | NO_BREAK_SPACE) || MARGIN.contains(&char);
    let text = line.trim_start_matches(stands_before);
    line.strip_suffix(text).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_indentation_changes() {
        let text = "\u{A0}def f():\n+\u{A0} return '\u{A0}'\n";
        assert_eq!(
            clean(text).as_deref(),
            Some(" def f():\n+  return '\u{A0}'\n")
        );
        assert_eq!(clean("+x = '\u{A0}'\n"), None);
    }

    #[test]
    fn a_merge_has_a_sign_for_each_parent() {
        let text = "++\u{A0}x\n +\u{A0}y\n-\u{A0}\u{A0}z\n";
        assert_eq!(clean(text).as_deref(), Some("++ x\n + y\n-  z\n"));
    }

    #[test]
    fn a_quoted_line_has_a_margin() {
        let text = ">\u{A0}@@ -1 +1 @@\n>  \u{A0}x\n| *\u{A0}+\u{A0}y\n";
        assert_eq!(
            clean(text).as_deref(),
            Some("> @@ -1 +1 @@\n>   x\n| * + y\n")
        );
    }
}
