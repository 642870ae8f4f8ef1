//! TensorRT builds or loads an engine, or a CUDA context is switched, on an object that several threads share.

use super::guard::{Guard, guard};
use super::torchscript::alone;
use crate::facts::{Call, ExprId, Facts, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unserialized-engine-build",
    rule: 1,
    severity: Severity::Block,
    references: &[],
    summary: "A TensorRT engine is built or loaded, or a CUDA context switched, on a shared object outside of a lock.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx
        .facts
        .calls()
        .filter(|call| touches_engine(cx.facts, call))
    {
        if is_shared(cx.facts, &call) {
            judge(cx, &call, out);
        }
    }
}

fn touches_engine(facts: &Facts, call: &Call<'_>) -> bool {
    if call.is(&["tensorrt.Builder"]) {
        return true;
    }
    match call.method() {
        Some(
            "build_serialized_network"
            | "build_engine"
            | "build_cuda_engine"
            | "deserialize_cuda_engine",
        ) => true,
        Some("push" | "pop") => call
            .receiver()
            .and_then(|receiver| facts.last_name(receiver))
            .is_some_and(says_cuda_context),
        _ => false,
    }
}

fn says_cuda_context(name: &str) -> bool {
    topic::says(name, "cuda context") || topic::says(name, "cuda ctx")
}

/// The object it is called on, or the place where its result goes, is there once for the process.
fn is_shared(facts: &Facts, call: &Call<'_>) -> bool {
    let on = call.receiver().is_some_and(|receiver| {
        facts.reach(receiver).is_process_wide() || is_singleton(facts, receiver)
    });
    let into = match &facts.stmt(call.stmt()).kind {
        StmtKind::Assign { targets, .. } => targets
            .iter()
            .any(|&target| facts.reach(target).is_process_wide()),
        _ => false,
    };
    on || into
}

/// `get_runtime().deserialize_cuda_engine(...)`, where the getter returns what the module keeps.
fn is_singleton(facts: &Facts, receiver: ExprId) -> bool {
    facts.values(receiver).into_iter().any(|value| {
        let Some(function) = facts.call(value).and_then(|call| facts.callee_scope(&call)) else {
            return false;
        };
        facts
            .returns_of(function)
            .any(|returned| facts.reach(returned).is_process_wide())
    })
}

fn judge(cx: &Context<'_>, call: &Call<'_>, out: &mut Outcome) {
    let verdict = match guard(cx, call) {
        Guard::Shared(_) | Guard::Private(_) | Guard::Instance(_) => {
            out.evidence(1, call.span(), "the shared engine is touched under a lock");
            return;
        }
        Guard::Untested => return,
        Guard::Unseen(_) => HitVerdict::Look,
        Guard::Own(_) | Guard::None => HitVerdict::Violation,
    };
    let verdict = alone(cx, call.stmt()).map_or(verdict, HitVerdict::Excused);
    out.hits
        .push(Hit::new(&CHECK, Anchor::call(call), verdict, word(call)));
}

fn word(call: &Call<'_>) -> Words {
    Words::new(
        format!(
            "`{}` works on an object that the whole process shares, and no lock is held.",
            call.name()
        ),
        "Builders, runtimes and CUDA contexts are not safe for threads: two at once mix up the current context or the memory they allocate.",
        "Hold one lock around it that every user of the shared object takes, or give each thread an object of its own.",
    )
}
