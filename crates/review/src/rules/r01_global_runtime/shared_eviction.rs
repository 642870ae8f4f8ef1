//! Caches of `cachetools` that several threads use with no lock: each insertion and each expiry rebuilds their order.

use super::raced_containers::CHECK;
use super::torchscript::alone;
use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, ScopeKind, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// Their documentation says that access from several threads has to be synchronized.
const CACHES: &[&str] = &[
    "cachetools.Cache",
    "cachetools.FIFOCache",
    "cachetools.LFUCache",
    "cachetools.LRUCache",
    "cachetools.MRUCache",
    "cachetools.RRCache",
    "cachetools.TTLCache",
    "cachetools.TLRUCache",
];

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if !facts.imports_from("cachetools") {
        return;
    }
    let mut told: Vec<&str> = Vec::new();
    for (stmt, cache) in facts.stmt_ids().filter_map(|stmt| filled(facts, stmt)) {
        let name = facts.expr_text(cache);
        if !told.contains(&name) && is_of_module(facts, cache) && is_bare(facts, stmt) {
            told.push(name);
            let verdict = alone(cx, stmt).map_or(HitVerdict::Look, HitVerdict::Excused);
            let anchor = Anchor::stmt(facts, stmt);
            out.hits.push(Hit::new(&CHECK, anchor, verdict, word(name)));
        }
    }
    for call in facts.calls_named("cached") {
        if call.is(&["cachetools.cached"]) && is_memo_of_threads(facts, &call) {
            let verdict = match facts.idle_file(cx.profile) {
                Some(reason) => HitVerdict::Excused(format!("Nothing runs beside it: {reason}.")),
                None => HitVerdict::Look,
            };
            out.hits.push(Hit::new(
                &CHECK,
                Anchor::call(&call),
                verdict,
                word("cached"),
            ));
        }
    }
}

/// `CACHE[key] = value`.
fn filled(facts: &Facts, stmt: StmtId) -> Option<(StmtId, ExprId)> {
    let StmtKind::Assign { targets, .. } = &facts.stmt(stmt).kind else {
        return None;
    };
    targets
        .iter()
        .find_map(|&target| match facts.expr(target).kind {
            ExprKind::Subscript { object, .. } => Some((stmt, object)),
            _ => None,
        })
}

/// A name of the module that such a cache was made for.
fn is_of_module(facts: &Facts, cache: ExprId) -> bool {
    let made = |value: ExprId| facts.call(value).is_some_and(|call| call.is(CACHES));
    facts.name(cache).is_some()
        && facts.lookup(cache).iter().any(|binding| {
            let at_module = facts.scope(facts.stmt(binding.stmt).scope).kind == ScopeKind::Module;
            match binding.kind {
                BindingKind::Value { value, index: None } => at_module && made(value),
                _ => false,
            }
        })
}

/// No lock is held, neither here nor by the callers; a coroutine shares the cache with others of its loop alone.
fn is_bare(facts: &Facts, stmt: StmtId) -> bool {
    let Some(function) = facts.function_of(facts.stmt(stmt).scope) else {
        return false;
    };
    !facts.is_async(function)
        && facts.held_at(stmt).next().is_none()
        && facts.callers_hold(function) != Some(true)
}

/// `@cached(cache=TTLCache(...))` without `lock=` around a function that is no coroutine.
fn is_memo_of_threads(facts: &Facts, call: &Call<'_>) -> bool {
    let makes = call.arg(0, "cache").is_some_and(|cache| {
        let own = facts.call(cache).is_some_and(|call| call.is(CACHES));
        own || is_of_module(facts, cache)
    });
    let is_async = match facts.stmt(call.stmt()).kind {
        StmtKind::Function { scope, .. } => facts.is_async(scope),
        _ => false,
    };
    makes && !is_async && !call.has_splat() && call.arg(2, "lock").is_none()
}

fn word(name: &str) -> Words {
    let (message, cure) = match name {
        "cached" => (
            "`cached` keeps results in a cache of `cachetools` with no lock.".to_owned(),
            "pass `lock=threading.Lock()` to `cached`",
        ),
        _ => (
            format!("`{name}`, a cache of `cachetools`, is filled with no lock held."),
            "take one lock around each look-up and each insertion",
        ),
    };
    Words::new(
        message,
        "These caches are not safe for threads: while one inserts or expires entries, another can meet a `KeyError` or a broken order, seldom and only under load.",
        format!("Do several threads come here, as in a pool of a web server? Then {cure}."),
    )
}
