//! Colours of a terminal, as `git diff --color=always` prints them.

const ESCAPE: char = '\u{1B}';

/// Takes all escape sequences off if a line of the diff's own begins with one: a file may contain escapes, but not
/// before a header.
pub(super) fn clean(text: &str) -> Option<String> {
    if !text.contains(ESCAPE) {
        return None;
    }
    let coloured = text
        .lines()
        .filter(|line| line.starts_with(ESCAPE))
        .any(|line| is_header(&strip(line)));
    coloured.then(|| strip(text))
}

fn is_header(line: &str) -> bool {
    ["diff -", "--- ", "+++ ", "@@ -", "@@@ -", "commit "]
        .iter()
        .any(|start| line.starts_with(start))
}

fn strip(text: &str) -> String {
    let mut pieces = text.split(ESCAPE);
    let mut plain = String::with_capacity(text.len());
    plain.push_str(pieces.next().unwrap_or(""));
    for piece in pieces {
        plain.push_str(after_sequence(piece));
    }
    plain
}

/// What follows an escape sequence that `piece` continues: a control sequence such as `[1;32m`, or a string such as
/// a link, which a bell or another escape ends.
fn after_sequence(piece: &str) -> &str {
    if let Some(parameters) = piece.strip_prefix('[') {
        let rest = parameters.trim_start_matches(|char| matches!(char, ' '..='?'));
        let mut chars = rest.chars();
        return match chars.next() {
            Some('@'..='~') => chars.as_str(),
            _ => rest,
        };
    }
    if let Some(string) = piece.strip_prefix(']') {
        return string.split_once('\u{7}').map_or("", |(_, rest)| rest);
    }
    piece.strip_prefix('\\').unwrap_or(piece)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_links_go() {
        let text = "\u{1B}[1mdiff --git a/x b/x\u{1B}[m\n\u{1B}[32m+\u{1B}[m\u{1B}]8;;u\u{7}hi\u{1B}]8;;\u{1B}\\\n";
        assert_eq!(clean(text).as_deref(), Some("diff --git a/x b/x\n+hi\n"));
    }

    #[test]
    fn escapes_in_a_file_stay() {
        assert_eq!(clean("diff --git a/x b/x\n+red = \"\u{1B}[31m\"\n"), None);
    }
}
