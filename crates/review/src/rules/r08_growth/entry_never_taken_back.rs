//! Two ways to put requests into one container, of which only the first takes them out again.

use super::removal::{put_key, removed_key};
use crate::facts::{Container, ExprId, ExprKind, Facts, Holder, Kind, StmtKind, Use, UseKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "entry-never-taken-back",
    rule: 8,
    severity: Severity::Nit,
    references: &[],
    summary: "A function puts an entry under a key of its own making, and only other functions take their own entries out.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let dicts = facts.containers().iter();
    let dicts = dicts.filter(|one| one.kind == Kind::Dict && facts.sees_all_uses(one));
    for container in dicts {
        let forgotten = container
            .uses
            .iter()
            .find(|of| is_forgotten(facts, container, of));
        if let Some(insertion) = forgotten {
            report(cx, container, insertion, out);
        }
    }
}

/// A fresh key goes in, its function does not take it out, and whoever takes out knows only keys of its own making.
fn is_forgotten(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    let is_put = matches!(insertion.kind, UseKind::Insert(_));
    let key = put_key(facts, insertion).filter(|_| is_put);
    if !key.is_some_and(|key| is_fresh(facts, key)) {
        return false;
    }
    let scope = |of: &Use| facts.stmt(of.stmt).scope;
    let mut removals = container
        .uses
        .iter()
        .filter(|of| of.kind == UseKind::Shrink)
        .peekable();
    let of_others = |of: &Use| {
        let own = removed_key(facts, of).is_some_and(|key| is_fresh(facts, key));
        own && scope(of) != scope(insertion)
    };
    let hidden = container.uses.iter().any(|of| match of.kind {
        UseKind::Passed(call) => !is_only_read(facts, call, of),
        UseKind::Rebind | UseKind::Size => true,
        _ => false,
    });
    !hidden && removals.peek().is_some() && removals.all(of_others)
}

/// Given to a function that is shown and takes nothing out.
fn is_only_read(facts: &Facts, call: ExprId, of: &Use) -> bool {
    let given = facts.call(call).and_then(|call| {
        let function = facts.callee_scope(&call)?;
        let name = facts.parameter_given(&call, function, of.span)?;
        Some(Holder::Local { function, name })
    });
    let takes_out = |id: ExprId| {
        let at = facts.expr(id);
        let deletes = matches!(facts.stmt(at.stmt).kind, StmtKind::Delete(_));
        let up = at.parent.map(|up| &facts.expr(up).kind);
        let is_read = matches!(up, Some(ExprKind::Subscript { .. }));
        deletes || !is_read
    };
    given.is_some_and(|holder| !facts.mentions_of(&holder).into_iter().any(takes_out))
}

/// A name that the function itself gave a value that nobody had before.
fn is_fresh(facts: &Facts, key: ExprId) -> bool {
    let makes = |value: ExprId| {
        facts.within(value).any(|id| {
            facts.call(id).is_some_and(|call| {
                matches!(
                    call.name(),
                    "uuid4" | "uuid1" | "next" | "token_hex" | "token_urlsafe" | "getrandbits"
                )
            })
        })
    };
    let values = facts.values(key);
    facts.name(key).is_some() && !values.is_empty() && values.into_iter().all(makes)
}

fn report(cx: &Context<'_>, container: &Container, insertion: &Use, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = cx.where_shared(HitVerdict::Look);
    let anchor = Anchor::stmt(facts, insertion.stmt);
    let mut hit = Hit::new(&CHECK, anchor, verdict, word(&container.name));
    let removals = container.uses.iter();
    for removal in removals.filter(|of| of.kind == UseKind::Shrink) {
        let head = facts.stmt(removal.stmt).head;
        hit = hit.with_related(head, "takes out only what its own function put in");
    }
    out.hits.push(hit);
}

fn word(name: &str) -> Words {
    Words::new(
        format!("Nothing takes this entry out of `{name}` again."),
        "Its key is made here, and those who remove entries remove their own: each request that comes this way stays for as long as the owner lives.",
        "Who removes it when its request or stream ends? Take it out there, in a `finally`.",
    )
}
