//! What users give beside a diff: saved reviews, a reviewer's work, a team's dismissals, a profile.

#![no_main]

use anyhow::ensure;
use fuzz::{SAMPLE, on_large_stack};
use libfuzzer_sys::fuzz_target;
use report::export::{self, Gravity, Read, Saved};
use report::{DiffView, Report, Work};
use review::{Dismissal, Input};
use std::sync::LazyLock;
use tests::{reviewed, sound};
use topic::{Profile, topic};

static REPORT: LazyLock<Report> =
    LazyLock::new(|| tests::review(SAMPLE).expect("the sample is reviewed"));

fuzz_target!(|text: &str| {
    on_large_stack(|| {
        if let Err(unsound) = check(text) {
            panic!("{unsound:#}");
        }
    });
});

fn check(text: &str) -> anyhow::Result<()> {
    match export::read(text) {
        Some(Ok(Read::Review(saved))) => is_kept(&saved)?,
        Some(Ok(Read::Work(work))) => is_laid_over(&work)?,
        Some(Err(error)) => ensure!(error.to_string().ends_with('.'), "{error}"),
        None => {}
    }
    if let Ok(work) = export::work_from_json(text) {
        is_laid_over(&work)?;
    }
    match Profile::from_json(text) {
        Ok(profile) => is_reviewed_by(&profile),
        Err(error) => {
            ensure!(error.to_string().ends_with('.'), "{error}");
            Ok(())
        }
    }
}

/// A saved review is written as it was read, in every form.
fn is_kept(saved: &Saved) -> anyhow::Result<()> {
    let Saved { report, work, diff } = saved;
    let wording = topic().wording(Gravity::default());
    sound::exports(report, work, &DiffView::default(), &wording)?;
    let text = export::json_with_diff(report, work, diff.as_deref().unwrap_or(""));
    ensure!(
        export::from_json(&text)?.report == *report,
        "the report changed"
    );
    let _ = work.apply(report);
    let _ = report::Version::of(report, String::new(), Default::default());
    is_laid_over(work)
}

/// Work goes over any report, and joins other work without losing a word of either.
fn is_laid_over(work: &Work) -> anyhow::Result<()> {
    let applied = work.apply(&REPORT);
    ensure!(
        applied.findings.len() == REPORT.findings.len(),
        "a finding was lost"
    );
    let text = export::json(&REPORT, work);
    ensure!(
        work.is_empty() || export::work_from_json(&text)? == *work,
        "the work changed"
    );
    let mut merged = work.clone();
    ensure!(merged.merge(work, work) == 0, "it clashes with itself");
    let mut mine = Work::default();
    mine.merge(&Work::default(), work);
    ensure!(
        !mine.differs_from(work) || has_idle_entries(work),
        "words were lost"
    );
    let mut joined = Work::default();
    joined.join(work.clone().signed());
    ensure!(!joined.differs_from(work), "words were lost in joining");
    is_dismissed(work)
}

/// An entry in which nothing was done goes away in a merge.
fn has_idle_entries(work: &Work) -> bool {
    let lines = work.lines.values().any(|it| *it == Default::default());
    lines || work.findings.values().any(|it| *it == Default::default())
}

/// A team's dismissals excuse what they name, and nothing else changes.
fn is_dismissed(work: &Work) -> anyhow::Result<()> {
    let dismissals: Vec<Dismissal> = (work.findings.iter())
        .map(|(id, work)| Dismissal {
            id: id.clone(),
            reason: work.reason.clone(),
        })
        .collect();
    let (_, report) = reviewed(&Input {
        dismissals: &dismissals,
        ..input(&Profile::builtin())
    })?;
    for (before, now) in REPORT.findings.iter().zip(&report.findings) {
        let named = work.findings.contains_key(&before.id);
        ensure!(!named || !now.verdict.counts(), "{now:?} was dismissed");
        ensure!(named || now == before, "{now:?} changed");
    }
    Ok(())
}

fn is_reviewed_by(profile: &Profile) -> anyhow::Result<()> {
    let (_, report) = reviewed(&input(profile))?;
    ensure!(
        report.tool.profile == profile.name,
        "another profile is named"
    );
    sound::report(&diff::parse(SAMPLE), &report)
}

fn input(profile: &Profile) -> Input<'_> {
    static SOURCE: LazyLock<report::Source> = LazyLock::new(Default::default);
    Input {
        text: SAMPLE,
        decoding: &[],
        files: None,
        profile,
        dismissals: &[],
        source: &SOURCE,
    }
}
