//! `hash()` as the name of a file.

use super::CHECK;
use super::words::word;
use crate::facts::{Call, ExprId, Facts, Loss, Span};
use crate::rules::r06_cache_keys::compositions::CachePath;
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome};

/// `hash()` in a file name is wrong wherever the folder is: it differs from process to process.
pub(super) fn hashed_names(cx: &Context<'_>, known: &[CachePath], out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls().filter(|call| call.callee() == "hash") {
        let around = enclosing_name(facts, call.id);
        let Some(name) = around.or_else(|| name_that_takes(facts, &call)) else {
            continue;
        };
        let name = facts.expr(name);
        let is_covered = known.iter().any(|path| {
            let of = facts.expr(path.id).span;
            of.contains(call.span()) || (of.overlaps(name.span) && path.has_digest())
        });
        if is_covered || is_told(out, name.span) {
            continue;
        }
        let anchor = Anchor {
            stmt: name.stmt,
            span: name.span,
        };
        let words = word(facts, Loss::Hash, call.id, false);
        let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(HitVerdict::Look), words);
        if name.stmt != call.stmt() {
            hit.causes.push(call.span());
            hit = hit.with_related(call.span(), "what tells two values apart is lost here");
        }
        out.hits.push(hit);
    }
}

fn is_told(out: &Outcome, span: Span) -> bool {
    out.hits
        .iter()
        .any(|hit| hit.check.id == CHECK.id && hit.anchor.span.overlaps(span))
}

/// The composition around a call that ends like a file name.
fn enclosing_name(facts: &Facts, id: ExprId) -> Option<ExprId> {
    let around = std::iter::successors(facts.expr(id).parent, |&up| facts.expr(up).parent);
    let mut around = around.filter(|&up| ends_like_a_file(facts, up));
    around.find(|&up| facts.pieces(up).is_some())
}

/// `number = hash(...)`, and then `f"{number}.png"`.
fn name_that_takes(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let holds = |value: ExprId| facts.expr(value).span.contains(call.span());
    let takes = |&id: &ExprId| {
        ends_like_a_file(facts, id)
            && facts.within(id).any(|inner| {
                facts.name(inner).is_some() && facts.values(inner).into_iter().any(holds)
            })
    };
    let here = |id: &ExprId| facts.expr(*id).scope == call.scope();
    facts
        .compositions()
        .iter()
        .copied()
        .filter(here)
        .find(takes)
}

fn ends_like_a_file(facts: &Facts, id: ExprId) -> bool {
    let text = facts.expr_text(id).trim_end_matches(['"', '\'', ')']);
    text.rsplit_once('.')
        .is_some_and(|(_, end)| SUFFIXES.contains(&end))
}

const SUFFIXES: &[&str] = &[
    "json",
    "npy",
    "npz",
    "pt",
    "pth",
    "pkl",
    "bin",
    "jpg",
    "jpeg",
    "png",
    "webp",
    "wav",
    "mp3",
    "mp4",
    "onnx",
    "txt",
    "csv",
    "parquet",
    "idx",
    "db",
    "cache",
    "lock",
    "safetensors",
];
