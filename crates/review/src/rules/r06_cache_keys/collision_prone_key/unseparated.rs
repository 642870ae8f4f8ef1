//! Parts of a key that stand next to each other with nothing between: `1` and `23` are then `12` and `3`.

use super::CHECK;
use crate::facts::{ExprId, ExprKind, Facts, Source, Span, StmtId, StmtKind, StringPart};
use crate::rules::r06_cache_keys::stores::{kept_in_redis, look_ups, stores};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn unseparated(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen = Vec::new();
    for (composed, says_key) in key_texts(cx) {
        let Some((left, right)) = touching(cx, composed).filter(|_| !seen.contains(&composed))
        else {
            continue;
        };
        seen.push(composed);
        let plain = |id: ExprId| is_plain(facts, id);
        let verdict = HitVerdict::sure_if(says_key && plain(left) && plain(right));
        let anchor = Anchor::expr(facts, composed);
        let words = word(facts, left, right);
        out.hits
            .push(Hit::new(&CHECK, anchor, cx.where_shared(verdict), words));
    }
}

/// What the file uses as keys, and whether it says or shows that it does.
fn key_texts(cx: &Context<'_>) -> Vec<(ExprId, bool)> {
    let facts = cx.facts;
    let stored = stores(facts).into_iter().chain(kept_in_redis(facts));
    let stored = stored.map(|store| store.key);
    let asked = facts.stmt_ids().flat_map(|stmt| look_ups(facts, stmt));
    let used = stored.chain(asked).flat_map(|key| facts.values(key));
    let named = facts.stmt_ids().filter_map(|stmt| named_key(facts, stmt));
    used.chain(named).map(|text| (text, true)).collect()
}

/// `cache_key = ...`, `return ...` of `def storage_key(...)`.
fn named_key(facts: &Facts, stmt: StmtId) -> Option<ExprId> {
    let says = |name: &str| {
        let mut words = topic::words(name);
        let last = words.by_ref().last();
        last.as_deref() == Some("key")
            && [
                "cache", "storage", "store", "redis", "memo", "entry", "lookup",
            ]
            .iter()
            .any(|word| topic::says(name, word))
    };
    match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, value, .. } => {
            let mut targets = targets.iter();
            targets
                .any(|&target| facts.last_name(target).is_some_and(says))
                .then_some(*value)?
        }
        StmtKind::Return(value) => facts
            .function_name(stmt)
            .is_some_and(says)
            .then_some(*value)?,
        _ => None,
    }
}

/// The first two values of any length that touch.
fn touching(cx: &Context<'_>, composed: ExprId) -> Option<(ExprId, ExprId)> {
    let facts = cx.facts;
    let mut pieces = Vec::new();
    collect(facts, composed, &mut pieces);
    pieces.windows(2).find_map(|pair| match pair {
        [Some(left), Some(right)] if is_open(cx, *left) && is_open(cx, *right) => {
            Some((*left, *right))
        }
        _ => None,
    })
}

/// The values of an f-string or a sum in order, `None` for literal text.
fn collect(facts: &Facts, id: ExprId, out: &mut Vec<Option<ExprId>>) {
    match &facts.expr(id).kind {
        ExprKind::FString(parts) => {
            for part in parts {
                match part {
                    StringPart::Text(_) => out.push(None),
                    StringPart::Value(value) => collect(facts, *value, out),
                }
            }
        }
        ExprKind::Binary {
            operator,
            left,
            right,
        } if facts.text(*operator) == "+" => {
            collect(facts, *left, out);
            collect(facts, *right, out);
        }
        ExprKind::Str(_) => out.push(None),
        _ => out.push(Some(id)),
    }
}

/// A value whose end nothing shows: no constant, no digest, nothing of a fixed length or that brings a separator.
fn is_open(cx: &Context<'_>, id: ExprId) -> bool {
    let facts = cx.facts;
    let part = facts.key_part(id, cx.profile);
    let closes = facts.last_name(id).is_none_or(|name| {
        topic::words(name).any(|word| CLOSED.contains(&&*word)) || facts.is_constant_name(id)
    });
    let by_value = facts.values(id).into_iter().any(|value| {
        facts.string(value).is_some()
            || facts.pieces(value).is_some()
            || matches!(
                facts.expr(value).kind,
                ExprKind::Conditional { .. } | ExprKind::Bool { .. }
            )
    });
    let formatted = {
        let end = facts.expr(id).span.end;
        facts.text(Span {
            start: end,
            end: end + 1,
        }) == ":"
    };
    let is_tuple = facts.call(id).is_some_and(|call| call.callee() == "tuple");
    !closes
        && !by_value
        && !formatted
        && !is_tuple
        && !part.has_digest
        && part.source != Source::Constant
}

/// Words of names for what is of a fixed length or brings its own separator.
const CLOSED: &[&str] = &[
    "prefix",
    "suffix",
    "sep",
    "separator",
    "delimiter",
    "ext",
    "extension",
    "namespace",
    "base",
    "root",
    "digest",
    "hash",
    "hexdigest",
    "uuid",
    "date",
    "day",
    "hex",
    "sha",
    "md5",
    "checksum",
    "path",
    "url",
    "marker",
    "tag",
    "join",
    "format",
    "timestamp",
    "salt",
    "host",
    "origin",
    "query",
    "postfix",
    "encode",
];

/// A plain number or text by its annotation: of any length.
fn is_plain(facts: &Facts, id: ExprId) -> bool {
    let spelled = facts.call(id).filter(|call| call.callee() == "str");
    let id = spelled.and_then(|call| call.positional(0)).unwrap_or(id);
    let annotation = match facts.parameter(id) {
        Some((_, param)) => param.annotation,
        None => facts.self_attribute(id).and_then(|name| {
            let class = facts.class_of(facts.expr(id).scope)?;
            let mut given = facts.attribute_bindings(class, name).into_iter();
            given.find_map(|binding| match facts.stmt(binding.stmt).kind {
                StmtKind::Assign { annotation, .. } => annotation,
                _ => None,
            })
        }),
    };
    annotation.is_some_and(|annotation| matches!(facts.expr_text(annotation), "int" | "str"))
}

fn word(facts: &Facts, left: ExprId, right: ExprId) -> Words {
    let (left, right) = (facts.shown(left), facts.shown(right));
    Words::new(
        format!("`{left}` and `{right}` stand in the key with nothing between them."),
        "`1` and `23` make the same key as `12` and `3`: one of them then gets what was kept for the other.",
        format!(
            "Put a separator between `{left}` and `{right}` that neither can hold, or make the key a tuple."
        ),
    )
}
