//! Code in sentences: what a message quotes stands on one line, and is short enough to be read in passing.

/// Characters of code that a sentence quotes at most.
const LONGEST: usize = 72;

/// The sentence with each piece of code between backticks on one line, and shortened where it is long.
pub(super) fn quoted(sentence: &str) -> String {
    let mut out = String::with_capacity(sentence.len());
    for (n, piece) in sentence.split('`').enumerate() {
        if n > 0 {
            out.push('`');
        }
        match n % 2 {
            0 => out.push_str(piece),
            _ => out.push_str(&shortened(&on_one_line(piece))),
        }
    }
    out
}

/// Line breaks and indents become blanks; none stays behind an opening bracket or before a closing one.
fn on_one_line(code: &str) -> String {
    if !code.contains('\n') {
        return code.to_owned();
    }
    let mut out = String::with_capacity(code.len());
    for line in code.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with([')', ']', '}']) {
            out.truncate(out.trim_end_matches(',').len());
        } else if !out.is_empty() && !out.ends_with(['(', '[', '{']) && !line.starts_with('.') {
            out.push(' ');
        }
        out.push_str(line.trim_end_matches('\\').trim_end());
    }
    out
}

fn shortened(code: &str) -> String {
    if code.chars().count() <= LONGEST {
        return code.to_owned();
    }
    let head: String = code.chars().take(LONGEST - 3).collect();
    format!("{}...", head.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_several_lines_stands_on_one() {
        let told = quoted("`join(\n    root,\n    name,\n)` is raw.\nSo is `x`.");
        assert_eq!(told, "`join(root, name)` is raw.\nSo is `x`.");
        assert_eq!(quoted("`(pool\n    .submit(f)\n)`"), "`(pool.submit(f))`");
        assert_eq!(quoted("`a = \\\n    b`"), "`a = b`");
    }

    #[test]
    fn long_code_is_cut() {
        let long = format!("`{}`, as it came", "é".repeat(100));
        assert_eq!(
            quoted(&long),
            format!("`{}...`, as it came", "é".repeat(69))
        );
        let short = format!("`{}`", "x".repeat(72));
        assert_eq!(quoted(&short), short);
        assert_eq!(quoted("no code"), "no code");
    }
}
