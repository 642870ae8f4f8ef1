//! A temp file that a failed write leaves behind.

use crate::facts::{CacheProof, ExprId, Facts, Leads, Move, Temp, TempKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "temp-left-on-error",
    rule: 5,
    severity: Severity::Flag,
    references: &[],
    summary: "A temp file is written and moved into place, and nothing removes it when the write fails.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for moved in cx.facts.moves() {
        let Some(temp) = left_behind(cx, &moved) else {
            continue;
        };
        if cx.facts.is_removed_on_error(moved.from) {
            out.evidence(
                5,
                moved.call.span(),
                "removes the temp file when the write fails",
            );
        } else if let Some(verdict) = verdict(cx, &moved, temp) {
            let words = word(cx, moved.from);
            let mut hit = Hit::new(&CHECK, Anchor::call(&moved.call), verdict, words);
            hit.causes.push(cx.facts.expr(temp.made).span);
            out.hits
                .push(hit.with_related(cx.facts.expr(temp.made).span, "made here"));
        }
    }
}

/// The temp name, if this function made it and it does not go away by itself.
fn left_behind(cx: &Context<'_>, moved: &Move<'_>) -> Option<Temp> {
    let facts = cx.facts;
    let temp = facts.temp(moved.from)?;
    let same_function = facts.canonical(facts.expr(temp.made).scope)
        == facts.canonical(facts.expr(moved.from).scope);
    // A move out of the system's temp folder is wrong as such; a fixed name is written over by the next attempt.
    let counts = matches!(temp.kind, TempKind::Beside | TempKind::Unique);
    let stays = same_function && counts && !temp.removes_itself;
    (stays && !is_link(facts, moved.from)).then_some(temp)
}

/// A link is there at once: nothing of it can be half-written, and its rename seldom fails.
fn is_link(facts: &Facts, path: ExprId) -> bool {
    facts.calls_beside(facts.expr(path).stmt).any(|call| {
        let made = match call.method() {
            Some("symlink_to" | "hardlink_to") => call.receiver(),
            _ => call
                .arg(1, "dst")
                .filter(|_| call.is(&["os.symlink", "os.link"])),
        };
        made.is_some_and(|made| facts.is_same_path(made, path))
    })
}

fn verdict(cx: &Context<'_>, moved: &Move<'_>, temp: Temp) -> Option<HitVerdict> {
    let visible = cx.facts.sees_all_of(moved.call.stmt());
    let verdict = match cx.facts.leads(moved.to, cx.profile) {
        Leads::Cache(CacheProof::Flows | CacheProof::Says) if visible => HitVerdict::Violation,
        Leads::Cache(_) => HitVerdict::Look,
        // A temp file beside its target is made for readers who share the folder.
        Leads::Unknown if temp.kind == TempKind::Beside => HitVerdict::Look,
        _ => return None,
    };
    Some(cx.where_shared(verdict))
}

fn word(cx: &Context<'_>, from: ExprId) -> Words {
    let from = cx.facts.expr_text(from);
    Words::new(
        format!("`{from}` stays behind when the write or the replace fails."),
        "Each failed attempt (a full disk, a broken download) leaves another temp file in the shared folder, and nothing ever removes them.",
        format!(
            "Wrap write and replace in `try`, and remove `{from}` in an `except BaseException: ...; raise` or in `finally`."
        ),
    )
}
