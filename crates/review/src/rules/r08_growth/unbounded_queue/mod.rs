//! A queue or deque without a maximum between a producer and a consumer.

mod hand_over;

use super::lifespan::weighed;
use crate::facts::{Call, Container, ExprId, ExprKind, Facts, Kind, StmtKind, Use, UseKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use hand_over::{carries_one, hands_over_one, is_taken_back};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unbounded-queue",
    rule: 8,
    severity: Severity::Nit,
    references: &[],
    summary: "A queue or deque has no maximum size, so a slow consumer lets it grow.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let containers = cx.facts.containers();
    for call in cx.facts.calls() {
        let Some(kind) = queue_kind(cx.facts, &call) else {
            continue;
        };
        if is_bounded(cx.facts, &call, kind) {
            out.evidence(
                8,
                call.span(),
                format!("`{}` has a maximum size", call.name()),
            );
        } else if has_other_keyword(cx.facts, &call) {
            // A limit by another name: the constructor refuses it, or it is none that is known here.
        } else if let Some(fed) = fed(cx.facts, &call, kind, containers) {
            report(cx, &call, kind, fed, out);
        }
    }
}

fn queue_kind(facts: &Facts, call: &Call<'_>) -> Option<Kind> {
    facts
        .constructs(call)
        .filter(|kind| matches!(kind, Kind::Queue | Kind::AsyncQueue | Kind::Deque))
}

fn is_bounded(facts: &Facts, call: &Call<'_>, kind: Kind) -> bool {
    let limit = match kind {
        Kind::Deque => call.arg(1, "maxlen"),
        _ => call.arg(0, "maxsize"),
    };
    match limit {
        Some(limit) => !matches!(facts.expr_text(limit), "0" | "None" | "-1"),
        None => call.has_splat(),
    }
}

/// `Queue(max_size=10)`: no such queue is ever without a limit.
fn has_other_keyword(facts: &Facts, call: &Call<'_>) -> bool {
    const OWN: [&str; 5] = ["maxsize", "maxlen", "iterable", "loop", "ctx"];
    let mut names = call.args.iter().filter_map(|arg| arg.name);
    names.any(|name| !OWN.contains(&facts.text(name)))
}

/// How the queue is fed.
enum Fed {
    /// Something that is shown puts into it, or it is handed to a thread or callback.
    Shown,
    /// It is handed out: whoever gets it may put.
    Unseen,
}

fn fed(facts: &Facts, call: &Call<'_>, kind: Kind, containers: &[Container]) -> Option<Fed> {
    let kept = containers
        .iter()
        .find(|container| container.value == call.id);
    if kept.is_some_and(|kept| hands_over_one(facts, kept) || is_taken_back(facts, kept)) {
        return None;
    }
    match kept {
        Some(container) => fed_container(facts, container, kind),
        None => fed_local(facts, call, kind),
    }
}

fn fed_container(facts: &Facts, container: &Container, kind: Kind) -> Option<Fed> {
    let filled = container
        .uses
        .iter()
        .any(|of| matches!(of.kind, UseKind::Append));
    let checks_size = container.uses.iter().any(|of| of.kind == UseKind::Size);
    if checks_size
        || needs_a_slot(facts, container)
        || (kind == Kind::Deque && evicts(facts, container))
    {
        return None;
    }
    // A deque of one window or job is its list; a queue has another side that can be slow.
    let life = weighed(facts, container, HitVerdict::Violation);
    let goes = kind == Kind::Deque && life.is_none();
    let is_of_value = kind == Kind::Deque && life == Some(HitVerdict::Look);
    if goes {
        return None;
    }
    let passed = container
        .uses
        .iter()
        .any(|of| matches!(of.kind, UseKind::Passed(_)));
    match (filled, passed) {
        (true, _) if is_of_value => Some(Fed::Unseen),
        (true, _) => Some(Fed::Shown),
        (false, true) => Some(Fed::Unseen),
        (false, false) => None,
    }
}

/// Whoever puts takes a slot of a semaphore first, and keeps it: no more than there are slots can wait.
fn needs_a_slot(facts: &Facts, container: &Container) -> bool {
    let mut puts = container
        .uses
        .iter()
        .filter(|of| of.kind == UseKind::Append)
        .peekable();
    puts.peek().is_some() && puts.all(|put| takes_a_slot_before(facts, put))
}

fn takes_a_slot_before(facts: &Facts, put: &Use) -> bool {
    let Some(function) = facts.function_of(facts.stmt(put.stmt).scope) else {
        return false;
    };
    let before = |call: &Call<'_>| call.span().start < put.span.start;
    facts
        .calls_within(facts.scope(function).span)
        .filter(before)
        .filter(|call| call.method() == Some("acquire"))
        .filter_map(|call| facts.type_of(call.receiver()?))
        .any(|held| held.is(Kind::Semaphore))
}

/// A deque is its own window: `popleft` in a loop that compares ages, or `clear`.
fn evicts(facts: &Facts, container: &Container) -> bool {
    container.uses.iter().any(|of| {
        of.kind == UseKind::Shrink
            && facts.ancestors(of.stmt).any(|a| {
                matches!(
                    facts.stmt(a.stmt).kind,
                    StmtKind::While { .. } | StmtKind::If { .. }
                )
            })
    })
}

/// A local queue matters where another thread, task or callback fills it.
fn fed_local(facts: &Facts, call: &Call<'_>, kind: Kind) -> Option<Fed> {
    if is_returned(facts, call) && kind != Kind::Deque {
        return Some(Fed::Unseen);
    }
    let name = bound_name(facts, call)?;
    let is_buffer = ["queue", "buffer", "frames"]
        .iter()
        .any(|word| topic::says(name, word));
    if kind == Kind::Deque && !is_buffer {
        return None;
    }
    let function = facts.function_of(call.scope())?;
    if kind != Kind::Deque && carries_one(facts, call, name, function) {
        return None;
    }
    let span = facts.scope(function).span;
    let mentions = |id: ExprId| {
        facts
            .within(id)
            .any(|inner| facts.name(inner) == Some(name))
    };
    let started = facts.calls_within(span).any(|other| {
        let starts = matches!(facts.constructs(&other), Some(Kind::Thread | Kind::Process))
            || other.name() == "submit";
        starts && other.args.iter().any(|arg| mentions(arg.value))
    });
    let passed = facts.calls_within(span).any(|other| {
        other.id != call.id
            && other
                .args
                .iter()
                .any(|arg| facts.name(arg.value) == Some(name))
    });
    match (started, passed) {
        (true, _) => Some(Fed::Shown),
        (false, true) => Some(Fed::Unseen),
        (false, false) => None,
    }
}

/// A factory's queue is filled by whoever asked for it.
fn is_returned(facts: &Facts, call: &Call<'_>) -> bool {
    matches!(facts.stmt(call.stmt()).kind, StmtKind::Return(Some(value)) if value == call.id)
}

fn bound_name<'f>(facts: &'f Facts, call: &Call<'_>) -> Option<&'f str> {
    match &facts.stmt(call.stmt()).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } if *value == call.id => targets.first().and_then(|&target| facts.name(target)),
        _ => None,
    }
}

fn report(cx: &Context<'_>, call: &Call<'_>, kind: Kind, fed: Fed, out: &mut Outcome) {
    let verdict = match fed {
        Fed::Shown => HitVerdict::Violation,
        Fed::Unseen => HitVerdict::Look,
    };
    let verdict = match cx.facts.idle_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Short-lived: {reason}.")),
        None => verdict,
    };
    out.hits.push(Hit::new(
        &CHECK,
        Anchor::call(call),
        verdict,
        word(cx.facts, call, kind),
    ));
}

fn word(facts: &Facts, call: &Call<'_>, kind: Kind) -> Words {
    let limit = if kind == Kind::Deque {
        "maxlen"
    } else {
        "maxsize"
    };
    let zero = call
        .args
        .iter()
        .any(|arg| matches!(facts.expr(arg.value).kind, ExprKind::Number));
    let how = if zero {
        "with a size of 0, which means no limit"
    } else {
        "without a limit"
    };
    Words::new(
        format!("`{}` is made {how}.", call.name()),
        "Whenever the consumer is slower than the producer, everything that waits stays in memory, and latency grows with it.",
        format!(
            "Give it a `{limit}`, and decide what happens when it is full: block with a timeout, drop the oldest, or refuse."
        ),
    )
}
