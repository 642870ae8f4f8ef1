//! What a mention of a container does to it, by what stands around its name: the container itself need not be shown.

use crate::facts::{Call, ExprId, ExprKind, Facts, Kind, StmtId, StmtKind};

/// Methods that take one entry or all of them out.
pub(super) const REMOVES: &[&str] = &["discard", "remove", "pop", "popitem", "popleft", "clear"];

/// What a mention puts something into.
pub(super) fn filled(facts: &Facts, id: ExprId) -> Option<Kind> {
    let stmt = facts.expr(id).stmt;
    let put = facts.entries_put(stmt).any(|(object, _)| object == id);
    let by_method = || {
        let (_, method) = facts.attribute(facts.expr(id).parent?)?;
        match method {
            "setdefault" => Some(Kind::Dict),
            "add" | "append" | "put_nowait" => Some(Kind::Set),
            _ => None,
        }
    };
    if put { Some(Kind::Dict) } else { by_method() }
}

/// Something takes entries out, asks how many there are, gives the name another container, or hands it on; or it is made
/// as one that bounds itself.
pub(super) fn is_tended(facts: &Facts, id: ExprId) -> bool {
    let stmt = facts.expr(id).stmt;
    let parent = facts.expr(id).parent;
    let by_method = parent
        .and_then(|up| facts.attribute(up))
        .is_some_and(|(object, method)| object == id && REMOVES.contains(&method));
    let by_del = matches!(&facts.stmt(stmt).kind, StmtKind::Delete(_));
    let handed = parent
        .and_then(|up| facts.call(up))
        .is_some_and(|call| call.function != id && !reads(&call));
    by_method || by_del || handed || is_given_anew(facts, id, stmt)
}

fn reads(call: &Call<'_>) -> bool {
    matches!(
        call.name(),
        "list" | "tuple" | "set" | "sorted" | "dict" | "iter" | "bool" | "any" | "all"
    )
}

/// Assigned outside of the constructor, or in it something else than a plain container.
fn is_given_anew(facts: &Facts, id: ExprId, stmt: StmtId) -> bool {
    let StmtKind::Assign { targets, value, .. } = &facts.stmt(stmt).kind else {
        return false;
    };
    let Some(value) = value.filter(|_| targets.contains(&id)) else {
        return false;
    };
    let starts = facts.function_of(facts.stmt(stmt).scope).is_none()
        || matches!(facts.function_name(stmt), None | Some("__init__"));
    let plain = match facts.expr(value).kind {
        ExprKind::Dict(_) | ExprKind::List(_) | ExprKind::Set(_) => true,
        _ => facts.call(value).is_some_and(|call| {
            matches!(
                facts.constructs(&call),
                Some(Kind::Dict | Kind::List | Kind::Set)
            )
        }),
    };
    !starts || !plain
}
