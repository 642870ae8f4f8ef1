//! An acquire whose release can be missed: something between the two raises or leaves.

use super::cancelled_awaits::lost_on_cancel;
use super::escape::{escapes, skips_release};
use super::slots::{LostSlot, lost_slots};
use super::stored_locks::unprotected;
use super::unawaited;
use crate::facts::{
    Call, ExprKind, Facts, Held, Kind, Proof, ScopeId, Span, StmtId, StmtKind, Taken,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "acquire-without-release",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "An acquired lock is not given back on every path: its release stands in no `finally` and no context manager.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for held in cx.facts.held() {
        if let Taken::Acquire(id) = held.taken
            && let Some(call) = cx.facts.call(id)
        {
            judge(cx, held, &call, out);
        }
    }
    for release in cx
        .facts
        .calls()
        .filter(|call| call.method() == Some("release"))
    {
        if let Some(raising) = raise_before(cx.facts, &release) {
            out.hits.push(skipped(cx, &release, raising));
        }
    }
    detect_paired(cx, out);
    unawaited::detect(cx, out);
}

/// Locks that are rows of a store, and slots that one helper takes and another gives back.
fn detect_paired(cx: &Context<'_>, out: &mut Outcome) {
    for acquire in cx.facts.calls_named("acquire") {
        if let Some(found) = unprotected(cx.facts, &acquire) {
            let (leaves, release) = (cx.facts.stmt(found.leaves).head, found.release.span());
            let what = acquire.callee().trim_end_matches(".acquire");
            let words = word_paired(&format!("What `{what}` has given out"), "`release`");
            let hit = paired(cx, Anchor::call(&acquire), words, leaves);
            out.hits
                .push(hit.with_related(release, "given back only here"));
        }
    }
    for slot in lost_slots(cx.facts) {
        let LostSlot {
            taken: stmt, span, ..
        } = slot;
        let words = word_paired(
            &format!("The slot of `{}`", slot.lock),
            "what gives it back",
        );
        let leaves = cx.facts.stmt(slot.raises).head;
        let raises = Anchor::stmt(cx.facts, slot.raises);
        let anchor = Anchor { stmt, span }.or_where_changed(cx.facts, raises);
        let mut hit = paired(cx, anchor, words, leaves);
        // What an await can do to it no plain call could.
        hit.subject = cx
            .facts
            .awaits(slot.raises)
            .then(|| "cancelled".to_string());
        out.hits
            .push(hit.with_related(slot.given_back, "given back from here on"));
    }
}

fn paired(cx: &Context<'_>, anchor: Anchor, words: Words, leaves: Span) -> Hit {
    let verdict = match cx.facts.cold_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody else needs the lock: {reason}.")),
        None => HitVerdict::Look,
    };
    let mut hit = Hit::new(&CHECK, anchor, verdict, words)
        .with_related(leaves, "an error here passes the release by");
    hit.causes.push(leaves);
    hit
}

fn word_paired(what: &str, release: &str) -> Words {
    Words::new(
        format!("{what} is lost when something raises before {release}."),
        "Nothing gives it back then: each failure takes one away for good, until everybody waits.",
        "Put the release into a `finally` right behind the acquire. If another part gives it back later, release it here in an `except BaseException: ...; raise` until that part has taken over.",
    )
}

fn judge(cx: &Context<'_>, held: &Held, call: &Call<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let Some(fault) = fault(facts, held, call) else {
        if held.release.is_some() {
            out.evidence(2, call.span(), "the release runs on every path");
        }
        return;
    };
    let verdict = match (facts.cold_file(cx.profile), held.lock.proof, &fault) {
        (Some(reason), ..) => HitVerdict::Excused(format!("Nobody else needs the lock: {reason}.")),
        (None, Proof::Named, _) | (None, _, Fault::Unseen | Fault::Cancelled(_)) => {
            HitVerdict::Look
        }
        (None, Proof::Proven, _) => HitVerdict::Violation,
    };
    let words = word(facts, held, &fault);
    let mut hit = Hit::new(&CHECK, Anchor::call(call), verdict, words);
    if let Some(escape) = fault.escape() {
        let span = facts.stmt(escape).head;
        hit = hit.with_related(span, "leaves the lock held");
        hit.causes.push(span);
    }
    out.hits.push(hit);
}

/// The `raise` in front of a release whose acquire stands in another method: what was acquired there stays held.
fn raise_before(facts: &Facts, release: &Call<'_>) -> Option<StmtId> {
    let lock = facts.lock(release.receiver()?)?;
    let stmt = release.stmt();
    let scope = facts.stmt(stmt).scope;
    let is_paired = facts
        .held()
        .iter()
        .any(|held| held.scope == scope && held.lock.is_same(&lock));
    let is_safe = facts.in_finally(stmt) || facts.enclosing_handler(stmt).is_some();
    if is_paired || is_safe || lock.kind == Kind::FileLock {
        return None;
    }
    let block = facts.block_of(stmt);
    let before: Vec<StmtId> = block.iter().copied().take_while(|&s| s != stmt).collect();
    facts.statements_in(&before).into_iter().find(|&other| {
        matches!(facts.stmt(other).kind, StmtKind::Raise)
            && facts.protecting_tries(other).next().is_none()
            && facts.enclosing_handler(other).is_none()
    })
}

fn skipped(cx: &Context<'_>, release: &Call<'_>, raising: StmtId) -> Hit {
    let facts = cx.facts;
    let lock = facts.shown(release.receiver().unwrap_or(release.id));
    let span = facts.stmt(raising).head;
    let verdict = match facts.cold_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody else needs the lock: {reason}.")),
        None => HitVerdict::Look,
    };
    let words = Words::new(
        format!("The release of `{lock}` is skipped where the lines before it raise."),
        "Whoever acquired it elsewhere counts on this release; without it one slot less is there for the rest of the process.",
        "Does somebody release it when this raises? If not, release first, or in a `finally`.",
    );
    let mut hit = Hit::new(&CHECK, Anchor::call(release), verdict, words)
        .with_related(span, "leaves before the release");
    hit.causes.push(span);
    hit
}

/// How the release is missed.
enum Fault {
    /// A statement between acquire and release raises or leaves.
    Escape(StmtId),
    /// Another method or worker releases; this one fails before it has handed the lock on.
    HandOver(StmtId),
    /// Handlers release it after an error, but a cancelled await passes them by.
    Cancelled(StmtId),
    /// No release is there at all.
    Never,
    /// No release is shown, but one could stand in text that is not.
    Unseen,
}

impl Fault {
    fn escape(&self) -> Option<StmtId> {
        match self {
            Fault::Escape(stmt) | Fault::HandOver(stmt) | Fault::Cancelled(stmt) => Some(*stmt),
            Fault::Never | Fault::Unseen => None,
        }
    }
}

fn fault(facts: &Facts, held: &Held, call: &Call<'_>) -> Option<Fault> {
    let cancelled = || lost_on_cancel(facts, held).map(Fault::Cancelled);
    fault_of_errors(facts, held, call).or_else(cancelled)
}

fn fault_of_errors(facts: &Facts, held: &Held, call: &Call<'_>) -> Option<Fault> {
    if held.release.is_some() {
        let escape = held.unguarded.iter().find(|&&stmt| escapes(facts, stmt));
        return escape.map(|&stmt| Fault::Escape(stmt));
    }
    if matches!(facts.stmt(call.stmt()).kind, StmtKind::Return(_)) || is_latch(facts, call) {
        return None;
    }
    if facts.is_acquirer(call.stmt()) || is_released_elsewhere(facts, held, call.scope()) {
        let failing = held
            .unguarded
            .iter()
            .find(|&&stmt| skips_release(facts, stmt));
        return failing.map(|&stmt| Fault::HandOver(stmt));
    }
    if facts.leads_into_cut_try(call.stmt()) {
        return None;
    }
    let seen = owner_is_visible(facts, held, call);
    Some(if seen { Fault::Never } else { Fault::Unseen })
}

/// `acquire(blocking=False)` that is never given back lets through the first caller only; nobody waits for it.
fn is_latch(facts: &Facts, call: &Call<'_>) -> bool {
    let blocking = call.keyword("blocking").or_else(|| call.positional(0));
    blocking.is_some_and(|value| matches!(facts.expr(value).kind, ExprKind::False))
}

/// Whether any other function releases it, or is handed its release.
fn is_released_elsewhere(facts: &Facts, held: &Held, own: ScopeId) -> bool {
    let releases = facts.exprs_named("release");
    let mut others = releases.filter(|&id| facts.expr(id).scope != own);
    others.any(|id| {
        let Some((object, _)) = facts.attribute(id) else {
            return false;
        };
        // `worker._exit_lock = exit_lock` keeps it under its own name.
        let plain = |id| facts.last_name(id).map(|name| name.trim_start_matches('_'));
        let same_name = plain(object) == plain(held.lock.expr);
        same_name
            || facts
                .lock(object)
                .is_some_and(|lock| lock.is_same(&held.lock))
    })
}

fn owner_is_visible(facts: &Facts, held: &Held, call: &Call<'_>) -> bool {
    let is_attribute = facts.self_attribute(held.lock.expr).is_some();
    match facts.class_of(call.scope()) {
        Some(class) if is_attribute => facts.is_visible(class),
        _ => facts.document.whole,
    }
}

fn word(facts: &Facts, held: &Held, fault: &Fault) -> Words {
    let lock = facts.shown(held.lock.expr);
    let head = |stmt: StmtId| first_line(facts, facts.stmt(stmt).head);
    match fault {
        Fault::Escape(stmt) => Words::new(
            format!("`{lock}` stays held if `{}` raises or leaves.", head(*stmt)),
            "The release behind it is then never reached, and every later caller waits for a lock that nobody holds any more.",
            "Take the lock with a context manager, or put a `try` right behind the acquire and the release into its `finally`.",
        ),
        Fault::HandOver(stmt) => Words::new(
            format!(
                "`{lock}` stays held if `{}` raises: the one who should release it is never told.",
                head(*stmt)
            ),
            "The acquire has succeeded by then, but the caller sees only the error and has nothing to give back.",
            "Release it in an `except BaseException: ...; raise` around what follows the acquire in this method.",
        ),
        Fault::Cancelled(stmt) => Words::new(
            format!("`{lock}` stays held if `{}` is cancelled.", head(*stmt)),
            "A cancellation or a timeout of the caller is no `Exception`: the handler that releases does not see it, and each one takes a slot away for good.",
            "Release in a `finally`, or in an `except BaseException: ...; raise`.",
        ),
        Fault::Never => Words::new(
            format!("`{lock}` is acquired and never released."),
            "The second caller waits for ever.",
            "Take it with a context manager, or release it in a `finally`.",
        ),
        Fault::Unseen => Words::new(
            format!("`{lock}` is acquired, and no release is in the shown text."),
            "A lock that is not given back on every path stops whoever needs it next.",
            "Look for its release: does it stand in a `finally`, or can an error in between skip it?",
        ),
    }
}

/// Enough of a statement to know it by.
fn first_line(facts: &Facts, span: Span) -> String {
    let line = facts.text(span).lines().next().unwrap_or("").trim();
    match line.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line)),
        None => line.to_string(),
    }
}
