//! Paths with a request's value in them that are opened, written, removed or served.

use super::handed::is_narrow_field;
use super::origin::{is_of_request, names_upload, sender_of};
use super::remote::Sender;
use super::used::used_paths;
use super::{CHECK, is_checked_later};
use crate::facts::{Call, ExprId, Facts, Leads, Piece, Source, StmtId};
use crate::rules::r06_cache_keys::compositions::cache_paths;
use crate::rules::r06_cache_keys::raw_id_in_path::raw_part;
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for (call, path, value) in request_paths(cx) {
        out.hits.push(hit(cx, &call, path, value));
    }
}

fn hit(cx: &Context<'_>, call: &Call<'_>, path: ExprId, value: ExprId) -> Hit {
    let facts = cx.facts;
    let sender = sender_of(cx, value).unwrap_or(Sender::Request);
    let is_shown = names_upload(facts, value) || sender == Sender::Header;
    let tested = cut_off_test(facts, value);
    let verdict = HitVerdict::sure_if(is_shown || tested.is_some());
    let words = match tested {
        Some(test) => word_of_match(facts, test, value),
        None => word_of_request(facts, path, value, sender),
    };
    let joined = Anchor::expr(facts, value);
    // Where only the name was joined anew, that is the line to look at.
    let anchor = Anchor::call(call).or_where_changed(facts, joined);
    let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(verdict), words);
    hit.causes.push(joined.span);
    hit.causes.extend(tested.map(|test| facts.expr(test).span));
    // One name that comes in is one fault, however often it is used.
    match facts.parameter(value) {
        Some((_, param)) => hit.with_related(param.name, "it comes in here"),
        None => hit,
    }
}

/// Paths with a request's value in them that are opened, written, removed or served; where nothing shows that, those
/// that are asked for.
fn request_paths<'f>(cx: &Context<'f>) -> Vec<(Call<'f>, ExprId, ExprId)> {
    let facts = cx.facts;
    let of = |call: Call<'f>, path: ExprId| {
        let value = request_part_of(cx, path)?;
        (!in_known_cache_path(cx, path)).then_some((call, path, value))
    };
    let used = used_paths(facts).filter_map(|(call, path)| of(call, path));
    let mut out: Vec<_> = used.collect();
    // What is written below a folder that is made says the same, and worse.
    let all: Vec<(StmtId, ExprId)> = out
        .iter()
        .map(|(call, _, value)| (call.stmt(), *value))
        .collect();
    let is_used_later = |stmt: StmtId, value: ExprId| {
        let mut all = all.iter();
        all.any(|&(later, of)| later > stmt && of == value)
    };
    out.retain(|(call, _, value)| {
        !matches!(call.name(), "makedirs" | "mkdir") || !is_used_later(call.stmt(), *value)
    });
    let asked = facts
        .calls()
        .filter_map(|call| of(call, facts.asked_path(&call)?));
    let asked: Vec<_> = asked.collect();
    for (call, path, value) in asked {
        let is_known = out.iter().any(|&(_, _, known)| known == value);
        if !is_known && !facts.sees_all_of(call.stmt()) {
            out.push((call, path, value));
        }
    }
    out
}

/// What a request brings into a path, also into the folders that it is joined onto one after the other: of several
/// values one that the diff changed.
fn request_part_of(cx: &Context<'_>, path: ExprId) -> Option<ExprId> {
    let mut found = Vec::new();
    collect_parts(cx, path, 4, &mut found);
    let is_new = |&&value: &&ExprId| cx.facts.is_changed(cx.facts.expr(value).span);
    let changed = found.iter().find(is_new).copied();
    changed.or(found.first().copied())
}

fn collect_parts(cx: &Context<'_>, path: ExprId, depth: u32, found: &mut Vec<ExprId>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    for composed in cx.facts.values(path) {
        found.extend(request_part(cx, composed));
        let pieces = cx.facts.pieces(composed).unwrap_or_default();
        if let Some(Piece::Value(root)) = pieces.first()
            && *root != composed
        {
            collect_parts(cx, *root, depth, found);
        }
    }
}

/// The part of a composition that a request brings and nothing checks.
fn request_part(cx: &Context<'_>, composed: ExprId) -> Option<ExprId> {
    let facts = cx.facts;
    let pieces = facts.pieces(composed)?;
    pieces.into_iter().skip(1).find_map(|piece| match piece {
        Piece::Value(value) => {
            let part = facts.key_part(value, cx.profile);
            let is_validated = facts
                .dotted(value)
                .is_some_and(|name| facts.is_validated(&name, facts.expr(value).stmt, cx.profile));
            let unchecked =
                part.source > Source::Checked && !is_validated && !is_checked_later(cx, composed);
            let comes_in = unchecked && is_of_request(cx, value) && !is_narrow_field(facts, value);
            comes_in.then_some(value)
        }
        Piece::Text(_) => None,
    })
}

/// Whether `raw-id-in-path` says it already.
fn in_known_cache_path(cx: &Context<'_>, path: ExprId) -> bool {
    let facts = cx.facts;
    let values = facts.values(path);
    matches!(facts.leads(path, cx.profile), Leads::Cache(_))
        && cache_paths(cx)
            .iter()
            .any(|known| values.contains(&known.id) && raw_part(known).is_some())
}

/// `PATTERN.match(name)` on the way, which only tests the beginning.
fn cut_off_test(facts: &Facts, value: ExprId) -> Option<ExprId> {
    let text = facts.expr_text(value);
    let before = facts.expr(value).span.start;
    let mut calls = facts.calls_of(facts.expr(value).scope);
    let found = calls.find(|call| {
        let asks = call
            .args
            .iter()
            .any(|arg| facts.expr_text(arg.value) == text);
        asks && call.span().end < before && facts.open_pattern(call).is_some()
    });
    found.map(|call| call.id)
}

fn word_of_match(facts: &Facts, test: ExprId, value: ExprId) -> Words {
    let (test, value) = (facts.shown(test), facts.shown(value));
    Words::new(
        format!("`{test}` only tests how `{value}` begins: what follows may be anything."),
        "A name that begins well and goes on with `/../` passes the test and leaves the folder.",
        "Use `fullmatch`, or end the pattern with `\\Z`.",
    )
}

fn word_of_request(facts: &Facts, path: ExprId, value: ExprId, sender: Sender) -> Words {
    let (path, value) = (facts.expr_text(path), facts.expr_text(value));
    let sender = sender.said();
    Words::new(
        format!("`{value}` comes with {sender} and gets into `{path}` unchecked."),
        "With `..`, an absolute path or a symlink in it whoever sent it reads, overwrites or deletes files outside of the folder.",
        format!(
            "Is `{value}` checked before it gets here? Refuse values that do not fully match a strict pattern, or test the resolved path with `os.path.commonpath` or `Path.is_relative_to`."
        ),
    )
}
