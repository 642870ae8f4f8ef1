//! Two different ids get the same key.

use super::compositions::{CachePath, cache_paths};
use super::stores::stores;
use crate::facts::{CacheProof, ExprId, Facts, Loss, ScopeId, Source, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "collision-prone-key",
    rule: 6,
    severity: Severity::Block,
    references: &[],
    summary: "The only key of a cache entry loses what tells two ids apart.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let paths = cache_paths(cx);
    for path in &paths {
        if let Some((loss, at)) = loss_of(path) {
            out.hits.push(lossy_path(cx, path, loss, at));
        }
    }
    hashed_names(cx, &paths, out);
    lossy_helpers(cx, out);
    lossy_keys(cx, out);
    constant_keys(cx, out);
}

/// The loss of a name that nothing else in it makes good.
fn loss_of(path: &CachePath) -> Option<(Loss, ExprId)> {
    if path.has_digest() {
        return None;
    }
    let whole = |source| matches!(source, Source::Raw(_));
    // Where the full id stands in the path too, a lossy part beside it does no harm.
    if path
        .parts
        .iter()
        .any(|(_, part)| whole(part.source) && part.loss.is_none())
    {
        return None;
    }
    let counting = path.parts.iter().filter_map(|(_, part)| {
        // The last component of some path is a usual name for a copy; that of an id, or of a lock's entry, is not.
        let usual = |loss: &(Loss, ExprId)| {
            loss.0 == Loss::Basename && !path.is_lock && !whole(part.source)
        };
        part.real_loss().filter(|loss| !usual(loss))
    });
    // Whatever else is lost, `hash()` and a short digest are the last that had a chance to keep it.
    counting.min_by_key(|(loss, _)| !is_grave(*loss))
}

/// Losses that no reading of the value excuses.
fn is_grave(loss: Loss) -> bool {
    matches!(loss, Loss::Hash | Loss::ShortDigest)
}

fn lossy_path(cx: &Context<'_>, path: &CachePath, loss: Loss, at: ExprId) -> Hit {
    let expr = cx.facts.expr(path.id);
    let anchor = Anchor {
        stmt: expr.stmt,
        span: expr.span,
    };
    // Another part of the name can hold what this one lost.
    let alone = path
        .parts
        .iter()
        .all(|(_, part)| part.source == Source::Constant || part.loss.is_some());
    let sure = path.proof != CacheProof::Place && !path.is_lock && !is_mild(loss);
    let sure = sure && (alone || is_grave(loss));
    let verdict = if sure {
        HitVerdict::Violation
    } else {
        HitVerdict::Look
    };
    let mut hit = Hit::new(
        &CHECK,
        anchor,
        cx.where_shared(verdict),
        word(cx.facts, loss, at, path.is_lock),
    );
    hit.severity = path.is_lock.then_some(Severity::Flag);
    with_cause(cx.facts, hit, at)
}

/// Losses that the meaning of the value may allow.
fn is_mild(loss: Loss) -> bool {
    matches!(loss, Loss::LowerCased | Loss::Basename)
}

/// Makes the place of the loss a cause, and related where it is another statement.
fn with_cause(facts: &Facts, mut hit: Hit, at: ExprId) -> Hit {
    let (stmt, span) = (facts.expr(at).stmt, facts.expr(at).span);
    if stmt == hit.anchor.stmt {
        return hit;
    }
    hit.causes.push(span);
    hit.with_related(span, "what tells two values apart is lost here")
}

/// `hash()` in a file name is wrong wherever the folder is: it differs from process to process.
fn hashed_names(cx: &Context<'_>, known: &[CachePath], out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls().filter(|call| call.callee() == "hash") {
        let Some(name) = enclosing_name(facts, call.id) else {
            continue;
        };
        let covered = known
            .iter()
            .any(|path| facts.expr(path.id).span.contains(facts.expr(call.id).span));
        if !covered {
            let anchor = Anchor {
                stmt: call.stmt(),
                span: facts.expr(name).span,
            };
            let words = word(facts, Loss::Hash, call.id, false);
            out.hits.push(Hit::new(
                &CHECK,
                anchor,
                cx.where_shared(HitVerdict::Look),
                words,
            ));
        }
    }
}

/// The composition around a call that ends like a file name.
fn enclosing_name(facts: &Facts, id: ExprId) -> Option<ExprId> {
    let mut at = facts.expr(id).parent;
    while let Some(parent) = at {
        let text = facts.expr_text(parent).trim_end_matches(['"', '\'', ')']);
        let has_suffix = text.rsplit_once('.').is_some_and(|(_, end)| {
            matches!(
                end,
                "json"
                    | "npy"
                    | "npz"
                    | "pt"
                    | "pkl"
                    | "bin"
                    | "jpg"
                    | "png"
                    | "onnx"
                    | "txt"
                    | "cache"
                    | "lock"
            )
        });
        if has_suffix && facts.pieces(parent).is_some() {
            return Some(parent);
        }
        at = facts.expr(parent).parent;
    }
    None
}

/// A function whose name promises a key or slug, and which returns a lossy one.
fn lossy_helpers(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let StmtKind::Return(Some(value)) = facts.stmt(stmt).kind else {
            continue;
        };
        let Some(promise) = promise(cx, facts.stmt(stmt).scope) else {
            continue;
        };
        let part = facts.key_part(value, cx.profile);
        let Some((loss, at)) = part.real_loss() else {
            continue;
        };
        let elsewhere = facts.stmt(facts.expr(at).stmt).scope != facts.stmt(stmt).scope;
        if is_mild(loss) || elsewhere || is_made_good(cx, facts.stmt(stmt).scope) {
            continue;
        }
        let anchor = Anchor::stmt(facts, stmt);
        let hit = Hit::new(
            &CHECK,
            anchor,
            cx.where_shared(promise),
            word(facts, loss, at, false),
        );
        out.hits.push(with_cause(facts, hit, at));
    }
}

/// Whether each function that is shown to call this one returns a digest beside its result.
fn is_made_good(cx: &Context<'_>, scope: ScopeId) -> bool {
    let facts = cx.facts;
    let mut calls = facts.calls_to(scope).peekable();
    calls.peek().is_some()
        && calls.all(|call| {
            facts
                .returns_of(call.scope())
                .any(|value| facts.key_part(value, cx.profile).has_digest)
        })
}

/// What a function's name promises: a key for certain, or a slug that the file uses as one.
fn promise(cx: &Context<'_>, scope: ScopeId) -> Option<HitVerdict> {
    let facts = cx.facts;
    let function = facts.function_of(scope)?;
    let name = facts.scope_name(function)?;
    let says = |phrase: &str| topic::says(name, phrase);
    if says("cache key") || says("cachekey") {
        return Some(HitVerdict::Violation);
    }
    let slugs = topic::words(name)
        .any(|word| matches!(&*word, "slug" | "slugify" | "sanitize" | "sanitise"));
    let of_id = cx.profile.keys.says_raw(name);
    let used = facts
        .calls_to(function)
        .any(|call| in_key_place(facts, call.id));
    match (slugs, used, of_id) {
        (true, true, _) => Some(HitVerdict::Violation),
        (true, false, true) => Some(HitVerdict::Look),
        _ => None,
    }
}

/// Whether a value becomes a key: in a function, class, argument or variable that says so.
fn in_key_place(facts: &Facts, id: ExprId) -> bool {
    let expr = facts.expr(id);
    let says_key = |name: &str| topic::words(name).last().is_some_and(|word| word == "key");
    let by_function = facts
        .function_name(expr.stmt)
        .is_some_and(|name| topic::says(name, "cache key") || name.starts_with("key_"));
    let by_callee = || {
        let mut at = expr.parent;
        while let Some(parent) = at {
            if facts.call(parent).is_some_and(|call| says_key(call.name())) {
                return true;
            }
            at = facts.expr(parent).parent;
        }
        false
    };
    let by_target = || match &facts.stmt(expr.stmt).kind {
        StmtKind::Assign { targets, .. } => targets.iter().any(|&target| {
            facts
                .last_name(target)
                .is_some_and(|name| topic::says(name, "cache key"))
        }),
        _ => false,
    };
    by_function || by_callee() || by_target()
}

/// `cache_key = ...` that loses more than case.
fn lossy_keys(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let Some(value) = assigned_key(facts, stmt) else {
            continue;
        };
        let part = facts.key_part(value, cx.profile);
        let Some((loss, at)) = part.real_loss() else {
            continue;
        };
        let elsewhere = facts.expr(at).stmt != stmt && calls_lossy_helper(facts, value);
        if is_mild(loss) || elsewhere || is_path_value(cx, value) {
            continue;
        }
        let verdict = match loss {
            Loss::Hash | Loss::ShortDigest | Loss::Truncated => HitVerdict::Violation,
            _ => HitVerdict::Look,
        };
        let anchor = Anchor::stmt(facts, stmt);
        let hit = Hit::new(
            &CHECK,
            anchor,
            cx.where_shared(verdict),
            word(facts, loss, at, false),
        );
        out.hits.push(with_cause(facts, hit, at));
    }
}

/// A literal key in a store that was handed in, by an object that holds a tenant, api key or id: all of its like share it.
fn constant_keys(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen = Vec::new();
    for store in stores(facts) {
        let literal = facts.values(store.key).into_iter().next();
        let Some(literal) = literal.filter(|&key| facts.string(key).is_some()) else {
            continue;
        };
        let owner = facts.class_of(facts.stmt(store.stmt).scope);
        let Some(identity) = owner.and_then(|class| identity_of(cx, class)) else {
            continue;
        };
        if seen.contains(&literal) || !store.is_injected(facts) {
            continue;
        }
        seen.push(literal);
        let expr = facts.expr(literal);
        let anchor = Anchor {
            stmt: expr.stmt,
            span: expr.span,
        };
        let words = word_of_constant(facts, literal, &identity);
        let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(HitVerdict::Look), words);
        hit.causes.push(facts.stmt(store.stmt).head);
        out.hits
            .push(hit.with_related(facts.stmt(store.stmt).head, "stored under it here"));
    }
}

/// The attribute that tells two instances of a class apart.
fn identity_of(cx: &Context<'_>, class: ScopeId) -> Option<String> {
    let facts = cx.facts;
    let says = |name: &str| {
        ["tenant", "api key", "workspace", "user id", "session id"]
            .iter()
            .any(|phrase| topic::says(name, phrase))
    };
    facts.expr_ids().find_map(|id| {
        let name = facts.self_attribute(id).filter(|name| says(name))?;
        let own = facts.class_of(facts.expr(id).scope) == Some(class);
        own.then(|| name.to_string())
    })
}

fn word_of_constant(facts: &Facts, key: ExprId, identity: &str) -> Words {
    let key = short(facts.expr_text(key));
    Words::new(
        format!("`{key}` is the same key for each object, whatever its `{identity}`."),
        "The store was handed in, so that other objects use it too: they read and overwrite one another's value.",
        format!(
            "Is the store shared between objects with another `{identity}`? Then put it (a secret: its digest) into the key."
        ),
    )
}

fn assigned_key(facts: &Facts, stmt: StmtId) -> Option<ExprId> {
    let StmtKind::Assign { targets, value, .. } = &facts.stmt(stmt).kind else {
        return None;
    };
    let says = |&target: &ExprId| {
        facts
            .last_name(target)
            .is_some_and(|name| topic::says(name, "cache key"))
    };
    targets.iter().any(says).then_some(*value)?
}

/// A helper that is judged where it is defined.
fn calls_lossy_helper(facts: &Facts, value: ExprId) -> bool {
    facts.within(value).any(|id| {
        facts
            .call(id)
            .is_some_and(|call| facts.callee_scope(&call).is_some())
    })
}

fn is_path_value(cx: &Context<'_>, value: ExprId) -> bool {
    matches!(
        cx.facts.cache_proof(value, cx.profile),
        Some(CacheProof::Flows | CacheProof::Says)
    )
}

fn word(facts: &Facts, loss: Loss, at: ExprId, is_lock: bool) -> Words {
    let text = short(facts.expr_text(at));
    let message = match loss {
        Loss::Replaced => format!("`{text}` makes different ids the same name."),
        Loss::Basename => format!("`{text}` keeps only the last component of the id."),
        Loss::Truncated => format!("`{text}` cuts the id off."),
        Loss::ShortDigest => format!("`{text}` keeps too few digits of the digest."),
        Loss::Hash => {
            format!("`{text}` is no stable name: its result differs from process to process.")
        }
        Loss::Text => {
            format!("`{text}` spells a container, whose order and spelling are not fixed.")
        }
        Loss::LowerCased => format!("`{text}` makes ids that differ in case the same name."),
    };
    let why = match (is_lock, loss) {
        (true, _) => "Workers that use different entries wait for each other under one lock file.",
        (_, Loss::Hash) => {
            "Python salts `hash()` of strings anew in each process, so that workers never find each other's entries; and 64 bits of it are no identity."
        }
        (_, Loss::Text) => {
            "Equal contents get different keys and never hit, or the text grows past any limit."
        }
        _ => {
            "The second id then reads, overwrites or deletes the entry of the first one: a wrong model or another tenant's data, with no error."
        }
    };
    let ask = if is_lock {
        "Can two entries share this name? Add a digest of the full id to the lock's name."
    } else {
        "Add a digest of the full identity (sha256, at least 16 hex digits) to the name; the readable part may stay."
    };
    Words::new(message, why, ask)
}

/// The first line of an expression, shortened: it stands inside a sentence.
fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    if line.chars().count() <= 60 && line.len() == text.len() {
        return line.to_string();
    }
    let head: String = line.chars().take(57).collect();
    format!("{head}...")
}
