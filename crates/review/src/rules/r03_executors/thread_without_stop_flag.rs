//! A thread whose loop nothing ends.

use super::kept;
use crate::facts::Kind;
use crate::facts::{Endless, Facts, Made, Resource};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "thread-without-stop-flag",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "A thread's target loops for ever, with no flag, event or sentinel that ends it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for made in cx.facts.made().into_iter().filter(is_thread) {
        if let Some(endless) = endless(cx.facts, &made) {
            report(cx, &made, endless, out);
        }
    }
}

pub(super) fn is_thread(made: &Made) -> bool {
    made.resource == Resource::Object(Kind::Thread)
}

/// The loop of a thread's target that nothing shown ends.
pub(super) fn endless(facts: &Facts, made: &Made) -> Option<Endless> {
    let call = facts.call(made.call)?;
    facts.endless_loop(facts.thread_target(&call)?)
}

fn report(cx: &Context<'_>, made: &Made, endless: Endless, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = if is_of_program(facts, made) {
        HitVerdict::Excused("A thread of the module or of the program's main function lives as long as the process.".to_string())
    } else if endless.shown {
        HitVerdict::Violation
    } else {
        HitVerdict::Look
    };
    let anchor = Anchor {
        stmt: made.stmt,
        span: facts.expr(made.call).span,
    };
    let verdict = kept::unless_cold(cx, verdict);
    let words = word(verdict == HitVerdict::Violation);
    let mut hit = Hit::new(&CHECK, anchor, verdict, words)
        .with_related(facts.stmt(endless.stmt).head, "the loop that nothing ends");
    hit.causes.push(facts.stmt(endless.stmt).head);
    out.hits.push(hit);
}

/// Made at import, or by `main`.
pub(super) fn is_of_program(facts: &Facts, made: &Made) -> bool {
    let at_module =
        facts.document.whole && facts.function_of(facts.stmt(made.stmt).scope).is_none();
    at_module || facts.function_name(made.stmt) == Some("main")
}

fn word(proven: bool) -> Words {
    Words::new(
        "The thread's loop has no way out.",
        "Nothing can ask it to end: shutdown hangs on it, or kills it in the middle of its work, and it keeps using what has been closed around it.",
        if proven {
            "Let the loop watch an `Event` (`while not self._stop.wait(...)`) or end on a sentinel, and set it in the stop method before the join."
        } else {
            "What ends this loop? Look for a flag, event or sentinel in the lines of it that are not shown."
        },
    )
}
