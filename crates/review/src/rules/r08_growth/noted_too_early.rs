//! A key that is noted for eviction before what it names is there: a load that fails leaves the note.

use super::eviction_misses_structure::CHECK;
use super::removal::put_key;
use crate::facts::{Call, Container, Facts, Kind, StmtId, Use, UseKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for notes in facts.containers().iter().filter(|one| keeps_order(one)) {
        let early = notes.uses.iter().find_map(|of| early(facts, notes, of));
        if let Some(early) = early {
            report(cx, notes, &early, out);
        }
    }
}

/// A list, deque or set of keys from which something is taken out.
fn keeps_order(container: &Container) -> bool {
    let lists = matches!(container.kind, Kind::List | Kind::Deque | Kind::Set);
    lists && container.uses.iter().any(|of| of.kind == UseKind::Shrink)
}

struct Early<'c> {
    note: &'c Use,
    load: StmtId,
    kept: &'c Container,
}

/// The note of a key, a step behind it that fails at times, and the entry under the same key.
fn early<'c>(facts: &'c Facts, notes: &Container, note: &'c Use) -> Option<Early<'c>> {
    let key = facts.expr_text(put_key(facts, note).filter(|_| note.kind == UseKind::Append)?);
    let scope = facts.stmt(note.stmt).scope;
    let (kept, entry) = facts.containers().iter().find_map(|other| {
        let entry = other.uses.iter().find(|of| {
            let same = matches!(of.kind, UseKind::Insert(by) if facts.expr_text(by) == key);
            same && facts.stmt(of.stmt).scope == scope && facts.always_before(note.stmt, of.stmt)
        })?;
        let together = other.owner == notes.owner && other.kind == Kind::Dict;
        (together && other.name != notes.name).then_some((other, entry))
    })?;
    let load = facts
        .statements_of(scope)
        .filter(|&stmt| stmt > note.stmt && stmt <= entry.stmt)
        .find(|&stmt| facts.calls_in(stmt).any(|call| loads(&call)) && !is_caught(facts, stmt))?;
    Some(Early { note, load, kept })
}

fn loads(call: &Call<'_>) -> bool {
    topic::begins_with_word(
        call.name(),
        "load fetch download open connect build create make read compile render \
         query spawn start",
    )
}

fn is_caught(facts: &Facts, stmt: StmtId) -> bool {
    facts.protecting_tries(stmt).next().is_some() || facts.finally_blocks(stmt).next().is_some()
}

fn report(cx: &Context<'_>, notes: &Container, early: &Early<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let step = facts.stmt(early.load).head;
    let words = Words::new(
        format!(
            "`{}` notes the key before `{}` has what it stands for.",
            notes.name, early.kept.name
        ),
        "When the step in between fails, the note stays: each further try adds one more, and an eviction later takes out a key that is not there, and so nothing.",
        "Note the key behind the step that can fail, together with the entry, or take it back in an `except`.",
    );
    let anchor = Anchor::stmt(facts, early.note.stmt);
    let verdict = cx.where_shared(HitVerdict::Look);
    let mut hit = Hit::new(&CHECK, anchor, verdict, words).with_related(step, "can fail");
    hit.causes.push(step);
    out.hits.push(hit);
}
