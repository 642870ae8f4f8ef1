//! Which statements make an object where a test finds it missing.

use super::lazy_fields::fetched_for;
use crate::facts::{Call, ExprId, ExprKind, Facts, Kind, Reach, ScopeKind, StmtId, StmtKind};

/// A shared target that is made where a test finds it missing.
pub(super) struct Init {
    pub(super) stmt: StmtId,
    pub(super) target: ExprId,
    /// The `if` (or `try`) that tests.
    pub(super) test: StmtId,
}

pub(super) fn lazy_init(facts: &Facts, stmt: StmtId) -> Option<Init> {
    made_where_missing(facts, stmt, |target| facts.reach(target).is_process_wide())
}

/// A field of `self` that is made where it is found missing.
pub(super) fn lazy_field(facts: &Facts, stmt: StmtId) -> Option<Init> {
    let counts = |target| facts.reach(target) == Reach::Instance;
    let fetches = |target, value| creates(facts, value) || fetched_for(facts, target, value);
    found_missing(facts, stmt, counts, fetches)
}

fn made_where_missing(
    facts: &Facts,
    stmt: StmtId,
    counts: impl Fn(ExprId) -> bool,
) -> Option<Init> {
    found_missing(facts, stmt, counts, |_, value| creates(facts, value))
}

fn found_missing(
    facts: &Facts,
    stmt: StmtId,
    counts: impl Fn(ExprId) -> bool,
    makes: impl Fn(ExprId, ExprId) -> bool,
) -> Option<Init> {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        augmented: false,
        ..
    } = &facts.stmt(stmt).kind
    else {
        return None;
    };
    // `client = _CLIENT = connect()` makes the shared one, too.
    let mut targets = targets.iter().copied();
    let target = targets.find(|&target| counts(target))?;
    let in_function = facts.scope(facts.stmt(stmt).scope).kind == ScopeKind::Function;
    if !in_function || !makes(target, *value) {
        return None;
    }
    let test = facts.tested_before(stmt, target)?;
    Some(Init { stmt, target, test })
}

/// The value is an instance worth having once, not a number or a string; of a pair one of the two.
/// Sessions have a check of their own.
fn creates(facts: &Facts, value: ExprId) -> bool {
    facts
        .values(value)
        .into_iter()
        .any(|value| match &facts.expr(value).kind {
            ExprKind::Tuple(parts) => parts.iter().any(|&part| is_new(facts, part)),
            _ => creates_at_once(facts, value),
        })
}

fn is_new(facts: &Facts, part: ExprId) -> bool {
    let mut values = facts.values(part).into_iter();
    values.any(|value| creates_at_once(facts, value))
}

fn creates_at_once(facts: &Facts, value: ExprId) -> bool {
    facts.awaited_call(value).is_some_and(|call| {
        let is_session = facts
            .type_of(call.id)
            .is_some_and(|found| found.is(Kind::OrtSession));
        let makes = is_made(facts, &call) || hands_out_new(facts, &call);
        !is_session && makes && !guards_itself(facts, &call)
    })
}

/// A function of this file that returns what it has just made, as `create_engine(...)`, of what holds connections or weights.
fn hands_out_new(facts: &Facts, call: &Call<'_>) -> bool {
    let function = facts.callee_scope(call);
    let is_dear = says_dear(call.name());
    is_dear
        && function.is_some_and(|function| {
            let mut returned = facts.returns_of(function);
            returned.any(|value| facts.call(value).is_some_and(|made| makes_instance(&made)))
        })
}

/// Names of what holds connections, threads or weights.
pub(super) fn says_dear(name: &str) -> bool {
    topic::has_word(
        name,
        "engine client pool session sessionmaker connection channel model \
         pipeline backend producer consumer driver executor",
    )
}

/// Methods that only set up what they are called on, and return it.
const SETS_UP: &[&str] = &[
    "eval", "to", "cuda", "cpu", "half", "float", "bfloat16", "build", "start", "compile",
    "connect",
];

/// The call makes an instance, or only sets up what another one made: `Model.from_pretrained(name).eval().to(device)`.
fn is_made(facts: &Facts, call: &Call<'_>) -> bool {
    let inner = || {
        let inner = call.receiver().and_then(|inner| facts.call(inner));
        inner.is_some_and(|inner| is_made(facts, &inner))
    };
    makes_instance(call) || (SETS_UP.contains(&call.name()) && inner())
}

/// A class of this file whose `__new__` takes a lock hands out one instance whoever asks.
fn guards_itself(facts: &Facts, call: &Call<'_>) -> bool {
    let class = facts.definition(call.function);
    let new = class.and_then(|class| facts.method(class, "__new__"));
    new.is_some_and(|new| facts.held().iter().any(|held| held.scope == new))
}

fn makes_instance(call: &Call<'_>) -> bool {
    let name = call.name();
    let is_plain = matches!(
        name,
        "Path" | "Decimal" | "Lock" | "RLock" | "Event" | "Fraction"
    );
    let is_class = name.trim_start_matches('_').starts_with(char::is_uppercase)
        && name.chars().any(char::is_lowercase);
    let is_class = is_class || matches!(name, "cls" | "__new__");
    let is_class = is_class || makes_by_metaclass(call);
    let says = topic::has_word(
        name,
        "build make create load init initialize open connect start instantiate \
         pretrained",
    );
    !is_plain && (is_class || says)
}

/// `super().__call__(...)` of a metaclass: what calling the class does.
fn makes_by_metaclass(call: &Call<'_>) -> bool {
    call.name() == "__call__" && call.callee() == "super().__call__"
}
