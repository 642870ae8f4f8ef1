//! What is said of an object that is made where it is found missing.

use super::coroutines::Gap;
use super::made_where_missing::Init;
use crate::facts::{ExprKind, Facts, Reach, StmtId, StmtKind};
use crate::rules::Words;

pub(super) fn word_field(facts: &Facts, init: &Init) -> Words {
    let target = facts.expr_text(init.target);
    Words::new(
        format!(
            "`{target}` is made where it is found missing, and threads that share the object are not kept apart."
        ),
        "Two threads that test at the same moment both create it: one of the two is lost with what it holds open, and callers work on different ones.",
        "Take the object's lock around test and creation, on every way that leads here; or make it in the constructor.",
    )
}

pub(super) fn word_gap(facts: &Facts, init: &Init, gap: Gap) -> Words {
    let target = facts.expr_text(init.target);
    match gap {
        Gap::Before => Words::new(
            format!(
                "`{target}` is made where it is found missing, with an `await` between the test and the store."
            ),
            "At the `await` the loop runs other coroutines: one that tests meanwhile finds it missing as well, so two are made, and the first is lost with what it holds.",
            advice(
                facts,
                "Hold an `asyncio.Lock` around test and creation, or store the task or future that makes the object at once, and let all await that.",
            ),
        ),
        Gap::Behind => Words::new(
            format!("`{target}` is stored before it is ready, and awaited behind."),
            match is_taken_back(facts, init) {
                true => {
                    "At the `await` the loop runs other coroutines: one that asks meanwhile finds the object and uses it half set up, also where the set-up then fails."
                }
                false => {
                    "At the `await` the loop runs other coroutines: one that asks meanwhile finds the object and uses it half set up, and a failed set-up leaves it stored."
                }
            },
            advice(
                facts,
                "Set the object up first and store it then, with an `asyncio.Lock` a key around both; or store the task that sets it up, and let all await that.",
            ),
        ),
    }
}

/// A handler or `finally` of the function takes the object out again: `del _CLIENTS[key]`, `_CLIENTS.pop(key, None)`.
fn is_taken_back(facts: &Facts, init: &Init) -> bool {
    let whole = facts.expr_text(init.target);
    let table = match &facts.expr(init.target).kind {
        ExprKind::Subscript { object, .. } => facts.expr_text(*object),
        _ => whole,
    };
    let takes = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::Delete(targets) => targets.iter().any(|&id| facts.expr_text(id) == whole),
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } => {
            let none = matches!(facts.expr(*value).kind, ExprKind::None);
            none && targets.iter().any(|&id| facts.expr_text(id) == whole)
        }
        _ => facts.calls_in(stmt).any(|call| {
            let of_table = call
                .receiver()
                .is_some_and(|of| facts.expr_text(of) == table);
            call.method() == Some("pop") && of_table
        }),
    };
    let mut stmts = facts.statements_of(facts.stmt(init.stmt).scope);
    stmts.any(|stmt| {
        let is_late = facts.enclosing_handler(stmt).is_some() || facts.in_finally(stmt);
        is_late && takes(stmt)
    })
}

/// A lock of asyncio serves one loop: where each call runs its own, it is no help.
fn advice(facts: &Facts, on_one_loop: &str) -> String {
    let mut runs = facts.calls().filter(|call| call.is(&["asyncio.run"]));
    let by_call = runs.any(|call| {
        let function = facts.function_of(call.scope());
        let name = function.and_then(|function| facts.scope_name(function));
        name.is_some_and(|name| name != "main")
    });
    if by_call {
        return "Each call runs an event loop of its own here, so make the object before the loop starts, under a `threading.Lock`, or keep one for each loop.".to_string();
    }
    on_one_loop.to_string()
}

pub(super) fn word(facts: &Facts, init: &Init, is_held: bool) -> Words {
    let target = facts.expr_text(init.target);
    let whose = match facts.reach(init.target) {
        Reach::Class => "all instances share",
        Reach::Instance => "threads share",
        _ => "the whole process shares",
    };
    let message = if is_held {
        format!(
            "`{target}`, which {whose}, is tested before the lock is taken, and not again under it."
        )
    } else {
        format!(
            "`{target}`, which {whose}, is made where it is found missing, and no lock is held."
        )
    };
    Words::new(
        message,
        "Two threads that test at the same moment both create it: the work and its memory are spent twice, and callers hold different instances.",
        "Take a lock around test and creation; where the common path must stay free of it, test again under the lock.",
    )
}
