//! Values kept under a digest that was cut short, whatever the key is called.

use super::named_keys::{assigned_key, names_tenant};
use super::words::word;
use super::{CHECK, is_grave};
use crate::facts::{ExprId, Facts, StmtKind};
use crate::rules::r06_cache_keys::stores::stores;
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome};

/// `embedding_cache[image_id]`, where `image_id` is twelve digits of a digest.
pub(super) fn stored_keys(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen: Vec<ExprId> = Vec::new();
    for store in stores(facts) {
        let part = facts.key_part(store.key, cx.profile);
        let Some((loss, at)) = part.real_loss().filter(|&(loss, _)| is_grave(loss)) else {
            continue;
        };
        if seen.contains(&at) || is_said_elsewhere(facts, at) {
            continue;
        }
        seen.push(at);
        let alone = facts.pieces(store.key).is_none() && !names_tenant(facts, store.key);
        let verdict = match alone {
            true => HitVerdict::Violation,
            false => HitVerdict::Look,
        };
        let anchor = Anchor {
            stmt: facts.expr(at).stmt,
            span: facts.expr(at).span,
        };
        let words = word(facts, loss, at, false);
        let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(verdict), words);
        let kept = facts.stmt(store.stmt).head;
        hit.causes.push(kept);
        out.hits.push(hit.with_related(kept, "kept under it here"));
    }
}

/// A name or a helper that promises a key is judged for itself.
fn is_said_elsewhere(facts: &Facts, at: ExprId) -> bool {
    let stmt = facts.expr(at).stmt;
    let by_helper = matches!(facts.stmt(stmt).kind, StmtKind::Return(_))
        && facts
            .function_name(stmt)
            .is_some_and(|name| topic::says(name, "cache key") || topic::says(name, "cachekey"));
    assigned_key(facts, stmt).is_some() || by_helper
}
