//! `__enter__` called by hand, without the `__exit__` that belongs to it on every path.

use super::opened;
use crate::facts::{Call, ExprId, Facts, Holder, Keeper, Kind, Made, Resource, StmtId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "context-entered-not-exited",
    rule: 9,
    severity: Severity::Flag,
    references: &[2363],
    summary: "A context is entered by hand and not left on every path, or an exit stack is never closed.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        if matches!(call.method(), Some("__enter__" | "__aenter__")) && !is_super(cx.facts, &call) {
            judge(cx, &call, out);
        }
    }
    for made in cx
        .facts
        .made()
        .iter()
        .filter(|made| made.resource.is(Kind::ExitStack))
    {
        judge_stack(cx, made, out);
    }
}

/// `super().__enter__()` is the base class's half of the same protocol.
fn is_super(facts: &Facts, call: &Call<'_>) -> bool {
    call.receiver()
        .and_then(|receiver| facts.dotted(receiver))
        .is_some_and(|text| text == "super()" || text == "self")
}

/// How a context that was entered is left.
enum Exit {
    Guarded,
    /// Somewhere, and something before can raise.
    OnSuccess(StmtId),
    /// By another method of the owner.
    ByOwner(StmtId),
    Missing,
}

fn judge(cx: &Context<'_>, call: &Call<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let exit = exit_of(facts, call);
    let in_constructor = matches!(
        facts.function_name(call.stmt()),
        Some("__init__" | "__new__" | "from_pretrained")
    );
    let verdict = match exit {
        Exit::Guarded => return out.evidence(9, call.span(), "the context is left on every path"),
        Exit::ByOwner(_) if in_constructor => HitVerdict::Look,
        Exit::ByOwner(_) => return,
        Exit::OnSuccess(_) => HitVerdict::Violation,
        Exit::Missing if sees_owner(facts, call) => HitVerdict::Violation,
        Exit::Missing => HitVerdict::Look,
    };
    let verdict = opened::unless_cold(cx, verdict);
    let mut hit = Hit::new(
        &CHECK,
        Anchor::call(call),
        verdict,
        word(facts, call, &exit),
    );
    if let Exit::OnSuccess(stmt) | Exit::ByOwner(stmt) = exit {
        hit = hit.with_related(facts.stmt(stmt).head, "left only here");
    }
    out.hits.push(hit);
}

/// Whether everything is shown that could leave the context: the class of a field, the function of a local.
fn sees_owner(facts: &Facts, call: &Call<'_>) -> bool {
    match call
        .receiver()
        .and_then(|receiver| facts.holder_of(receiver))
    {
        Some(Holder::Attribute { class, .. }) => class.is_some_and(|class| facts.is_visible(class)),
        Some(Holder::Global { .. }) => facts.document.whole,
        _ => facts.sees_all_of(call.stmt()),
    }
}

fn exit_of(facts: &Facts, call: &Call<'_>) -> Exit {
    if is_delegated(facts, call) {
        return Exit::Guarded;
    }
    let Some(holder) = call
        .receiver()
        .and_then(|receiver| holder_of_context(facts, receiver, call))
    else {
        return Exit::Missing;
    };
    let exits: Vec<ExprId> = exits(facts, &holder);
    let Some(&first) = exits.first() else {
        return Exit::Missing;
    };
    let stmt = facts.expr(first).stmt;
    let same = |id: &ExprId| {
        let scope = facts.stmt(facts.expr(*id).stmt).scope;
        facts.canonical(scope) == facts.canonical(facts.stmt(call.stmt()).scope)
    };
    let own: Vec<StmtId> = exits
        .iter()
        .filter(|id| same(id))
        .map(|&id| facts.expr(id).stmt)
        .collect();
    match own.as_slice() {
        [] => Exit::ByOwner(stmt),
        own if own.iter().any(|&stmt| facts.in_finally(stmt)) => Exit::Guarded,
        own if own
            .iter()
            .any(|&stmt| facts.enclosing_handler(stmt).is_some())
            && own.len() > 1 =>
        {
            Exit::Guarded
        }
        _ => Exit::OnSuccess(stmt),
    }
}

/// `__enter__` of a wrapper enters what it wraps, and its `__exit__` leaves the same.
fn is_delegated(facts: &Facts, call: &Call<'_>) -> bool {
    let entered = call.receiver().and_then(|receiver| facts.dotted(receiver));
    let in_enter = matches!(
        facts.function_name(call.stmt()),
        Some("__enter__" | "__aenter__")
    );
    let class = facts.class_of(call.scope());
    let leave = class.and_then(|class| {
        facts
            .method(class, "__exit__")
            .or_else(|| facts.method(class, "__aexit__"))
    });
    in_enter
        && entered.is_some()
        && leave.is_some_and(|leave| {
            facts
                .calls_within(facts.scope(leave).span)
                .filter(|other| {
                    matches!(
                        other.method(),
                        Some("__exit__" | "__aexit__" | "close" | "aclose")
                    )
                })
                .any(|other| {
                    other.receiver().and_then(|receiver| facts.dotted(receiver)) == entered
                })
        })
}

/// The name that keeps the context; of `x = make().__enter__()` there is none that could leave it.
fn holder_of_context(facts: &Facts, receiver: ExprId, call: &Call<'_>) -> Option<Holder> {
    let returned = || match facts.keeper_of(call.id) {
        Keeper::Holder(holder) => Some(holder),
        _ => None,
    };
    facts.holder_of(receiver).or_else(returned)
}

/// `x.__exit__(...)`, called or handed on, and `x.close()`.
fn exits(facts: &Facts, holder: &Holder) -> Vec<ExprId> {
    let stack = Resource::Object(Kind::ExitStack);
    let ends = |of: &crate::facts::HeldUse| facts.ends(of, stack).is_some();
    let mut found: Vec<ExprId> = facts
        .mentions_of(holder)
        .into_iter()
        .filter(|&mention| {
            let attribute = facts
                .expr(mention)
                .parent
                .and_then(|parent| facts.attribute(parent));
            attribute.is_some_and(|(_, name)| {
                matches!(name, "__exit__" | "__aexit__" | "close" | "aclose")
            })
        })
        .collect();
    if found.is_empty() {
        let uses = facts.uses_of(holder);
        let other = uses.iter().find(|of| ends(of));
        found.extend(other.and_then(|of| facts.exprs_of(of.stmt).next()));
    }
    found
}

/// A local exit stack that is neither entered, closed nor handed on.
fn judge_stack(cx: &Context<'_>, made: &Made, out: &mut Outcome) {
    let fault = match cx.facts.field_of(made) {
        Some(field) => cx.facts.field_fault(made, &field),
        None => cx.facts.local_fault(made),
    };
    let Some(fault) = fault else {
        return;
    };
    let verdict = HitVerdict::sure_if(fault.proven);
    let words = Words::new(
        "Nothing shown closes this exit stack on every path.",
        "What is entered on a stack that is not closed stays entered: files open, locks held, contexts on.",
        "Use the stack in a `with`, close it in a `finally`, or hand it on with `pop_all()`.",
    );
    out.hits.push(opened::hit(cx, &CHECK, made, verdict, words));
}

fn word(facts: &Facts, call: &Call<'_>, exit: &Exit) -> Words {
    let what = call
        .receiver()
        .map_or("the context", |receiver| facts.expr_text(receiver));
    let message = match exit {
        Exit::OnSuccess(_) => {
            format!("`{what}` is entered by hand and left only when nothing raises.")
        }
        Exit::ByOwner(_) => {
            format!("`{what}` is entered while the object is made and stays so until it is closed.")
        }
        _ => format!("`{what}` is entered by hand and nothing shown leaves it."),
    };
    Words::new(
        message,
        "A context like this belongs to the thread or the process, not to the object: whatever runs there next, another model for instance, runs inside of it too.",
        "Enter it with `with` around the work that needs it.",
    )
}
