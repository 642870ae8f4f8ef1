//! A busy file lock fails the request, or the clean-up, that wanted it.

use super::unseen_locks;
use crate::facts::{
    Bound, Facts, Handler, Heat, Held, Kind, Leads, Proof, ScopeId, StmtId, StmtKind, Taken,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "lock-timeout-unhandled",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "The timeout of a file lock escapes the request or clean-up that takes it.",
    detect,
};

/// What catches `filelock.Timeout`: itself and its bases.
const TIMEOUTS: &[&str] = &[
    "Timeout",
    "TimeoutError",
    "OSError",
    "IOError",
    "EnvironmentError",
];

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    unseen_locks::detect(cx, out);
    for held in facts.held() {
        if !is_timed_file_lock(facts, held) {
            continue;
        }
        if is_handled(facts, held.stmt, 3) {
            out.evidence(7, held.span, "a busy lock is handled");
            continue;
        }
        let Some(victim) = victim(cx, held) else {
            continue;
        };
        let sure = facts.sees_enclosure(held.stmt) && removes_inside(cx, held);
        let verdict = HitVerdict::sure_if(sure && victim.is_named);
        let anchor = Anchor {
            stmt: held.stmt,
            span: held.span,
        };
        let words = word(facts, &victim);
        out.hits
            .push(Hit::new(&CHECK, anchor, cx.where_shared(verdict), words));
    }
}

fn is_timed_file_lock(facts: &Facts, held: &Held) -> bool {
    if held.lock.kind != Kind::FileLock || held.lock.proof != Proof::Proven {
        return false;
    }
    let at_take = match held.taken {
        Taken::Acquire(acquire) | Taken::Context(acquire) => facts
            .call(acquire)
            .is_some_and(|call| facts.bound(&call, 0, "timeout") != Bound::Unbounded),
        Taken::With | Taken::Decorator(_) => false,
    };
    let at_making = facts.values(held.lock.expr).into_iter().any(|value| {
        facts.call(value).is_some_and(|call| {
            facts.constructs(&call) == Some(Kind::FileLock)
                && facts.bound(&call, 1, "timeout") != Bound::Unbounded
        })
    });
    at_take || at_making
}

/// Whether what the statement raises is caught in its function, or by all shown callers.
pub(super) fn is_handled(facts: &Facts, stmt: StmtId, depth: u32) -> bool {
    if facts.is_caught(stmt, TIMEOUTS) || is_answered(facts, stmt) {
        return true;
    }
    let Some(function) = facts.function_of(facts.stmt(stmt).scope) else {
        return false;
    };
    let mut callers = facts.calls_to(function).peekable();
    depth > 0
        && callers.peek().is_some()
        && callers.all(|call| is_handled(facts, call.stmt(), depth - 1))
}

/// A handler for just this timeout that raises what the caller is told by: `raise HTTPException(409) from error`.
fn is_answered(facts: &Facts, stmt: StmtId) -> bool {
    let is_for_it = |handler: &Handler| {
        let mut types = handler.types.iter();
        types.any(|&class| facts.last_name(class) == Some("Timeout"))
    };
    let answers = |stmt: &StmtId| {
        matches!(facts.stmt(*stmt).kind, StmtKind::Raise) && facts.calls_in(*stmt).next().is_some()
    };
    facts
        .handlers_around(stmt)
        .filter(|handler| is_for_it(handler))
        .any(|handler| handler.body.iter().any(answers))
}

/// The function that the timeout escapes from.
struct Victim {
    function: ScopeId,
    /// It serves requests or cleans up by its name, not only by what it does.
    is_named: bool,
}

fn victim(cx: &Context<'_>, held: &Held) -> Option<Victim> {
    let facts = cx.facts;
    let function = facts.function_of(held.scope)?;
    let removes = removes_inside(cx, held);
    let caller = facts
        .calls_to(function)
        .filter(|call| !is_handled(facts, call.stmt(), 2))
        .filter_map(|call| facts.function_of(call.scope()))
        .find(|&caller| serves(cx, caller));
    if let Some(caller) = caller {
        return Some(Victim {
            function: caller,
            is_named: true,
        });
    }
    let named = serves(cx, function) || cleans_up(facts, function);
    (named || removes).then_some(Victim {
        function,
        is_named: named,
    })
}

/// A request handler by its name, its route or what it takes; words such as "handle" alone are said of much else.
fn serves(cx: &Context<'_>, function: ScopeId) -> bool {
    let facts = cx.facts;
    let is_hot = facts
        .scope(function)
        .body
        .first()
        .is_some_and(|&stmt| facts.heat(stmt, cx.profile) == Heat::Hot);
    let by_name = facts.scope_name(function).is_some_and(|name| {
        topic::says(name, "request") || topic::begins_with_word(name, "predict infer serve")
    });
    let by_input = facts
        .scope(function)
        .params
        .iter()
        .any(|param| cx.profile.places.is_request_name(facts.text(param.name)));
    is_hot && (by_name || by_input)
}

fn cleans_up(facts: &Facts, function: ScopeId) -> bool {
    facts.scope_name(function).is_some_and(|name| {
        topic::has_word(
            name,
            "clear clean cleanup evict purge prune sweep rotate remove delete close \
             terminate stop",
        )
    })
}

/// Whether something of the cache is removed under the lock; a temp file of its own is no clean-up.
fn removes_inside(cx: &Context<'_>, held: &Held) -> bool {
    let inside = held.body.iter().flat_map(|&stmt| cx.facts.calls_in(stmt));
    let mut deletions = inside.filter_map(|call| cx.facts.deletion(call));
    deletions.any(|deletion| {
        let own = matches!(
            cx.facts.leads(deletion.path, cx.profile),
            Leads::Own | Leads::Staged
        );
        !own && !cx.facts.in_finally(deletion.call.stmt())
    })
}

fn word(facts: &Facts, victim: &Victim) -> Words {
    let name = match facts.scope_name(victim.function) {
        Some(name) => format!("`{name}`"),
        None => "this function".to_string(),
    };
    Words::new(
        format!("A busy lock raises `filelock.Timeout` out of {name}."),
        "When another worker holds the lock a little longer, the work that only wanted to tidy up fails, and the request with it.",
        "Catch `filelock.Timeout` around it, log, and go on without: the next call gets another chance.",
    )
}
