//! One constant that stands in for a missing identity: all who have none share the entries.

use super::CHECK;
use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, StmtId};
use crate::rules::r06_cache_keys::stores::{kept_in_redis, says_cache, stores};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) fn fallbacks(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen = Vec::new();
    for (stmt, key) in keys(facts) {
        let composed = facts.values(key).into_iter().chain([key]);
        let parts = composed.flat_map(|value| facts.within(value).collect::<Vec<_>>());
        let mut parts = parts.flat_map(|part| behind(facts, part));
        let Some((id, identity, constant)) = parts.find_map(|value| fallback(facts, value)) else {
            continue;
        };
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        let anchor = Anchor::expr(facts, id);
        let words = word(facts, identity, constant);
        let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(HitVerdict::Look), words);
        hit.severity = Some(Severity::Flag);
        hit.causes.push(facts.stmt(stmt).head);
        out.hits
            .push(hit.with_related(facts.stmt(stmt).head, "it chooses the entry here"));
    }
}

/// What chooses entries in something that says that it is a cache: keys, and the names of its parts.
fn keys(facts: &Facts) -> Vec<(StmtId, ExprId)> {
    let kept = stores(facts).into_iter().chain(kept_in_redis(facts));
    let kept = kept.map(|store| (store.stmt, store.key));
    let parts = facts.calls().filter_map(|call| {
        let of_cache = || call.receiver().is_some_and(|of| says_cache(facts, of));
        let asks = call.method().is_some_and(names_part);
        let key = call.positional(0).filter(|_| asks && of_cache())?;
        Some((call.stmt(), key))
    });
    kept.chain(parts).collect()
}

/// `get_dict`, `namespace`, `region`: a part of a cache by its name.
fn names_part(method: &str) -> bool {
    topic::has_word(method, "dict namespace region bucket partition scope")
}

fn behind(facts: &Facts, part: ExprId) -> Vec<ExprId> {
    let bindings = facts.bindings_behind(part).into_iter();
    let given = bindings.filter_map(|binding| match binding.kind {
        BindingKind::Value { value, index: None } => Some(value),
        _ => None,
    });
    given.chain([part]).collect()
}

/// `video_id or "default"`, `tenant if tenant else "shared"`, `headers.get("X-Tenant-Id", "default")`: the whole, the identity, and the constant.
fn fallback(facts: &Facts, value: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
    let (identity, constant) = match &facts.expr(value).kind {
        ExprKind::Bool { left, right } => (*left, *right),
        ExprKind::Conditional { body, orelse, .. } => (*body, *orelse),
        ExprKind::Call { .. } => {
            let call: Call<'_> = facts
                .call(value)
                .filter(|call| call.method() == Some("get"))?;
            (call.positional(0)?, call.positional(1)?)
        }
        _ => return None,
    };
    let name = facts
        .string(identity)
        .or_else(|| facts.last_name(identity))?;
    let is_constant = facts.string(constant).is_some_and(|text| !text.is_empty());
    (is_constant && says_identity(name)).then_some((value, identity, constant))
}

fn says_identity(name: &str) -> bool {
    // `X-Tenant-Id` of a header.
    let name = &name.replace('-', "_");
    [
        "tenant",
        "tenant id",
        "workspace",
        "workspace id",
        "user id",
        "session id",
        "account id",
        "customer id",
        "identifier",
        "client id",
        "api key",
        "stream id",
        "video id",
        "camera id",
        "device id",
        "organization id",
    ]
    .iter()
    .any(|phrase| topic::says(name, phrase))
}

fn word(facts: &Facts, identity: ExprId, constant: ExprId) -> Words {
    let (identity, constant) = (facts.expr_text(identity), facts.expr_text(constant));
    Words::new(
        format!("Where `{identity}` is missing, `{constant}` chooses the entry."),
        "All who have none then share one entry: they read, overwrite and clear what belongs to another.",
        format!(
            "Who comes without `{identity}`? Make an id of their own for them, or keep nothing."
        ),
    )
}
