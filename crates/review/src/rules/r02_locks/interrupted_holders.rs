//! Code that runs in the middle of other code of its thread, a signal's handler or a `__del__`, and waits for a lock that
//! this very thread may hold.

use super::nested_lock::CHECK;
use crate::facts::{Call, ExprId, Facts, Held, Home, Kind, Proof, ScopeId, Taken};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for inner in facts
        .held()
        .iter()
        .filter(|held| waits_plainly(facts, held))
    {
        let Some(interrupts) = interrupts(facts, inner) else {
            continue;
        };
        if let Some(outer) = facts.held().iter().find(|outer| is_rival(inner, outer)) {
            judge(cx, inner, outer, interrupts, out);
        }
    }
}

/// A lock that does not know its holder, waited for without an end.
fn waits_plainly(facts: &Facts, held: &Held) -> bool {
    let waits = match held.taken {
        Taken::With => true,
        Taken::Acquire(id) => facts.call(id).is_some_and(|call| call.args.is_empty()),
        Taken::Context(_) | Taken::Decorator(_) => false,
    };
    waits && held.lock.kind == Kind::ThreadLock && held.lock.proof == Proof::Proven
}

/// Another function takes the same lock.
fn is_rival(inner: &Held, outer: &Held) -> bool {
    outer.scope != inner.scope && outer.lock.is_same(&inner.lock)
}

#[derive(Clone, Copy)]
enum Interrupts {
    Signal,
    /// The collector runs it wherever memory is asked for, also under the lock.
    Collector,
}

fn interrupts(facts: &Facts, held: &Held) -> Option<Interrupts> {
    let function = facts.function_of(held.scope)?;
    let by_handler = |call: Call<'_>| {
        let caller = facts.function_of(call.scope());
        caller.is_some_and(|caller| is_signal_handler(facts, caller))
    };
    if is_signal_handler(facts, function) || facts.calls_to(function).any(by_handler) {
        return Some(Interrupts::Signal);
    }
    // An object's own lock is held by nobody any more when the object goes.
    let is_wide = matches!(held.lock.home, Home::Module | Home::Class);
    (is_wide && facts.scope_name(function) == Some("__del__")).then_some(Interrupts::Collector)
}

/// Given to `signal.signal`, itself or in a lambda that calls it. What a loop runs for a signal (`add_signal_handler`) interrupts nobody.
fn is_signal_handler(facts: &Facts, function: ScopeId) -> bool {
    let is_given = |id: ExprId| {
        let mut around = std::iter::successors(Some(id), |&at| facts.expr(at).parent)
            .take(STEPS)
            .filter_map(|at| facts.call(at));
        around.any(|call| call.is(&["signal.signal"]) && call.function != id)
    };
    facts.mentions_of_function(function).any(is_given)
}

/// Up from a function's name to the call that registers it: `signal.signal(n, lambda *_: self.stop())`.
const STEPS: usize = 5;

fn judge(cx: &Context<'_>, inner: &Held, outer: &Held, interrupts: Interrupts, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = match facts.cold_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody else takes it: {reason}.")),
        None => HitVerdict::Look,
    };
    let anchor = Anchor {
        stmt: inner.stmt,
        span: inner.span,
    };
    let words = word(&facts.shown(inner.lock.expr), interrupts);
    let mut hit = Hit::new(&CHECK, anchor, verdict, words)
        .with_related(outer.span, "held here when it is interrupted");
    hit.causes.push(outer.span);
    out.hits.push(hit);
}

fn word(lock: &str, interrupts: Interrupts) -> Words {
    match interrupts {
        Interrupts::Signal => Words::new(
            format!("A signal's handler waits for `{lock}`, which the interrupted code may hold."),
            "The handler runs between two steps of the main thread. If that holds the plain lock just then, it waits for itself, and the process no longer ends.",
            "Does the main thread ever take this lock? Let the handler only set a flag or an event, and do the work where the loop sees it.",
        ),
        Interrupts::Collector => Words::new(
            format!("`__del__` waits for `{lock}`, which the thread that runs it may hold."),
            "The collector calls `__del__` wherever memory is asked for, also in the middle of a block that holds the lock: the thread then waits for itself.",
            "Can an object go while this lock is held? Use an RLock, or let `__del__` only note what is to be removed and remove it later.",
        ),
    }
}
