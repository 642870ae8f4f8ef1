//! The review: whatever it points at stands in the diff.

use anyhow::{Context as _, ensure};
use diff::{File, Line, Patch};
use report::export::{self, Wording};
use report::{DiffView, Finding, Report, Row, Side, Work};
use review::Plan;
use std::collections::BTreeSet;

/// Whether each place of a report exists in the diff, in order, and each id that it names.
pub fn report(patch: &Patch, report: &Report) -> anyhow::Result<()> {
    for finding in &report.findings {
        stands(patch, finding).with_context(|| format!("{finding:?}"))?;
    }
    let order = |it: &Finding| (it.path.clone(), it.line, it.rule, it.check.clone());
    ensure!(report.findings.is_sorted_by_key(order), "out of order");
    let ids: BTreeSet<&str> = report.findings.iter().map(|it| it.id.as_str()).collect();
    ensure!(
        ids.len() == report.findings.len(),
        "two findings with one id"
    );
    for line in &report.checklist {
        let known = line.findings.iter().all(|id| ids.contains(id.as_str()));
        ensure!(known, "{} names a finding that is none", line.id);
        for it in &line.evidence {
            let place = (it.path.as_str(), Side::New, it.line);
            is_shown(patch, place).with_context(|| format!("{it:?}"))?;
        }
    }
    for it in &report.topic.signals {
        is_shown(patch, (&it.path, it.side, it.line)).with_context(|| format!("{it:?}"))?;
    }
    Ok(())
}

/// A diff can show a place twice, and differently: one of the lines there has to fit.
fn stands(patch: &Patch, finding: &Finding) -> anyhow::Result<()> {
    let place = (finding.path.as_str(), finding.side, finding.line);
    let mut lines = shown(patch, place).peekable();
    ensure!(lines.peek().is_some(), "stands on no line of the diff");
    let start = (finding.line, finding.column);
    let end = (finding.end_line, finding.end_column);
    ensure!(finding.column >= 1 && start < end, "is empty");
    let within = lines.any(|line| {
        let units = patch.text(line).encode_utf16().count() as u32;
        let ends = finding.line < finding.end_line || finding.end_column <= units + 1;
        finding.column <= units && ends
    });
    ensure!(within, "reaches over its line");
    for it in &finding.related {
        ensure!(it.line <= it.end_line, "{it:?} ends before it begins");
        is_shown(patch, (&it.path, it.side, it.line)).with_context(|| format!("{it:?}"))?;
    }
    Ok(())
}

fn is_shown(patch: &Patch, place: (&str, Side, u32)) -> anyhow::Result<()> {
    ensure!(
        shown(patch, place).next().is_some(),
        "stands on no line of the diff"
    );
    Ok(())
}

/// The lines of the diff at a place: a path, a side and a number.
fn shown<'p>(
    patch: &'p Patch,
    (path, side, number): (&str, Side, u32),
) -> impl Iterator<Item = &'p Line> {
    let own = move |file: &&File| {
        let is = |name: &Option<String>| name.as_deref().unwrap_or("") == path;
        is(&file.old_path) || is(&file.new_path)
    };
    let hunks = patch.files.iter().filter(own).flat_map(|file| &file.hunks);
    hunks
        .flat_map(|hunk| &hunk.lines)
        .filter(move |line| match side {
            Side::Old => line.old == Some(number),
            Side::New => line.new == Some(number),
        })
}

/// Whether a file of the view has the rows that it announces, whole or by the window, and marks lie in their text.
pub fn rows(plan: &Plan, view: &DiffView) -> anyhow::Result<()> {
    for (at, file) in view.files.iter().enumerate() {
        let all = review::rows(plan, at, 0, usize::MAX);
        ensure!(
            all.len() == file.n_rows() as usize,
            "{} of {} rows",
            all.len(),
            file.n_rows()
        );
        all.iter().try_for_each(is_marked)?;
        let (from, to) = (all.len() / 3, all.len() / 2);
        let window = review::rows(plan, at, from, to);
        ensure!(
            all.get(from..to) == Some(&window),
            "rows {from}..{to} are others alone"
        );
    }
    Ok(())
}

fn is_marked(row: &Row) -> anyhow::Result<()> {
    let units = row.text.encode_utf16().count() as u32;
    let spans = row.spans.iter().map(|it| [it.start, it.end]);
    for marks in [spans.collect(), row.words.clone()] {
        let within = marks
            .iter()
            .all(|[start, end]| start < end && *end <= units);
        let apart = marks.is_sorted_by(|[_, end], [start, _]| end <= start);
        ensure!(within && apart, "marks beside the text: {row:?}");
    }
    Ok(())
}

/// Writes every export of a report. That of JSON reads back as what it was made of.
pub fn exports(
    report: &Report,
    work: &Work,
    view: &DiffView,
    wording: &Wording,
) -> anyhow::Result<()> {
    let json = export::json_with_diff(report, work, "a diff");
    let saved = export::from_json(&json)?;
    ensure!(saved.report == *report, "the report came back otherwise");
    ensure!(
        saved.work == *work || work.is_empty(),
        "the work came back otherwise"
    );
    ensure!(
        saved.diff.as_deref() == Some("a diff"),
        "the diff came back otherwise"
    );
    let _ = export::text(report, work);
    let _ = export::markdown(report, work, wording);
    let _ = export::sarif(report, work, true);
    let _ = export::comments(report, work, wording, view);
    Ok(())
}
