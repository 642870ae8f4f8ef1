//! Two writers share one temp name.

use crate::facts::{ExprId, Facts, Leads, Move, Temp, TempKind, Write};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "fixed-temp-name",
    rule: 5,
    severity: Severity::Block,
    references: &[],
    summary: "The temp name is the target with a constant suffix, so that two writers share it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for moved in cx.facts.moves() {
        let Some(temp) = cx.facts.temp(moved.from) else {
            continue;
        };
        let shared = matches!(
            cx.facts.leads(moved.to, cx.profile),
            Leads::Cache(_) | Leads::Unknown
        );
        if temp.kind != TempKind::Fixed || !shared {
            continue;
        }
        if cx.facts.is_file_locked(moved.call.stmt()) {
            out.evidence(
                5,
                moved.call.span(),
                "one writer at a time uses the temp name",
            );
            continue;
        }
        if is_made_exclusively(cx.facts, &moved) {
            out.evidence(
                5,
                moved.call.span(),
                "a second writer cannot open the temp name",
            );
            continue;
        }
        let anchor = anchor(cx.facts, &moved, temp);
        let known = out
            .hits
            .iter()
            .any(|hit| hit.check.id == CHECK.id && hit.anchor == anchor);
        if !known {
            out.hits.push(hit(cx, &moved, anchor));
        }
    }
}

/// The place where the name is made: that is the line to change. Where it is composed anew each time, the write.
fn anchor(facts: &Facts, moved: &Move<'_>, temp: Temp) -> Anchor {
    let (from, scope) = (facts.expr(moved.from).span, moved.call.scope());
    let is_written = |write: &Write<'_>| {
        write.call.scope() == scope
            && facts.expr(write.path).span.start < from.start
            && facts.is_same_path(write.path, moved.from)
    };
    if temp.made == moved.from
        && let Some(write) = facts.writes().find(is_written)
    {
        return Anchor::call(&write.call);
    }
    Anchor::expr(facts, temp.made)
}

/// `os.open(temp, O_CREAT | O_EXCL)` or `open(temp, "x")`: whoever comes second fails, and nothing is mixed.
fn is_made_exclusively(facts: &Facts, moved: &Move<'_>) -> bool {
    facts.calls_of(moved.call.scope()).any(|call| {
        let opened = call.positional(0).or(call.receiver());
        let is_temp = |of: ExprId| facts.is_same_path(of, moved.from);
        call.name() == "open"
            && facts.opens_exclusively(&call)
            && (opened.is_some_and(is_temp) || call.receiver().is_some_and(is_temp))
    })
}

fn hit(cx: &Context<'_>, moved: &Move<'_>, anchor: Anchor) -> Hit {
    let verdict = cx.where_shared(HitVerdict::Look);
    let mut hit = Hit::new(&CHECK, anchor, verdict, word(cx, moved));
    hit.causes.push(moved.call.span());
    hit.with_related(moved.call.span(), "moved onto the final name here")
}

fn word(cx: &Context<'_>, moved: &Move<'_>) -> Words {
    let (from, to) = (cx.facts.expr_text(moved.from), cx.facts.expr_text(moved.to));
    Words::new(
        format!("`{from}` is the same temp name for each writer of `{to}`."),
        "Two workers that write at the same time put their bytes into one file, and the replace publishes the mixture; one of them can also move it away under the other.",
        "Can two workers write this file at once? Put something of the writer's own into the name (`tempfile.mkstemp` in the same folder, pid, uuid), or hold a file lock from the first byte to the replace.",
    )
}
