//! Paths that a document or an archive names itself, joined to a folder and opened.

use super::used::used_paths;
use super::{CHECK, is_checked_later};
use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, Piece, Source};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen = Vec::new();
    for (call, path) in used_paths(facts) {
        let Some((joined, value, of)) = named_part(cx, path, 4) else {
            continue;
        };
        if seen.contains(&joined) {
            continue;
        }
        seen.push(joined);
        out.hits.push(hit(cx, &call, joined, value, of));
    }
}

/// What names the path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Namer {
    Document,
    Archive,
}

fn hit(cx: &Context<'_>, call: &Call<'_>, joined: ExprId, value: ExprId, of: Namer) -> Hit {
    let facts = cx.facts;
    let expr = facts.expr(joined);
    let anchor = Anchor {
        stmt: expr.stmt,
        span: expr.span,
    };
    let words = word(facts, value, of);
    let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(HitVerdict::Look), words);
    if call.stmt() == expr.stmt {
        return hit;
    }
    let used = facts.stmt(call.stmt()).head;
    hit.causes.push(used);
    hit.with_related(used, "used here")
}

/// The composition behind a used path that takes in what a document or an archive names, and that name.
fn named_part(cx: &Context<'_>, path: ExprId, depth: u32) -> Option<(ExprId, ExprId, Namer)> {
    let facts = cx.facts;
    let depth = depth.checked_sub(1)?;
    facts.values(path).into_iter().find_map(|composed| {
        // `path = path.with_suffix(".tex")` is the same path by another ending.
        let renamed = facts
            .call(composed)
            .filter(|call| matches!(call.method(), Some("with_suffix" | "resolve" | "absolute")));
        if let Some(of) = renamed.and_then(|call| call.receiver()) {
            return named_part(cx, of, depth);
        }
        let pieces = facts.pieces(composed)?;
        let is_folder = matches!(pieces.first(), Some(Piece::Value(_)));
        if !is_folder || is_checked_later(cx, composed) {
            return None;
        }
        pieces.into_iter().skip(1).find_map(|piece| match piece {
            Piece::Value(value) => Some((composed, value, namer(cx, value)?)),
            Piece::Text(_) => None,
        })
    })
}

fn namer(cx: &Context<'_>, value: ExprId) -> Option<Namer> {
    let facts = cx.facts;
    let is_checked = facts.key_part(value, cx.profile).source <= Source::Checked
        || facts
            .dotted(value)
            .is_some_and(|name| facts.is_validated(&name, facts.expr(value).stmt, cx.profile));
    if is_checked {
        return None;
    }
    if is_of_archive(facts, value) {
        return Some(Namer::Archive);
    }
    let sources = facts.values(value);
    let says = facts.last_name(value).is_some_and(says_reference);
    sources
        .into_iter()
        .any(|source| is_of_document(facts, source, says, 4))
        .then_some(Namer::Document)
}

/// An entry of an archive that a loop goes over, or its name.
pub(super) fn is_of_archive(facts: &Facts, value: ExprId) -> bool {
    let entry = match facts.attribute(value) {
        Some((object, "filename" | "name")) => object,
        Some(_) => return false,
        None => value,
    };
    facts.bindings_behind(entry).into_iter().any(|binding| {
        let BindingKind::Loop { iter, .. } = binding.kind else {
            return false;
        };
        let listed = facts
            .values(iter)
            .into_iter()
            .filter_map(|list| facts.call(list));
        listed.into_iter().any(|call| {
            matches!(
                call.method(),
                Some("infolist" | "namelist" | "getmembers" | "getnames")
            )
        })
    })
}

/// An attribute or argument of a node: `node.get("src")`, `element.attrib["href"]`; where the name it gets says that it
/// is a reference, also what a helper takes out of the node.
fn is_of_document(facts: &Facts, source: ExprId, says: bool, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let of_key = |key: Option<ExprId>| {
        key.and_then(|key| facts.string(key))
            .is_some_and(says_reference)
    };
    match &facts.expr(source).kind {
        ExprKind::Subscript { object, index } => {
            of_key(index.first().copied()) && says_node(facts, *object)
        }
        ExprKind::Call { .. } => facts.call(source).is_some_and(|call| {
            let asked = call.receiver().is_some_and(|of| says_node(facts, of));
            let passes = matches!(
                call.method(),
                Some("strip" | "lstrip" | "rstrip" | "replace")
            );
            let inner = call.receiver().filter(|_| passes);
            let extracted = says && call.args.iter().any(|arg| is_node(facts, arg.value));
            (asked && matches!(call.method(), Some("get")) && of_key(call.positional(0)))
                || extracted
                || inner.is_some_and(|inner| {
                    let values = facts.values(inner);
                    values
                        .into_iter()
                        .any(|of| is_of_document(facts, of, says, depth))
                })
        }),
        _ => false,
    }
}

/// A name of a thing that points to a file.
fn says_reference(name: &str) -> bool {
    topic::has_word(
        name,
        "src href filepath filename file path include uri target",
    )
}

const NODES: &[&str] = &[
    "node",
    "element",
    "elem",
    "el",
    "tag",
    "token",
    "macro",
    "directive",
    "attrib",
    "attribs",
    "attributes",
    "attrs",
];

fn says_node(facts: &Facts, id: ExprId) -> bool {
    facts
        .last_name(id)
        .is_some_and(|name| topic::words(name).any(|word| NODES.contains(&&*word)))
}

/// A name alone, by itself a node: `macro_id` only tells which one is meant.
fn is_node(facts: &Facts, id: ExprId) -> bool {
    facts.name(id).is_some_and(|name| {
        topic::words(name)
            .last()
            .is_some_and(|word| NODES.contains(&&*word))
    })
}

fn word(facts: &Facts, value: ExprId, of: Namer) -> Words {
    let value = facts.shown(value);
    let (who, why) = match of {
        Namer::Document => (
            "the document",
            "A document that somebody sent can name `../` or an absolute path: what is read there ends up in its result.",
        ),
        Namer::Archive => (
            "the archive",
            "An archive that somebody sent can name `../` or an absolute path in an entry: what is written then lies outside of the folder.",
        ),
    };
    Words::new(
        format!("`{value}` is a path that {who} names, joined to a folder unchecked."),
        why,
        "Can it come from somebody else? Resolve the joined path, and refuse it unless it `is_relative_to` the folder.",
    )
}
