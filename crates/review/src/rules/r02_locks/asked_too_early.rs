//! What was true under a lock is acted on after the lock was given back, or before it is taken.

use crate::facts::{
    Call, ExprId, ExprKind, Facts, Held, Kind, Proof, Reach, Span, StmtId, StmtKind, Taken,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "asked-outside-lock",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A test and what it allows are not done under one hold of the lock: another thread comes in between.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for held in facts.held().iter().filter(|held| is_of_threads(held)) {
        if let Some(asked) = asks_locked(facts, held) {
            push(cx, held, asked, word_locked(facts, held), out);
        } else if let Some((asked, field)) = asked_before(facts, held) {
            push(cx, held, asked, word_stale(facts, held, &field), out);
        } else if let Some((asked, field)) = asked_free(facts, held) {
            push(cx, held, asked, word_free(facts, held, &field), out);
        }
    }
}

fn is_of_threads(held: &Held) -> bool {
    let plain = matches!(held.lock.kind, Kind::ThreadLock | Kind::ReentrantLock);
    plain && held.lock.proof == Proof::Proven && !matches!(held.taken, Taken::Decorator(_))
}

/// `if self._busy.locked(): return` in front of `with self._busy:`.
fn asks_locked(facts: &Facts, held: &Held) -> Option<Span> {
    let is_it = |call: &Call<'_>| {
        let lock = call.receiver().and_then(|of| facts.lock(of));
        call.scope() == held.scope && lock.is_some_and(|lock| lock.is_same(&held.lock))
    };
    let blocks = match held.taken {
        Taken::Acquire(id) => facts.call(id).is_some_and(|call| call.args.is_empty()),
        _ => true,
    };
    let mut asked = facts.calls_named("locked").filter(is_it);
    let found = asked.find(|call| {
        let is_test = matches!(facts.stmt(call.stmt()).kind, StmtKind::If { .. });
        is_test && call.span().start < held.span.start && decides(facts, call.stmt(), held.stmt)
    })?;
    blocks.then_some(found.span())
}

/// The `if` stands around a statement, or leaves in front of it.
fn decides(facts: &Facts, test: StmtId, then: StmtId) -> bool {
    let StmtKind::If { body, .. } = &facts.stmt(test).kind else {
        return false;
    };
    let is_around = facts.ancestors(then).any(|around| around.stmt == test);
    is_around || (facts.always_leaves(body) && facts.always_before(test, then))
}

/// The statement of an earlier region that reads the field which this one changes, where a test of what was read decides.
fn asked_before(facts: &Facts, held: &Held) -> Option<(Span, String)> {
    let before = facts.held().iter().filter(|other| {
        other.scope == held.scope
            && other.lock.is_same(&held.lock)
            && other.span.end <= held.span.start
            && !other.holds(held.stmt)
    });
    let read = before.flat_map(|other| other.body.iter().copied());
    read.filter_map(|stmt| {
        let (name, value) = kept_answer(facts, stmt)?;
        let field = changed_field(facts, held, value)?;
        let is_tested = is_decided_by(facts, held, name, stmt);
        (is_tested && !asks_again(facts, held, &field)).then(|| (facts.stmt(stmt).head, field))
    })
    .next()
}

/// `enough = self._balance >= amount`: the local name and what it was asked of.
fn kept_answer(facts: &Facts, stmt: StmtId) -> Option<(&str, ExprId)> {
    match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            augmented: false,
            ..
        } => Some((facts.name(*targets.first()?)?, *value)),
        _ => None,
    }
}

/// The field among what was asked that the region counts up or down, or takes from.
fn changed_field(facts: &Facts, held: &Held, asked: ExprId) -> Option<String> {
    let fields = facts
        .within(asked)
        .filter(|&id| facts.reach(id) != Reach::Local && facts.dotted(id).is_some());
    let names: Vec<String> = fields.filter_map(|id| facts.dotted(id)).collect();
    let counts = facts
        .within(asked)
        .any(|id| facts.call(id).is_some_and(|call| call.callee() == "len"));
    let changed = held.body.iter().flat_map(|&stmt| match counts {
        true => [changes(facts, stmt), facts.changed_by(stmt)].concat(),
        false => changes(facts, stmt),
    });
    changed
        .filter_map(|id| facts.dotted(id))
        .find(|name| name != "self" && names.contains(name))
}

/// What a statement adds to, or takes out of. That a value is put in its place again may be meant.
fn changes(facts: &Facts, stmt: StmtId) -> Vec<ExprId> {
    let root = |id: ExprId| match facts.expr(id).kind {
        ExprKind::Subscript { object, .. } => object,
        _ => id,
    };
    let mut found: Vec<ExprId> = match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            augmented: true,
            ..
        } => targets.iter().map(|&target| root(target)).collect(),
        StmtKind::Delete(gone) => gone.iter().map(|&target| root(target)).collect(),
        _ => Vec::new(),
    };
    let by_call = facts.calls_in(stmt).filter_map(|call| {
        let takes = matches!(
            call.method(),
            Some("popleft" | "popitem" | "append" | "remove")
        ) || (call.method() == Some("pop") && call.args.len() < 2);
        takes.then(|| call.receiver()).flatten()
    });
    found.extend(by_call);
    found
}

/// An `if` over the name lets only some come to the region.
fn is_decided_by(facts: &Facts, held: &Held, name: &str, since: StmtId) -> bool {
    let asks = |stmt: StmtId| match facts.stmt(stmt).kind {
        StmtKind::If { test, .. } => facts.within(test).any(|id| facts.name(id) == Some(name)),
        _ => false,
    };
    facts.statements_of(held.scope).any(|stmt| {
        stmt > since && stmt < held.stmt && asks(stmt) && decides(facts, stmt, held.stmt)
    })
}

/// `if key in self._rows: return False` with no lock, in front of a region that puts the entry: two callers come through.
fn asked_free(facts: &Facts, held: &Held) -> Option<(Span, String)> {
    let put: Vec<String> = held
        .body
        .iter()
        .flat_map(|&stmt| facts.changed_by(stmt))
        .filter(|&id| facts.reach(id) != Reach::Local)
        .filter_map(|id| facts.dotted(id))
        .collect();
    let before = facts
        .statements_of(held.scope)
        .filter(|&stmt| stmt < held.stmt);
    before
        .filter(|&stmt| facts.held_at(stmt).next().is_none())
        .find_map(|stmt| {
            let field = refused_for(facts, stmt, &put)?;
            let counts = decides(facts, stmt, held.stmt) && !asks_again(facts, held, &field);
            counts.then(|| (facts.stmt(stmt).head, field))
        })
}

/// The field that an `if` asks before it refuses. One that answers with what the field holds makes what is missing.
fn refused_for(facts: &Facts, stmt: StmtId, put: &[String]) -> Option<String> {
    let StmtKind::If { test, body, .. } = &facts.stmt(stmt).kind else {
        return None;
    };
    let mentions = |id: ExprId| facts.dotted(id).filter(|name| put.contains(name));
    let answers = facts
        .statements_in(body)
        .into_iter()
        .any(|inner| facts.exprs_of(inner).any(|id| mentions(id).is_some()));
    let is_asked = |id: ExprId| matches!(facts.expr(id).kind, ExprKind::Compare { .. });
    let asks = facts.within(*test).any(is_asked) && facts.always_leaves(body) && !answers;
    asks.then(|| facts.within(*test).find_map(mentions))
        .flatten()
}

fn asks_again(facts: &Facts, held: &Held, field: &str) -> bool {
    held.body.iter().any(|&stmt| match facts.stmt(stmt).kind {
        StmtKind::If { test, .. } | StmtKind::While { test, .. } => facts
            .within(test)
            .any(|id| facts.dotted(id).as_deref() == Some(field)),
        _ => false,
    })
}

fn push(cx: &Context<'_>, held: &Held, asked: Span, words: Words, out: &mut Outcome) {
    let verdict = match cx.facts.cold_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody else needs the lock: {reason}.")),
        None => HitVerdict::Look,
    };
    let anchor = Anchor {
        stmt: held.stmt,
        span: held.span,
    };
    let mut hit = Hit::new(&CHECK, anchor, verdict, words).with_related(asked, "asked here");
    hit.causes.push(asked);
    out.hits.push(hit);
}

fn word_locked(facts: &Facts, held: &Held) -> Words {
    let lock = facts.shown(held.lock.expr);
    Words::new(
        format!("`{lock}` is asked whether it is free, and taken in a second step."),
        "Two threads can both find it free: the second one then waits where it should have left.",
        format!("Take it with `{lock}.acquire(blocking=False)` and let the answer decide."),
    )
}

fn word_free(facts: &Facts, held: &Held, field: &str) -> Words {
    let lock = facts.shown(held.lock.expr);
    Words::new(
        format!(
            "`{field}` is asked before `{lock}` is taken, and changed under it without asking again."
        ),
        "Two threads can both get the answer that lets them on: the second puts its entry over the first one's, and both take it for theirs.",
        "Ask and change under one hold of the lock.",
    )
}

fn word_stale(facts: &Facts, held: &Held, field: &str) -> Words {
    let lock = facts.shown(held.lock.expr);
    Words::new(
        format!(
            "`{field}` was asked under `{lock}` before, and is changed under a second hold of it without asking again."
        ),
        "Between the two another thread can come by with the same answer: both act on what is there for one.",
        "Ask and change under one hold of the lock, or ask again where it is changed.",
    )
}
