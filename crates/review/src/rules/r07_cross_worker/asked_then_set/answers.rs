//! What the second step makes of the answer of the first.

use crate::facts::{Call, ExprId, ExprKind, Facts, StmtId, StmtKind};

/// The answer, itself or under the name that it got, stands in an expression.
fn rests_on(facts: &Facts, id: ExprId, read: &Call<'_>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    facts.within(id).any(|part| {
        part == read.id
            || (facts.name(part).is_some()
                && facts
                    .values(part)
                    .into_iter()
                    .any(|value| value != part && rests_on(facts, value, read, depth)))
    })
}

/// The question decides, and nothing but a mark is set: no value that somebody looks up.
pub(super) fn claims(facts: &Facts, read: &Call<'_>, act: &Call<'_>) -> bool {
    let value = match act.method() {
        Some("hset" | "setex") => act.positional(2),
        _ => act.arg(1, "value"),
    };
    let is_mark = value.is_some_and(|value| is_mark(facts, value));
    is_mark && deciding(facts, read, act.stmt()).is_some()
}

/// `1`, `"locked"`, `True`, the time, the number of the process or a token.
fn is_mark(facts: &Facts, value: ExprId) -> bool {
    let marks = |id: ExprId| {
        let kind = &facts.expr(id).kind;
        let is_word = facts
            .string(id)
            .is_some_and(|text| !text.is_empty() && text.len() < 16);
        matches!(kind, ExprKind::True | ExprKind::Number) || is_word || facts.is_unique(id)
    };
    let is_time = |id: ExprId| {
        facts.call(id).is_some_and(|call| {
            call.is(&["time.time", "str", "int"]) && facts.expr_text(id).contains("time.time()")
        })
    };
    marks(value) || is_time(value)
}

/// The `if` on the answer that leaves before the second step, or holds it as one of its own steps.
fn deciding(facts: &Facts, read: &Call<'_>, act: StmtId) -> Option<StmtId> {
    let scope = facts.stmt(act).scope;
    facts
        .stmt_ids()
        .take_while(|&stmt| stmt < act)
        .find(|&stmt| {
            let StmtKind::If { test, body, .. } = &facts.stmt(stmt).kind else {
                return false;
            };
            let asks = facts.stmt(stmt).scope == scope && rests_on(facts, *test, read, 3);
            let holds = body.contains(&act);
            let beside = facts.block_of(stmt).contains(&act) && facts.always_leaves(body);
            asks && (holds || beside)
        })
}

/// The new value is the old one, added to or changed in place.
pub(super) fn changes(facts: &Facts, read: &Call<'_>, act: &Call<'_>) -> bool {
    let value = match act.method() {
        Some("hset" | "setex") => act.positional(2),
        _ => act.arg(1, "value"),
    };
    value.is_some_and(|value| {
        rests_on(facts, value, read, 4)
            && (calculates(facts, value, read, 4) || is_changed_between(facts, value, read, act))
    })
}

/// `int(answer) + 1`, here or where a name of the value was given.
fn calculates(facts: &Facts, value: ExprId, read: &Call<'_>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let adds = |id: ExprId| match &facts.expr(id).kind {
        ExprKind::Binary { operator, left, .. } => {
            matches!(facts.text(*operator), "+" | "-") && rests_on(facts, *left, read, 4)
        }
        ExprKind::Name => facts
            .values(id)
            .into_iter()
            .any(|of| of != id && calculates(facts, of, read, depth)),
        _ => false,
    };
    facts.within(value).any(adds)
}

/// `items.append(x)`, `state["n"] = 1`, `n += 1` between the two steps.
fn is_changed_between(facts: &Facts, value: ExprId, read: &Call<'_>, act: &Call<'_>) -> bool {
    let names: Vec<&str> = facts
        .within(value)
        .filter_map(|id| facts.name(id))
        .collect();
    let is_it = |id: ExprId| facts.name(id).is_some_and(|name| names.contains(&name));
    let grows = |call: Call<'_>| {
        let method = matches!(
            call.method(),
            Some("append" | "add" | "extend" | "update" | "remove" | "pop" | "insert" | "discard")
        );
        method && call.receiver().is_some_and(is_it)
    };
    let between = |stmt: &StmtId| *stmt > read.stmt() && *stmt < act.stmt();
    let scope = facts.canonical(act.scope());
    let mut stmts = facts.statements_of(scope).filter(between);
    stmts.any(|stmt| {
        let assigned = match &facts.stmt(stmt).kind {
            StmtKind::Assign {
                targets, augmented, ..
            } => targets
                .iter()
                .any(|&target| match &facts.expr(target).kind {
                    ExprKind::Subscript { object, .. } => is_it(*object),
                    _ => *augmented && is_it(target),
                }),
            _ => false,
        };
        assigned || facts.calls_in(stmt).any(grows)
    })
}

/// The removal stands in an `if` that compares the answer.
pub(super) fn releases(facts: &Facts, read: &Call<'_>, act: &Call<'_>) -> bool {
    facts.ancestors(act.stmt()).any(|around| {
        let StmtKind::If { test, .. } = &facts.stmt(around.stmt).kind else {
            return false;
        };
        let compares = facts.within(*test).any(|id| {
            matches!(facts.expr(id).kind, ExprKind::Compare { .. })
                && facts.expr_text(id).contains("==")
        });
        compares && rests_on(facts, *test, read, 3)
    })
}
