//! Why a text holds nothing to review: one sentence for whoever pasted it.

use diff::Patch;
use report::Problem;

/// More damage than this share of the characters, in percent, and the text is no text.
const DAMAGE: usize = 5;

/// Says why there is nothing to review, unless the diff reader has said it already.
pub(crate) fn why(text: &str, patch: &Patch) -> Option<Problem> {
    if !patch.files.is_empty() {
        let reads_any = patch.files.iter().any(crate::plan::is_read);
        return (!reads_any).then(|| problem(NO_PYTHON));
    }
    let is_told = patch
        .problems
        .iter()
        .any(|problem| problem.kind.loses_lines());
    if is_told && !text.trim().is_empty() {
        return None;
    }
    let kind = KINDS.iter().find(|kind| (kind.fits)(text));
    Some(problem(*kind.unwrap_or(&NO_DIFF)))
}

#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    message: &'static str,
    fits: fn(&str) -> bool,
}

const NO_PYTHON: Kind = Kind {
    name: report::NO_PYTHON,
    message: "The diff changes no Python file, so there is nothing to review.",
    fits: |_| false,
};

const NO_DIFF: Kind = Kind {
    name: "no-diff",
    message: "No diff was found in this text: paste what `git diff` prints, with its @@ lines.",
    fits: |_| true,
};

/// The first that fits is told.
const KINDS: &[Kind] = &[
    Kind {
        name: "empty",
        message: "The input is empty, so there is nothing to review.",
        fits: |text| text.trim().is_empty(),
    },
    Kind {
        name: "binary",
        message: "The input is no text but binary data: give the diff as plain text.",
        fits: is_binary,
    },
    Kind {
        name: "link",
        message: "This is a Hunkwise link and not a diff: open it in a browser or with `hunkwise open`.",
        fits: |text| ["#v1.d.", "#v1.r."].iter().any(|mark| text.contains(mark)),
    },
    Kind {
        name: "address",
        message: "This is an address and not a diff: paste the diff that lies there, or fetch it from the page.",
        fits: is_address,
    },
    Kind {
        name: "report",
        message: "This is a Hunkwise report and not a diff: the page opens it as a saved review.",
        fits: |text| text.contains("\"hunkwise.report/"),
    },
    Kind {
        name: "web-page",
        message: "This is the source of a web page and not a diff: take the raw diff, on GitHub at the address with .diff at its end.",
        fits: is_web_page,
    },
    Kind {
        name: "names-only",
        message: "This is only the list of changed files (--name-status): without their lines there is nothing to review.",
        fits: is_summary,
    },
    Kind {
        name: "source",
        message: "This looks like Python source and not a diff: `git diff --no-index /dev/null FILE` makes a diff of a whole file.",
        fits: is_python,
    },
];

fn problem(kind: Kind) -> Problem {
    Problem {
        path: None,
        line: None,
        kind: kind.name.to_owned(),
        message: kind.message.to_owned(),
    }
}

fn is_binary(text: &str) -> bool {
    let is_damage = |c: &char| matches!(*c, '\0' | char::REPLACEMENT_CHARACTER);
    let (all, damage) = (text.chars().count(), text.chars().filter(is_damage).count());
    damage.saturating_mul(100) > all.saturating_mul(DAMAGE)
}

fn is_address(text: &str) -> bool {
    let text = text.trim();
    let is_one_word = !text.contains(char::is_whitespace);
    is_one_word && (text.starts_with("https://") || text.starts_with("http://"))
}

fn is_web_page(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(15).collect();
    let start = start.to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// Half of the lines are `M\tpath`. The diff reader knows the summary of `--stat` itself.
fn is_summary(text: &str) -> bool {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let summary = lines().filter(|line| is_status_line(line)).count();
    summary > 0 && summary.saturating_mul(2) >= lines().count()
}

fn is_status_line(line: &str) -> bool {
    let (status, path) = line.split_once('\t').unwrap_or(("", ""));
    let is_status = status.starts_with(['M', 'A', 'D', 'R', 'C', 'T']) && status.len() <= 4;
    is_status && !path.is_empty()
}

fn is_python(text: &str) -> bool {
    let is_code = |line: &&str| {
        let line = line.trim_start();
        let opens = ["def ", "class ", "async def ", "with ", "for ", "if "];
        (opens.iter().any(|word| line.starts_with(word)) && line.trim_end().ends_with(':'))
            || line.starts_with("import ")
            || (line.starts_with("from ") && line.contains(" import "))
    };
    text.lines().filter(is_code).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> String {
        why(text, &diff::parse(text)).map_or_else(String::new, |problem| problem.kind)
    }

    #[test]
    fn each_kind_of_text_has_its_sentence() {
        assert_eq!(kind(" \n\n"), "empty");
        assert_eq!(kind("Please review my change."), "no-diff");
        assert_eq!(kind("\0\u{1}\0\0PNG\0"), "binary");
        assert_eq!(kind("https://github.com/o/r/pull/7\n"), "address");
        assert_eq!(kind("<!DOCTYPE html><p>"), "web-page");
        assert_eq!(kind("M\ta.py\nA\tb.py\n"), "names-only");
        assert_eq!(kind("import os\n\n\ndef f():\n    pass\n"), "source");
    }

    #[test]
    fn a_diff_without_python_is_told() {
        let text = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n";
        assert_eq!(kind(text), "no-python");
        assert_eq!(kind(&text.replace(".txt", ".py")), "");
    }
}
