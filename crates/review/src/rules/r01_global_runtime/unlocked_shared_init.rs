//! Check-then-create of an object that the whole process shares, with no lock: two threads create two.

use super::coroutines::{Gap, gap};
use super::lazy_fields::{Shared, fetched_for, shared_field};
use super::torchscript::alone;
use crate::facts::{
    Call, Cheap, ExprId, ExprKind, Facts, Heat, Held, Kind, Reach, ScopeId, ScopeKind, StmtId,
    StmtKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unlocked-shared-init",
    rule: 1,
    severity: Severity::Flag,
    references: &[],
    summary: "A process-wide instance is made where it is found missing, with no lock around test and creation.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    super::unseen_tables::detect(cx, out);
    for stmt in cx.facts.stmt_ids() {
        if let Some(init) = lazy_init(cx.facts, stmt) {
            judge(cx, &init, out);
        } else if let Some(init) = lazy_field(cx.facts, stmt)
            && let Some(shared) = shared_field(cx.facts, stmt, init.target)
        {
            judge_field(cx, &init, &shared, out);
        }
    }
}

/// A shared target that is made where a test finds it missing.
struct Init {
    stmt: StmtId,
    target: ExprId,
    /// The `if` (or `try`) that tests.
    test: StmtId,
}

fn lazy_init(facts: &Facts, stmt: StmtId) -> Option<Init> {
    made_where_missing(facts, stmt, |target| facts.reach(target).is_process_wide())
}

/// A field of `self` that is made where it is found missing.
fn lazy_field(facts: &Facts, stmt: StmtId) -> Option<Init> {
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

/// The value is an instance worth having once, not a number or a string.
/// Sessions have a check of their own.
fn creates(facts: &Facts, value: ExprId) -> bool {
    facts.values(value).into_iter().any(|value| {
        facts.awaited_call(value).is_some_and(|call| {
            let is_session = facts
                .type_of(call.id)
                .is_some_and(|found| found.is(Kind::OrtSession));
            !is_session && is_made(facts, &call) && !guards_itself(facts, &call)
        })
    })
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
    new.is_some_and(|new| {
        facts
            .held()
            .iter()
            .any(|held| facts.stmt(held.stmt).scope == new)
    })
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
    let says = topic::words(name).any(|word| {
        matches!(
            word.as_str(),
            "build"
                | "make"
                | "create"
                | "load"
                | "init"
                | "initialize"
                | "open"
                | "connect"
                | "start"
                | "instantiate"
                | "pretrained"
        )
    });
    !is_plain && (is_class || says)
}

/// `super().__call__(...)` of a metaclass: what calling the class does.
fn makes_by_metaclass(call: &Call<'_>) -> bool {
    call.name() == "__call__" && call.callee() == "super().__call__"
}

fn judge(cx: &Context<'_>, init: &Init, out: &mut Outcome) {
    let facts = cx.facts;
    let held: Vec<&Held> = facts.held_at(init.stmt).collect();
    let retested = |held: &&Held| held.holds(init.test);
    if held.iter().any(retested) {
        out.evidence(
            1,
            facts.stmt(init.stmt).head,
            "tested and made under a lock",
        );
        return;
    }
    let gap = gap(facts, init.test, init.stmt, init.target).filter(|_| is_coroutine(facts, init));
    if callers_guard(facts, init.stmt) || (is_coroutine(facts, init) && gap.is_none()) {
        return;
    }
    let weighed = |verdict| match gap {
        Some(_) => Some(verdict),
        None => weigh(facts, init, verdict),
    };
    let Some(verdict) = verdict(cx, init, gap).and_then(weighed) else {
        return;
    };
    let words = match gap {
        Some(gap) => word_gap(facts, init, gap),
        None => word(facts, init, !held.is_empty()),
    };
    let hit = hit(facts, init, verdict, words);
    out.hits.push(hit);
}

/// Shown at the store; at the test where that stands so far above that nobody sees the two together.
fn hit(facts: &Facts, init: &Init, verdict: HitVerdict, words: Words) -> Hit {
    let (test, store) = (
        Anchor::stmt(facts, init.test),
        Anchor::stmt(facts, init.stmt),
    );
    let first = if is_far(facts, init) { test } else { store };
    let anchor = first.or_where_changed(facts, store);
    let (other, note) = match anchor == test {
        true => (store.span, "made and stored here"),
        false => (test.span, "tested here"),
    };
    let mut hit = Hit::new(&CHECK, anchor, verdict, words).with_related(other, note);
    hit.causes.push(other);
    hit
}

/// Whether more lines than a glance takes in stand between an `if` and the store in it.
fn is_far(facts: &Facts, init: &Init) -> bool {
    const AT_A_GLANCE: u32 = 3;
    let is_around = facts
        .ancestors(init.stmt)
        .any(|around| around.stmt == init.test);
    let line = |at: u32| facts.lines.line(at);
    let test = line(facts.stmt(init.test).head.end);
    let store = line(facts.stmt(init.stmt).head.start);
    let is_test = matches!(facts.stmt(init.test).kind, StmtKind::If { .. });
    is_around && is_test && store.saturating_sub(test) > AT_A_GLANCE
}

fn judge_field(cx: &Context<'_>, init: &Init, shared: &Shared, out: &mut Outcome) {
    let facts = cx.facts;
    // A lock that is held here was taken to test again under it, or for more than this.
    if facts.held_at(init.stmt).next().is_some()
        || is_cheap(facts, init.stmt) && !shared.is_proven()
    {
        return;
    }
    let verdict = match (alone(cx, init.stmt), facts.heat(init.stmt, cx.profile)) {
        (Some(reason), _) => HitVerdict::Excused(reason),
        (None, Heat::Cold(reason)) => {
            HitVerdict::Excused(format!("No second thread is there yet: {reason}."))
        }
        _ if shared.is_proven() && !is_cheap(facts, init.stmt) => {
            weaken_unseen(facts, init, HitVerdict::Violation)
        }
        _ => HitVerdict::Look,
    };
    let (place, note) = shared.place();
    let mut hit = hit(facts, init, verdict, word_field(facts, init)).with_related(place, note);
    hit.causes.push(place);
    out.hits.push(hit);
}

/// A function that only runs under its callers' lock.
fn callers_guard(facts: &Facts, stmt: StmtId) -> bool {
    facts
        .function_of(facts.stmt(stmt).scope)
        .and_then(|function| facts.callers_hold(function))
        == Some(true)
}

fn is_coroutine(facts: &Facts, init: &Init) -> bool {
    facts.is_async(facts.stmt(init.stmt).scope)
}

/// Less where a second object costs nothing, or where only coroutines of one loop are seen to come here.
fn weigh(facts: &Facts, init: &Init, verdict: HitVerdict) -> Option<HitVerdict> {
    let has_threads = facts.has_threads();
    let on_loop = runs_on_loop(facts, init);
    let counts = matches!(verdict, HitVerdict::Violation | HitVerdict::Look);
    match (cost(facts, init), on_loop) {
        _ if !counts => Some(verdict),
        (_, Some(Callers::AllShown)) => None,
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

fn verdict(cx: &Context<'_>, init: &Init, gap: Option<Gap>) -> Option<HitVerdict> {
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
        Heat::Hot | Heat::Unknown if facts.has_threads() => Some(HitVerdict::Violation),
        Heat::Hot if serves(cx, init) => Some(HitVerdict::Violation),
        // The folder alone says that requests may come here.
        Heat::Hot => Some(HitVerdict::Look),
        // Whether two of these coroutines run at once nobody says.
        Heat::Unknown if gap.is_some() => Some(HitVerdict::Look),
        // The imports that would tell are not shown.
        Heat::Unknown if !facts.document.whole => Some(HitVerdict::Look),
        Heat::Unknown => None,
    }
    .map(|verdict| weaken_unseen(facts, init, verdict))
    .map(|verdict| match verdict {
        HitVerdict::Violation if is_cheap(facts, init.stmt) => HitVerdict::Look,
        other => other,
    })
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
fn is_cheap(facts: &Facts, stmt: StmtId) -> bool {
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
fn weaken_unseen(facts: &Facts, init: &Init, verdict: HitVerdict) -> HitVerdict {
    match verdict {
        HitVerdict::Violation if !facts.sees_enclosure(init.stmt) => HitVerdict::Look,
        other => other,
    }
}

fn word_field(facts: &Facts, init: &Init) -> Words {
    let target = facts.expr_text(init.target);
    Words::new(
        format!(
            "`{target}` is made where it is found missing, and threads that share the object are not kept apart."
        ),
        "Two threads that test at the same moment both create it: one of the two is lost with what it holds open, and callers work on different ones.",
        "Take the object's lock around test and creation, on every way that leads here; or make it in the constructor.",
    )
}

fn word_gap(facts: &Facts, init: &Init, gap: Gap) -> Words {
    let target = facts.expr_text(init.target);
    match gap {
        Gap::Before => Words::new(
            format!(
                "`{target}` is made where it is found missing, with an `await` between the test and the store."
            ),
            "At the `await` the loop runs other coroutines: one that tests meanwhile finds it missing as well, so two are made, and the first is lost with what it holds.",
            "Hold an `asyncio.Lock` around test and creation, or store the task or future that makes the object at once, and let all await that.",
        ),
        Gap::Behind => Words::new(
            format!("`{target}` is stored before it is ready, and awaited behind."),
            "At the `await` the loop runs other coroutines: one that asks meanwhile finds the object and uses it half set up, and a failed set-up leaves it stored.",
            "Set the object up first and store it then, with an `asyncio.Lock` a key around both; or store the task that sets it up, and let all await that.",
        ),
    }
}

fn word(facts: &Facts, init: &Init, is_held: bool) -> Words {
    let target = facts.expr_text(init.target);
    let whose = match facts.reach(init.target) {
        Reach::Class => "all instances share",
        _ => "the whole process shares",
    };
    let message = if is_held {
        format!(
            "`{target}`, which {whose}, is tested before the lock is taken, and not again under it."
        )
    } else {
        format!(
            "`{target}`, which {whose}, is made where it is found missing, and no lock is held."
        )
    };
    Words::new(
        message,
        "Two threads that test at the same moment both create it: the work and its memory are spent twice, and callers hold different instances.",
        "Take a lock around test and creation; where the common path must stay free of it, test again under the lock.",
    )
}
