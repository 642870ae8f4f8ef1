//! Tests for a known key that the change takes away from before an insertion.
//!
//! `if line not in self._lines: return` bounds what `self._windows[line] = ...` makes: there are as many entries as lines.
//! Where a diff deletes the test and keeps the insertion, whatever comes makes an entry.

use super::mentions::{filled, is_tended};
use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{ExprId, ExprKind, Facts, Part, StmtId, StmtKind};
use crate::rules::{Anchor, Hit, HitVerdict, UNBOUNDED_CACHE, Words};

/// Hits at insertions that have lost their test, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let &Sides { old, new, .. } = sides;
    let mut losses: Vec<Loss> = Vec::new();
    for stmt in old.changed_stmts() {
        let Some(test) = membership(old.facts, stmt) else {
            continue;
        };
        let found = unlimited(old, new, stmt, &test);
        let known =
            |at: StmtId| losses.iter().any(|loss| loss.hit.anchor.stmt == at) || is_told(sides, at);
        if let Some((at, name)) = found.filter(|(at, _)| !known(*at)) {
            losses.push(Loss::with(stmt, hit(new.facts, at, &name, &test)));
        }
    }
    losses
}

/// `if key not in known: return`, or `if key in known:` around what needs it.
struct Test {
    key: String,
    known: String,
    /// What is bounded stands in the body, not behind it.
    around: bool,
}

fn membership(facts: &Facts, stmt: StmtId) -> Option<Test> {
    let StmtKind::If { test, body, .. } = &facts.stmt(stmt).kind else {
        return None;
    };
    facts.within(*test).find_map(|id| {
        let ExprKind::Compare {
            operands,
            operators,
        } = &facts.expr(id).kind
        else {
            return None;
        };
        let ([key, known], [operator]) = (&operands[..], &operators[..]) else {
            return None;
        };
        let operator = facts.text(*operator).split_whitespace().collect::<Vec<_>>();
        let refuses = operator == ["not", "in"] && facts.always_leaves(body);
        let is_set = facts.self_attribute(*known).is_some() || facts.is_constant_name(*known);
        let found = Test {
            key: facts.expr_text(*key).to_owned(),
            known: facts.dotted(*known)?,
            around: !refuses,
        };
        (is_set && (refuses || operator == ["in"])).then_some(found)
    })
}

/// The insertion by the same key in the function of that name, which asks for no such thing any more.
fn unlimited(
    old: &Half<'_>,
    new: &Half<'_>,
    stmt: StmtId,
    test: &Test,
) -> Option<(StmtId, String)> {
    let scope = old.scope_names(stmt);
    let inside = |at: &StmtId| !scope.is_empty() && new.scope_names(*at) == scope;
    let here: Vec<StmtId> = new.facts.stmt_ids().filter(inside).collect();
    let asks = |&at: &StmtId| {
        let mut exprs = new.facts.exprs_of(at);
        exprs.any(|id| new.facts.dotted(id).as_deref() == Some(&test.known))
    };
    if here.iter().any(asks) || grows(old.facts, &test.known) {
        return None;
    }
    here.into_iter().find_map(|at| {
        let name = insertion(new.facts, at, &test.key)?;
        let bounded = name != test.known && !tended(new.facts, &name);
        (bounded && stood_under(old.facts, stmt, test, &name)).then_some((at, name))
    })
}

/// Keys come into what is asked, so it is no closed set, and bounds nothing.
fn grows(facts: &Facts, known: &str) -> bool {
    mentions(facts, known).any(|id| filled(facts, id).is_some())
}

fn tended(facts: &Facts, name: &str) -> bool {
    mentions(facts, name).any(|id| is_tended(facts, id))
}

fn mentions<'f>(facts: &'f Facts, name: &'f str) -> impl Iterator<Item = ExprId> + 'f {
    let last = name.rsplit('.').next().unwrap_or(name);
    facts
        .exprs_named(last)
        .filter(move |&id| facts.dotted(id).as_deref() == Some(name))
}

/// A test around what it bounds has the insertion in its body; behind one that refuses, all is bounded.
fn stood_under(facts: &Facts, around: StmtId, test: &Test, name: &str) -> bool {
    let is_inside = |stmt: StmtId| {
        let mut above = facts.ancestors(stmt);
        above.any(|above| above.stmt == around && above.part == Part::Body)
    };
    !test.around
        || facts.stmt_ids().any(|stmt| {
            is_inside(stmt) && insertion(facts, stmt, &test.key).as_deref() == Some(name)
        })
}

/// The field or name of the module that a statement puts an entry into under a key.
fn insertion(facts: &Facts, stmt: StmtId, key: &str) -> Option<String> {
    let is_shared =
        |id: ExprId| facts.self_attribute(id).is_some() || facts.reach(id).is_process_wide();
    let by_key = facts
        .entries_put(stmt)
        .find(|(object, of)| facts.expr_text(*of) == key && is_shared(*object));
    let by_call = || {
        facts.calls_in(stmt).find_map(|call| {
            let puts = matches!(call.method(), Some("setdefault" | "add"));
            let of = call.positional(0).filter(|_| puts)?;
            let object = call.receiver().filter(|&object| is_shared(object))?;
            (facts.expr_text(of) == key).then_some(object)
        })
    };
    let object = by_key.map(|(object, _)| object).or_else(by_call)?;
    facts.dotted(object)
}

/// At the insertion, or where the container is made.
fn is_told(sides: &Sides<'_>, at: StmtId) -> bool {
    let head = sides.new.facts.stmt(at).head;
    let mut told = sides.told(Told::By(UNBOUNDED_CACHE));
    told.any(|one| one.hit.anchor.stmt == at || one.hit.causes.contains(&head))
}

fn hit(facts: &Facts, at: StmtId, name: &str, test: &Test) -> Hit {
    let Test { key, known, .. } = test;
    let words = Words::new(
        format!(
            "`{name}` takes an entry for whatever `{key}` comes: the change deletes the test against `{known}`."
        ),
        format!(
            "Before, there were as many entries as `{known}` has; now each name that somebody makes up or mistypes stays for as long as the owner lives."
        ),
        format!(
            "Does a caller refuse an unknown `{key}`? If not, keep the test, or bound `{name}`."
        ),
    );
    let anchor = Anchor::stmt(facts, at);
    Hit::new(UNBOUNDED_CACHE, anchor, HitVerdict::Look, words)
}
