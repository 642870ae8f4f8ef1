//! Keys that a table of the module knows: the entry is made of the table's own entry, so there are no more of them.

use crate::facts::{Container, ExprId, ExprKind, Facts, Kind, Use, UseKind};

/// `_loaded[language] = load(PACKAGES[language])`: a key that the table lacks raises.
pub(super) fn is_of_table(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    let UseKind::Insert(key) = insertion.kind else {
        return false;
    };
    let text = facts.expr_text(key);
    facts
        .exprs_of(insertion.stmt)
        .any(|id| match &facts.expr(id).kind {
            ExprKind::Subscript { object, index } => {
                let same_key = matches!(index[..], [of] if facts.expr_text(of) == text);
                same_key && facts.expr_text(*object) != container.name && is_table(facts, *object)
            }
            _ => false,
        })
}

/// A dict that the module writes down, under a constant's name.
fn is_table(facts: &Facts, object: ExprId) -> bool {
    let displays = |value: ExprId| matches!(facts.expr(value).kind, ExprKind::Dict(_));
    let values = facts.values(object);
    facts.is_constant_name(object)
        && facts.kind_of(object).is_none_or(|kind| kind == Kind::Dict)
        && values
            .into_iter()
            .all(|value| value == object || displays(value))
}
