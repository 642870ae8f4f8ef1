//! The report as a comment for a pull request.

mod prose;

use super::pull_url;
use super::tally::{Tally, input_words};
use crate::finding::{Finding, Severity, Side, Verdict};
use crate::model::{Problem, Report, Status};
use crate::work::{Answer, Work};
use prose::{code, n_units, prose};

/// The longest comment that the code host takes, in UTF-16 units.
pub const MARKDOWN_LIMIT: usize = 65_536;

/// UTF-16 units of one list at the end (answers, not read) that are written out.
const LIST_LIMIT: usize = 12_000;

/// The report as Markdown: what blocks first, each with its place and what goes wrong; what to look at as questions.
/// Where all of it would be too long, findings at the end are left out, and a sentence says how many.
pub fn markdown(report: &Report, work: &Work) -> String {
    let report = &work.apply(report);
    if report.is_empty() {
        return "Nothing was reviewed: the input holds no diff.\n".to_owned()
            + &not_read(&report.problems);
    }
    let head = head(report);
    let tail = tail(report, work);
    let room = MARKDOWN_LIMIT.saturating_sub(n_units(&head) + n_units(&tail));
    head + &findings(report, room) + &tail
}

fn head(report: &Report) -> String {
    let tally = Tally::of(report);
    let mut head = format!(
        "### Review of concurrency, resources and caches\n\n**{}.** ",
        tally.words()
    );
    head += &format!("{}.", input_words(&report.input));
    if !report.problems.is_empty() {
        head += " Part of it was **not read**, see the end.";
    }
    if !tally.counts() {
        head += " That is no approval: the lines at the end say what was seen.";
    }
    head.push('\n');
    head
}

/// The findings that fit into `room` UTF-16 units, gravest first, and how many do not.
fn findings(report: &Report, room: usize) -> String {
    let entries = entries(report);
    let all: usize = entries.iter().map(|entry| n_units(entry)).sum();
    if all <= room {
        return entries.concat();
    }
    let mut out = String::new();
    let mut left = room.saturating_sub(n_units(&cut(usize::MAX)));
    for (idx, entry) in entries.iter().enumerate() {
        let Some(rest) = left.checked_sub(n_units(entry)) else {
            return out + &cut(entries.len() - idx);
        };
        left = rest;
        out += entry;
    }
    out
}

fn cut(n: usize) -> String {
    format!(
        "\n_Cut here: {n} more entries would make this comment longer than {MARKDOWN_LIMIT} characters._\n"
    )
}

/// One text for each finding; the first of a group carries its heading, and all NITs share one.
fn entries(report: &Report) -> Vec<String> {
    let mut entries = Vec::new();
    for severity in [Severity::Block, Severity::Flag] {
        let is = |it: &&Finding| it.verdict == Verdict::Violation && it.severity == severity;
        let group = report.findings.iter().filter(is).map(violation);
        entries.extend(with_heading(severity.word(), group));
    }
    let is_look = |it: &&Finding| it.verdict == Verdict::Look && it.severity != Severity::Nit;
    let looks = report.findings.iter().filter(is_look).map(question);
    entries.extend(with_heading("Questions", looks));
    entries.extend(nits(report));
    entries
}

fn with_heading(title: &str, group: impl Iterator<Item = String>) -> Vec<String> {
    group
        .enumerate()
        .map(|(idx, entry)| match idx {
            0 => format!("\n#### {title}\n\n{entry}"),
            _ => entry,
        })
        .collect()
}

fn violation(finding: &Finding) -> String {
    format!(
        "- {}: {} {}\n  **Ask:** {}{}\n",
        place(finding),
        prose(&finding.message),
        prose(&finding.why),
        prose(&finding.ask),
        aside(finding),
    )
}

fn question(finding: &Finding) -> String {
    format!(
        "- {}, {} if so: {} {}\n  **Could you check?** {}{}\n",
        place(finding),
        finding.severity.word(),
        prose(&finding.message),
        prose(&finding.why),
        prose(&finding.ask),
        aside(finding),
    )
}

/// All NITs, violations and looks, on one line.
fn nits(report: &Report) -> Option<String> {
    let places: Vec<String> = report
        .counted()
        .filter(|it| it.severity == Severity::Nit)
        .map(|it| {
            format!(
                "{} {}",
                code(&format!("{}:{}", it.path, it.line)),
                code(&it.check)
            )
        })
        .collect();
    let shown = places.get(..5).unwrap_or(&places).join(", ");
    let more = match places.len().saturating_sub(5) {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    (!places.is_empty()).then(|| format!("\nNIT ({}): {shown}{more}.\n", places.len()))
}

fn place(finding: &Finding) -> String {
    let side = match finding.side {
        Side::Old => " (before the change)",
        Side::New => "",
    };
    let place = code(&format!("{}:{}", finding.path, finding.line));
    format!(
        "**{place}**{side} R{} {}",
        finding.rule,
        code(&finding.check)
    )
}

/// Related places, rules that met, and pull requests, in brackets.
fn aside(finding: &Finding) -> String {
    let mut said = Vec::new();
    for related in &finding.related {
        let side = match related.side {
            Side::Old => " before the change",
            Side::New => "",
        };
        let place = code(&format!("{}:{}", related.path, related.line));
        said.push(format!("{place}{side}: {}", prose(&related.note)));
    }
    said.extend(finding.also.iter().map(|rule| format!("also R{rule}")));
    for &pull in &finding.references {
        said.push(format!("[#{pull}]({})", pull_url(pull)));
    }
    match said.is_empty() {
        true => String::new(),
        false => format!(" ({})", said.join("; ")),
    }
}

fn tail(report: &Report, work: &Work) -> String {
    let mut tail = String::new();
    if let Some(folded) = Tally::of(report).folded_words() {
        tail += &format!("\nFolded, not counted: {folded}.\n");
    }
    tail += &answers(report, work);
    tail += &not_read(&report.problems);
    tail += &statuses(report);
    tail
}

fn answers(report: &Report, work: &Work) -> String {
    let said: Vec<String> = report
        .checklist
        .iter()
        .filter_map(|line| Some((line, work.lines.get(&line.id)?)))
        .filter(|(_, it)| it.answer != Answer::Open || !it.note.trim().is_empty())
        .map(|(line, it)| {
            let answer = it.answer.words();
            let entry = format!(
                "- {} {}: {answer}. {}",
                line.id,
                prose(&line.title),
                prose(&it.note)
            );
            entry.trim_end().to_owned()
        })
        .collect();
    let title = match &work.reviewer {
        Some(name) => format!("Answers of {}", prose(name)),
        None => "Answers".to_owned(),
    };
    list(&title, &said)
}

fn not_read(problems: &[Problem]) -> String {
    let said: Vec<String> = problems
        .iter()
        .map(|problem| match &problem.path {
            Some(path) => format!("- {}: {}", code(path), prose(&problem.message)),
            None => format!("- {}", prose(&problem.message)),
        })
        .collect();
    list("Not read", &said)
}

/// What the lines without a finding say. A clear line is one that was looked at, not one that is approved.
fn statuses(report: &Report) -> String {
    let said: Vec<String> = [Status::Clear, Status::NotApplicable, Status::NotRead]
        .into_iter()
        .filter_map(|status| {
            let lines = report.checklist.iter().filter(|line| line.status == status);
            let ids: Vec<&str> = lines.map(|line| line.id.as_str()).collect();
            (!ids.is_empty()).then(|| format!("{}: {}", status.words(), ids.join(", ")))
        })
        .collect();
    let tool = &report.tool;
    let made = format!(
        "Hunkwise {}, topic {} {}, names of {}",
        tool.version, tool.topic, tool.topic_version, tool.profile
    );
    format!(
        "\n<sub>{}. {}.</sub>\n",
        prose(&said.join("; ")),
        prose(&made)
    )
}

/// A list under a heading, cut at [`LIST_LIMIT`]: however much was not read, the findings keep most of the room.
fn list(title: &str, entries: &[String]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let mut out = format!("\n#### {title}\n\n");
    let mut left = LIST_LIMIT;
    for (idx, entry) in entries.iter().enumerate() {
        let Some(rest) = left.checked_sub(n_units(entry)) else {
            out += &format!("- and {} more\n", entries.len() - idx);
            break;
        };
        left = rest;
        out += entry;
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample;

    #[test]
    fn what_blocks_stands_first_and_looks_are_questions() {
        let text = markdown(&sample::report(), &Work::default());
        let at = |needle: &str| {
            text.find(needle)
                .unwrap_or_else(|| panic!("{needle} in\n{text}"))
        };
        let order = [
            "#### BLOCK",
            "#### FLAG",
            "#### Questions",
            "\nNIT (1): ",
            "\nFolded",
            "#### Not read",
            "<sub>not read: R1",
        ];
        assert!(order.map(at).is_sorted(), "{text}");
        assert!(
            text.contains(
                "- **`serve/dispatch.py:12`** R4 `unbounded-result`: What f-block says of `pool`. Why f-block breaks.\n  **Ask:** What to do about f-block."
            ),
            "{text}"
        );
        assert!(text.contains("[#2489](https://github.com/roboflow/inference/pull/2489)"));
    }

    #[test]
    fn the_reviewers_work_shows() {
        let text = markdown(&sample::report(), &sample::work());
        assert!(!text.contains("#### BLOCK"), "{text}");
        assert!(
            text.contains("#### Answers of Ada\n\n- R1 Title of rule 1: Checked."),
            "{text}"
        );
    }

    #[test]
    fn a_long_comment_is_cut_and_says_so() {
        let mut report = sample::report();
        let many = report.findings.iter().cycle().take(900).cloned().collect();
        report.findings = many;
        let text = markdown(&report, &Work::default());
        assert!(n_units(&text) <= MARKDOWN_LIMIT);
        assert!(text.contains("_Cut here: "));
        assert!(text.contains("#### Not read"));
    }

    #[test]
    fn long_lists_at_the_end_are_cut_too() {
        let mut report = sample::report();
        let problem = Problem {
            path: Some("#".repeat(5_000)),
            message: "#".repeat(5_000),
            ..report.problems[0].clone()
        };
        report.problems = vec![problem; 60];
        let mut work = sample::work();
        for line in work.lines.values_mut() {
            line.note = "#".repeat(5_000);
        }
        let text = markdown(&report, &work);
        assert!(n_units(&text) <= MARKDOWN_LIMIT);
        assert!(text.contains("\n- and 59 more\n"), "{text}");
        assert!(text.contains("f-flag"));
    }

    #[test]
    fn nothing_found_is_no_approval() {
        let mut report = sample::report();
        report.findings.clear();
        let text = markdown(&report, &Work::default());
        assert!(text.contains("**No finding in what was read.**"), "{text}");
        assert!(text.contains("That is no approval"), "{text}");
    }
}
