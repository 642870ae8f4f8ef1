//! The report for a terminal.

use super::tally::{Tally, input_words};
use crate::finding::{Finding, Severity, Side, Verdict};
use crate::model::{Problem, Report, Status};
use crate::work::{Answer, Work};
use std::fmt::Write;

/// The report as plain text: what needs the reader first, then what does not, then what was not read.
/// Control characters of a diff never reach the terminal.
pub fn text(report: &Report, work: &Work) -> String {
    let report = &work.apply(report);
    let mut out = String::new();
    if report.is_empty() {
        line(
            &mut out,
            0,
            "Nothing was reviewed: the input holds no diff.",
        );
        not_read(&mut out, &report.problems);
        return out;
    }
    head(&mut out, report);
    for severity in [Severity::Block, Severity::Flag, Severity::Nit] {
        let title = severity.word();
        group(&mut out, title, report, |finding| {
            finding.verdict == Verdict::Violation && finding.severity == severity
        });
    }
    group(&mut out, "TO LOOK AT", report, |finding| {
        finding.verdict == Verdict::Look
    });
    lines(&mut out, report);
    answers(&mut out, report, work);
    not_read(&mut out, &report.problems);
    out
}

fn head(out: &mut String, report: &Report) {
    let tool = &report.tool;
    line(
        out,
        0,
        &format!(
            "Hunkwise {}: {} {}, names of {}",
            tool.version, tool.topic, tool.topic_version, tool.profile
        ),
    );
    line(out, 0, &format!("Input: {}.", input_words(&report.input)));
    line(out, 0, &applies(report));
    let tally = Tally::of(report);
    line(out, 0, &format!("{}.", tally.words()));
    if let Some(words) = tally.line_words() {
        line(
            out,
            0,
            &format!("Checklist lines without a finding: {words}."),
        );
    }
    if !tally.counts() {
        line(
            out,
            0,
            "That is no approval: the checklist below says what was seen.",
        );
    }
}

/// Whether the topic applies, with the first signal of each group.
fn applies(report: &Report) -> String {
    if !report.topic.applies {
        return "The topic does not seem to matter for this diff: no changed line carries one of its signals.".to_owned();
    }
    let mut said: Vec<(&str, String)> = Vec::new();
    for signal in &report.topic.signals {
        if !said.iter().any(|(group, _)| *group == signal.group) {
            let place = format!("{} ({}:{})", signal.text, signal.path, signal.line);
            said.push((&signal.group, place));
        }
    }
    let said: Vec<String> = said
        .into_iter()
        .map(|(group, place)| format!("{group} by {place}"))
        .collect();
    match said.is_empty() {
        true => "The topic applies by its findings.".to_owned(),
        false => format!("The topic applies: {}.", said.join("; ")),
    }
}

fn group(out: &mut String, title: &str, report: &Report, wanted: impl Fn(&Finding) -> bool) {
    let findings: Vec<&Finding> = report.findings.iter().filter(|it| wanted(it)).collect();
    if findings.is_empty() {
        return;
    }
    out.push('\n');
    line(out, 0, &format!("{title} ({})", findings.len()));
    for it in findings {
        finding(out, it);
    }
}

fn finding(out: &mut String, finding: &Finding) {
    let side = side_words(finding.side);
    let place = format!("{}:{}:{}{side}", finding.path, finding.line, finding.column);
    line(
        out,
        2,
        &format!(
            "{place}: R{} {}, {}",
            finding.rule,
            finding.check,
            finding.severity.word()
        ),
    );
    line(out, 6, &finding.message);
    line(out, 6, &finding.why);
    line(out, 6, &format!("-> {}", finding.ask));
    for related in &finding.related {
        let side = side_words(related.side);
        line(
            out,
            6,
            &format!(
                "see {}:{}{side}: {}",
                related.path, related.line, related.note
            ),
        );
    }
    let also: Vec<String> = finding.also.iter().map(|rule| format!("R{rule}")).collect();
    let pulls: Vec<String> = finding
        .references
        .iter()
        .map(|pull| format!("#{pull}"))
        .collect();
    for (what, names) in [("also breaks", also), ("learned from", pulls)] {
        if !names.is_empty() {
            line(out, 6, &format!("{what} {}", names.join(", ")));
        }
    }
    line(out, 6, &format!("id {}", finding.id));
}

fn side_words(side: Side) -> &'static str {
    match side {
        Side::Old => " (old side)",
        Side::New => "",
    }
}

/// The lines of the checklist that carry no counted finding, and what was folded.
fn lines(out: &mut String, report: &Report) {
    if report.checklist.is_empty() {
        return;
    }
    out.push('\n');
    line(out, 0, "CHECKLIST");
    for it in &report.checklist {
        let mut words = format!(
            "{:<3} {:<5} {}: {}",
            it.id,
            it.severity.word(),
            it.title,
            it.status.words()
        );
        if it.status == Status::Clear {
            words += &clear_because(&it.evidence);
        }
        line(out, 2, &words);
    }
    if let Some(folded) = Tally::of(report).folded_words() {
        line(out, 2, &format!("Folded, not counted: {folded}."));
    }
    for it in report.findings.iter().filter(|it| !it.verdict.counts()) {
        let reason = it.reason.as_deref().unwrap_or("no reason given");
        line(
            out,
            4,
            &format!(
                "{}:{} R{} {}: {reason}",
                it.path, it.line, it.rule, it.check
            ),
        );
    }
}

fn clear_because(evidence: &[crate::model::Evidence]) -> String {
    let Some(first) = evidence.first() else {
        return String::new();
    };
    let more = match evidence.len() {
        1 => String::new(),
        n => format!(" and {} more", n - 1),
    };
    format!(" ({}:{} {}{more})", first.path, first.line, first.note)
}

fn answers(out: &mut String, report: &Report, work: &Work) {
    let answered = |id: &str| {
        work.lines
            .get(id)
            .filter(|it| it.answer != Answer::Open || !it.note.trim().is_empty())
    };
    let said: Vec<_> = report
        .checklist
        .iter()
        .filter_map(|it| Some((it, answered(&it.id)?)))
        .collect();
    if said.is_empty() {
        return;
    }
    out.push('\n');
    line(
        out,
        0,
        &match &work.reviewer {
            Some(name) => format!("ANSWERS OF {name}"),
            None => "ANSWERS".to_owned(),
        },
    );
    for (it, answer) in said {
        line(
            out,
            2,
            &format!(
                "{:<3} {}. {}",
                it.id,
                answer.answer.words(),
                answer.note.trim()
            ),
        );
    }
}

fn not_read(out: &mut String, problems: &[Problem]) {
    if problems.is_empty() {
        return;
    }
    out.push('\n');
    line(out, 0, &format!("NOT READ ({})", problems.len()));
    for problem in problems {
        let place = match (&problem.path, problem.line) {
            (Some(path), Some(line)) => format!("{path}, line {line} of the text: "),
            (Some(path), None) => format!("{path}: "),
            (None, Some(line)) => format!("line {line} of the text: "),
            (None, None) => String::new(),
        };
        line(out, 2, &format!("{place}{}", problem.message));
    }
}

/// One line of output. A line break or an escape sequence in a path or a name stays visible and harmless.
fn line(out: &mut String, indent: usize, words: &str) {
    let safe: String = words
        .trim_end()
        .chars()
        .map(|char| match char {
            '\n' | '\r' | '\t' => ' ',
            char if char.is_control() => '\u{fffd}',
            char => char,
        })
        .collect();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{:indent$}{safe}", "");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sample;

    #[test]
    fn the_gravest_stands_first_and_the_unread_last() {
        let text = text(&sample::report(), &Work::default());
        let at = |needle: &str| {
            text.find(needle)
                .unwrap_or_else(|| panic!("{needle} in\n{text}"))
        };
        let order = [
            "\nBLOCK (1)",
            "\nFLAG (1)",
            "\nNIT (1)",
            "\nTO LOOK AT (1)",
            "\nCHECKLIST",
            "\nNOT READ (1)",
        ];
        assert!(order.map(at).is_sorted(), "{text}");
        assert!(
            text.contains("  serve/dispatch.py:12:18: R4 unbounded-result, BLOCK\n"),
            "{text}"
        );
        assert!(
            text.contains("1 BLOCK, 1 FLAG, 1 NIT, 1 to look at."),
            "{text}"
        );
        assert!(
            text.contains("Folded, not counted: 1 excused, 1 there before."),
            "{text}"
        );
    }

    #[test]
    fn nothing_found_is_no_approval() {
        let mut report = sample::report();
        report.findings.clear();
        let text = text(&report, &Work::default());
        assert!(
            text.contains("No finding in what was read.\n")
                && text.contains("\nThat is no approval"),
            "{text}"
        );
    }

    #[test]
    fn no_diff_is_no_review() {
        let mut report = sample::report();
        report.input.files = 0;
        let text = text(&report, &Work::default());
        assert!(
            text.starts_with("Nothing was reviewed: the input holds no diff.\n\nNOT READ (1)"),
            "{text}"
        );
    }

    #[test]
    fn a_dismissed_finding_is_folded_with_its_reason() {
        let text = text(&sample::report(), &sample::work());
        assert!(!text.contains("\nBLOCK ("), "{text}");
        assert!(
            text.contains("Dismissed by the reviewer: bounded by the caller"),
            "{text}"
        );
        assert!(text.contains("ANSWERS OF Ada\n"), "{text}");
    }

    #[test]
    fn a_path_cannot_steer_the_terminal() {
        let mut report = sample::report();
        for finding in &mut report.findings {
            finding.path = "a\u{1b}[2J\nBLOCK.py".to_owned();
        }
        let text = text(&report, &Work::default());
        assert!(!text.contains('\u{1b}'));
        assert!(text.contains("a\u{fffd}[2J BLOCK.py:12:18"), "{text}");
    }
}
