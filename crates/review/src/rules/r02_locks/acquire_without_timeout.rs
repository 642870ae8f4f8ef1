//! `lock.acquire()` that waits as long as another holder likes.

use crate::facts::{
    BindingKind, Bound, Call, ExprId, ExprKind, Facts, Held, Kind, Proof, ScopeKind, StmtKind,
    Taken,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "acquire-without-timeout",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A lock is acquired explicitly with neither a timeout nor `blocking=False`.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for held in cx.facts.held() {
        let Taken::Acquire(id) = held.taken else {
            continue;
        };
        let call = cx.facts.call(id).filter(|_| !held.lock.is_async());
        if let Some(call) = call.filter(|call| !is_new(cx.facts, held, call)) {
            judge(cx, held, &call, out);
        }
    }
    super::endless_flocks::detect(cx, out);
}

fn judge(cx: &Context<'_>, held: &Held, call: &Call<'_>, out: &mut Outcome) {
    match limit(cx.facts, held, call) {
        Limit::Timed => out.evidence(2, call.span(), "acquires the lock with a timeout"),
        Limit::Polling => out.evidence(2, call.span(), "tries the lock without waiting"),
        // An acquire that hands its own timeout on leaves the choice to its callers.
        Limit::Forwarded if cx.facts.is_acquirer(call.stmt()) && !makes_endless(cx.facts, call) => {
        }
        Limit::None if is_asked_for(cx.facts, call) => {}
        limit @ (Limit::None | Limit::Forwarded) => {
            let verdict = match (held.lock.proof, limit, quiet(cx, call)) {
                (_, _, Some(reason)) => {
                    HitVerdict::Excused(format!("Nobody waits here: {reason}."))
                }
                (Proof::Proven, Limit::None, None) => HitVerdict::Violation,
                _ => HitVerdict::Look,
            };
            let words = word(cx.facts, held, limit);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(call), verdict, words));
        }
    }
}

/// `if timeout == -1: lock.acquire()` in the acquire of a lock of the file's own: whoever waits for ever asked for it.
fn is_asked_for(facts: &Facts, call: &Call<'_>) -> bool {
    let says_limit = |id: ExprId| {
        facts
            .last_name(id)
            .is_some_and(|name| topic::says(name, "timeout"))
    };
    let mut around = facts.ancestors(call.stmt());
    let chosen = around.any(|around| match facts.stmt(around.stmt).kind {
        StmtKind::If { test, .. } => facts.within(test).any(says_limit),
        _ => false,
    });
    chosen && facts.is_acquirer(call.stmt())
}

/// The function itself turns a limit that nobody gave into one that never ends.
fn makes_endless(facts: &Facts, call: &Call<'_>) -> bool {
    call.args.iter().any(|arg| facts.makes_endless(arg.value))
}

/// A lock that this function made before: nobody else can hold it yet, so there is nothing to wait for.
fn is_new(facts: &Facts, held: &Held, call: &Call<'_>) -> bool {
    let scope = facts.stmt(call.stmt()).scope;
    facts.bindings_behind(held.lock.expr).iter().any(|binding| {
        let makes = match binding.kind {
            BindingKind::Value { value, index: None } => facts.call(value),
            _ => None,
        };
        makes.is_some_and(|made| facts.constructs(&made).is_some_and(Kind::is_lock))
            && facts.stmt(binding.stmt).scope == scope
            && facts.always_before(binding.stmt, call.stmt())
            && held.lock.kind != Kind::FileLock
    })
}

/// Why nobody is kept waiting, if so.
pub(super) fn quiet(cx: &Context<'_>, call: &Call<'_>) -> Option<&'static str> {
    let facts = cx.facts;
    let at_import =
        facts.scope(call.scope()).kind == ScopeKind::Module && facts.is_module_level(call.stmt());
    let import = at_import.then_some("it runs once, when the module is imported");
    facts.cold_file(cx.profile).or(import)
}

/// What ends the wait for the lock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Limit {
    None,
    Timed,
    /// `blocking=False`.
    Polling,
    /// A timeout parameter that is `None` unless a caller gives one, or a caller's choice whether to wait.
    Forwarded,
}

fn limit(facts: &Facts, held: &Held, call: &Call<'_>) -> Limit {
    if call.method() != Some("acquire") {
        return handed_limit(facts, call);
    }
    if call.has_splat() {
        return Limit::Timed;
    }
    // A file lock's first argument is its timeout, a thread lock's is `blocking`.
    let is_file = held.lock.kind == Kind::FileLock;
    let polls = call
        .keyword("blocking")
        .or_else(|| call.keyword("block"))
        .or_else(|| call.positional(0).filter(|_| !is_file))
        .is_some_and(|blocking| matches!(facts.expr(blocking).kind, ExprKind::False));
    if polls {
        return Limit::Polling;
    }
    let is_choice = call
        .arg(0, "blocking")
        .filter(|_| !is_file)
        .is_some_and(|blocking| facts.parameter(blocking).is_some());
    if is_choice && call.args.len() == 1 {
        return Limit::Forwarded;
    }
    let place = if is_file { 0 } else { 1 };
    let name = if call.keyword("blocking_timeout").is_some() {
        "blocking_timeout"
    } else {
        "timeout"
    };
    match facts.bound(call, place, name) {
        Bound::Given | Bound::Literal(_) => Limit::Timed,
        Bound::Forwarded => Limit::Forwarded,
        Bound::Unbounded if is_made_with_timeout(facts, held) || is_waited_for(facts, call.id) => {
            Limit::Timed
        }
        Bound::Unbounded => Limit::None,
    }
}

/// `run_in_executor(pool, lock.acquire, True, 5)` hands the limit on as further arguments.
fn handed_limit(facts: &Facts, call: &Call<'_>) -> Limit {
    let handed = call.args.iter().position(|arg| {
        facts
            .attribute(arg.value)
            .is_some_and(|(_, name)| name == "acquire")
    });
    let rest = handed.map_or(0, |at| call.args.len() - at - 1);
    match rest {
        0 if is_waited_for(facts, call.id) => Limit::Timed,
        0 => Limit::None,
        _ => Limit::Timed,
    }
}

/// A file or cache lock whose constructor carries the limit.
fn is_made_with_timeout(facts: &Facts, held: &Held) -> bool {
    let mut made = facts.values(held.lock.expr).into_iter();
    made.any(|value| {
        facts.call(value).is_some_and(|call| {
            let place = if held.lock.kind == Kind::FileLock {
                1
            } else {
                usize::MAX
            };
            let names = ["timeout", "blocking_timeout", "acquire_timeout"];
            let timed = |name: &&str| {
                call.keyword(name).is_some() && facts.bound(&call, place, name) != Bound::Unbounded
            };
            let is_lock_file = held.lock.kind == Kind::FileLock;
            let by_place = is_lock_file && facts.bound(&call, place, "timeout") != Bound::Unbounded;
            names.iter().any(timed) || by_place
        })
    })
}

/// `await asyncio.wait_for(..., 5)` around it.
fn is_waited_for(facts: &Facts, id: ExprId) -> bool {
    facts.is_given_to(id, &["wait_for", "timeout", "fail_after"])
}

fn word(facts: &Facts, held: &Held, limit: Limit) -> Words {
    let lock = facts.shown(held.lock.expr);
    let how = match limit {
        Limit::Forwarded => "with a timeout that is None unless a caller gives one",
        _ => "without a timeout",
    };
    let ask = match held.lock.proof {
        Proof::Proven => "Use a timed acquire (or a context manager with a timeout), test its answer and report that the lock is busy.".to_string(),
        Proof::Named => format!(
            "If `{lock}` is a lock of threads or processes, acquire it with a timeout and test the answer. Look up where it is made."
        ),
    };
    Words::new(
        format!("`{lock}` is acquired {how}."),
        "If its holder hangs or never gives it back, this caller waits for ever, and nothing in a log says why.",
        ask,
    )
}
