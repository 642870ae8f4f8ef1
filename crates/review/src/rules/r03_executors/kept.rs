//! Pools and threads that a field of `self` keeps.

use crate::facts::{Closing, Facts, Fault, FaultKind, Holder, How, Made};
use crate::rules::{Anchor, Context, HitVerdict};

/// An object and the field that keeps it.
pub(super) struct Kept {
    pub(super) made: Made,
    pub(super) holder: Holder,
}

/// The executors and pools in fields.
pub(super) fn pools(facts: &Facts) -> Vec<Kept> {
    kept(facts, |made| made.resource.is_pool())
}

/// The objects in fields that pass a test.
pub(super) fn kept(facts: &Facts, test: impl Fn(&Made) -> bool) -> Vec<Kept> {
    facts
        .made()
        .iter()
        .filter(|made| test(made))
        .filter_map(|made| {
            Some(Kept {
                made: made.clone(),
                holder: facts.field_of(made)?,
            })
        })
        .collect()
}

/// A fault stands where the object is made or started; a stop that is passed by, where the change brought only the stop.
pub(super) fn anchor(facts: &Facts, made: Anchor, fault: &Fault) -> Anchor {
    match &fault.kind {
        FaultKind::Skipped(_, closing) => made.or_where_changed(
            facts,
            Anchor {
                stmt: closing.stmt,
                span: closing.span,
            },
        ),
        _ => made,
    }
}

/// Tests, examples and scripts end before their workers matter.
pub(super) fn unless_cold(cx: &Context<'_>, verdict: HitVerdict) -> HitVerdict {
    match (cx.facts.idle_file(cx.profile), verdict) {
        (Some(reason), HitVerdict::Violation | HitVerdict::Look) => {
            HitVerdict::Excused(format!("The process ends soon anyway: {reason}."))
        }
        (_, verdict) => verdict,
    }
}

/// A hang is one for whoever sits at the terminal, too: worth a question in a command-line tool, none in a test.
pub(super) fn unless_test(cx: &Context<'_>, verdict: HitVerdict) -> HitVerdict {
    match unless_cold(cx, verdict) {
        HitVerdict::Excused(_) if !cx.facts.is_test() && is_tool(&cx.facts.path) => {
            HitVerdict::Look
        }
        verdict => verdict,
    }
}

fn is_tool(path: &str) -> bool {
    topic::has_word(path, "cli")
}

/// The method that makes a pool ends it in its own `finally` or `with`: no object is left with a pool.
pub(super) fn ends_in_place(facts: &Facts, made: &Made, closing: &Closing) -> bool {
    let same = facts.stmt(closing.stmt).scope == facts.stmt(made.stmt).scope;
    same && (closing.how == How::With || facts.in_finally(closing.stmt))
}
