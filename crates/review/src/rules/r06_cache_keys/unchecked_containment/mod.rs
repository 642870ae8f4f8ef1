//! A path from a request is used without a sound test that it stays inside its root.

mod document;
mod handed;
mod named;
mod used;

use super::compositions::cache_paths;
use super::raw_id_in_path::raw_part;
use crate::facts::{
    BindingKind, Call, ExprId, ExprKind, Facts, Leads, Piece, ScopeId, Source, StmtKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words, own_helper};
use report::Severity;
use used::used_path;

pub(super) const CHECK: Check = Check {
    id: "unchecked-containment",
    rule: 6,
    severity: Severity::Block,
    references: &[],
    summary: "A request's value gets into a path that is read, written or deleted without a sound containment check.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    named::detect(cx, out);
    document::detect(cx, out);
    handed::detect(cx, out);
    for call in cx.facts.calls() {
        if cx.profile.keys.is_containment_check(call.callee()) {
            out.evidence(6, call.span(), "the path is tested to stay within its root");
        }
        if let Some(path) = prefix_test(cx, &call) {
            let verdict = cx.where_shared(HitVerdict::Violation);
            let words = word_of_prefix(cx, &call, path);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
        }
    }
    for (call, path, value) in request_paths(cx) {
        let verdict = match names_upload(cx.facts, value) {
            true => HitVerdict::Violation,
            false => HitVerdict::Look,
        };
        let verdict = cx.where_shared(verdict);
        let words = word_of_request(cx.facts, path, value);
        let joined = Anchor {
            stmt: cx.facts.expr(value).stmt,
            span: cx.facts.expr(value).span,
        };
        // Where only the name was joined anew, that is the line to look at.
        let anchor = Anchor::call(&call).or_where_changed(cx.facts, joined);
        let mut hit = Hit::new(&CHECK, anchor, verdict, words);
        hit.causes.push(joined.span);
        // One name that comes in is one fault, however often it is used.
        out.hits.push(match cx.facts.parameter(value) {
            Some((_, param)) => hit.with_related(param.name, "it comes in here"),
            None => hit,
        });
    }
}

/// `path.startswith(root)` as the guard of a path, where the root does not end in a separator.
fn prefix_test(cx: &Context<'_>, call: &Call<'_>) -> Option<ExprId> {
    let facts = cx.facts;
    if call.method() != Some("startswith") || !is_guard(facts, call) {
        return None;
    }
    let (path, root) = (call.receiver()?, call.positional(0)?);
    let open_ended = !ends_in_separator(facts, root) && facts.string(root).is_none();
    let resolved =
        is_resolved(facts, path) || is_resolved(facts, root) || is_joined_onto(facts, path, root);
    (open_ended && resolved && may_escape(cx, path)).then_some(path)
}

/// The test of an `if` (or `assert`) whose outcome refuses or serves.
fn is_guard(facts: &Facts, call: &Call<'_>) -> bool {
    match facts.stmt(call.stmt()).kind {
        StmtKind::If { test, .. } => facts.within(test).any(|id| id == call.id),
        StmtKind::Assert(_) | StmtKind::Return(_) => true,
        _ => false,
    }
}

fn ends_in_separator(facts: &Facts, root: ExprId) -> bool {
    facts.values(root).into_iter().any(|value| {
        let text = facts.expr_text(value).replace('\'', "\"");
        text.ends_with("/\"")
            || text.ends_with(".sep")
            || text.ends_with("sep)")
            || text.ends_with("\"\")")
    })
}

/// Whether a value is a path that was made absolute or normal: only then a prefix is meant as containment.
fn is_resolved(facts: &Facts, path: ExprId) -> bool {
    facts.values(path).into_iter().any(|value| {
        facts.within(value).any(|id| {
            facts.call(id).is_some_and(|call| {
                call.is(&["os.path.normpath", "os.path.abspath", "os.path.realpath"])
                    || matches!(call.method(), Some("resolve" | "absolute"))
            })
        })
    })
}

/// `os.path.join(root, name)`, tested against that root: `..` passes this test, resolved or not.
fn is_joined_onto(facts: &Facts, path: ExprId, root: ExprId) -> bool {
    let root = facts.expr_text(root);
    facts.values(path).into_iter().any(|value| {
        let joined = facts.call(value).filter(|call| call.is(&["os.path.join"]));
        let first = joined.and_then(|call| call.positional(0));
        first.is_some_and(|first| facts.expr_text(first) == root)
    })
}

/// Whether some part of the path is not known to be harmless.
fn may_escape(cx: &Context<'_>, path: ExprId) -> bool {
    let facts = cx.facts;
    let composed: Vec<Piece> = facts
        .values(path)
        .into_iter()
        .flat_map(|value| facts.within(value).collect::<Vec<_>>())
        .filter_map(|id| facts.pieces(id))
        .next()
        .unwrap_or_default();
    composed.is_empty()
        || composed.into_iter().skip(1).any(|piece| match piece {
            Piece::Value(value) => facts.key_part(value, cx.profile).source > Source::Checked,
            Piece::Text(_) => false,
        })
}

fn word_of_prefix(cx: &Context<'_>, call: &Call<'_>, path: ExprId) -> Words {
    let facts = cx.facts;
    let root = call
        .positional(0)
        .map_or("the root", |root| facts.expr_text(root));
    let helper = cx
        .profile
        .helpers_for(&facts.path, topic::Role::Containment)
        .next();
    let plain = "Compare `os.path.commonpath([root, path])` with the root, or use `Path.is_relative_to`, both after `realpath`";
    let cure = match helper {
        Some(helper) => format!("{plain} ({})", own_helper::does(cx.facts, &helper.name)),
        None => plain.to_string(),
    };
    Words::new(
        format!(
            "`{}.startswith({root})` is no containment check.",
            facts.expr_text(path)
        ),
        "A sibling whose name begins like the root (`packages-old` beside `packages`) passes it, and so does a symlink out of the root.",
        format!("{cure}."),
    )
}

/// Paths with a request's value in them that are opened, written, removed or served; where nothing shows that, those
/// that are asked for.
fn request_paths<'f>(cx: &Context<'f>) -> Vec<(Call<'f>, ExprId, ExprId)> {
    let facts = cx.facts;
    let of = |call: Call<'f>, path: ExprId| {
        let value = request_part_of(cx, path)?;
        (!in_known_cache_path(cx, path)).then_some((call, path, value))
    };
    let used = facts
        .calls()
        .filter_map(|call| of(call, used_path(facts, &call)?));
    let mut out: Vec<_> = used.collect();
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
            (unchecked && is_of_request(cx, value)).then_some(value)
        }
        Piece::Text(_) => None,
    })
}

fn is_checked_later(cx: &Context<'_>, composed: ExprId) -> bool {
    let facts = cx.facts;
    facts.calls_of(facts.expr(composed).scope).any(|call| {
        cx.profile.keys.is_containment_check(call.callee()) || call.method() == Some("startswith")
    })
}

/// `request.name`, `upload.filename`, the parameter of a route, or what was taken out of one.
fn is_of_request(cx: &Context<'_>, value: ExprId) -> bool {
    is_request_value(cx, value) || is_taken_from(cx, value, 6)
}

/// `for id in body.get("ids")`: followed through loops, calls and look-ups to a parameter of a route.
fn is_taken_from(cx: &Context<'_>, value: ExprId, depth: u32) -> bool {
    let facts = cx.facts;
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let of_route = |id: ExprId| {
        facts.parameter(id).is_some_and(|(function, param)| {
            let carries = [
                "body", "payload", "data", "json", "form", "params", "request",
            ]
            .iter()
            .any(|word| topic::says(facts.text(param.name), word));
            carries && serves_route(facts, function)
        })
    };
    let sources: Vec<ExprId> = match &facts.expr(value).kind {
        ExprKind::Name => facts
            .bindings_behind(value)
            .into_iter()
            .filter_map(|binding| match binding.kind {
                BindingKind::Value { value, .. } => Some(value),
                BindingKind::Loop { iter, .. } => Some(iter),
                _ => None,
            })
            .collect(),
        ExprKind::Call { .. } => facts
            .call(value)
            .filter(|call| {
                matches!(
                    call.method(),
                    Some("get" | "pop" | "split" | "strip" | "getlist")
                )
            })
            .and_then(|call| call.receiver())
            .into_iter()
            .collect(),
        ExprKind::Subscript { object, .. } | ExprKind::Attribute { object, .. } => vec![*object],
        ExprKind::Bool { left, right } => vec![*left, *right],
        ExprKind::Await(inner) => vec![*inner],
        _ => Vec::new(),
    };
    of_route(value)
        || is_request_value(cx, value)
        || sources
            .into_iter()
            .any(|source| source != value && is_taken_from(cx, source, depth))
}

fn is_request_value(cx: &Context<'_>, value: ExprId) -> bool {
    let facts = cx.facts;
    let says_request = |object: ExprId| {
        facts.last_name(object).is_some_and(|object| {
            cx.profile.places.is_request_name(object) || topic::says(object, "request")
        })
    };
    let of_object = facts.attribute(value).is_some_and(|(object, name)| {
        // `self.filename` is a field of this object, whoever filled it.
        let is_upload =
            || facts.self_attribute(value).is_none() && !document::is_of_archive(facts, value);
        says_request(object) || (name == "filename" && is_upload())
    });
    let of_body = facts.awaited_call(value).is_some_and(|call| {
        let asks_handler = matches!(
            call.method(),
            Some("get_argument" | "get_query_argument" | "get_body_argument")
        );
        let asks_request = matches!(
            call.method(),
            Some("json" | "form" | "post" | "get_json" | "get_param")
        );
        asks_handler || (asks_request && call.receiver().is_some_and(says_request))
    });
    let of_route = facts.parameter(value).is_some_and(|(function, param)| {
        let is_text = param.annotation.is_none_or(|annotation| {
            let text = facts.expr_text(annotation);
            text == "str" || text.contains("[str") || text.contains("str |")
        });
        is_text && serves_route(facts, function)
    });
    of_object || of_body || of_route
}

/// `upload.filename` of something that is shown to be what a client sends: frameworks hand the name on as it came.
fn names_upload(facts: &Facts, value: ExprId) -> bool {
    let Some((upload, "filename")) = facts.attribute(value) else {
        return false;
    };
    let annotation = facts
        .parameter(upload)
        .and_then(|(_, param)| param.annotation);
    let is_typed = annotation.is_some_and(|annotation| {
        let text = facts.expr_text(annotation);
        text.contains("UploadFile") || text.contains("FileStorage")
    });
    let is_asked = facts.values(upload).into_iter().any(|of| {
        let text = facts.expr_text(of);
        text.starts_with("request.files")
    });
    is_typed || is_asked
}

fn serves_route(facts: &Facts, function: ScopeId) -> bool {
    facts.decorators(function).iter().any(|&decorator| {
        facts.call(decorator).is_some_and(|call| {
            matches!(
                call.method(),
                Some("get" | "post" | "put" | "delete" | "patch" | "route")
            )
        })
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

fn word_of_request(facts: &Facts, path: ExprId, value: ExprId) -> Words {
    let (path, value) = (facts.expr_text(path), facts.expr_text(value));
    Words::new(
        format!("`{value}` comes with the request and gets into `{path}` unchecked."),
        "With `..`, an absolute path or a symlink in it the request reads, overwrites or deletes files outside of the folder.",
        format!(
            "Is `{value}` checked before it gets here? Refuse values that do not fully match a strict pattern, or test the resolved path with `os.path.commonpath` or `Path.is_relative_to`."
        ),
    )
}
