//! Values kept under a digest that was cut short, whatever the key is called.

use super::named_keys::names_tenant;
use super::words::{word, words_of_tenant};
use super::{CHECK, is_grave};
use crate::facts::{ExprId, ExprKind, Facts, Loss, Span, StmtId, StmtKind};
use crate::rules::r06_cache_keys::stores::{assigned_key, composed_key, kept_in_redis, stores};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome};
use report::Severity;

/// `embedding_cache[image_id]`, where `image_id` is twelve digits of a digest.
pub(super) fn stored_keys(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen: Vec<ExprId> = Vec::new();
    let in_redis = kept_in_redis(facts);
    let stored = stores(facts).into_iter().chain(in_redis.iter().copied());
    let stored = stored.map(|store| (store.stmt, store.key, is_grave as fn(Loss) -> bool));
    let kept = facts.stmt_ids().flat_map(|stmt| kept_under(facts, stmt));
    let kept = kept.map(|(stmt, key)| (stmt, key, is_short as fn(Loss) -> bool));
    for (stmt, key, counts) in stored.chain(kept) {
        let part = facts.key_part(key, cx.profile);
        let Some((loss, at)) = part.real_loss().filter(|&(loss, _)| counts(loss)) else {
            continue;
        };
        let names_key = |&value: &ExprId| assigned_key(facts, facts.expr(value).stmt).is_some();
        let is_named = facts.values(key).iter().any(names_key);
        if seen.contains(&at) || is_named || is_said_elsewhere(facts, at) {
            continue;
        }
        // A helper of an entry in Redis that promises an identity is told of by its name.
        let is_of_redis = in_redis.iter().any(|store| store.stmt == stmt);
        if is_of_redis && is_told(out, facts.expr(at).span) {
            continue;
        }
        seen.push(at);
        out.hits.push(hit(cx, stmt, key, (loss, at)));
    }
}

fn is_told(out: &Outcome, lost: Span) -> bool {
    let mut told = out.hits.iter().filter(|hit| hit.check.id == CHECK.id);
    told.any(|hit| hit.causes.contains(&lost) || hit.anchor.span.contains(lost))
}

fn is_short(loss: Loss) -> bool {
    loss == Loss::ShortDigest
}

fn hit(cx: &Context<'_>, kept: StmtId, key: ExprId, (loss, at): (Loss, ExprId)) -> Hit {
    let facts = cx.facts;
    let alone =
        facts.pieces(key).is_none() && !names_tenant(facts, key) && !is_in_pair(facts, key, at);
    let rare = is_bounded(facts, kept) && digits_of(facts, at).is_some_and(|n| n >= FEW_MEET);
    let verdict = HitVerdict::sure_if(alone && !rare);
    let anchor = Anchor::expr(facts, at);
    let plain = word(facts, loss, at, false);
    let words = match alone {
        true => plain,
        false => words_of_tenant(plain),
    };
    let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(verdict), words);
    hit.severity = (!alone || rare).then_some(Severity::Flag);
    let kept = facts.stmt(kept).head;
    hit.causes.push(kept);
    hit.with_related(kept, "kept under it here")
}

/// Hex digits of a digest that hardly meet among the entries that memory holds.
const FEW_MEET: u32 = 12;

/// How many digits `digest[:12]` keeps.
fn digits_of(facts: &Facts, at: ExprId) -> Option<u32> {
    let text = facts.expr_text(at).trim_end_matches(']');
    text.rsplit_once("[:")?.1.trim().parse().ok()
}

/// Whether the statement keeps it in a container of this process that lets old entries go.
fn is_bounded(facts: &Facts, kept: StmtId) -> bool {
    let mut containers = facts.containers().iter();
    containers.any(|container| {
        let mut uses = container.uses.iter();
        container.is_bounded() && uses.any(|of| of.stmt == kept)
    })
}

/// The keys that a statement puts into something that outlives the call, or looks up there: `seen.add(key)`,
/// `jobs[key] = job`, `key in seen`.
fn kept_under(facts: &Facts, stmt: StmtId) -> Vec<(StmtId, ExprId)> {
    let lasts = |object: ExprId| outlives(facts, object, 4);
    let assigned = match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => targets.as_slice(),
        _ => &[],
    };
    let assigned = assigned.iter().filter_map(|&target| {
        let ExprKind::Subscript { object, index } = &facts.expr(target).kind else {
            return None;
        };
        let [key] = &index[..] else {
            return None;
        };
        lasts(*object).then_some(*key)
    });
    let called = facts.calls_in(stmt).filter_map(|call| {
        let keeps = matches!(call.method(), Some("add" | "setdefault"));
        let receiver = call.receiver().filter(|_| keeps)?;
        call.positional(0).filter(|_| lasts(receiver))
    });
    let asked = facts
        .exprs_of(stmt)
        .filter_map(|id| facts.membership(id))
        .filter(|asked| lasts(asked.container))
        .map(|asked| asked.key);
    let keys = assigned.chain(called).chain(asked);
    keys.map(|key| (stmt, key)).collect()
}

/// A field, a name of the module, or what is looked up in one.
fn outlives(facts: &Facts, object: ExprId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    match &facts.expr(object).kind {
        ExprKind::Attribute { .. } => facts.self_attribute(object).is_some(),
        ExprKind::Subscript { object, .. } => outlives(facts, *object, depth),
        ExprKind::Name => {
            let of_module = facts
                .lookup(object)
                .iter()
                .any(|binding| facts.function_of(facts.stmt(binding.stmt).scope).is_none());
            let values = facts.values(object);
            let mut alias = values.into_iter().filter(|&value| value != object);
            (of_module && facts.parameter(object).is_none())
                || alias.any(|value| outlives(facts, value, depth))
        }
        ExprKind::Call { .. } => facts.call(object).is_some_and(|call| {
            let looks_up = matches!(call.method(), Some("get" | "setdefault"));
            let receiver = call.receiver().filter(|_| looks_up);
            receiver.is_some_and(|of| outlives(facts, of, depth))
        }),
        _ => false,
    }
}

/// The digest is one item of a pair, with the value that tells most entries apart in another: those of one owner can meet.
fn is_in_pair(facts: &Facts, key: ExprId, at: ExprId) -> bool {
    let inner = facts.expr(at).span;
    let is_item = |around: ExprId| match &facts.expr(around).kind {
        ExprKind::Tuple(items) => {
            let mut others = items.iter().filter(|&&item| {
                let is_constant = facts.string(item).is_some() || facts.is_constant_name(item);
                !is_constant && !facts.expr(item).span.contains(inner)
            });
            facts.expr(around).span.contains(inner) && others.next().is_some()
        }
        _ => false,
    };
    let around = std::iter::successors(facts.expr(at).parent, |&up| facts.expr(up).parent);
    let composed = composed_key(facts, key);
    let mut all = around.chain([key, composed]).chain(facts.values(key));
    all.any(is_item)
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
