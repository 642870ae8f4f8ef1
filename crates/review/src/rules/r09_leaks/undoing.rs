//! What undoes behind a `yield` what was done before it.

use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, StmtId, StmtKind};

/// A call that ends or restores something, or an assignment to a field or element that puts an old value back.
pub(super) fn undoes(facts: &Facts, stmt: StmtId) -> bool {
    let by_call = facts
        .calls_in(stmt)
        .any(|call| topic::words(call.name()).any(|word| undoes_by_name(&word)));
    let by_setter = || facts.calls_in(stmt).any(|call| sets_back(facts, &call));
    let by_value = || match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            augmented,
            ..
        } => {
            let outside = |target: &ExprId| {
                matches!(
                    facts.expr(*target).kind,
                    ExprKind::Attribute { .. } | ExprKind::Subscript { .. }
                )
            };
            let back = match *augmented {
                true => targets.iter().any(|&target| counts_before(facts, target)),
                false => puts_back(facts, *value),
            };
            targets.iter().any(outside) && back
        }
        StmtKind::Delete(_) => true,
        _ => false,
    };
    by_call || by_setter() || by_value() || restores_state(facts, stmt) || turns_back(facts, stmt)
}

/// `model.train()` behind the `yield` and `model.eval()` before it; `gauge.inc()` and `gauge.dec()`.
fn turns_back(facts: &Facts, stmt: StmtId) -> bool {
    let mut backs = facts.calls_in(stmt);
    backs.any(|back| {
        let Some(does) = opposite(back.name()) else {
            return false;
        };
        let object = |call: &Call<'_>| call.receiver().map(|of| facts.expr_text(of).to_owned());
        let mut before = facts.calls_of(back.scope()).filter(|call| {
            call.stmt() < stmt && call.name() == does && object(call) == object(&back)
        });
        back.receiver().is_some() && before.any(|call| yielded_between(facts, call.stmt(), stmt))
    })
}

fn opposite(back: &str) -> Option<&'static str> {
    Some(match back {
        "train" => "eval",
        "eval" => "train",
        "dec" => "inc",
        "decrement" => "increment",
        "pop_scope" => "push_scope",
        "enable" => "disable",
        "resume" => "pause",
        _ => return None,
    })
}

fn yielded_between(facts: &Facts, first: StmtId, last: StmtId) -> bool {
    let mut between = facts.statements_of(facts.stmt(last).scope);
    between.any(|other| other > first && other < last && facts.yields(other))
}

/// A constant, or a name that was bound before the `yield`: what stood there, not what was measured meanwhile.
fn puts_back(facts: &Facts, value: ExprId) -> bool {
    match facts.expr(value).kind {
        ExprKind::None | ExprKind::False | ExprKind::True => true,
        ExprKind::Name => is_older_than_yield(facts, value),
        _ => false,
    }
}

/// `torch.set_default_dtype(before)`.
fn sets_back(facts: &Facts, call: &Call<'_>) -> bool {
    let value = call.positional(0).filter(|_| call.args.len() == 1);
    // Also the ones without a gap between their words: `socket.setdefaulttimeout(before)`.
    call.name().starts_with("set")
        && value
            .is_some_and(|value| facts.name(value).is_some() && is_older_than_yield(facts, value))
}

fn is_older_than_yield(facts: &Facts, name: ExprId) -> bool {
    let at = facts.expr(name).stmt;
    let scope = facts.stmt(at).scope;
    let first = facts.statements_of(scope).find(|&stmt| facts.yields(stmt));
    let bindings = facts.lookup(name);
    first.is_some_and(|first| bindings.iter().all(|binding| binding.stmt < first))
}

/// `file.seek(before)`, with what the same object said before the `yield`: `before = file.tell()`.
fn restores_state(facts: &Facts, stmt: StmtId) -> bool {
    let yielded_since = |bound: StmtId| yielded_between(facts, bound, stmt);
    let owner = |call: &Call<'_>| call.receiver().map(|of| facts.expr_text(of));
    facts.calls_in(stmt).any(|call| {
        let state = call
            .positional(0)
            .filter(|&state| facts.name(state).is_some());
        let [binding] = state.map_or(&[][..], |state| facts.lookup(state)) else {
            return false;
        };
        let BindingKind::Value { value, index: None } = binding.kind else {
            return false;
        };
        let asked = facts.call(value).filter(|_| yielded_since(binding.stmt));
        owner(&call).is_some() && asked.is_some_and(|asked| owner(&asked) == owner(&call))
    })
}

/// `active[key] += 1` before the `yield` makes `active[key] -= 1` behind it the way back.
fn counts_before(facts: &Facts, target: ExprId) -> bool {
    let at = facts.expr(target).stmt;
    let scope = facts.stmt(at).scope;
    let text = facts.expr_text(target);
    facts
        .statements_of(scope)
        .take_while(|&stmt| !facts.yields(stmt))
        .any(|stmt| match &facts.stmt(stmt).kind {
            StmtKind::Assign {
                targets,
                augmented: true,
                ..
            } => targets.iter().any(|&other| facts.expr_text(other) == text),
            _ => false,
        })
}

/// `release`, and opposites by prefix: `unmark`, `disable`, `deactivate`.
fn undoes_by_name(word: &str) -> bool {
    let opposite = [
        "unmark",
        "unset",
        "unload",
        "unlock",
        "unpatch",
        "unmount",
        "unpin",
        "unbind",
        "disable",
        "deactivate",
    ];
    UNDOING.contains(&word) || opposite.contains(&word)
}

const UNDOING: &[&str] = &[
    "close",
    "release",
    "shutdown",
    "stop",
    "cleanup",
    "rmtree",
    "unlink",
    "remove",
    "pop",
    "reset",
    "restore",
    "exit",
    "disconnect",
    "terminate",
    "cancel",
    "detach",
    "clear",
    "discard",
    "chdir",
    "kill",
    "join",
    "quit",
    "delete",
    "free",
    "unregister",
    "unsubscribe",
    "aclose",
    "drop",
    "end",
    "leave",
    "finish",
];
