//! Whether a value comes with a request.

use super::document;
use super::remote::{self, Sender};
use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, Param, StmtKind};
use crate::rules::Context;

/// How far a value is followed.
const DEPTH: u32 = 6;

/// `request.name`, `upload.filename`, the parameter of a route, or what was taken out of one.
pub(super) fn is_of_request(cx: &Context<'_>, value: ExprId) -> bool {
    sender_of(cx, value).is_some()
}

/// Who names a value, followed through loops, calls and look-ups.
pub(super) fn sender_of(cx: &Context<'_>, value: ExprId) -> Option<Sender> {
    taken_from(cx, value, DEPTH)
}

/// `for id in body.get("ids")`: to a parameter of a route, to a header or to a message.
fn taken_from(cx: &Context<'_>, value: ExprId, depth: u32) -> Option<Sender> {
    let facts = cx.facts;
    let depth = depth.checked_sub(1)?;
    if is_body_of_route(facts, value) || says_body(facts, value) || is_request_value(cx, value) {
        return Some(Sender::Request);
    }
    let sent = remote::sender(facts, value);
    sent.or_else(|| {
        let mut sources = sources(facts, value).into_iter();
        sources.find_map(|source| (source != value).then(|| taken_from(cx, source, depth))?)
    })
}

fn is_body_of_route(facts: &Facts, value: ExprId) -> bool {
    facts.parameter(value).is_some_and(|(function, param)| {
        let carries = [
            "body", "payload", "data", "json", "form", "params", "request",
        ]
        .iter()
        .any(|word| topic::says(facts.text(param.name), word));
        (carries || is_model(facts, param)) && facts.is_route(function)
    })
}

/// `request_body`, `req_data`: given to the function, or bound where nothing is shown; whoever routes it here need not be
/// shown.
fn says_body(facts: &Facts, value: ExprId) -> bool {
    let Some(name) = facts.name(value) else {
        return false;
    };
    let mut words = topic::words(name);
    let of_request = words
        .next()
        .is_some_and(|word| matches!(&*word, "request" | "req"));
    let is_body = words.next().is_some_and(|word| {
        matches!(
            &*word,
            "body" | "data" | "json" | "payload" | "params" | "form"
        )
    });
    let is_given = facts.parameter(value).is_some() || facts.bindings_behind(value).is_empty();
    of_request && is_body && is_given
}

/// `wish: SpeakRequest`, `wish: Wish` of a model of this file: what the framework reads out of the body.
fn is_model(facts: &Facts, param: &Param) -> bool {
    let Some(annotation) = param.annotation else {
        return false;
    };
    let says = facts.last_name(annotation).is_some_and(|name| {
        ["Request", "Body", "Payload", "Params"]
            .iter()
            .any(|end| name.ends_with(end))
    });
    let class = facts.definition(annotation);
    let bases = class.and_then(|class| facts.scope(class).stmt);
    let of_file = bases.is_some_and(|stmt| match &facts.stmt(stmt).kind {
        StmtKind::Class { bases, .. } => bases
            .iter()
            .any(|base| facts.last_name(base.value) == Some("BaseModel")),
        _ => false,
    });
    says || of_file
}

/// What a value was taken out of.
fn sources(facts: &Facts, value: ExprId) -> Vec<ExprId> {
    match &facts.expr(value).kind {
        ExprKind::Name => {
            let bindings = facts.bindings_behind(value).into_iter();
            let given = bindings.filter_map(|binding| match binding.kind {
                BindingKind::Value { value, .. } => Some(value),
                BindingKind::Loop { iter, .. } => Some(iter),
                _ => None,
            });
            given.collect()
        }
        ExprKind::Call { .. } => facts.call(value).map_or(Vec::new(), |call| passed(&call)),
        ExprKind::Subscript { object, .. } | ExprKind::Attribute { object, .. } => vec![*object],
        ExprKind::Bool { left, right } => vec![*left, *right],
        ExprKind::Await(inner) => vec![*inner],
        _ => Vec::new(),
    }
}

/// What a call takes its result out of.
fn passed(call: &Call<'_>) -> Vec<ExprId> {
    let of_arguments = call.is(&[
        "re.search",
        "re.match",
        "re.findall",
        "cgi.parse_header",
        "urllib.parse.unquote",
        "unquote",
        "parse_options_header",
        "werkzeug.http.parse_options_header",
    ]);
    if of_arguments {
        return call.args.iter().map(|arg| arg.value).collect();
    }
    let passes = matches!(
        call.method(),
        Some(
            "get"
                | "pop"
                | "split"
                | "rsplit"
                | "partition"
                | "rpartition"
                | "strip"
                | "lstrip"
                | "rstrip"
                | "getlist"
                | "group"
                | "encode"
                | "decode"
                | "removeprefix"
        )
    );
    call.receiver().filter(|_| passes).into_iter().collect()
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
        let is_upload = || {
            let is_field = facts.self_attribute(value).is_some();
            !is_field && !document::is_of_archive(facts, value) && !facts.is_end_of_link(value)
        };
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
        is_text && facts.is_route(function) && !has_pattern(facts, param)
    });
    of_object || of_body || of_route || is_asgi_path(facts, value)
}

/// `scope["path"]` of the scope that an application of ASGI is called with: the path as the client wrote it.
fn is_asgi_path(facts: &Facts, value: ExprId) -> bool {
    let ExprKind::Subscript { object, index } = &facts.expr(value).kind else {
        return false;
    };
    let key = index.first().and_then(|&key| facts.string(key));
    let asks = matches!(key, Some("path" | "raw_path" | "query_string"));
    asks && facts.name(*object) == Some("scope") && facts.parameter(*object).is_some()
}

/// `slug: str = Path(pattern="...")`, `slug: Annotated[str, Path(pattern="...")]`: the framework refuses what does not match.
fn has_pattern(facts: &Facts, param: &Param) -> bool {
    let mut said = param.annotation.into_iter().chain(param.default);
    said.any(|of| {
        let text = facts.expr_text(of);
        text.contains("pattern=") || text.contains("regex=")
    })
}

/// `upload.filename` of something that is shown to be what a client sends: frameworks hand the name on as it came.
pub(super) fn names_upload(facts: &Facts, value: ExprId) -> bool {
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
