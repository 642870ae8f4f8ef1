//! Entries that are given up by writing `None` over them: the key stays.

use super::keys::is_open;
use crate::facts::{
    Container, ExprId, ExprKind, Facts, Kind, Owner, StmtId, StmtKind, Use, UseKind,
};

/// A slot that is filled under a fresh key, and the place that only writes `None` over it.
pub(super) struct Slot<'c> {
    pub(super) filled: &'c Use,
    pub(super) cleared: &'c Use,
}

/// The slots of a long-lived dict from which nothing is removed.
pub(super) fn slot<'c>(facts: &Facts, container: &'c Container) -> Option<Slot<'c>> {
    if container.kind != Kind::Dict || container.is_bounded() {
        return None;
    }
    let long_lived = matches!(
        container.owner,
        Owner::Instance(_) | Owner::Class(_) | Owner::Module
    );
    let filled = container
        .uses
        .iter()
        .find(|of| matches!(of.kind, UseKind::Insert(key) if is_fresh(facts, key) && !writes_none(facts, of.stmt)))?;
    let cleared = container.uses.iter().find(|of| {
        let takes_back = facts.function_name(of.stmt).is_some_and(says_removal);
        matches!(of.kind, UseKind::Insert(key) if is_open(facts, key))
            && writes_none(facts, of.stmt)
            && takes_back
    })?;
    long_lived.then_some(Slot { filled, cleared })
}

fn writes_none(facts: &Facts, stmt: StmtId) -> bool {
    match facts.stmt(stmt).kind {
        StmtKind::Assign {
            value: Some(value), ..
        } => matches!(facts.expr(value).kind, ExprKind::None),
        _ => false,
    }
}

/// A key that no entry had before: a length, a counter, an id.
fn is_fresh(facts: &Facts, key: ExprId) -> bool {
    let counts = |value: ExprId| {
        facts.call(value).is_some_and(|call| {
            matches!(call.callee(), "len" | "next" | "id")
                || call.is(&["uuid.uuid4", "uuid.uuid1", "time.time", "secrets.token_hex"])
        }) || facts.within(value).any(|id| {
            facts
                .call(id)
                .is_some_and(|call| call.is(&["uuid.uuid4", "uuid.uuid1"]))
        })
    };
    let named = facts.last_name(key).is_some_and(|name| {
        topic::ends_in_word(name, "id uuid token request task job handle sid seq")
    });
    named || facts.values(key).into_iter().any(counts)
}

fn says_removal(name: &str) -> bool {
    topic::has_word(
        name,
        "unsubscribe unregister deregister remove delete close forget release \
         drop discard leave disconnect finish finished end done cancel free",
    )
}
