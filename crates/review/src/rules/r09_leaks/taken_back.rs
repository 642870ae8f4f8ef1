//! Registrations and switches that one function makes and takes back only when nothing raises: a handler added to a
//! logger, a reader to a loop, a scheduler paused.

use super::closed_only_on_success::CHECK;
use super::opened::unless_cold;
use super::pooled::skipping_step;
use crate::facts::{Call, ExprKind, Facts, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// What one call does, and the calls of the same object that undo it.
const PAIRS: &[(&str, &[&str])] = &[
    ("addHandler", &["removeHandler"]),
    ("addFilter", &["removeFilter"]),
    ("addListener", &["removeListener"]),
    ("subscribe", &["unsubscribe"]),
    ("psubscribe", &["punsubscribe"]),
    ("register", &["unregister", "deregister"]),
    ("attach", &["detach"]),
    ("install", &["uninstall"]),
    ("connect", &["disconnect"]),
    ("on", &["off", "remove_listener"]),
    ("bind", &["unbind"]),
    ("pause", &["resume", "unpause"]),
    ("suspend", &["resume"]),
    ("disable", &["enable"]),
    ("enable", &["disable"]),
    ("block", &["unblock"]),
    ("mute", &["unmute"]),
    ("freeze", &["unfreeze"]),
    ("pin", &["unpin"]),
    ("nvmlInit", &["nvmlShutdown"]),
];

/// Whether a call undoes what one of this name did.
fn undoes(done: &str, undone: &str) -> bool {
    let listed = PAIRS
        .iter()
        .any(|(does, ends)| *does == done && ends.contains(&undone));
    let added = done.strip_prefix("add_").filter(|rest| !rest.is_empty());
    let registered = done.strip_prefix("register_");
    listed
        || added.is_some_and(|rest| undone.strip_prefix("remove_") == Some(rest))
        || registered.is_some_and(|rest| {
            undone.strip_prefix("unregister_") == Some(rest)
                || undone.strip_prefix("deregister_") == Some(rest)
        })
}

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts
        .calls()
        .filter(|call| is_step(facts, call) && may_be_undone(call.name()))
    {
        let backs: Vec<Call<'_>> = taken_back(facts, &call);
        let ends: Vec<StmtId> = backs.iter().map(Call::stmt).collect();
        let skipped = skipping_step(facts, call.stmt(), &ends, |_| false);
        if let (Some(step), Some(back)) = (skipped, backs.last()) {
            report(cx, &call, back, step, out);
        }
    }
}

fn may_be_undone(name: &str) -> bool {
    let listed = PAIRS.iter().any(|(does, _)| *does == name);
    listed || name.starts_with("add_") || name.starts_with("register_")
}

/// A call that is a statement of its own.
fn is_step(facts: &Facts, call: &Call<'_>) -> bool {
    let StmtKind::Expr(value) = facts.stmt(call.stmt()).kind else {
        return false;
    };
    let itself = match facts.expr(value).kind {
        ExprKind::Await(inner) => inner,
        _ => value,
    };
    itself == call.id && call.receiver().is_some()
}

/// The calls of the same function that undo it: of the same object, about the same thing.
fn taken_back<'f>(facts: &'f Facts, done: &Call<'f>) -> Vec<Call<'f>> {
    let object = |call: &Call<'_>| call.receiver().and_then(|of| facts.dotted(of));
    let what = |call: &Call<'_>| call.positional(0).map(|of| facts.expr_text(of).to_owned());
    let same = |call: &Call<'_>| {
        // `client.connect(host)` and `client.disconnect()` are the beginning and the end of a resource.
        let about = what(call) == what(done) && (done.name() != "connect" || what(done).is_some());
        call.stmt() > done.stmt()
            && undoes(done.name(), call.name())
            && object(call) == object(done)
            && about
            // Two states of a switch: each branch undoes what the other one did in an earlier call.
            && !facts.is_other_branch(done.stmt(), call.stmt())
    };
    let known = object(done).is_some();
    let calls = facts
        .calls_of(done.scope())
        .filter(|call| known && is_step(facts, call));
    calls.filter(same).collect()
}

fn report(cx: &Context<'_>, call: &Call<'_>, back: &Call<'_>, step: StmtId, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict =
        HitVerdict::sure_if(facts.sees_enclosure(call.stmt()) && facts.sees_enclosure(back.stmt()));
    let anchor = Anchor::call(call).or_where_changed(facts, Anchor::call(back));
    let words = word(facts, call, back);
    let mut hit = Hit::new(&CHECK, anchor, unless_cold(cx, verdict), words)
        .with_related(facts.stmt(step).head, "can leave before it is taken back")
        .with_related(back.span(), "takes it back");
    hit.causes.extend([facts.stmt(step).head, back.span()]);
    out.hits.push(hit);
}

fn word(facts: &Facts, call: &Call<'_>, back: &Call<'_>) -> Words {
    let (does, undoes) = (facts.shown(call.function), facts.shown(back.function));
    Words::new(
        format!("What `{does}` does is taken back only when nothing raises before."),
        "Each error leaves it as it is, one more each time: a handler that goes on being called, a part of the service that stays switched off.",
        format!("Put `{undoes}` into a `finally` that begins right behind `{does}`."),
    )
}
