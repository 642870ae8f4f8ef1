//! An atomic write by hand where the package has a helper for it.

use crate::facts::{Leads, Move, Temp, TempKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words, own_helper};
use report::Severity;
use topic::{Role, SharedHelper};

pub(super) const CHECK: Check = Check {
    id: own_helper::ID,
    rule: 5,
    severity: Severity::Flag,
    references: &[],
    summary: "A temp file and a replace by hand, where the package has an atomic writer.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let Some(helper) = own_helper::helper(cx, Role::AtomicWrite) else {
        return;
    };
    for moved in cx.facts.moves() {
        if by_hand(cx, &moved).is_some() && is_written_here(cx, &moved) {
            let verdict = cx.where_shared(HitVerdict::Violation);
            let words = word(helper);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&moved.call), verdict, words));
        }
    }
}

/// The temp name of a move onto a cache path, if this function makes it.
fn by_hand(cx: &Context<'_>, moved: &Move<'_>) -> Option<Temp> {
    let facts = cx.facts;
    let temp = facts.temp(moved.from)?;
    let beside = matches!(temp.kind, TempKind::Beside | TempKind::Unique);
    let here = facts.canonical(facts.expr(temp.made).scope)
        == facts.canonical(facts.expr(moved.from).scope);
    let in_cache = matches!(facts.leads(moved.to, cx.profile), Leads::Cache(_));
    (beside && here && in_cache).then_some(temp)
}

/// Whether the same function opens the temp file and writes it: a download or a build has no helper.
fn is_written_here(cx: &Context<'_>, moved: &Move<'_>) -> bool {
    let facts = cx.facts;
    let here = facts.stmt(moved.call.stmt()).scope;
    let mut calls = facts
        .statements_of(here)
        .flat_map(|stmt| facts.calls_in(stmt));
    calls.any(|call| {
        let writes = call.is(&["json.dump", "pickle.dump", "yaml.dump"])
            || matches!(
                call.method(),
                Some("write" | "writelines" | "write_text" | "write_bytes")
            );
        writes && !facts.in_loop(call.stmt())
    })
}

fn word(helper: &SharedHelper) -> Words {
    let name = &helper.name;
    Words::new(
        format!("This is what `{name}` does, written again."),
        "A second version of the same steps drifts: the next fix (fsync, clean-up, rights) reaches one of them.",
        format!(
            "Write through `{name}` or one of its like, where this revision has them in `{}`.",
            helper.defined_in
        ),
    )
}
