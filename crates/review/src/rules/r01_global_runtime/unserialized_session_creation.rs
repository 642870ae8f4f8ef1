//! An ONNX Runtime session is made and put where other threads find it, with no lock around.

use super::guard::{Guard, guard};
use super::torchscript::alone;
use crate::facts::{Call, ExprId, ExprKind, Facts, Kind, Proof, Reach, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unserialized-session-creation",
    rule: 1,
    severity: Severity::Block,
    references: &[],
    summary: "An ONNX Runtime session is stored into a shared dict, module or class attribute outside of a lock.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        if let Some((target, call, proof)) = stored_session(facts, stmt) {
            judge(cx, target, &call, proof, out);
        }
    }
}

/// The target that a session is stored into, the call that makes it, and how well this is known.
fn stored_session(facts: &Facts, stmt: StmtId) -> Option<(ExprId, Call<'_>, Proof)> {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        ..
    } = &facts.stmt(stmt).kind
    else {
        return None;
    };
    let target = *targets.first()?;
    if facts.reach(target) == Reach::Local {
        return None;
    }
    let made = facts
        .values(*value)
        .into_iter()
        .filter_map(|value| facts.call(value));
    let known = made.filter_map(|call| Some((target, call, session(facts, &call)?)));
    known.min_by_key(|(_, _, proof)| *proof)
}

fn session(facts: &Facts, call: &Call<'_>) -> Option<Proof> {
    match facts.type_of(call.id) {
        Some(found) => found.is(Kind::OrtSession).then_some(found.proof),
        None if says_session(facts, call) => Some(Proof::Named),
        None => None,
    }
}

/// `_make_session(path)` in a file that speaks of inference sessions, where the maker is not shown.
fn says_session(facts: &Facts, call: &Call<'_>) -> bool {
    topic::says(call.name(), "session")
        && facts.callee_scope(call).is_none()
        && facts.exprs_named("InferenceSession").next().is_some()
}

fn judge(cx: &Context<'_>, target: ExprId, made: &Call<'_>, proof: Proof, out: &mut Outcome) {
    let facts = cx.facts;
    let stmt = facts.expr(target).stmt;
    let verdict = match facts.reach(target) {
        Reach::Module | Reach::Class if proof == Proof::Proven => HitVerdict::Violation,
        Reach::Module | Reach::Class => HitVerdict::Look,
        Reach::Instance if is_registry(facts, target) => HitVerdict::Look,
        Reach::Instance | Reach::Local => return,
    };
    let verdict = match guard(cx, made) {
        Guard::Shared(_) | Guard::Private(_) | Guard::Instance(_) => {
            out.evidence(1, made.span(), "the shared session is made under a lock");
            return;
        }
        Guard::Untested => return,
        Guard::Unseen(_) => HitVerdict::Look,
        Guard::Own(_) | Guard::None => verdict,
    };
    let verdict = alone(cx, stmt).map_or(verdict, HitVerdict::Excused);
    let anchor = Anchor::stmt(facts, stmt);
    let words = word(facts, target);
    out.hits.push(Hit::new(&CHECK, anchor, verdict, words));
}

/// An entry of a dict of the instance, filled outside of its constructor.
fn is_registry(facts: &Facts, target: ExprId) -> bool {
    let is_entry = matches!(facts.expr(target).kind, ExprKind::Subscript { .. });
    let in_constructor = facts.function_name(facts.expr(target).stmt) == Some("__init__");
    is_entry && !in_constructor && facts.has_threads()
}

fn word(facts: &Facts, target: ExprId) -> Words {
    let target = facts.expr_text(target);
    Words::new(
        format!("A session is made and stored into `{target}`, and no lock is held."),
        "Two threads that find it missing at the same moment both build one: memory of the device is taken twice, and one session is replaced while it is in use.",
        "Test and create under one lock, the test included.",
    )
}
