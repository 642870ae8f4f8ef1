//! The last step: run the rules on both sides and say what the change brought.

use crate::facts::{Facts, Span};
use crate::plan::{FileFacts, Plan};
use crate::rules::{self, Context, Hit, HitVerdict, Outcome};
use report::{
    ChecklistLine, Context as InputContext, Evidence, Finding, Input, OutOfScope, Problem,
    Reference, Report, Side, Status, Tool, Topic, Verdict,
};

/// Makes the report of what was understood.
pub fn conclude(plan: &Plan, files: &[FileFacts]) -> Report {
    let mut findings = Vec::new();
    let mut evidence: Vec<(u8, Evidence)> = Vec::new();
    for file in files {
        review_file(plan, file, &mut findings, &mut evidence);
    }
    findings.sort_by(|a: &Finding, b| {
        (&a.path, a.line, a.rule, &a.check).cmp(&(&b.path, b.line, b.rule, &b.check))
    });
    let applies = findings.iter().any(|finding| finding.verdict.counts());
    let topic = topic::topic();
    let checklist = topic
        .rules
        .iter()
        .map(|card| line(card, &findings, &evidence))
        .collect();
    let patch = &plan.patch;
    Report {
        schema: report::SCHEMA.to_string(),
        tool: Tool {
            name: "hunkwise".to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            topic: topic.id.to_string(),
            topic_version: topic.version.to_string(),
            profile: plan.profile.name.clone(),
        },
        source: plan.source.clone(),
        input: Input {
            context: if plan.files.is_some() {
                InputContext::Files
            } else {
                InputContext::Diff
            },
            files: patch.files.len() as u32,
            hunks: patch.files.iter().map(|f| f.hunks.len() as u32).sum(),
            added: patch.files.iter().map(|f| f.added() as u32).sum(),
            removed: patch.files.iter().map(|f| f.deleted() as u32).sum(),
            out_of_scope: OutOfScope::default(),
        },
        topic: Topic {
            applies,
            signals: Vec::new(),
        },
        checklist,
        findings,
        problems: patch
            .problems
            .iter()
            .map(|p| Problem {
                path: p.path.clone(),
                line: p.line,
                kind: p.kind.name().to_string(),
                message: p.message.clone(),
            })
            .chain(files.iter().flat_map(|f| f.problems.clone()))
            .collect(),
    }
}

fn line(
    card: &topic::RuleCard,
    findings: &[Finding],
    evidence: &[(u8, Evidence)],
) -> ChecklistLine {
    let own: Vec<&Finding> = findings.iter().filter(|f| f.rule == card.number).collect();
    let evidence: Vec<Evidence> = evidence
        .iter()
        .filter(|(r, _)| *r == card.number)
        .map(|(_, e)| e.clone())
        .collect();
    let has = |verdict| own.iter().any(|f| f.verdict == verdict);
    let status = if has(Verdict::Violation) {
        Status::Found
    } else if has(Verdict::Look) {
        Status::Look
    } else if own.is_empty() && evidence.is_empty() {
        Status::NotApplicable
    } else {
        Status::Clear
    };
    ChecklistLine {
        id: card.id.to_string(),
        severity: card.severity,
        rule: card.number,
        title: card.title.to_string(),
        status,
        findings: own.iter().map(|f| f.id.clone()).collect(),
        evidence,
    }
}

fn run(plan: &Plan, facts: Option<&Facts>) -> Outcome {
    let mut out = Outcome::default();
    if let Some(facts) = facts {
        let cx = Context {
            facts,
            others: &[],
            profile: &plan.profile,
        };
        for check in rules::checks() {
            (check.detect)(&cx, &mut out);
        }
    }
    out
}

fn review_file(
    plan: &Plan,
    file: &FileFacts,
    findings: &mut Vec<Finding>,
    evidence: &mut Vec<(u8, Evidence)>,
) {
    let Some(new) = &file.new else { return };
    let outcome = run(plan, Some(new));
    let before = run(plan, file.old.as_ref());
    let old: Vec<(&'static str, String, bool)> = match &file.old {
        Some(facts) => before
            .hits
            .iter()
            .map(|h| (h.check.id, normal(facts, h), touched(facts, h)))
            .collect(),
        None => Vec::new(),
    };
    for (n, hit) in outcome.hits.iter().enumerate() {
        let text = normal(new, hit);
        let same = old
            .iter()
            .find(|(id, t, _)| *id == hit.check.id && *t == text);
        if !touched(new, hit) && (same.is_some() || file.old.is_none()) {
            continue;
        }
        let existing = same.is_some_and(|(_, _, changed)| *changed)
            || (same.is_some() && !new.is_changed(hit.anchor.span));
        findings.extend(finding(new, hit, existing, n));
    }
    for e in &outcome.evidence {
        if new.is_changed(e.span)
            && let Some((line, _)) = new.diff_lines(e.span).next()
        {
            evidence.push((
                e.rule,
                Evidence {
                    path: new.path.clone(),
                    line,
                    note: e.note.clone(),
                },
            ));
        }
    }
}

fn touched(facts: &Facts, hit: &Hit) -> bool {
    facts.is_changed(hit.anchor.span)
        || facts.is_changed(facts.stmt(hit.anchor.stmt).head)
        || hit.causes.iter().any(|&span| facts.is_changed(span))
}

fn normal(facts: &Facts, hit: &Hit) -> String {
    facts
        .text(facts.stmt(hit.anchor.stmt).head)
        .split_whitespace()
        .collect()
}

fn finding(facts: &Facts, hit: &Hit, existing: bool, n: usize) -> Option<Finding> {
    let (line, end_line) = lines(facts, hit.anchor.span)?;
    let (verdict, reason) = match &hit.verdict {
        _ if existing => (
            Verdict::Existing,
            Some("It stood there before.".to_string()),
        ),
        HitVerdict::Violation => (Verdict::Violation, None),
        HitVerdict::Look => (Verdict::Look, None),
        HitVerdict::Excused(reason) => (Verdict::Excused, Some(reason.clone())),
    };
    let text = &facts.document.text;
    let related = hit.related.iter().filter_map(|place| {
        let (line, end_line) = lines(facts, place.span)?;
        Some(Reference {
            side: Side::New,
            path: facts.path.clone(),
            line,
            end_line,
            note: place.note.clone(),
        })
    });
    Some(Finding {
        id: format!("{}-{}-{n}", hit.check.rule, hit.check.id),
        rule: hit.check.rule,
        check: hit.check.id.to_string(),
        severity: hit.severity.unwrap_or(hit.check.severity),
        verdict,
        side: Side::New,
        path: facts.path.clone(),
        commit: None,
        line,
        end_line,
        column: facts.lines.column(hit.anchor.span.start, text),
        end_column: facts.lines.column(hit.anchor.span.end, text),
        message: hit.words.message.clone(),
        why: hit.words.why.clone(),
        ask: hit.words.ask.clone(),
        reason,
        related: related.collect(),
        also: hit.also.clone(),
        references: topic::topic()
            .rule(hit.check.rule)
            .map(|card| card.references_of(hit.check.id))
            .unwrap_or_default(),
    })
}

fn lines(facts: &Facts, span: Span) -> Option<(u32, u32)> {
    let all: Vec<u32> = facts.diff_lines(span).map(|(line, _)| line).collect();
    Some((*all.first()?, *all.last()?))
}
