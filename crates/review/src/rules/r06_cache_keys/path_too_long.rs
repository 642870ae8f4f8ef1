//! A URL or prompt as a file name.

use super::compositions::{CachePath, cache_paths};
use super::raw_id_in_path::is_long_text;
use crate::facts::{CacheProof, ExprId, Facts, Loss, Source};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "path-too-long",
    rule: 6,
    severity: Severity::Block,
    references: &[],
    summary: "A URL, prompt or other text of any length is a file name of the cache.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        if cx.profile.keys.is_length_check(call.callee()) {
            out.evidence(6, call.span(), "the length of the path is tested");
        }
    }
    for path in cache_paths(cx) {
        let Some(text) = long_part(cx.facts, &path) else {
            continue;
        };
        if is_measured(cx, &path) {
            continue;
        }
        let expr = cx.facts.expr(path.id);
        let anchor = Anchor {
            stmt: expr.stmt,
            span: expr.span,
        };
        let verdict = match path.proof {
            CacheProof::Place => HitVerdict::Look,
            _ => HitVerdict::Violation,
        };
        let words = word(cx.facts, text);
        out.hits
            .push(Hit::new(&CHECK, anchor, cx.where_shared(verdict), words));
    }
}

/// The text of any length: neither cut nor hashed.
fn long_part(facts: &Facts, path: &CachePath) -> Option<ExprId> {
    path.parts.iter().find_map(|(id, part)| {
        let cut = matches!(
            part.loss,
            Some((Loss::Truncated | Loss::Hash | Loss::Basename, _))
        );
        let long = match part.source {
            Source::Raw(raw) => is_long_text(facts, raw).then_some(raw),
            Source::Checked => facts.within(*id).find(|&inner| is_long_text(facts, inner)),
            _ => None,
        };
        long.filter(|_| !cut && !part.has_digest)
    })
}

/// Whether the function asks for the length of a path.
fn is_measured(cx: &Context<'_>, path: &CachePath) -> bool {
    let facts = cx.facts;
    facts
        .calls_of(facts.expr(path.id).scope)
        .any(|call| cx.profile.keys.is_length_check(call.callee()) || call.callee() == "len")
}

fn word(facts: &Facts, text: ExprId) -> Words {
    let text = facts.expr_text(text);
    Words::new(
        format!("`{text}` can be longer than a file name may be."),
        "File systems end names at 255 bytes: a long one fails with `OSError` at the first write, and only for some users.",
        format!(
            "Put a digest of `{text}` into the name instead, or test the finished path against the limits."
        ),
    )
}
