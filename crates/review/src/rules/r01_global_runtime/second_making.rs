//! What it costs that two make a shared object, and whether two can come by.

use super::coroutines::Gap;
use super::made_where_missing::{Init, says_dear};
use super::torchscript::alone;
use crate::facts::{Call, Cheap, ExprKind, Facts, Heat, Reach, ScopeId, StmtId, StmtKind};
use crate::rules::{Context, HitVerdict};

/// Less where a second object costs nothing, or where only coroutines of one loop are seen to come here.
pub(super) fn weigh(facts: &Facts, init: &Init, verdict: HitVerdict) -> Option<HitVerdict> {
    let has_threads = facts.has_threads();
    let on_loop = runs_on_loop(facts, init);
    let counts = matches!(verdict, HitVerdict::Violation | HitVerdict::Look);
    match (cost(facts, init), on_loop) {
        _ if !counts => Some(verdict),
        (_, Some(Callers::AllShown)) => None,
        (_, Some(Callers::OthersToo)) if is_made_for_loop(facts, init) => None,
        (Some(_), Some(Callers::OthersToo)) => None,
        (Some(Cheap::Value), None) if !has_threads => None,
        (Some(Cheap::State), None) if has_threads => Some(verdict),
        (Some(_), None) | (None, Some(Callers::OthersToo)) => Some(HitVerdict::Look),
        (None, None) => Some(verdict),
    }
}

/// Who else can call a function that coroutines call.
enum Callers {
    AllShown,
    OthersToo,
}

/// Coroutines call it, and nothing else that is shown.
fn runs_on_loop(facts: &Facts, init: &Init) -> Option<Callers> {
    let function = facts.function_of(facts.stmt(init.stmt).scope)?;
    let is_inner = facts
        .scope_name(function)
        .is_some_and(|name| name.starts_with('_'));
    facts.runs_in_coroutines(function).then_some(if is_inner {
        Callers::AllShown
    } else {
        Callers::OthersToo
    })
}

/// `asyncio.Semaphore(...)`: of use to coroutines alone.
fn is_made_for_loop(facts: &Facts, init: &Init) -> bool {
    let StmtKind::Assign {
        value: Some(value), ..
    } = facts.stmt(init.stmt).kind
    else {
        return false;
    };
    let is_of_loop = |call: Call<'_>| call.callee().starts_with("asyncio.");
    facts.call(value).is_some_and(is_of_loop)
}

/// What is made, if all that can be made costs nothing. One that the whole process has is kept for being the only one.
fn cost(facts: &Facts, init: &Init) -> Option<Cheap> {
    let is_entry = matches!(facts.expr(init.target).kind, ExprKind::Subscript { .. });
    if !is_entry {
        return None;
    }
    let StmtKind::Assign {
        value: Some(value), ..
    } = facts.stmt(init.stmt).kind
    else {
        return None;
    };
    let mut worst = Cheap::Value;
    for value in facts.values(value) {
        let call = facts.awaited_call(value)?;
        if facts.makes_cheaply(&call)? == Cheap::State {
            worst = Cheap::State;
        }
    }
    Some(worst)
}

pub(super) fn verdict(cx: &Context<'_>, init: &Init, gap: Option<Gap>) -> Option<HitVerdict> {
    let facts = cx.facts;
    if let Some(reason) = alone(cx, init.stmt) {
        return Some(HitVerdict::Excused(reason));
    }
    match facts.heat(init.stmt, cx.profile) {
        Heat::Cold(reason) => Some(HitVerdict::Excused(format!(
            "No second thread is there yet: {reason}."
        ))),
        // Whoever makes an object of the class comes by.
        Heat::Hot | Heat::Unknown if hands_out_class(facts, init) && !facts.has_threads() => {
            Some(HitVerdict::Look)
        }
        Heat::Unknown if facts.has_threads() && only_tests_call(cx, init) => Some(HitVerdict::Look),
        Heat::Hot | Heat::Unknown if facts.has_threads() => Some(HitVerdict::Violation),
        Heat::Hot if serves(cx, init) => Some(HitVerdict::Violation),
        // The folder alone says that requests may come here.
        Heat::Hot => Some(HitVerdict::Look),
        // Whether two of these coroutines run at once nobody says.
        Heat::Unknown if gap.is_some() => Some(HitVerdict::Look),
        // The imports that would tell are not shown.
        Heat::Unknown if !facts.document.whole => Some(HitVerdict::Look),
        // A class keeps it for all who make objects of it, whoever they are.
        Heat::Unknown if keeps_dear_by_key(facts, init) => Some(HitVerdict::Look),
        Heat::Unknown => None,
    }
    .map(|verdict| weaken_unseen(facts, init, verdict))
    .map(|verdict| match verdict {
        HitVerdict::Violation if is_cheap(facts, init.stmt) => HitVerdict::Look,
        other => other,
    })
}

/// `self._engines[address] = engine` where the class body makes the table.
fn keeps_dear_by_key(facts: &Facts, init: &Init) -> bool {
    let ExprKind::Subscript { object, .. } = facts.expr(init.target).kind else {
        return false;
    };
    let named = facts.last_name(object).unwrap_or("");
    let one = named.strip_suffix('s').unwrap_or(named);
    facts.reach(init.target) == Reach::Class && says_dear(one)
}

/// All that is shown to call the function stands in tests: whether threads do nobody says.
fn only_tests_call(cx: &Context<'_>, init: &Init) -> bool {
    let facts = cx.facts;
    let Some(function) = facts.function_of(facts.stmt(init.stmt).scope) else {
        return false;
    };
    let afar = facts.calls_from_afar(function);
    let by_tests = |(home, _): &(&Facts, _)| home.is_test();
    !afar.is_empty() && afar.iter().all(by_tests) && facts.calls_to(function).next().is_none()
}

/// `__new__` of a class or `__call__` of a metaclass: calling the class anywhere leads here.
fn hands_out_class(facts: &Facts, init: &Init) -> bool {
    let Some(function) = facts.function_of(facts.stmt(init.stmt).scope) else {
        return false;
    };
    let first = facts.scope(function).params.first();
    let is_of_class = first.is_none_or(|first| facts.text(first.name) != "self");
    is_of_class && matches!(facts.scope_name(function), Some("__new__" | "__call__"))
}

/// The function or one that calls it says that requests pass, or all objects of a class share what is made.
fn serves(cx: &Context<'_>, init: &Init) -> bool {
    let facts = cx.facts;
    let says = |function: ScopeId| facts.says_hot(function, cx.profile);
    let function = facts.function_of(facts.stmt(init.stmt).scope);
    let called = |function: ScopeId| {
        let mut callers = facts.calls_to(function);
        callers.any(|call| facts.function_of(call.scope()).is_some_and(says))
    };
    facts.reach(init.target) == Reach::Class
        || function.is_some_and(|function| says(function) || called(function))
}

/// A client costs little to make twice, and the one that is dropped closes its connections itself.
pub(super) fn is_cheap(facts: &Facts, stmt: StmtId) -> bool {
    let StmtKind::Assign {
        value: Some(value), ..
    } = facts.stmt(stmt).kind
    else {
        return false;
    };
    facts.values(value).into_iter().all(|value| {
        facts.awaited_call(value).is_some_and(|call| {
            let name = call.name();
            let is_own = facts.definition(call.function).is_some();
            let is_known = matches!(
                name,
                "OpenAI" | "AsyncOpenAI" | "Anthropic" | "AsyncAnthropic" | "Session"
            );
            !is_own && (is_known || topic::words(name).last().as_deref() == Some("client"))
        })
    })
}

/// A lock around could stand in text that is not shown.
pub(super) fn weaken_unseen(facts: &Facts, init: &Init, verdict: HitVerdict) -> HitVerdict {
    match verdict {
        HitVerdict::Violation if !facts.sees_enclosure(init.stmt) => HitVerdict::Look,
        other => other,
    }
}

pub(super) fn is_coroutine(facts: &Facts, init: &Init) -> bool {
    facts.is_async(facts.stmt(init.stmt).scope)
}
