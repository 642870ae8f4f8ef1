//! Text in which an empty line follows each line, as some mail programs and consoles paste it.

/// Takes the empty lines out if every second line is one. Gives the text and the line each line stands on.
pub(super) fn clean(text: &str) -> Option<(String, Vec<u32>)> {
    if !text.contains("@@ -")
        || !text
            .lines()
            .skip(1)
            .step_by(2)
            .all(|line| line.trim().is_empty())
    {
        return None;
    }
    // Two lines and an empty one between them may be just that.
    let lines = || text.split_inclusive('\n').step_by(2);
    let told = lines().filter(|line| !line.trim().is_empty()).count() > 3;
    told.then(|| {
        (
            lines().collect(),
            (1..).step_by(2).take(lines().count()).collect(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

    #[test]
    fn every_second_line_goes() {
        assert_eq!(
            clean(&DIFF.replace('\n', "\n\n")),
            Some((DIFF.to_owned(), vec![1, 3, 5, 7, 9]))
        );
    }

    #[test]
    fn other_empty_lines_stay() {
        assert_eq!(clean(DIFF), None);
        assert_eq!(clean(&format!("Hello\n\n{DIFF}")), None);
    }
}
