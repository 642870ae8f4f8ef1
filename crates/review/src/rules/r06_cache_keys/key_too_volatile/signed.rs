//! Keys made of whole addresses in a file that knows that they are signed.

use super::CHECK;
use crate::facts::{Call, ExprId, ExprKind, Facts, StmtId};
use crate::rules::r06_cache_keys::stores::{assigned_key, kept_in_redis, look_ups, stores};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen: Vec<ExprId> = Vec::new();
    for (stmt, key) in keys(facts) {
        let Some(address) = signed_part(facts, key).filter(|at| !seen.contains(at)) else {
            continue;
        };
        seen.push(address);
        let anchor = Anchor::expr(facts, address);
        let words = word(facts, address);
        let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(HitVerdict::Look), words);
        hit.causes.push(facts.stmt(stmt).head);
        out.hits.push(hit);
    }
}

/// What the file stores under or asks for, also by helpers of its own that are handed the key.
fn keys(facts: &Facts) -> Vec<(StmtId, ExprId)> {
    let kept = stores(facts).into_iter().chain(kept_in_redis(facts));
    let stored = kept.flat_map(|store| handed(facts, store.stmt, store.key));
    let asked = facts.stmt_ids().flat_map(|stmt| {
        let keys = look_ups(facts, stmt).into_iter();
        keys.map(move |key| (stmt, key))
    });
    let named = facts
        .stmt_ids()
        .filter_map(|stmt| Some((stmt, assigned_key(facts, stmt)?)));
    stored.chain(asked).chain(named).collect()
}

fn handed(facts: &Facts, stmt: StmtId, key: ExprId) -> Vec<(StmtId, ExprId)> {
    let Some((function, param)) = facts.parameter(key) else {
        return vec![(stmt, key)];
    };
    let name = facts.text(param.name);
    let calls = facts.calls_to(function);
    let given =
        calls.filter_map(|call| Some((call.stmt(), facts.argument_for(&call, function, name)?)));
    given.collect()
}

/// The address that is in the key as it came: by its name a signed one, or one of a file that reads signatures.
fn signed_part(facts: &Facts, key: ExprId) -> Option<ExprId> {
    let values = facts.values(key).into_iter();
    let mut names = values.flat_map(|value| facts.within(value).collect::<Vec<_>>());
    names.find(|&id| {
        let name = facts
            .name(id)
            .or_else(|| facts.attribute(id).map(|(_, name)| name))
            .unwrap_or("");
        let says_signed = [
            "presigned url",
            "signed url",
            "presigned link",
            "signed link",
        ]
        .iter()
        .any(|phrase| topic::says(name, phrase));
        let says_url = topic::ends_in_word(name, "url uri link");
        let as_came = facts.parameter(id).is_some() || says_signed;
        (says_signed || (says_url && knows_signatures(facts)))
            && as_came
            && !is_taken_apart(facts, id)
    })
}

/// Whether the file names the parts of a query that sign it.
fn knows_signatures(facts: &Facts) -> bool {
    facts.expr_ids().any(|id| match facts.expr(id).kind {
        ExprKind::Str(_) => facts.string(id).is_some_and(|text| {
            [
                "X-Amz-",
                "X-Goog-Signature",
                "X-Goog-",
                "AWSAccessKeyId",
                "Key-Pair-Id",
            ]
            .iter()
            .any(|sign| text.starts_with(sign))
        }),
        _ => false,
    })
}

/// `urlsplit(url).path`, `url.split("?")[0]`, `self._stable(url)`: something takes off what changes.
fn is_taken_apart(facts: &Facts, id: ExprId) -> bool {
    let around = std::iter::successors(facts.expr(id).parent, |&up| facts.expr(up).parent);
    let mut calls = around.filter_map(|up| facts.call(up));
    calls.any(|call: Call<'_>| {
        let digests = matches!(
            call.name(),
            "sha256"
                | "sha1"
                | "md5"
                | "blake2b"
                | "blake2s"
                | "encode"
                | "hexdigest"
                | "str"
                | "get"
                | "set"
                | "join"
                | "format"
                | "setex"
                | "exists"
                | "new"
        );
        !digests
    })
}

fn word(facts: &Facts, address: ExprId) -> Words {
    let address = facts.expr_text(address);
    Words::new(
        format!("The whole `{address}` is in the key, its signature and expiry too."),
        "A signed address is another text each time that it is handed out: the entry is never found again, and the store fills with copies.",
        format!(
            "Take the signature off first: make the key of host, path and the parameters of `{address}` that stay."
        ),
    )
}
