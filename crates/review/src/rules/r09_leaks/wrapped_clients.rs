//! HTTP clients that a request makes and wraps: whatever the wrapper is, nothing shown ends the client in it.

use crate::facts::{
    Call, ExprId, ExprKind, Facts, Fault, FaultKind, Heat, HeldUse, HeldUseKind, Holder, Keeper,
    Kind, Made,
};
use crate::rules::Context;

/// The fault of a client that only a wrapper has, where requests pass and nobody closes the two.
pub(super) fn fault(cx: &Context<'_>, made: &Made) -> Option<Fault> {
    let facts = cx.facts;
    if !made.resource.is(Kind::HttpSession) || facts.heat(made.stmt, cx.profile) != Heat::Hot {
        return None;
    }
    let wrapper = wrapper(facts, made)?;
    let Keeper::Holder(holder @ Holder::Local { .. }) = facts.keeper_of(wrapper.id) else {
        return None;
    };
    let ends = |of: &HeldUse| ends_wrapper(facts, made, of);
    (!facts.uses_of(&holder).iter().any(ends)).then_some(Fault {
        kind: FaultKind::NeverEnded,
        proven: false,
    })
}

/// The constructor, of a class that is not shown, that is given the client and nobody else.
fn wrapper<'f>(facts: &'f Facts, made: &Made) -> Option<Call<'f>> {
    let given = match &made.keeper {
        Keeper::Handed(call) => *call,
        Keeper::Holder(holder @ Holder::Local { .. }) => {
            let uses = facts.uses_of(holder);
            let is_own = |of: &HeldUse| {
                facts.ends(of, made.resource).is_none()
                    && matches!(of.kind, HeldUseKind::Passed(_) | HeldUseKind::Read)
            };
            let mut passed = uses.iter().filter_map(|of| match of.kind {
                HeldUseKind::Passed(call) => Some(call),
                _ => None,
            });
            let first = passed.next().filter(|_| uses.iter().all(is_own))?;
            passed
                .all(|other| facts.last_name(other) == facts.last_name(first))
                .then_some(first)?
        }
        _ => return None,
    };
    let call = facts.call(given)?;
    let constructs = call.name().starts_with(char::is_uppercase);
    (constructs && facts.definition(call.function).is_none()).then_some(call)
}

/// Whether a use of the wrapper may end it, or gives it to somebody who may.
fn ends_wrapper(facts: &Facts, made: &Made, of: &HeldUse) -> bool {
    match of.kind {
        HeldUseKind::Read => false,
        HeldUseKind::Method(_) | HeldUseKind::Bound(..) => facts.ends(of, made.resource).is_some(),
        HeldUseKind::Passed(call) => facts
            .call(call)
            .is_none_or(|call| !matches!(call.name(), "print" | "debug" | "info" | "isinstance")),
        HeldUseKind::Stored(target) => !is_inner_part(facts, target),
        _ => true,
    }
}

/// `camera.media.client.transport = transport`: a part deep inside of an object of this function, whose own end
/// knows what it made itself.
fn is_inner_part(facts: &Facts, target: ExprId) -> bool {
    let mut levels = 0;
    let mut at = target;
    while let Some((object, _)) = facts.attribute(at) {
        levels += 1;
        at = object;
    }
    let is_local = matches!(facts.expr(at).kind, ExprKind::Name)
        && matches!(facts.holder_of(at), Some(Holder::Local { .. }))
        && facts.parameter(at).is_none();
    is_local && levels > 1
}
