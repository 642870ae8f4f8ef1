//! The removal of a file that the failed work may never have made.

use super::CHECK;
use crate::facts::{Call, ExprId, Facts};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// Whether the call is such a removal, which is reported then.
pub(super) fn judge(cx: &Context<'_>, call: &Call<'_>, out: &mut Outcome) -> bool {
    let facts = cx.facts;
    let deletion = facts.deletion(*call).filter(|found| !found.is_tolerant);
    let Some(making) = deletion.and_then(|deletion| facts.may_be_unmade(&deletion)) else {
        return false;
    };
    let verdict = match facts.idle_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody waits for this clean-up: {reason}.")),
        None if facts.sees_enclosure(call.stmt()) => HitVerdict::Violation,
        None => HitVerdict::Look,
    };
    let words = word(facts, call, making);
    let mut hit = Hit::new(&CHECK, Anchor::call(call), verdict, words);
    let made = facts.expr(making).span;
    hit.causes.push(made);
    out.hits
        .push(hit.with_related(made, "where this fails there may be no file"));
    true
}

fn word(facts: &Facts, call: &Call<'_>, making: ExprId) -> Words {
    let tolerates = match facts.tolerates_by(call) {
        Some(keyword) => format!("`{keyword}=True`, or "),
        None => String::new(),
    };
    let maker = facts.call(making).map_or("", |call| call.name());
    Words::new(
        format!(
            "`{}` raises where `{maker}` failed before it made the file.",
            call.name()
        ),
        "Then `FileNotFoundError` of the clean-up takes the place of the error that tells what went wrong.",
        format!("Tolerate that it is missing: {tolerates}catch `FileNotFoundError`."),
    )
}
