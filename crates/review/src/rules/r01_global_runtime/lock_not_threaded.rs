//! The process-wide TorchScript lock does not arrive where it is needed.

use super::guard::{Guard, guard};
use super::torchscript::{alone, touches};
use crate::facts::{Call, ExprId, ExprKind, Facts, Home, Lock, ScopeId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "lock-not-threaded",
    rule: 1,
    severity: Severity::Flag,
    references: &[2373],
    summary: "A model loader that accepts the process-wide TorchScript lock is not given it, or is given one made on the spot.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        if let Some(value) = lock_argument(cx, &call) {
            judge_argument(cx, &call, value, out);
        } else if let Some(taker) = taker(cx, &call) {
            judge_absence(cx, &call, taker, out);
        }
    }
    for (call, _) in touches(cx) {
        if let Guard::Instance(lock) = guard(cx, &call) {
            out.hits.push(of_instance(cx, &call, lock));
        }
    }
}

/// The argument whose name says that it is the process-wide lock.
fn lock_argument(cx: &Context<'_>, call: &Call<'_>) -> Option<ExprId> {
    let named = call.args.iter().find(|arg| {
        arg.name
            .is_some_and(|name| cx.profile.torchscript.is_lock_name(cx.facts.text(name)))
    });
    named.map(|arg| arg.value)
}

fn judge_argument(cx: &Context<'_>, call: &Call<'_>, value: ExprId, out: &mut Outcome) {
    let facts = cx.facts;
    let text = facts.expr_text(value);
    let words = if facts
        .lock(value)
        .is_some_and(|lock| lock.home == Home::Call)
    {
        word_made(call, text)
    } else if matches!(facts.expr(value).kind, ExprKind::None) {
        word_none(call)
    } else {
        out.evidence(1, facts.expr(value).span, "hands the TorchScript lock on");
        return;
    };
    let verdict = excuse(cx, call, HitVerdict::Violation);
    let anchor = Anchor {
        stmt: call.stmt(),
        span: facts.expr(value).span,
    };
    out.hits.push(Hit::new(&CHECK, anchor, verdict, words));
}

/// Who accepts the lock.
enum Taker {
    /// A function or class of this file whose head is shown.
    Shown(ScopeId),
    /// One that the profile names.
    Known,
}

fn taker(cx: &Context<'_>, call: &Call<'_>) -> Option<Taker> {
    let facts = cx.facts;
    let accepts = |function: &ScopeId| {
        facts
            .scope(*function)
            .params
            .iter()
            .any(|param| cx.profile.torchscript.is_lock_name(facts.text(param.name)))
    };
    match facts.callee_scope(call) {
        Some(function) => Some(function).filter(accepts).map(Taker::Shown),
        None => cx
            .profile
            .torchscript
            .takes_lock(call.callee())
            .then_some(Taker::Known)
            .filter(|_| lock_is_known(cx)),
    }
}

/// The profile's list says what today's loader accepts. Only where the shown code speaks of the lock at all
/// does this version of the repository have it.
fn lock_is_known(cx: &Context<'_>) -> bool {
    std::iter::once(cx.facts)
        .chain(cx.others.iter().copied())
        .any(|facts| speaks_of_lock(cx, facts))
}

fn speaks_of_lock(cx: &Context<'_>, facts: &Facts) -> bool {
    let torchscript = &cx.profile.torchscript;
    let in_params = facts.scope_ids().any(|scope| {
        let params = &facts.scope(scope).params;
        params
            .iter()
            .any(|param| torchscript.is_lock_name(facts.text(param.name)))
    });
    in_params
        || facts.expr_ids().any(|id| {
            let name = facts
                .name(id)
                .or_else(|| facts.attribute(id).map(|(_, name)| name));
            let name = name.or_else(|| facts.string(id)).unwrap_or("");
            torchscript.is_lock_name(name) || torchscript.is_shared_guard(name)
        })
}

fn judge_absence(cx: &Context<'_>, call: &Call<'_>, taker: Taker, out: &mut Outcome) {
    let facts = cx.facts;
    if let Taker::Shown(function) = taker
        && passed_by_place(cx, call, function)
    {
        out.evidence(1, call.span(), "hands the TorchScript lock on");
        return;
    }
    if call.has_splat() && names_lock_as_key(cx) {
        return;
    }
    let verdict = HitVerdict::sure_if(!call.has_splat() && is_lock_at_hand(cx, call));
    let verdict = excuse(cx, call, verdict);
    let words = word_missing(facts, call);
    out.hits
        .push(Hit::new(&CHECK, Anchor::call(call), verdict, words));
}

fn passed_by_place(cx: &Context<'_>, call: &Call<'_>, function: ScopeId) -> bool {
    let facts = cx.facts;
    let params = &facts.scope(function).params;
    let name = params
        .iter()
        .map(|param| facts.text(param.name))
        .find(|name| cx.profile.torchscript.is_lock_name(name));
    !call.has_splat() && name.is_some_and(|name| facts.passes(call, function, name))
}

/// `kwargs["torchscript_state_global_lock"] = ...` or `dict(torchscript_state_global_lock=...)`.
fn names_lock_as_key(cx: &Context<'_>) -> bool {
    let facts = cx.facts;
    facts.expr_ids().any(|id| {
        facts
            .string(id)
            .is_some_and(|key| cx.profile.torchscript.is_lock_name(key))
    })
}

/// The function or its class knows the lock by name.
fn is_lock_at_hand(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let facts = cx.facts;
    let owner = facts
        .class_of(call.scope())
        .or(facts.function_of(call.scope()));
    let span = owner.map(|owner| facts.scope(owner).span);
    let in_owner = span.into_iter().flat_map(|span| facts.exprs_within(span));
    let in_owner = in_owner.into_iter().any(|id| {
        matches!(
            facts.expr(id).kind,
            ExprKind::Name | ExprKind::Attribute { .. }
        ) && facts
            .last_name(id)
            .is_some_and(|name| cx.profile.torchscript.is_lock_name(name))
    });
    let by_param = facts.function_of(call.scope()).is_some_and(|function| {
        facts
            .scope(function)
            .params
            .iter()
            .any(|param| cx.profile.torchscript.is_lock_name(facts.text(param.name)))
    });
    in_owner || by_param
}

fn of_instance(cx: &Context<'_>, call: &Call<'_>, lock: &Lock) -> Hit {
    let facts = cx.facts;
    let verdict = excuse(cx, call, HitVerdict::Look);
    let words = word_instance(&facts.shown(lock.expr), call.callee(), lock.home);
    Hit::new(&CHECK, Anchor::call(call), verdict, words)
        .with_related(facts.expr(lock.expr).span, "the lock")
}

fn excuse(cx: &Context<'_>, call: &Call<'_>, verdict: HitVerdict) -> HitVerdict {
    alone(cx, call.stmt()).map_or(verdict, HitVerdict::Excused)
}

const WHY: &str = "TorchScript's registry is one for the process. Whoever loads without the one lock that all loaders share races with those who hold it.";

fn word_made(call: &Call<'_>, text: &str) -> Words {
    Words::new(
        format!(
            "`{}` is given `{text}`, a lock that is made on the spot.",
            call.name()
        ),
        WHY,
        "Hand on the lock that was made once for the process.",
    )
}

fn word_none(call: &Call<'_>) -> Words {
    Words::new(
        format!("`{}` is given None for the TorchScript lock.", call.name()),
        WHY,
        "Hand on the lock that was made once for the process.",
    )
}

fn word_missing(facts: &Facts, call: &Call<'_>) -> Words {
    let callee = facts
        .dotted(call.function)
        .unwrap_or_else(|| call.name().to_string());
    let ask = if call.has_splat() {
        "Do the forwarded keyword arguments carry the lock? Look at who calls this function."
    } else {
        "Accept the process-wide TorchScript lock here and hand it on."
    };
    Words::new(
        format!("`{callee}` accepts the TorchScript lock, and this call does not name it."),
        WHY,
        ask,
    )
}

fn word_instance(lock: &str, callee: &str, home: Home) -> Words {
    let whose = match home {
        Home::Keyed => "one lock of many, picked by a key",
        _ => "a lock of this instance",
    };
    Words::new(
        format!("`{callee}` runs under `{lock}`, {whose}."),
        WHY,
        "Is there only one such lock in the process? If other models load under locks of their own, hand the process-wide lock in.",
    )
}
