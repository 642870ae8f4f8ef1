//! A close that an exception or an early exit passes by.

use super::{handed_on_late, marks, opened, pooled, taken_back, timed_out};
use crate::facts::{Closing, Escape, Facts, Fault, FaultKind, Holder, Kind, Leak, Made, Resource};
use crate::rules::{Anchor, Check, Context, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "closed-only-on-success",
    rule: 9,
    severity: Severity::Flag,
    references: &[],
    summary: "The close of a resource is reached only when nothing before it raises or returns.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for made in opened::resources(cx.facts) {
        let is_local = matches!(made.holder(), Some(Holder::Local { .. }));
        match cx.facts.local_fault(made) {
            Some(Fault {
                kind: FaultKind::Skipped(leak, closing),
                proven,
            }) if !is_put_in_place(cx.facts, made, &closing) => {
                report(cx, made, leak, closing, proven, out);
            }
            Some(Fault {
                kind: FaultKind::OnlyLast(closing),
                proven,
            }) => report_last(cx, made, closing, proven, out),
            None if handed_on_late::report(cx, made, out) => {}
            None if timed_out::report(cx, made, out) => {}
            None if is_local => {
                out.evidence(
                    9,
                    cx.facts.expr(made.call).span,
                    format!(
                        "the {} is closed on every path or handed over",
                        made.resource.noun()
                    ),
                );
            }
            _ => {}
        }
    }
    pooled::detect(cx, out);
    taken_back::detect(cx, out);
    marks::detect(cx, out);
}

/// A temporary file that is moved to its name is the subject of R5.
fn is_put_in_place(facts: &Facts, made: &Made, closing: &Closing) -> bool {
    let moves = |name: &str| matches!(name, "replace" | "rename" | "move");
    made.resource == Resource::KeptTempFile
        && facts.calls_in(closing.stmt).any(|call| moves(call.name()))
}

fn report(
    cx: &Context<'_>,
    made: &Made,
    leak: Leak,
    closing: Closing,
    proven: bool,
    out: &mut Outcome,
) {
    // A child that is not waited for after an error ends by itself more often than not.
    let verdict = HitVerdict::sure_if(proven && !made.resource.is(Kind::Subprocess));
    let words = match leak.stmt == made.stmt {
        true => word_of_row(made),
        false => word(made, leak, proven),
    };
    let mut hit = opened::hit(cx, &CHECK, made, verdict, words)
        .with_related(cx.facts.stmt(leak.stmt).head, "can leave before the close")
        .with_related(closing.span, "the close");
    let close = Anchor {
        stmt: closing.stmt,
        span: closing.span,
    };
    hit.anchor = hit.anchor.or_where_changed(cx.facts, close);
    if hit.anchor.stmt != made.stmt {
        hit = hit.with_related(cx.facts.expr(made.call).span, "opened here");
    }
    hit.causes.push(closing.span);
    out.hits.push(hit);
}

/// The close behind a loop that made one object each time around.
fn report_last(cx: &Context<'_>, made: &Made, closing: Closing, proven: bool, out: &mut Outcome) {
    let verdict = HitVerdict::sure_if(proven);
    let mut hit = opened::hit(cx, &CHECK, made, verdict, word_last(made))
        .with_related(closing.span, "the close, behind the loop");
    hit.causes.push(closing.span);
    out.hits.push(hit);
}

fn word_last(made: &Made) -> Words {
    let noun = made.resource.noun();
    Words::new(
        format!("The loop makes one {noun} after the other, and only the last is closed."),
        format!(
            "Each earlier {noun} stays behind with nobody who has its name, as many as the input has items."
        ),
        "Close each where it was used, in a `finally` inside the loop, or register them on an `ExitStack`.",
    )
}

/// Several that are made before the guard of all begins.
fn word_of_row(made: &Made) -> Words {
    let noun = made.resource.noun();
    Words::new(
        format!(
            "The {noun}s are made one after the other, and what closes them begins only behind the last."
        ),
        format!(
            "When one cannot be made, each {noun} before it stays behind: nobody has it yet who would close it."
        ),
        "Can one of them fail? Then make them inside of the guard, or register each on an `ExitStack` as it is made.",
    )
}

fn word_of_branch(name: &str, noun: &str, closer: &str) -> Words {
    Words::new(
        format!("{name} is closed on one branch only."),
        format!(
            "On the other the {noun} stays open with nobody who has its name, until the collector happens to come by."
        ),
        format!(
            "Does the other branch need it open? If not, call `{closer}` behind both, or make the {noun} in a `with`."
        ),
    )
}

fn word(made: &Made, leak: Leak, proven: bool) -> Words {
    let noun = made.resource.noun();
    let name = opened::named(made);
    let closer = made.resource.closer();
    let message = match leak.escape {
        Escape::Leave => format!("{name} is closed only if no earlier exit is taken."),
        Escape::Branch => return word_of_branch(&name, noun, closer),
        Escape::Raise if leak.guarded_later => {
            format!(
                "{name} has a guard that closes it, but that begins after something that can raise."
            )
        }
        Escape::Raise => format!("{name} is closed only when nothing raises before."),
    };
    Words::new(
        message,
        format!(
            "On the other path the {noun} stays behind, and errors tend to come in rows: each one leaks another."
        ),
        if proven {
            format!(
                "Put the work into a `with`, or `{closer}` into a `finally` that begins right after the {noun} is made."
            )
        } else {
            format!(
                "Can the step in between raise in practice? If so, begin the `try` right after the {noun} is made."
            )
        },
    )
}
