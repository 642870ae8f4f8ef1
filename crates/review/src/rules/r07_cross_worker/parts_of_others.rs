//! A sweep that removes all unfinished files of a folder, those that other workers are writing among them.

use crate::facts::{Call, Deletion, ExprId, Facts, Piece, TempKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "parts-of-others-removed",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "All unfinished files of a folder are removed, whatever their age, while other workers write theirs there.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for deletion in facts.deletions().filter(|deletion| !deletion.is_tree) {
        let stmt = deletion.call.stmt();
        let Some(suffix) = swept_suffix(facts, &deletion) else {
            continue;
        };
        if asks_age(facts, &deletion) || facts.is_file_locked(stmt) {
            continue;
        }
        if let Some(made) = made_elsewhere(facts, &deletion, suffix) {
            let verdict = cx.where_shared(HitVerdict::Violation);
            let words = word(facts, &deletion, suffix);
            let hit = Hit::new(&CHECK, Anchor::call(&deletion.call), verdict, words);
            out.hits
                .push(hit.with_related(facts.expr(made).span, "such a file is made here"));
        }
    }
}

/// `.part` of `folder.glob("*.part")`, through which the removed file was found.
fn swept_suffix<'f>(facts: &'f Facts, deletion: &Deletion<'_>) -> Option<&'f str> {
    let listing = facts.call(facts.roots(deletion.path).listed?)?;
    let pattern = listing
        .args
        .iter()
        .find_map(|arg| pattern(facts, arg.value))?;
    let (_, suffix) = pattern.rsplit_once('*')?;
    let is_part = matches!(
        suffix,
        ".part" | ".tmp" | ".temp" | ".partial" | ".incomplete" | ".download"
    );
    is_part.then_some(suffix)
}

fn pattern(facts: &Facts, id: ExprId) -> Option<&str> {
    if let Some(text) = facts.string(id) {
        return Some(text);
    }
    match facts.pieces(id)?.last()? {
        Piece::Text(text) => Some(facts.text(*text)),
        Piece::Value(value) => facts.string(*value),
    }
}

/// Something in the function tells how old a file is.
fn asks_age(facts: &Facts, deletion: &Deletion<'_>) -> bool {
    let says = |call: &Call<'_>| {
        topic::has_word(
            call.name(),
            "stat getmtime getctime time old age stale expired",
        )
    };
    facts
        .calls_beside(deletion.call.stmt())
        .any(|call| says(&call))
}

/// Where a name of this kind is made that each writer has for itself.
fn made_elsewhere(facts: &Facts, deletion: &Deletion<'_>, suffix: &str) -> Option<ExprId> {
    let own = deletion.call.scope();
    let ends = |id: ExprId| {
        let last = facts.pieces(id).and_then(|pieces| pieces.last().copied());
        match last {
            Some(Piece::Text(text)) => facts.text(text).ends_with(suffix),
            _ => false,
        }
    };
    let is_unique = |id: ExprId| {
        let temp = facts.temp(id);
        temp.is_some_and(|temp| temp.kind == TempKind::Unique)
    };
    let composed = facts.compositions().iter().copied();
    let mut composed = composed.filter(|&id| facts.expr(id).scope != own);
    composed.find(|&id| ends(id) && is_unique(id)).or_else(|| {
        let mut makers = facts.calls().filter(|call| call.is(&["tempfile.mkstemp"]));
        let of_kind = |call: &Call<'_>| {
            let given = call.keyword("suffix").and_then(|given| facts.string(given));
            call.keyword("dir").is_some() && given == Some(suffix)
        };
        makers.find(of_kind).map(|call| call.id)
    })
}

fn word(facts: &Facts, deletion: &Deletion<'_>, suffix: &str) -> Words {
    let path = facts.expr_text(deletion.path);
    Words::new(
        format!("`{path}` may be a `{suffix}` file that another worker is writing right now."),
        "The sweep takes every unfinished file for a left-over: the worker that is about to rename its own finds it gone, and fails or loses the entry.",
        "Remove only those that are older than any write can last, or names of this process.",
    )
}
