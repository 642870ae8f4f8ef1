//! An id from outside names a folder or file of the cache.

use super::compositions::{CachePath, cache_paths};
use crate::facts::{CacheProof, ExprId, Facts, Source};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words, own_helper};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "raw-id-in-path",
    rule: 6,
    severity: Severity::Block,
    references: &[],
    summary: "A model id or another value from outside is a part of a cache path as it came.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        if cx.profile.keys.is_safe_call(call.callee()) {
            out.evidence(6, call.span(), "the name comes from the shared helper");
        }
    }
    for path in cache_paths(cx) {
        match raw_part(&path) {
            Some(raw) if !is_long_text(cx.facts, raw) && !is_contained(cx, &path) => {
                out.hits.push(hit(cx, &path, raw));
            }
            None if path.has_digest() => {
                let span = cx.facts.expr(path.id).span;
                out.evidence(6, span, "a digest names the entry");
            }
            _ => {}
        }
    }
}

/// The outside value that gets into the path unchanged.
pub(super) fn raw_part(path: &CachePath) -> Option<ExprId> {
    path.parts.iter().find_map(|(_, part)| match part.source {
        Source::Raw(raw) => Some(raw),
        _ => None,
    })
}

/// Values that are too long for a name before they are dangerous: they have a check of their own.
pub(super) fn is_long_text(facts: &Facts, raw: ExprId) -> bool {
    facts
        .last_name(raw)
        .is_some_and(|name| topic::words(name).any(|word| LONG_TEXTS.contains(&&*word)))
}

/// Words of names for what a user writes.
const LONG_TEXTS: &[&str] = &[
    "url",
    "prompt",
    "query",
    "text",
    "sentence",
    "sentences",
    "utterance",
    "question",
    "caption",
    "phrase",
    "phrases",
    "term",
    "keywords",
    "paragraph",
    "passage",
    "transcript",
];

/// Whether the function tests that the path, under the name that it gets, stays within a root.
pub(super) fn is_contained(cx: &Context<'_>, path: &CachePath) -> bool {
    let facts = cx.facts;
    facts.calls_of(facts.expr(path.id).scope).any(|call| {
        cx.profile.keys.is_containment_check(call.callee())
            && call
                .args
                .iter()
                .any(|arg| leads_to(facts, arg.value, path.id, 4))
    })
}

fn leads_to(facts: &Facts, value: ExprId, path: ExprId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    facts.within(value).any(|id| {
        id == path
            || (facts.name(id).is_some()
                && facts
                    .values(id)
                    .into_iter()
                    .any(|value| value != id && leads_to(facts, value, path, depth)))
    })
}

fn hit(cx: &Context<'_>, path: &CachePath, raw: ExprId) -> Hit {
    let anchor = Anchor::expr(cx.facts, path.id);
    let is_file_name = cx
        .facts
        .last_name(raw)
        .is_some_and(|name| topic::says(name, "filename") || topic::says(name, "file name"));
    // The hidden part of the class may hold it as a constant.
    let is_proven = !is_file_name && !cx.facts.is_unseen_attribute(raw);
    let verdict = match path.proof {
        CacheProof::Flows | CacheProof::Says if is_proven => HitVerdict::Violation,
        _ => HitVerdict::Look,
    };
    Hit::new(
        &CHECK,
        anchor,
        cx.where_shared(verdict),
        word(cx, path, raw),
    )
}

fn word(cx: &Context<'_>, path: &CachePath, raw: ExprId) -> Words {
    let is_unseen = cx.facts.is_unseen_attribute(raw);
    let is_split = cx.facts.is_of_fixed_parts(raw, cx.facts.expr(path.id).stmt);
    let raw = cx.facts.expr_text(raw);
    let what = if path.is_lock {
        "the name of a lock file"
    } else {
        "a cache path"
    };
    let helper = cx
        .profile
        .helpers_for(&cx.facts.path, topic::Role::CacheKey)
        .next();
    let plain = "Make the name of a readable slug and a digest of the whole id";
    let cure = match helper {
        Some(helper) => format!("{plain} ({})", own_helper::does(cx.facts, &helper.name)),
        None => plain.to_string(),
    };
    let ask = match path.proof {
        CacheProof::Place => format!(
            "Can a user choose `{raw}`, and does this path lie in the shared cache? {cure}."
        ),
        _ if is_unseen => format!(
            "Is `{raw}` given from outside, or a constant of its class? If given: {}, or refuse ids that do not fully match a strict pattern.",
            lower_first(&cure)
        ),
        _ => format!("{cure}, or refuse ids that do not fully match a strict pattern."),
    };
    let why = if is_split {
        "It is unpacked into a fixed number of parts, so it cannot bring more slashes than that; but a part can be `..`, which names the folder above, or the cache root itself."
    } else {
        "An id with `..` or a leading slash leaves the cache root, one with slashes nests into the folder of another entry, a long one does not fit the file system."
    };
    Words::new(
        format!("`{raw}` becomes a part of {what} as it came."),
        why,
        ask,
    )
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}
