//! A table's lock that is held while one entry of it is made at length: a model is loaded, an engine built.

use crate::facts::{Call, ExprKind, Facts, Held, Home, Kind, Reach, StmtId, StmtKind};

/// The call of a region that makes an entry of a table at length, where others take the lock for more than that.
pub(super) fn made_at_length<'f>(facts: &'f Facts, held: &Held) -> Option<Call<'f>> {
    let is_plain = matches!(
        held.lock.kind,
        Kind::ThreadLock | Kind::ReentrantLock | Kind::AsyncLock
    );
    let is_shared = !matches!(held.lock.home, Home::Call | Home::Keyed | Home::External);
    if !is_plain || !is_shared || !held.body.iter().any(|&stmt| fills_entry(facts, stmt)) {
        return None;
    }
    let mut calls = held.body.iter().flat_map(|&stmt| facts.calls_in(stmt));
    let load = calls.find(|call| takes_long(facts, held, call))?;
    is_needed_meanwhile(facts, held).then_some(load)
}

/// `self._models[key] = model`.
fn fills_entry(facts: &Facts, stmt: StmtId) -> bool {
    let StmtKind::Assign { targets, .. } = &facts.stmt(stmt).kind else {
        return false;
    };
    targets.iter().any(|&target| {
        matches!(facts.expr(target).kind, ExprKind::Subscript { .. })
            && facts.reach(target) != Reach::Local
    })
}

/// Under a lock of coroutines each await of what is not known to be quick.
fn takes_long(facts: &Facts, held: &Held, call: &Call<'_>) -> bool {
    let is_unknown = || call.is_awaited() && facts.callee_scope(call).is_none();
    loads(facts, call) || (held.lock.kind == Kind::AsyncLock && is_unknown())
}

/// A load itself, or a function of the file that does one.
fn loads(facts: &Facts, call: &Call<'_>) -> bool {
    let inside = || {
        facts
            .callee_scope(call)
            .map(|function| facts.calls_of(function))
    };
    is_load(call)
        || connects_unseen(facts, call)
        || inside().is_some_and(|mut calls| calls.any(|inner| is_load(&inner)))
}

/// `self._connect(address)`, a method that is not shown and by its name reaches out.
fn connects_unseen(facts: &Facts, call: &Call<'_>) -> bool {
    let reaches =
        topic::begins_with_word(call.name(), "connect reconnect open dial login handshake");
    let is_hidden = !facts.document.whole && facts.callee_scope(call).is_none();
    reaches && is_hidden && facts.self_attribute(call.function).is_some()
}

/// What reads whole weights into memory.
const LOADERS: &[&str] = &[
    "torch.load",
    "torch.jit.load",
    "onnxruntime.InferenceSession",
    "joblib.load",
];

/// Takes long by its name: `from_pretrained`, `load_model`, `self._create_backend`.
fn is_load(call: &Call<'_>) -> bool {
    let name = call.name();
    let says = |wanted: &[&str]| topic::words(name).any(|word| wanted.contains(&&*word));
    name == "from_pretrained"
        || call.is(LOADERS)
        || says(&["load", "create", "build", "download", "compile"])
            && says(&[
                "model",
                "models",
                "backend",
                "engine",
                "pipeline",
                "weights",
                "checkpoint",
                "predictor",
            ])
}

/// Another function takes the lock and makes nothing at length under it: it waits for a load that is not its own.
fn is_needed_meanwhile(facts: &Facts, held: &Held) -> bool {
    let scope = held.scope;
    facts.held().iter().any(|other| {
        let mut calls = other.body.iter().flat_map(|&stmt| facts.calls_in(stmt));
        other.scope != scope
            && other.lock.is_same(&held.lock)
            && !calls.any(|call| takes_long(facts, held, &call))
    })
}
