//! Names that another machine gives: of an attachment, of a download, in a message of a queue.

use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts};

/// Who names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sender {
    Request,
    Message,
    Header,
    Answer,
}

impl Sender {
    /// As a part of the sentence "`name` comes with ...".
    pub(super) fn said(self) -> &'static str {
        match self {
            Sender::Request => "the request",
            Sender::Message => "the message",
            Sender::Header | Sender::Answer => "the other side's answer",
        }
    }
}

/// Who names a value, where the value itself shows it.
pub(super) fn sender(facts: &Facts, value: ExprId) -> Option<Sender> {
    if names_download(facts, value) {
        return Some(Sender::Header);
    }
    if is_name_in_answer(facts, value) {
        return Some(Sender::Answer);
    }
    is_field_of_message(facts, value).then_some(Sender::Message)
}

/// `answer.json()["filename"]`, `for entry in answer.json(): entry["path"]`: a field of another service's answer that says
/// that it names a file.
fn is_name_in_answer(facts: &Facts, value: ExprId) -> bool {
    let Some((object, key)) = field_of(facts, value) else {
        return false;
    };
    let says = topic::words(key).last().is_some_and(|word| {
        matches!(&*word, "filename" | "path" | "filepath" | "basename")
            || topic::says(key, "file name")
    });
    says && is_answer(facts, object, 5)
}

fn is_answer(facts: &Facts, value: ExprId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let parses = |call: Call<'_>| {
        let asked = call.receiver().and_then(|of| facts.awaited_call(of));
        let by_library = asked.is_some_and(|asked| {
            ["requests.", "httpx."]
                .iter()
                .any(|package| asked.callee().starts_with(package))
        });
        let of_answer = call
            .receiver()
            .and_then(|of| facts.last_name(of))
            .is_some_and(|name| topic::has_word(name, "response resp answer reply res r"));
        call.method() == Some("json") && (of_answer || by_library)
    };
    let looped = facts
        .bindings_behind(value)
        .into_iter()
        .any(|binding| match binding.kind {
            BindingKind::Loop { iter, .. } => is_answer(facts, iter, depth),
            _ => false,
        });
    let values = facts.values(value).into_iter();
    looped
        || values.into_iter().any(|of| {
            let inner = field_of(facts, of).map(|(object, _)| object);
            facts.awaited_call(of).is_some_and(parses)
                || inner.is_some_and(|inner| is_answer(facts, inner, depth))
        })
}

/// Object and key of `object["key"]` and `object.get("key")`.
fn field_of(facts: &Facts, value: ExprId) -> Option<(ExprId, &str)> {
    match &facts.expr(value).kind {
        ExprKind::Subscript { object, index } => {
            let key = index.first().and_then(|&key| facts.string(key))?;
            Some((*object, key))
        }
        ExprKind::Call { .. } => {
            let call = facts.call(value)?;
            let key = call.positional(0).and_then(|key| facts.string(key))?;
            let asks = matches!(call.method(), Some("get" | "pop"));
            Some((call.receiver().filter(|_| asks)?, key))
        }
        _ => None,
    }
}

/// `header.get_filename()`, `response.headers["Content-Disposition"]`.
fn names_download(facts: &Facts, value: ExprId) -> bool {
    let says = |key: Option<ExprId>| {
        let key = key.and_then(|key| facts.string(key)).unwrap_or("");
        key.eq_ignore_ascii_case("content-disposition")
    };
    match &facts.expr(value).kind {
        ExprKind::Subscript { index, .. } => says(index.first().copied()),
        ExprKind::Call { .. } => facts.call(value).is_some_and(|call| {
            let of_mail = call.method() == Some("get_filename");
            of_mail || (call.name().starts_with("get") && says(call.positional(0)))
        }),
        ExprKind::Attribute { object, name } => {
            facts.text(*name) == "filename"
                && facts.last_name(*object) == Some("content_disposition")
        }
        _ => false,
    }
}

/// `message["kind"]` of `message = json.loads(body)`, where the body is what a queue or a socket brought.
fn is_field_of_message(facts: &Facts, value: ExprId) -> bool {
    let object = field_of(facts, value).map(|(object, _)| object);
    if object.is_some_and(|object| is_message(facts, object, 5)) {
        return true;
    }
    let parsed = object.map_or(Vec::new(), |object| facts.values(object));
    let mut calls = parsed.into_iter().filter_map(|value| facts.call(value));
    calls.any(|call| call.is(PARSERS) && call.positional(0).is_some_and(|of| is_body(facts, of)))
}

/// What `receive_json()` brought, or the event that a function in the cloud is called with; also a part of it.
fn is_message(facts: &Facts, object: ExprId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let is_event = facts.parameter(object).is_some_and(|(function, param)| {
        let params = &facts.scope(function).params;
        let second = params.get(1).map(|param| facts.text(param.name));
        facts.text(param.name) == "event" && second == Some("context")
    });
    let received = facts.values(object).into_iter().any(|value| {
        facts
            .awaited_call(value)
            .is_some_and(|call| call.method() == Some("receive_json"))
    });
    let inner = match &facts.expr(object).kind {
        ExprKind::Subscript { object, .. } => Some(*object),
        _ => None,
    };
    is_event || received || inner.is_some_and(|inner| is_message(facts, inner, depth))
}

const PARSERS: &[&str] = &[
    "json.loads",
    "orjson.loads",
    "ujson.loads",
    "simplejson.loads",
    "msgpack.unpackb",
    "msgpack.loads",
    "cbor2.loads",
];

/// What a consumer is handed, or takes from its connection.
fn is_body(facts: &Facts, of: ExprId) -> bool {
    let says = |name: &str| {
        topic::ends_in_word(name, "body message msg payload frame event packet envelope")
    };
    let decoded = facts
        .call(of)
        .filter(|call| call.method() == Some("decode"));
    if let Some(inner) = decoded.and_then(|call| call.receiver()) {
        return is_body(facts, inner);
    }
    let of_object = facts.attribute(of).is_some_and(|(object, name)| {
        let holds = matches!(name, "body" | "data" | "value" | "payload");
        holds && facts.last_name(object).is_some_and(says)
    });
    let received = |call: Call<'_>| {
        call.method()
            .is_some_and(|name| name.starts_with("recv") || name.starts_with("receive"))
    };
    let is_given = facts.parameter(of).is_some() && facts.name(of).is_some_and(says);
    let mut values = facts.values(of).into_iter();
    is_given || of_object || values.any(|value| facts.awaited_call(value).is_some_and(received))
}
