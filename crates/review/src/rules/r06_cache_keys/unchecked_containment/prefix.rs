//! Tests of a path's text that are no containment check.

use super::{CHECK, lexical};
use crate::facts::{Call, ExprId, ExprKind, Facts, Piece, Source, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words, own_helper};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        let hit = match prefix_test(cx, &call) {
            Some(path) => Some(word_of_prefix(cx, &call, path)),
            None => lexical::unresolved(cx, &call).map(|path| lexical::word(cx.facts, &call, path)),
        };
        if let Some(words) = hit {
            let verdict = cx.where_shared(HitVerdict::Violation);
            out.hits
                .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
        } else if cx.profile.keys.is_containment_check(call.callee()) {
            out.evidence(6, call.span(), "the path is tested to stay within its root");
        }
    }
}

/// `path.startswith(root)` as the guard of a path, where the root does not end in a separator.
fn prefix_test(cx: &Context<'_>, call: &Call<'_>) -> Option<ExprId> {
    let facts = cx.facts;
    if call.is(&["os.path.commonprefix"]) && (is_guard(facts, call) || is_compared(facts, call)) {
        return joined_item(facts, call).filter(|&path| may_escape(cx, path));
    }
    if call.method() != Some("startswith") || !is_guard(facts, call) {
        return None;
    }
    let (path, root) = (call.receiver()?, call.positional(0)?);
    let open_ended = !ends_in_separator(facts, root)
        && facts.string(root).is_none()
        && !is_equal_to_other(facts, call, path, root);
    let resolved = is_resolved(facts, path)
        || is_resolved(facts, root)
        || is_joined_onto(facts, path, root)
        || guards_removal(facts, call, path, root);
    let escapes = || may_escape(cx, path) && !refuses_parents(facts, call);
    (open_ended && resolved && escapes()).then_some(path)
}

/// `path.startswith(self._below) or path == self._root`: what is compared as well says that the first ends in a separator.
fn is_equal_to_other(facts: &Facts, call: &Call<'_>, path: ExprId, root: ExprId) -> bool {
    let text = |id: ExprId| facts.expr_text(id);
    let beside: Vec<ExprId> = match facts.stmt(call.stmt()).kind {
        StmtKind::If { test, .. } => facts.within(test).collect(),
        _ => facts.exprs_of(call.stmt()).collect(),
    };
    beside.into_iter().any(|id| match &facts.expr(id).kind {
        ExprKind::Compare { operands, .. } => {
            operands.len() == 2
                && operands.iter().any(|&operand| text(operand) == text(path))
                && operands
                    .iter()
                    .all(|&operand| text(operand) != text(root) && facts.dotted(operand).is_some())
        }
        _ => false,
    })
}

/// `if ".." in segments: raise` in the same function: below the root that it is joined to, no name has a sibling.
fn refuses_parents(facts: &Facts, call: &Call<'_>) -> bool {
    facts
        .statements_of(call.scope())
        .any(|stmt| match &facts.stmt(stmt).kind {
            StmtKind::If { test, body, .. } => {
                let asks = facts.within(*test).any(|id| facts.string(id) == Some(".."));
                asks && stmt < call.stmt() && facts.always_leaves(body)
            }
            _ => false,
        })
}

/// The path of `os.path.commonprefix([root, path])`, which compares letters: the first that is no parameter or constant.
fn joined_item(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let (ExprKind::List(items) | ExprKind::Tuple(items)) = &facts.expr(call.positional(0)?).kind
    else {
        return None;
    };
    let is_made = |&item: &ExprId| {
        let values = facts.values(item);
        values
            .into_iter()
            .any(|value| facts.call(value).is_some() || facts.pieces(value).is_some())
    };
    items.iter().copied().find(is_made)
}

/// The test of an `if` (or `assert`) whose outcome refuses or serves.
pub(super) fn is_guard(facts: &Facts, call: &Call<'_>) -> bool {
    match facts.stmt(call.stmt()).kind {
        StmtKind::If { test, .. } => facts.within(test).any(|id| id == call.id),
        StmtKind::Assert(_) | StmtKind::Return(_) => true,
        _ => false,
    }
}

/// `prefix = os.path.commonprefix([root, path])`, and then `return prefix == root`.
fn is_compared(facts: &Facts, call: &Call<'_>) -> bool {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        ..
    } = &facts.stmt(call.stmt()).kind
    else {
        return false;
    };
    let name = targets.first().and_then(|&target| facts.name(target));
    let compares = |id: ExprId| match &facts.expr(id).kind {
        ExprKind::Compare { operands, .. } => {
            operands.iter().any(|&operand| facts.name(operand) == name)
        }
        _ => false,
    };
    let decides = |stmt: StmtId| match facts.stmt(stmt).kind {
        StmtKind::If { test, .. } => facts.within(test).any(compares),
        StmtKind::Return(Some(answer)) => facts.within(answer).any(compares),
        _ => false,
    };
    *value == call.id
        && name.is_some()
        && facts
            .statements_of(call.scope())
            .any(|stmt| stmt > call.stmt() && decides(stmt))
}

/// `if path.startswith(self._folder): os.remove(path)`: what lies in the folder may go.
fn guards_removal(facts: &Facts, call: &Call<'_>, path: ExprId, root: ExprId) -> bool {
    let says_folder = facts.last_name(root).is_some_and(|name| {
        topic::has_word(name, "dir directory root folder storage base home cache")
    });
    let text = facts.expr_text(path);
    let removes = |stmt: StmtId| {
        let mut all = facts.deletions();
        all.any(|removal| removal.call.stmt() == stmt && facts.expr_text(removal.path) == text)
    };
    let StmtKind::If { body, .. } = &facts.stmt(call.stmt()).kind else {
        return false;
    };
    says_folder && body.iter().any(|&stmt| removes(stmt))
}

fn ends_in_separator(facts: &Facts, root: ExprId) -> bool {
    facts.values(root).into_iter().any(|value| {
        let text = facts.expr_text(value).replace('\'', "\"");
        let ends = ["/\"", ".sep", "sep)", "sep}\"", "\"\")"];
        ends.iter().any(|end| text.ends_with(end))
    })
}

/// Whether a value is a path that was made absolute or normal: only then a prefix is meant as containment.
pub(super) fn is_resolved(facts: &Facts, path: ExprId) -> bool {
    facts.values(path).into_iter().any(|value| {
        facts.within(value).any(|id| {
            facts.call(id).is_some_and(|call| {
                call.is(&["os.path.normpath", "os.path.abspath", "os.path.realpath"])
                    || matches!(call.method(), Some("resolve" | "absolute"))
            })
        })
    })
}

/// `os.path.join(root, name)`, tested against that root: `..` passes this test, resolved or not.
fn is_joined_onto(facts: &Facts, path: ExprId, root: ExprId) -> bool {
    let root = facts.expr_text(root);
    facts.values(path).into_iter().any(|value| {
        let joined = facts.call(value).filter(|call| call.is(&["os.path.join"]));
        let first = joined.and_then(|call| call.positional(0));
        first.is_some_and(|first| facts.expr_text(first) == root)
    })
}

/// Whether some part of the path is not known to be harmless.
pub(super) fn may_escape(cx: &Context<'_>, path: ExprId) -> bool {
    let facts = cx.facts;
    let composed: Vec<Piece> = facts
        .values(path)
        .into_iter()
        .flat_map(|value| facts.within(value).collect::<Vec<_>>())
        .filter_map(|id| facts.pieces(id))
        .next()
        .unwrap_or_default();
    composed.is_empty()
        || composed.into_iter().skip(1).any(|piece| match piece {
            Piece::Value(value) => facts.key_part(value, cx.profile).source > Source::Checked,
            Piece::Text(_) => false,
        })
}

fn word_of_prefix(cx: &Context<'_>, call: &Call<'_>, path: ExprId) -> Words {
    let facts = cx.facts;
    let root = call
        .positional(0)
        .map_or("the root", |root| facts.expr_text(root));
    let helper = cx
        .profile
        .helpers_for(&facts.path, topic::Role::Containment)
        .next();
    let plain = "Compare `os.path.commonpath([root, path])` with the root, or use `Path.is_relative_to`, both after `realpath`";
    let cure = match helper {
        Some(helper) => format!("{plain} ({})", own_helper::does(cx.facts, &helper.name)),
        None => plain.to_string(),
    };
    let what = match call.is(&["os.path.commonprefix"]) {
        true => facts.shown(call.id),
        false => format!("{}.startswith({root})", facts.expr_text(path)),
    };
    Words::new(
        format!("`{what}` is no containment check."),
        "A sibling whose name begins like the root (`packages-old` beside `packages`) passes it, and so does a symlink out of the root.",
        format!("{cure}."),
    )
}
