//! A URL or prompt as a file name.

use super::compositions::{CachePath, cache_paths};
use super::memcached_keys;
use super::raw_id_in_path::is_long_text;
use crate::facts::{CacheProof, ExprId, Facts, Loss, Source, StmtId, StmtKind};
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
    memcached_keys::detect(cx, out);
    for path in cache_paths(cx) {
        let Some(text) = long_part(cx.facts, &path) else {
            continue;
        };
        if is_measured(cx, &path) || is_kept_short(cx.facts, text) {
            continue;
        }
        let anchor = Anchor::expr(cx.facts, path.id);
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

/// `if len(text) > 40: raise`, in the function that names the file.
fn is_kept_short(facts: &Facts, text: ExprId) -> bool {
    let name = facts.expr_text(text);
    let refuses = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::If { test, body, .. } => {
            let mut calls = facts.within(*test).filter_map(|id| facts.call(id));
            let measures = calls.any(|call| {
                let of = call.positional(0).map(|of| facts.expr_text(of));
                call.callee() == "len" && of == Some(name)
            });
            measures && facts.always_leaves(body)
        }
        _ => false,
    };
    let mut stmts = facts.statements_of(facts.expr(text).scope);
    stmts.any(refuses)
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
