//! A path from a request is used without a sound test that it stays inside its root.

mod asked;
mod document;
mod handed;
mod lexical;
mod members;
mod named;
mod origin;
mod prefix;
mod remote;
mod used;

use crate::facts::ExprId;
use crate::rules::{Check, Context, Outcome};
use report::Severity;

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
    prefix::detect(cx, out);
    asked::detect(cx, out);
    members::detect(cx, out);
}

fn is_checked_later(cx: &Context<'_>, composed: ExprId) -> bool {
    let facts = cx.facts;
    facts.calls_of(facts.expr(composed).scope).any(|call| {
        cx.profile.keys.is_containment_check(call.callee()) || call.method() == Some("startswith")
    })
}
