//! A lock of its own around TorchScript, where the shared one is at hand.

use super::guard::{Guard, guard};
use super::torchscript::{alone, has_shared_guard, touches};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "ad-hoc-torchscript-lock",
    rule: 1,
    severity: Severity::Flag,
    references: &[2373],
    summary: "A private lock stands around TorchScript although the file has the process-wide one.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    if !has_shared_guard(cx) {
        return;
    }
    for (call, _) in touches(cx) {
        let Guard::Private(lock) = guard(cx, &call) else {
            continue;
        };
        let facts = cx.facts;
        let words = word(&facts.shown(lock.expr), call.callee());
        let verdict = alone(cx, call.stmt()).map_or(HitVerdict::Violation, HitVerdict::Excused);
        let hit = Hit::new(&CHECK, Anchor::call(&call), verdict, words)
            .with_related(facts.expr(lock.expr).span, "the private lock");
        out.hits.push(hit);
    }
}

fn word(lock: &str, callee: &str) -> Words {
    Words::new(
        format!("`{callee}` runs under `{lock}`, which only this file knows."),
        "Two locks for one registry exclude nobody: a loader that holds the shared lock and this one run at the same time.",
        "Take the process-wide TorchScript lock that this file imports or is handed, and drop the private one.",
    )
}
