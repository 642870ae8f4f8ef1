//! Facts of a text, for unit tests of this crate.

use crate::facts::Facts;
use crate::rules::{Check, Context, Others, Outcome};
use crate::sources::{DocLine, Document};
use report::Side;

/// The facts of a whole new file.
pub(crate) fn facts_of(text: &str) -> Facts {
    facts_at("probe.py", text, true)
}

/// The facts of a text at a path; not whole, it stands for one hunk of a longer file.
pub(crate) fn facts_at(path: &str, text: &str, whole: bool) -> Facts {
    let line = |n: usize| DocLine::Diff {
        number: n as u32 + 1,
        changed: true,
        hunk: 0,
    };
    let document = Document {
        side: Side::New,
        text: text.to_string(),
        lines: (0..text.split('\n').count()).map(line).collect(),
        whole,
    };
    let tree = native::Parser::new().unwrap().parse(text);
    Facts::new(path, document, &tree)
}

/// What checks see in a text: `check line verdict`, lines from 1.
pub(crate) fn seen(checks: &[&'static Check], facts: &Facts) -> Vec<String> {
    let profile = topic::Profile::builtin();
    let cx = Context {
        facts,
        others: Others::default(),
        profile: &profile,
    };
    let mut out = Outcome::default();
    for check in checks {
        (check.detect)(&cx, &mut out);
    }
    let line = |start| facts.lines.line(start) + 1;
    let told = out.hits.iter().map(|hit| {
        let verdict = format!("{:?}", hit.verdict).to_lowercase();
        let verdict = verdict.split('(').next().unwrap_or("").to_string();
        format!("{} {} {verdict}", hit.check.id, line(hit.anchor.span.start))
    });
    told.collect()
}
