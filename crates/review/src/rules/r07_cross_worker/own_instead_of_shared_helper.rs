//! Clearing of a model's cache by hand, where the package has a function for it.

use super::deletes::deletes;
use crate::rules::{Check, Context, HitVerdict, Outcome, own_helper};
use report::Severity;
use topic::Role;

pub(super) const CHECK: Check = Check {
    id: own_helper::ID,
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "A model's cache is cleared by hand, if well, where the package has a function for it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let Some(helper) = own_helper::helper(cx, Role::CacheClear) else {
        return;
    };
    // A faulty removal is the subject of the other checks; what is right may still be a second version.
    for delete in deletes(cx).iter().filter(|delete| delete.faults.is_empty()) {
        let call = &delete.deletion.call;
        let function = cx.facts.function_of(call.scope());
        let clears = function.filter(|&function| {
            let says = [
                "clear cache",
                "clear model cache",
                "delete cache",
                "remove cache",
                "purge cache",
            ];
            delete.deletion.is_tree && own_helper::says(cx.facts, function, &says)
        });
        let hit = clears.and_then(|function| {
            let place = (function, call.stmt());
            own_helper::hit(cx, &CHECK, place, helper, HitVerdict::Violation)
        });
        out.hits.extend(hit);
    }
}
