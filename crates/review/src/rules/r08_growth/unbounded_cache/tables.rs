//! Keys that a table of the module knows: the entry is made of the table's own entry, so there are no more of them.

use crate::facts::{Container, ExprId, ExprKind, Facts, Kind, Use, UseKind};

/// `_loaded[language] = load(PACKAGES[language])`: a key that the table lacks raises. So it does for other entries that the
/// same function puts.
pub(super) fn is_of_table(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    let UseKind::Insert(key) = insertion.kind else {
        return false;
    };
    let text = facts.expr_text(key);
    let scope = facts.stmt(insertion.stmt).scope;
    let up_to = facts
        .statements_of(scope)
        .take_while(|&stmt| stmt <= insertion.stmt);
    up_to
        .flat_map(|stmt| facts.exprs_of(stmt))
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
