//! Checks of a request's value that the change deletes, while the value is handed on to what loads, reads or writes.
//!
//! Where the path is joined need not be shown: that somebody refused other values says enough. Where a check sees the
//! path itself, it stands, and this is silent.

use super::{Loss, Sides, Told};
use crate::conclude::seen::Half;
use crate::facts::{Call, ExprId, ExprKind, Facts, StmtId, StmtKind};
use crate::rules::{Anchor, Hit, HitVerdict, UNCHECKED_CONTAINMENT, Words};

/// Hits at the calls that are handed what was checked before, on the new side of a file.
pub(super) fn lost(sides: &Sides<'_>) -> Vec<Loss> {
    let new = sides.new;
    if sides.told(Told::By(UNCHECKED_CONTAINMENT)).next().is_some() {
        return Vec::new();
    }
    let mut found = new.changed_calls().filter_map(|call| {
        let value = handed(new.facts, &call)?;
        let name = new.facts.dotted(value)?;
        let scope = new.scope_names(call.stmt());
        let is_lost = refuses(sides, &scope, &name) && !asks(new, &scope, &name);
        is_lost.then(|| Loss::gone(hit(sides, &call, &name)))
    });
    found.next().into_iter().collect()
}

/// The field of a parameter that a call is given which goes to a file.
fn handed(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let to_file = topic::has_word(
        call.name(),
        "load open read path file folder dir send write save delete remove unlink \
         extract",
    );
    let values = call
        .args
        .iter()
        .filter(|_| to_file)
        .flat_map(|arg| facts.values(arg.value));
    let mut fields = values.filter(|&value| match &facts.expr(value).kind {
        ExprKind::Attribute { object, .. } => {
            facts.parameter(*object).is_some() && facts.self_attribute(value).is_none()
        }
        _ => false,
    });
    fields.next()
}

/// Whether a deleted `if` of the same function refused what did not fit.
fn refuses(sides: &Sides<'_>, scope: &[&str], name: &str) -> bool {
    let old = sides.old;
    old.changed_stmts().any(|stmt| {
        let is_test = matches!(&old.facts.stmt(stmt).kind, StmtKind::If { body, .. } if old.facts.always_leaves(body));
        is_test
            && old.scope_names(stmt) == scope
            && old.facts.is_refused(name, stmt, sides.profile)
    })
}

/// Whether the new side still tests the value.
fn asks(new: &Half<'_>, scope: &[&str], name: &str) -> bool {
    let facts = new.facts;
    let tests = |stmt: StmtId| match facts.stmt(stmt).kind {
        StmtKind::If { test, .. } => facts.within(test).any(|part| {
            let mut values = facts.values(part).into_iter().chain([part]);
            values.any(|value| facts.dotted(value).as_deref() == Some(name))
        }),
        _ => false,
    };
    facts
        .stmt_ids()
        .any(|stmt| new.scope_names(stmt) == scope && tests(stmt))
}

fn hit(sides: &Sides<'_>, call: &Call<'_>, name: &str) -> Hit {
    let to = sides.new.facts.expr_text(call.function);
    let words = Words::new(
        format!("The change deletes the check of `{name}`, and hands it to `{to}` as it comes."),
        "Somebody refused other values before: with `..` or an absolute path in it the sender now says which file is used.",
        format!("Does `{to}` refuse what is no plain name? If not, keep the check."),
    );
    let verdict = sides.context().where_shared(HitVerdict::Look);
    Hit::new(UNCHECKED_CONTAINMENT, Anchor::call(call), verdict, words)
}
