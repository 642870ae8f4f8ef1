//! A `with` that ends a transaction and leaves its connection open: that of SQLite's connections does no more.

use super::opened;
use super::resource_not_closed::CHECK;
use crate::facts::{ExprId, Facts, Holder, Made, StmtKind};
use crate::rules::{Context, HitVerdict, Outcome, Words};

/// Reports a connection that only such a `with` has; says whether it did.
pub(super) fn report(cx: &Context<'_>, made: &Made, out: &mut Outcome) -> bool {
    let is_left = is_sqlite(cx.facts, made) && !is_closed(cx.facts, made);
    if is_left {
        let hit = opened::hit(cx, &CHECK, made, HitVerdict::Look, word());
        out.hits.push(hit);
    }
    is_left
}

/// `with sqlite3.connect(path) as connection:`, with no `closing` around.
fn is_sqlite(facts: &Facts, made: &Made) -> bool {
    let connects = facts
        .call(made.call)
        .is_some_and(|call| call.is(&["sqlite3.connect"]));
    connects && facts.expr(made.call).parent.is_none()
}

/// Closed by its name behind the block, or in it.
fn is_closed(facts: &Facts, made: &Made) -> bool {
    let Some(holder) = target(facts, made).and_then(|target| facts.holder_of(target)) else {
        return false;
    };
    !matches!(holder, Holder::Local { .. }) || !facts.closings(&holder, made.resource).is_empty()
}

fn target(facts: &Facts, made: &Made) -> Option<ExprId> {
    let StmtKind::With { items, .. } = &facts.stmt(made.stmt).kind else {
        return None;
    };
    let item = items.iter().find(|item| item.context == made.call)?;
    item.target
}

fn word() -> Words {
    Words::new(
        "The `with` of an SQLite connection commits, and does not close it.",
        "The connection stays open until the collector comes by; where something still refers to it, a traceback or a cycle, that is never, and the file stays locked or held.",
        "Does anything close it? `with closing(sqlite3.connect(...)) as connection:` would, with `with connection:` inside for the commit.",
    )
}
