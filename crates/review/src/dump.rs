//! What single stages make of a diff, in words for developers.

use crate::facts::{Facts, StmtKind};
use crate::plan::{Plan, file_facts, is_read};
use crate::rules::{self, Context, HitVerdict, Others, Outcome};
use crate::sources::{self, DocLine, Document, Scaffold};
use report::Side;
use std::fmt::Write as _;
use std::sync::Arc;
use syntax::Tree;

/// The documents of each Python file, side by side with where their lines come from, and their trees.
pub fn documents(patch: &diff::Patch, parse: &mut dyn FnMut(&str) -> Tree) -> String {
    let mut out = String::new();
    for file in patch.files.iter().filter(|file| is_read(file)) {
        for (side, name) in [(Side::Old, "old"), (Side::New, "new")] {
            let sourced = sources::document(file, patch, side, None, parse);
            let _ = writeln!(out, "== {} ({name})", file.path());
            for problem in &sourced.problems {
                let _ = writeln!(out, "problem: {}", problem.message);
            }
            out.push_str(&listing(&sourced.document));
            out.push_str(&sourced.tree.outline(&sourced.document.text));
        }
    }
    out
}

/// The documents that a review of the plan parses, old before new side of each file.
pub fn texts(plan: &Plan, parse: &mut dyn FnMut(&str) -> Tree) -> Vec<String> {
    let files = (0..plan.len()).map(|n| file_facts(plan, n, parse));
    let sides = files.flat_map(|file| [file.old, file.new]);
    let text = |facts: Arc<Facts>| facts.document.text.clone();
    sides.flatten().map(text).collect()
}

/// The lines of a document behind their numbers; `+` marks changed lines, a word scaffold.
pub(crate) fn listing(document: &Document) -> String {
    let mut out = String::new();
    for (text, line) in document.text.lines().zip(&document.lines) {
        let origin = match line {
            DocLine::Diff {
                number, changed, ..
            } => format!("{number}{}", if *changed { "+" } else { " " }),
            DocLine::Scaffold(Scaffold::Heading) => "heading ".to_string(),
            DocLine::Scaffold(Scaffold::Unknown) => "unknown ".to_string(),
            DocLine::Scaffold(Scaffold::Tail) => "tail ".to_string(),
        };
        let _ = writeln!(out, "{origin:>8}|{text}");
    }
    out
}

/// The statements of both sides of the n-th file, and what every check sees there.
pub fn facts(plan: &Plan, n: usize, parse: &mut dyn FnMut(&str) -> Tree) -> String {
    let file = file_facts(plan, n, parse);
    let mut out = String::new();
    let sides = [Side::Old, Side::New].into_iter();
    for facts in sides.filter_map(|side| file.side(side)) {
        let _ = writeln!(out, "== {}", title(facts));
        statements(&mut out, facts);
        hits(&mut out, plan, facts);
    }
    out
}

fn title(facts: &Facts) -> String {
    let side = match facts.document.side {
        Side::Old => "old",
        Side::New => "new",
    };
    let whole = if facts.document.whole { ", whole" } else { "" };
    format!("{} ({side}{whole})", facts.path)
}

fn statements(out: &mut String, facts: &Facts) {
    for id in facts.stmt_ids() {
        let stmt = facts.stmt(id);
        let line = facts.diff_lines(stmt.head).next();
        let number = line.map_or_else(|| "-".to_owned(), |(number, _)| number.to_string());
        let changed = if facts.is_changed(stmt.head) {
            "*"
        } else {
            " "
        };
        let text = facts.text(stmt.head).lines().next().unwrap_or("");
        let visible = if facts.sees_all_of(id) {
            ""
        } else {
            " (scope shown in part)"
        };
        let kind = kind(&stmt.kind);
        let _ = writeln!(out, "{number:>6}{changed} {kind} {text}{visible}");
    }
}

/// The variant's name alone.
fn kind(kind: &StmtKind) -> String {
    let told = format!("{kind:?}");
    let end = told
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(told.len());
    told.get(..end).unwrap_or("").to_owned()
}

fn hits(out: &mut String, plan: &Plan, facts: &Facts) {
    let context = Context {
        facts,
        others: Others::default(),
        profile: &plan.profile,
    };
    let mut outcome = Outcome::default();
    for check in rules::checks() {
        (check.detect)(&context, &mut outcome);
    }
    let line = |span| {
        facts
            .diff_lines(span)
            .next()
            .map_or(0, |(number, _)| number)
    };
    for hit in &outcome.hits {
        let verdict = match &hit.verdict {
            HitVerdict::Violation => "violation",
            HitVerdict::Look => "look",
            HitVerdict::Excused(reason) => reason,
        };
        let number = line(hit.anchor.span);
        let _ = writeln!(
            out,
            "{number:>6}  R{} {}: {verdict}",
            hit.check.rule, hit.check.id
        );
    }
    for evidence in &outcome.evidence {
        let number = line(evidence.span);
        let _ = writeln!(
            out,
            "{number:>6}  R{} evidence: {}",
            evidence.rule, evidence.note
        );
    }
}
