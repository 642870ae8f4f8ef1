//! What stands below the findings: what was folded, what the reviewer noted, what was not read, and what this rests on.

use super::prose::{code, n_units, prose};
use crate::export::tally::Tally;
use crate::export::wording::Wording;
use crate::model::{Problem, Report, Status};
use crate::work::{Answer, LineWork, Work};

/// UTF-16 units of one list (notes, not read) that are written out.
const LIST_LIMIT: usize = 12_000;

pub(super) fn closing(report: &Report, work: &Work, wording: &Wording) -> String {
    let mut out = String::new();
    if let Some(folded) = Tally::of(report).folded_words() {
        out += &format!("\nNot counted: {folded}.\n");
    }
    out += &notes(report, work);
    out += &not_read(&report.problems);
    out += &statuses(report);
    out += &format!("\nTopic: {}\n", prose(wording.title));
    if let Some(head) = &report.source.head {
        out += &format!("Reviewed at HEAD: {}\n", prose(head));
    }
    out
}

/// What the reviewer has to say at the checklist's lines. A bare tick is for the reviewer, not for the author.
fn notes(report: &Report, work: &Work) -> String {
    let says = |it: &&LineWork| it.answer == Answer::ProblemRaised || !it.note.trim().is_empty();
    let said: Vec<String> = report
        .checklist
        .iter()
        .filter_map(|line| Some((line, work.lines.get(&line.id).filter(says)?)))
        .map(|(line, it)| {
            let raised = match it.answer {
                Answer::ProblemRaised => " Problem raised.",
                _ => "",
            };
            let (title, note) = (prose(&line.title), prose(&it.note));
            let entry = format!("- {} {title}:{raised} {note}", line.id);
            entry.trim_end().to_owned()
        })
        .collect();
    let title = match &work.reviewer {
        Some(name) => format!("Notes of {}", prose(name)),
        None => "Notes".to_owned(),
    };
    list(&title, &said)
}

/// Python that nobody looked at, however long the list: it is never taken for fine.
pub(super) fn not_read(problems: &[Problem]) -> String {
    let said: Vec<String> = problems
        .iter()
        .map(|problem| match &problem.path {
            Some(path) => format!("- {}: {}", code(path), prose(&problem.message)),
            None => format!("- {}", prose(&problem.message)),
        })
        .collect();
    list("Not read", &said)
}

/// What the lines without a finding say, and which review this was.
fn statuses(report: &Report) -> String {
    let mut said: Vec<String> = [Status::Clear, Status::NotApplicable, Status::NotRead]
        .into_iter()
        .filter_map(|status| {
            let lines = report.checklist.iter().filter(|line| line.status == status);
            let ids: Vec<&str> = lines.map(|line| line.id.as_str()).collect();
            (!ids.is_empty()).then(|| format!("{}: {}", status.words(), ids.join(", ")))
        })
        .collect();
    let tool = &report.tool;
    said.push(format!(
        "Hunkwise {}, {} {}, names of {}",
        tool.version, tool.topic, tool.topic_version, tool.profile
    ));
    format!("\n<sub>{}.</sub>\n", prose(&said.join("; ")))
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
