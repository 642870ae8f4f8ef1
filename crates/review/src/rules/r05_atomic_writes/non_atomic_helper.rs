//! A plain dump helper writes the cache although its atomic twin exists.

use super::switches::excuse;
use crate::facts::{CacheProof, Call, ExprId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words, own_helper};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "non-atomic-helper",
    rule: 5,
    severity: Severity::Block,
    references: &[],
    summary: "A plain dump helper writes a cache path although its atomic twin exists.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        let Some((twin, path)) = plain_dump(cx, &call) else {
            continue;
        };
        let Some(proof) = cx.facts.cache_proof(path, cx.profile) else {
            continue;
        };
        if !cx.facts.is_moved_away(path) {
            out.hits.push(Hit::new(
                &CHECK,
                Anchor::call(&call),
                verdict(cx, &call, proof),
                word(cx, &call, twin, path),
            ));
        }
    }
}

/// The twin of a plain helper, and the path that the call gives it.
fn plain_dump<'a>(cx: &Context<'a>, call: &Call<'_>) -> Option<(&'a str, ExprId)> {
    let twin = cx.profile.cache.atomic_twin(call.callee())?;
    Some((twin, call.arg(0, "path")?))
}

fn verdict(cx: &Context<'_>, call: &Call<'_>, proof: CacheProof) -> HitVerdict {
    if let Some(reason) = excuse(cx, call.stmt()) {
        return HitVerdict::Excused(reason);
    }
    let is_locked = cx.facts.is_file_locked(call.stmt());
    let verdict = match proof {
        CacheProof::Flows | CacheProof::Says if !is_locked => HitVerdict::Violation,
        _ => HitVerdict::Look,
    };
    match call.arg(0, "path") {
        Some(path) => cx.where_path_shared(path, verdict),
        None => cx.where_shared(verdict),
    }
}

fn word(cx: &Context<'_>, call: &Call<'_>, twin: &str, path: ExprId) -> Words {
    let path = cx.facts.expr_text(path);
    let plain = call.name();
    // The package may lack the twin.
    let has_twin = cx
        .profile
        .helpers_for(&cx.facts.path, topic::Role::AtomicWrite)
        .any(|helper| topic::name_matches(&helper.name, twin));
    let ask = if !has_twin {
        format!(
            "Write to a temp file in the folder of `{path}` and `os.replace` it onto the name, unless every reader takes the lock that this write holds."
        )
    } else if cx.facts.is_file_locked(call.stmt()) {
        format!(
            "Does each reader of `{path}` take the same lock? Look for its readers. Else write to a temp file in its folder and `os.replace` it onto the name ({}).",
            own_helper::does(cx.facts, twin)
        )
    } else if own_helper::is_shown(cx.facts, twin) {
        format!("Use `{twin}`: same arguments, and the file appears whole or not at all.")
    } else {
        format!(
            "Write to a temp file in the folder of `{path}` and `os.replace` it onto the name ({}, with the same arguments).",
            own_helper::does(cx.facts, twin)
        )
    };
    Words::new(
        format!("`{plain}` writes `{path}` in place."),
        "It truncates the file first and fills it then; a worker that reads in between gets half of it.",
        ask,
    )
}
