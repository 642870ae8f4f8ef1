//! The last step: run every check on both sides of every file, and say what the change brought.
//!
//! Checks know nothing of diffs. Here their hits are placed in the diff ([`place`]), compared with the old side
//! ([`existing`]), excused where somebody said so ([`excused`]), given their ids and made one where they mean one
//! defect or repeat one ([`merge`], [`fold`]). What remains becomes the report.

mod checklist;
mod excused;
mod existing;
mod finding;
mod fold;
mod found;
mod guards;
mod id;
mod input;
mod linked;
mod locate;
mod lost;
mod merge;
mod normal;
mod place;
mod problems;
mod quoted;
mod removed;
mod rows;
mod seen;
mod signals;

pub use seen::Each;
pub(crate) use seen::Looks;

use crate::plan::{FileFacts, Plan};
use report::{Finding, Report, Tool, Topic};

/// Bytes of Python below which a report is there before anybody has read a first finding.
const SOON: usize = 64 << 10;

/// Makes the report of what was understood.
pub fn conclude(plan: &Plan, files: &[FileFacts]) -> Report {
    conclude_by(plan, files, seen::IN_TURN)
}

/// The same, for a host that can look at several files at once: most of the time goes there.
pub fn conclude_by(plan: &Plan, files: &[FileFacts], each: Each<'_>) -> Report {
    let linked = linked::link(files);
    let mut seen = seen::see(plan, &linked, each);
    let findings = findings(plan, &mut seen);
    let problems = problems::problems(plan, files);
    let signals = signals::signals(&seen);
    let applies = !signals.is_empty() || findings.iter().any(|finding| finding.verdict.counts());
    Report {
        schema: report::SCHEMA.to_owned(),
        tool: tool(plan),
        source: plan.source.clone(),
        input: input::input(plan),
        topic: Topic { applies, signals },
        checklist: checklist::checklist(&seen, &findings, problems.hinder),
        findings,
        problems: problems.told,
    }
}

/// What one file shows by itself, to be told before the others are read: of that a reviewer has to act on. The
/// report may say more, less, or otherwise. Nothing where the diff is so small that the report comes as soon.
pub fn provisional(plan: &Plan, file: &FileFacts) -> Vec<Finding> {
    if plan.bytes < SOON {
        return Vec::new();
    }
    let mut seen = seen::see(plan, std::slice::from_ref(file), seen::IN_TURN);
    let mut findings = findings(plan, &mut seen);
    findings.retain(|finding| finding.verdict.counts());
    findings
}

fn findings(plan: &Plan, seen: &mut [seen::Seen<'_>]) -> Vec<Finding> {
    let mut found = place::place(seen);
    existing::mark(seen, &mut found);
    found.extend(lost::add(plan, seen));
    id::number(seen, &mut found);
    excused::mark(plan, seen, &mut found);
    let found = fold::fold(seen, merge::merge(seen, found));
    let mut findings: Vec<Finding> = found
        .into_iter()
        .filter_map(|found| finding::finding(seen, found))
        .collect();
    findings.sort_by(|a, b| order(a).cmp(&order(b)));
    findings
}

/// Path, line, rule, check; the rest only makes the order total.
fn order(finding: &Finding) -> (&str, u32, u8, &str, Option<u32>, u32, &str) {
    (
        &finding.path,
        finding.line,
        finding.rule,
        &finding.check,
        finding.commit,
        finding.column,
        &finding.id,
    )
}

fn tool(plan: &Plan) -> Tool {
    let topic = topic::topic();
    Tool {
        name: "hunkwise".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        topic: topic.id.to_owned(),
        topic_version: topic.version.to_owned(),
        profile: plan.profile.name.clone(),
    }
}
