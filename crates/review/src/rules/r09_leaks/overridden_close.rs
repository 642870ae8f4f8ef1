//! A close method that a subclass replaces by one of its own, which forgets what the base class has open.

use super::opened;
use super::resource_not_closed::CHECK;
use crate::facts::{ENDS, Facts, Holder, Made, PROTOCOL, ScopeId, StmtId};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

fn ends() -> impl Iterator<Item = &'static str> {
    ENDS.iter().chain(PROTOCOL).copied()
}

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut told: Vec<ScopeId> = Vec::new();
    for made in opened::resources(facts) {
        let Some(
            field @ Holder::Attribute {
                class: Some(base), ..
            },
        ) = facts.field_of(made)
        else {
            continue;
        };
        for class in facts.heirs(base) {
            if let Some(lost) = lost(facts, made, &field, base, class)
                && !told.contains(&lost.own)
            {
                told.push(lost.own);
                report(cx, made, &field, &lost, out);
            }
        }
    }
}

/// A method of the base that closes, and the one that takes its place.
struct Lost {
    base: ScopeId,
    own: ScopeId,
    own_stmt: StmtId,
}

fn lost(facts: &Facts, made: &Made, field: &Holder, base: ScopeId, class: ScopeId) -> Option<Lost> {
    let scopes = closing_scopes(facts, made, field);
    let closes_in = |function: ScopeId| scopes.contains(&facts.canonical(function));
    let of_base = |name: &str| {
        facts
            .methods(base)
            .find(|&of| facts.scope_name(of) == Some(name))
    };
    let of_class = |name: &str| {
        facts
            .methods(class)
            .find(|&of| facts.scope_name(of) == Some(name))
    };
    // Another way to close it that the subclass leaves alone may be the one that callers use.
    let replaced = |name: &&str| of_base(name).is_some_and(closes_in) && of_class(name).is_some();
    let kept = ends().any(|name| {
        let stays = of_class(name).is_none();
        stays && of_base(name).is_some_and(closes_in)
    });
    let name = ends().find(replaced).filter(|_| !kept)?;
    let (base, own) = (of_base(name)?, of_class(name)?);
    let own_stmt = facts.scope(own).stmt?;
    let ends = closes_in(own) || hands_up(facts, own, name) || leads_on(facts, own, &scopes);
    (facts.is_visible(own) && !ends).then_some(Lost {
        base,
        own,
        own_stmt,
    })
}

/// The functions in which a field's object is ended.
fn closing_scopes(facts: &Facts, made: &Made, field: &Holder) -> Vec<ScopeId> {
    let closings = facts.closings(field, made.resource).into_iter();
    let scope = |stmt: StmtId| facts.function_of(facts.stmt(stmt).scope);
    closings
        .filter_map(|closing| scope(closing.stmt))
        .map(|scope| facts.canonical(scope))
        .collect()
}

/// `super().close()`, `Base.close(self)`.
fn hands_up(facts: &Facts, own: ScopeId, name: &str) -> bool {
    let mut calls = facts.calls_within(facts.scope(own).span);
    calls.any(|call| {
        let of_self = call.receiver().and_then(|of| facts.name(of)) == Some("self");
        call.method() == Some(name) && !of_self || call.name() == "super"
    })
}

/// Another method that it calls closes.
fn leads_on(facts: &Facts, own: ScopeId, closing: &[ScopeId]) -> bool {
    let mut calls = facts.calls_within(facts.scope(own).span);
    calls.any(|call| {
        let called = facts.callee_scope(&call);
        called.is_some_and(|called| closing.contains(&facts.canonical(called)))
    })
}

fn report(cx: &Context<'_>, made: &Made, field: &Holder, lost: &Lost, out: &mut Outcome) {
    let facts = cx.facts;
    let anchor = Anchor::stmt(facts, lost.own_stmt);
    let verdict = opened::unless_cold(cx, HitVerdict::Violation);
    let hit = Hit::new(&CHECK, anchor, verdict, word(facts, made, field, lost));
    let mut hit = hit.with_related(facts.expr(made.call).span, "opened here");
    if let Some(stmt) = facts.scope(lost.base).stmt {
        hit = hit.with_related(
            facts.stmt(stmt).head,
            "the method that closes it, which is replaced",
        );
    }
    hit.causes.push(facts.scope(lost.own).span);
    out.hits.push(hit);
}

fn word(facts: &Facts, made: &Made, field: &Holder, lost: &Lost) -> Words {
    let class = |function: ScopeId| {
        let class = facts.class_of(function);
        class
            .and_then(|class| facts.scope_name(class))
            .unwrap_or("the class")
    };
    let name = facts.scope_name(lost.own).unwrap_or("close");
    let (own, base, noun, field) = (
        class(lost.own),
        class(lost.base),
        made.resource.noun(),
        field.text(),
    );
    Words::new(
        format!(
            "`{own}.{name}` takes the place of `{base}.{name}` and does not call it: nothing closes the {noun} in `{field}`."
        ),
        "Whoever closes an object of the subclass believes that all of it is closed; what the base class opened stays open.",
        format!("Call `super().{name}()` in it, in a `finally` if what stands before can raise."),
    )
}
