//! Child processes that loop for ever, are no daemons, and that nobody keeps to end them.

use super::kept;
use super::thread_without_stop_flag::{CHECK, is_of_program};
use crate::facts::{
    Call, Endless, ExprKind, Facts, FaultKind, HeldUseKind, Holder, Keeper, Kind, Made, Resource,
    StmtKind,
};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let made = facts.made().iter();
    for made in made.filter(|made| made.resource == Resource::Object(Kind::Process)) {
        if let Some(endless) = left_alone(facts, made) {
            report(cx, made, endless, out);
        }
    }
}

/// The loop of a process that nothing shown ends, nor can end.
fn left_alone(facts: &Facts, made: &Made) -> Option<Endless> {
    let call = facts.call(made.call)?;
    if is_daemon(facts, made, &call) || is_of_program(facts, made) || !is_started(facts, made) {
        return None;
    }
    let endless = facts.endless_loop(facts.thread_target(&call)?)?;
    let fault = facts.local_fault(made)?;
    let never = matches!(
        fault.kind,
        FaultKind::NeverEnded | FaultKind::Inline | FaultKind::Dropped
    );
    never.then_some(Endless {
        shown: endless.shown && fault.proven,
        ..endless
    })
}

/// `daemon=True`, or anything but `False`; also where it is set later.
pub(super) fn is_daemon(facts: &Facts, made: &Made, call: &Call<'_>) -> bool {
    let given = call.keyword("daemon");
    let name = made.holder().map(Holder::text);
    let sets = |stmt| match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => targets.iter().any(|&target| {
            let field = facts.attribute(target);
            field.is_some_and(|(object, field)| field == "daemon" && facts.dotted(object) == name)
        }),
        _ => false,
    };
    let is_set = name.is_some() && facts.statements_of(call.scope()).any(sets);
    is_set || given.is_some_and(|given| !matches!(facts.expr(given).kind, ExprKind::False))
}

fn is_started(facts: &Facts, made: &Made) -> bool {
    let starts = |call| {
        let method = facts.call(call).and_then(|call| call.method());
        method == Some("start")
    };
    match &made.keeper {
        Keeper::Inline(call) => starts(*call),
        Keeper::Holder(holder) => facts.uses_of(holder).iter().any(|of| match of.kind {
            HeldUseKind::Method(call) => starts(call),
            _ => false,
        }),
        _ => false,
    }
}

fn report(cx: &Context<'_>, made: &Made, endless: Endless, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = HitVerdict::sure_if(endless.shown);
    let anchor = Anchor {
        stmt: made.stmt,
        span: facts.expr(made.call).span,
    };
    let head = facts.stmt(endless.stmt).head;
    let hit = Hit::new(&CHECK, anchor, kept::unless_cold(cx, verdict), word());
    let mut hit = hit.with_related(head, "the loop that nothing ends");
    hit.causes.push(head);
    out.hits.push(hit);
}

fn word() -> Words {
    Words::new(
        "The process loops for ever, and nobody keeps it to end it.",
        "It is no daemon, so Python waits for it when the service ends: the exit hangs, or the child goes on alone after its parent was killed.",
        "Keep the process, let its loop end on a sentinel or an event, and join it with a timeout where the service stops; `daemon=True` ends it with its parent at least.",
    )
}
