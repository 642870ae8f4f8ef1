//! Labels of metrics whose values are never few: each value that is ever seen makes a time series of its own.

use super::unbounded_cache::CHECK;
use crate::facts::{Call, ExprId, ExprKind, Facts};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts
        .calls_named("labels")
        .filter(|call| call.receiver().is_some())
    {
        let Some(metric) = call.receiver().filter(|&of| is_metric(facts, of)) else {
            continue;
        };
        let mut values = call.args.iter().map(|arg| arg.value);
        if let Some(value) = values.find(|&value| is_many_valued(facts, value)) {
            report(cx, &call, metric, value, out);
        }
    }
}

/// A metric of Prometheus, by what makes it, or, where that is not shown, by a constant's name and what is asked of its child.
fn is_metric(facts: &Facts, metric: ExprId) -> bool {
    let makes = |value: ExprId| {
        facts.call(value).is_some_and(|call| {
            call.is(&[
                "prometheus_client.Counter",
                "prometheus_client.Gauge",
                "prometheus_client.Histogram",
                "prometheus_client.Summary",
            ])
        })
    };
    let values = facts.values(metric);
    let unseen = values.iter().all(|&value| value == metric);
    values.iter().any(|&value| makes(value)) || (unseen && counts(facts, metric))
}

/// `REQUESTS.labels(...).inc()`.
fn counts(facts: &Facts, metric: ExprId) -> bool {
    let up = |id: ExprId| facts.expr(id).parent;
    let child = up(metric).and_then(up).and_then(up);
    let asked = child.and_then(|child| facts.attribute(child));
    asked.is_some_and(|(_, name)| {
        matches!(
            name,
            "inc" | "dec" | "observe" | "set" | "time" | "track_inprogress"
        )
    })
}

/// A raw path or address, or the id of a user, session or request.
fn is_many_valued(facts: &Facts, value: ExprId) -> bool {
    facts
        .values(value)
        .into_iter()
        .chain([value])
        .any(|value| match facts.expr(value).kind {
            ExprKind::Attribute { .. } => is_raw(facts, value) || is_id(facts, value),
            ExprKind::Name => is_id(facts, value),
            ExprKind::Call { .. } => facts
                .call(value)
                .is_some_and(|call| is_text_of_many(facts, &call)),
            _ => false,
        })
}

/// `str(request.url)`, `str(user_id)`.
fn is_text_of_many(facts: &Facts, call: &Call<'_>) -> bool {
    let given = call.positional(0).filter(|_| call.callee() == "str");
    given.is_some_and(|given| is_raw(facts, given) || is_id(facts, given))
}

/// `request.path`, `request.url.path`, `request.client.host`, `request.remote_addr`: whatever a client sends.
fn is_raw(facts: &Facts, value: ExprId) -> bool {
    let text = facts.dotted(value).unwrap_or_default();
    let of_request = text
        .split('.')
        .any(|part| matches!(part, "request" | "req" | "scope"));
    let last = facts.last_name(value).unwrap_or_default();
    of_request
        && matches!(
            last,
            "path"
                | "url"
                | "uri"
                | "full_path"
                | "raw_path"
                | "host"
                | "remote_addr"
                | "path_info"
        )
}

fn is_id(facts: &Facts, value: ExprId) -> bool {
    let Some(name) = facts.last_name(value) else {
        return false;
    };
    let words: Vec<_> = topic::words(name).collect();
    let of_many = words.iter().any(|word| {
        matches!(
            &**word,
            "user"
                | "session"
                | "request"
                | "customer"
                | "order"
                | "trace"
                | "correlation"
                | "email"
                | "ip"
                | "device"
        )
    });
    let last = words.last().map_or("", |word| word);
    of_many && matches!(last, "id" | "uuid" | "email" | "ip")
}

fn report(cx: &Context<'_>, call: &Call<'_>, metric: ExprId, value: ExprId, out: &mut Outcome) {
    let facts = cx.facts;
    let plain = HitVerdict::sure_if(
        is_raw(facts, value) && facts.values(metric).iter().any(|&value| value != metric),
    );
    let words = word(&facts.shown(metric), &facts.shown(value));
    out.hits.push(Hit::new(
        &CHECK,
        Anchor::call(call),
        cx.where_shared(plain),
        words,
    ));
}

fn word(metric: &str, value: &str) -> Words {
    Words::new(
        format!("`{metric}` gets a time series of its own for each `{value}` that is ever seen."),
        "The process keeps every combination of label values until it ends, and the server that scrapes it stores each; clients choose how many there are.",
        format!(
            "Label with what there are few of, such as the route's template or a class of users, and log `{value}` instead."
        ),
    )
}
