//! Code of others that runs step by step under a lock: a generator that it has given back is gone through there.

use crate::facts::{BindingKind, Call, ExprId, Facts, Held, Kind, StmtKind};

/// What is iterated in a region, where each step runs a generator that others have written.
pub(super) fn generator_under_lock(facts: &Facts, held: &Held) -> Option<ExprId> {
    if held.lock.kind != Kind::ThreadLock || !is_taken_elsewhere(facts, held) {
        return None;
    }
    let mut body = held.body.iter().copied();
    body.find_map(|stmt| match facts.stmt(stmt).kind {
        StmtKind::For { iter, .. } if facts.stmt(stmt).scope == held.scope => {
            let made = made_by(facts, iter)?;
            (is_foreign(facts, &made) && generates(facts, held, iter, &made)).then_some(iter)
        }
        _ => None,
    })
}

fn is_taken_elsewhere(facts: &Facts, held: &Held) -> bool {
    let mut others = facts.held().iter();
    others.any(|other| other.scope != held.scope && other.lock.is_same(&held.lock))
}

/// The call that is gone through, itself or by the local name of its answer.
fn made_by<'f>(facts: &'f Facts, iter: ExprId) -> Option<Call<'f>> {
    facts.call(iter).or_else(|| {
        let bindings = facts.bindings_behind(iter);
        bindings.into_iter().find_map(|binding| match binding.kind {
            BindingKind::Value { value, index: None } => facts.call(value),
            _ => None,
        })
    })
}

/// A method of a part of the object, or a callable that a name brings: nothing shown says what it does.
fn is_foreign(facts: &Facts, made: &Call<'_>) -> bool {
    facts.callee_scope(made).is_none() && facts.constructs(made).is_none()
}

/// The function asks whether it is a generator, or the call says so by its name.
fn generates(facts: &Facts, held: &Held, iter: ExprId, made: &Call<'_>) -> bool {
    let asks = |name: &&str| {
        let mut named = facts.exprs_named(name);
        named.any(|id| {
            let is_about = facts.expr(id).scope == held.scope;
            let call = facts.expr(id).parent.and_then(|up| facts.call(up));
            let of_it = call.and_then(|call| call.positional(0));
            is_about && of_it.is_some_and(|of| facts.dotted(of) == facts.dotted(iter))
        })
    };
    let says = topic::has_word(made.name(), "stream generate paginate infer predict");
    says || ["GeneratorType", "Generator", "Iterator", "isgenerator"]
        .iter()
        .any(asks)
}
