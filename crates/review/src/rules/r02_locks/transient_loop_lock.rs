//! An asyncio primitive that outlives the event loop it serves.

use super::loops;
use crate::facts::{Call, ExprId, ExprKind, Facts, Kind, ScopeId, ScopeKind, Span, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "transient-loop-lock",
    rule: 2,
    severity: Severity::Flag,
    references: &[1750],
    summary: "An asyncio lock, event or queue is made once and used under event loops that come and go.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let loops = Loops::new(cx);
    for call in facts.calls() {
        let Some(kind) = facts.constructs(&call).filter(|&kind| is_of_loop(kind)) else {
            continue;
        };
        if facts.is_async(call.scope()) {
            out.evidence(
                2,
                call.span(),
                "made inside the coroutine whose loop it serves",
            );
        } else if let Some(kept) = kept(facts, &call) {
            judge(cx, &loops, &call, kind, &kept, out);
        }
    }
    loops::detect_idle(cx, &CHECK, out);
}

fn is_of_loop(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::AsyncLock | Kind::AsyncEvent | Kind::AsyncCondition | Kind::AsyncQueue
    )
}

/// Where the primitive is kept beyond the function that makes it.
struct Kept {
    target: ExprId,
    early: bool,
}

fn kept(facts: &Facts, call: &Call<'_>) -> Option<Kept> {
    let StmtKind::Assign { targets, value, .. } = &facts.stmt(call.stmt()).kind else {
        return None;
    };
    let target = *targets.first().filter(|_| *value == Some(call.id))?;
    let scope = facts.scope(call.scope());
    let early = matches!(scope.kind, ScopeKind::Module | ScopeKind::Class)
        && facts.is_module_level(call.stmt());
    let early = early || is_made_at_import(facts, call);
    let outlives = early || facts.self_attribute(target).is_some();
    outlives.then_some(Kept { target, early })
}

/// In the constructor of an object that the module makes for the whole process.
fn is_made_at_import(facts: &Facts, call: &Call<'_>) -> bool {
    let constructor = facts
        .function_of(call.scope())
        .filter(|&function| facts.scope_name(function) == Some("__init__"));
    constructor.is_some_and(|constructor| {
        facts.calls_to(constructor).any(|made| {
            facts.scope(made.scope()).kind == ScopeKind::Module
                && facts.is_module_level(made.stmt())
                && !facts.in_main_block(made.stmt())
        })
    })
}

fn judge(
    cx: &Context<'_>,
    loops: &Loops<'_>,
    call: &Call<'_>,
    kind: Kind,
    kept: &Kept,
    out: &mut Outcome,
) {
    let facts = cx.facts;
    let run = loops.per_call(facts, kept.target);
    let class = facts.class_of(call.scope());
    let mut starts = loops.starts.iter();
    let shows_loops = starts.any(|other| facts.class_of(other.scope()) == class);
    let second = loops::second(facts, kept.target).filter(|_| run.is_none());
    let verdict = match (facts.cold_file(cx.profile), run) {
        (Some(reason), _) => HitVerdict::Excused(format!("One loop is all there is: {reason}.")),
        (None, Some(_)) => HitVerdict::Violation,
        (None, None) if second.as_ref().is_some_and(|second| second.proven) => {
            HitVerdict::Violation
        }
        (None, None) if second.is_some() => HitVerdict::Look,
        (None, None) if kept.early || shows_loops => HitVerdict::Look,
        (None, None) => return,
    };
    let words = word(facts, kind, kept, run.is_some());
    let anchor = match run.and_then(|run| facts.call(run)) {
        Some(run) => Anchor::call(call).or_where_changed(facts, Anchor::call(&run)),
        None => Anchor::call(call),
    };
    let mut hit = Hit::new(&CHECK, anchor, verdict, words);
    if let Some(second) = second {
        hit.words = loops::words_of_second(facts, kept.target);
        hit = hit
            .with_related(second.run, "a thread runs a loop of its own here")
            .with_related(second.wait, "another loop waits here");
        hit.causes.extend([second.run, second.wait]);
    }
    if let Some(run) = run {
        let span = facts.expr(run).span;
        hit = hit.with_related(span, "a new event loop for every call");
        hit.causes.push(span);
    }
    out.hits.push(hit);
}

/// Where the file starts event loops.
struct Loops<'f> {
    starts: Vec<Call<'f>>,
    /// Those in functions that are called again and again.
    repeated: Vec<Call<'f>>,
}

impl<'f> Loops<'f> {
    fn new(cx: &Context<'f>) -> Loops<'f> {
        let starts: Vec<Call<'f>> = cx.facts.calls().filter(starts_loop).collect();
        let repeated = starts.iter().filter(|call| is_repeated(cx, call));
        Loops {
            repeated: repeated.copied().collect(),
            starts,
        }
    }

    /// The `asyncio.run(...)` of a function that is called again and again, if what it runs reaches the primitive.
    fn per_call(&self, facts: &Facts, target: ExprId) -> Option<ExprId> {
        let runs = |call: &&Call<'_>| {
            let mut args = call.args.iter();
            args.any(|arg| reaches(facts, arg.value, target))
        };
        self.repeated.iter().find(runs).map(|call| call.id)
    }
}

fn starts_loop(call: &Call<'_>) -> bool {
    call.is(&["asyncio.run", "anyio.run", "trio.run"])
        || call.method() == Some("run_until_complete")
}

/// Not the program's main, and not the target of the one thread that owns a loop.
fn is_repeated(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let facts = cx.facts;
    let Some(function) = facts.function_of(call.scope()) else {
        return false;
    };
    let name = facts.scope_name(function).unwrap_or("");
    let is_target = facts.calls().any(|other| {
        let target = other.keyword("target");
        // A thread for each of many is a loop for each of many.
        target.is_some_and(|target| facts.last_name(target) == Some(name))
            && !facts.in_loop(other.stmt())
    });
    !is_target && !cx.profile.places.is_start_up_function(name)
}

/// Whether the functions that an expression calls, or names, mention the primitive; a few calls deep.
fn reaches(facts: &Facts, from: ExprId, target: ExprId) -> bool {
    let mut seen: Vec<ScopeId> = Vec::new();
    let mut todo: Vec<ScopeId> = called_from(facts, facts.expr(from).span);
    todo.extend(collected_in(facts, from));
    while let Some(function) = todo.pop() {
        if seen.contains(&function) || seen.len() > 64 {
            continue;
        }
        seen.push(function);
        if mentions(facts, function, target) {
            return true;
        }
        todo.extend(called_from(facts, facts.scope(function).span));
    }
    false
}

fn called_from(facts: &Facts, span: Span) -> Vec<ScopeId> {
    facts
        .calls_within(span)
        .filter_map(|call| facts.function_called(&call))
        .collect()
}

/// The functions whose coroutines a list holds that is handed over: `waits.append(self.checker.wait(key))`.
fn collected_in(facts: &Facts, from: ExprId) -> Vec<ScopeId> {
    let names: Vec<&str> = facts.within(from).filter_map(|id| facts.name(id)).collect();
    let scope = facts.expr(from).scope;
    let fills = |call: &Call<'_>| {
        let list = call.receiver().and_then(|list| facts.name(list));
        call.scope() == scope && list.is_some_and(|list| names.contains(&list))
    };
    facts
        .calls_named("append")
        .filter(fills)
        .flat_map(|call| called_from(facts, call.span()))
        .collect()
}

fn mentions(facts: &Facts, function: ScopeId, target: ExprId) -> bool {
    let span = facts.scope(function).span;
    let name = facts.dotted(target);
    let is_name = matches!(facts.expr(target).kind, ExprKind::Name);
    let plain = facts.last_name(target);
    facts.exprs_within(span).any(|id| {
        let as_attribute =
            is_name && facts.self_attribute(id).is_some() && facts.self_attribute(id) == plain;
        as_attribute || (name.is_some() && facts.dotted(id) == name)
    })
}

fn word(facts: &Facts, kind: Kind, kept: &Kept, proven: bool) -> Words {
    let what = facts.expr_text(kept.target);
    let noun = match kind {
        Kind::AsyncEvent => "event",
        Kind::AsyncCondition => "condition",
        Kind::AsyncQueue => "queue",
        _ => "lock",
    };
    let ask = if proven {
        "Make it inside the coroutine that each run starts and hand it on, or keep one loop for as long as the object lives."
    } else {
        "Which loops use it? If each call or thread runs its own, make it inside the coroutine; if one loop serves all, nothing is to be done."
    };
    let message = if proven {
        format!(
            "`{what}` is an asyncio {noun} that is made once, but every call runs an event loop of its own."
        )
    } else {
        format!("`{what}` is an asyncio {noun} that is made before any event loop runs.")
    };
    Words::new(
        message,
        "An asyncio primitive binds to the first loop that waits on it. Under the next loop it raises, or waits for a loop that is closed.",
        ask,
    )
}
