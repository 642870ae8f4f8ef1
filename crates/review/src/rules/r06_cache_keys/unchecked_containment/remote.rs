//! Names that another machine gives: of an attachment, of a download, in a message of a queue.

use crate::facts::{Call, ExprId, ExprKind, Facts};

/// Who names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sender {
    Request,
    Message,
    Header,
}

impl Sender {
    /// As a part of the sentence "`name` comes with ...".
    pub(super) fn said(self) -> &'static str {
        match self {
            Sender::Request => "the request",
            Sender::Message => "the message",
            Sender::Header => "the other side's answer",
        }
    }
}

/// Who names a value, where the value itself shows it.
pub(super) fn sender(facts: &Facts, value: ExprId) -> Option<Sender> {
    if names_download(facts, value) {
        return Some(Sender::Header);
    }
    is_field_of_message(facts, value).then_some(Sender::Message)
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
    let object = match &facts.expr(value).kind {
        ExprKind::Subscript { object, index } => {
            let key = index.first().and_then(|&key| facts.string(key));
            key.map(|_| *object)
        }
        ExprKind::Call { .. } => facts.call(value).and_then(|call| {
            let key = call.positional(0).and_then(|key| facts.string(key));
            let asks = matches!(call.method(), Some("get" | "pop"));
            key.filter(|_| asks).and(call.receiver())
        }),
        _ => None,
    };
    let parsed = object.map_or(Vec::new(), |object| facts.values(object));
    let mut calls = parsed.into_iter().filter_map(|value| facts.call(value));
    calls.any(|call| call.is(PARSERS) && call.positional(0).is_some_and(|of| is_body(facts, of)))
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
        let last = topic::words(name).last().unwrap_or_default();
        matches!(
            &*last,
            "body" | "message" | "msg" | "payload" | "frame" | "event" | "packet" | "envelope"
        )
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
