//! Constructors that take what the whole process has once: a signal's handler, the hook for uncaught errors, the way
//! processes start.

use super::global_runtime_flag::CHECK;
use super::torchscript::alone;
use crate::facts::{Call, ExprKind, Facts, ScopeId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls().filter(takes_process) {
        let function = facts.function_of(call.scope());
        let Some(class) = function
            .filter(|&function| facts.builds(function))
            .and_then(|function| facts.class_of(function))
        else {
            continue;
        };
        if is_there_once(facts, class)
            || is_restored(facts, class, &call)
            || asks_thread(facts, &call)
        {
            continue;
        }
        let verdict = alone(cx, call.stmt()).map_or(HitVerdict::Look, HitVerdict::Excused);
        let words = word(facts, class, &call);
        out.hits
            .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
    }
}

/// Calls after which the process is another one for everybody in it.
fn takes_process(call: &Call<'_>) -> bool {
    call.is(&[
        "signal.signal",
        "signal.setitimer",
        "multiprocessing.set_start_method",
        "torch.multiprocessing.set_start_method",
    ])
}

/// A class that by its name stands for the process, or is there to hear its signals.
fn is_there_once(facts: &Facts, class: ScopeId) -> bool {
    let name = facts.scope_name(class).unwrap_or("");
    topic::has_word(
        name,
        "killer kill signal signals shutdown graceful interrupt interruptible \
         terminator daemon app application cli main server service supervisor \
         launcher timeout singleton",
    )
}

/// Another method of the class gives the handler back, or what the call returns is kept for that.
fn is_restored(facts: &Facts, class: ScopeId, call: &Call<'_>) -> bool {
    let kept = matches!(facts.stmt(call.stmt()).kind, StmtKind::Assign { .. });
    let mut others = facts.calls_of_class(class);
    kept || others.any(|other| {
        let function = facts.function_of(other.scope());
        let late = function.is_some_and(|function| !facts.builds(function));
        other.callee() == call.callee() && late
    })
}

/// Behind a test for the main thread, or with `force` for a second call.
fn asks_thread(facts: &Facts, call: &Call<'_>) -> bool {
    let names = ["main_thread", "current_thread", "get_start_method"];
    let asked = |test| {
        facts.within(test).any(|id| {
            facts
                .last_name(id)
                .is_some_and(|name| names.contains(&name))
        })
    };
    let tested = facts
        .ancestors(call.stmt())
        .any(|around| match facts.stmt(around.stmt).kind {
            StmtKind::If { test, .. } => asked(test),
            _ => false,
        });
    let forced = call
        .keyword("force")
        .is_some_and(|force| matches!(facts.expr(force).kind, ExprKind::True));
    tested || (forced && call.name() == "set_start_method")
}

fn word(facts: &Facts, class: ScopeId, call: &Call<'_>) -> Words {
    let class = facts.scope_name(class).unwrap_or("this class");
    let what = call
        .positional(0)
        .map_or(String::new(), |first| facts.shown(first));
    let callee = call.callee();
    Words::new(
        format!(
            "Every `{class}` that is made calls `{callee}` (`{what}`), which the whole process has once."
        ),
        "The object made last takes it from all others and from the program itself, nothing gives it back, and in any thread but the main one (or a second time) the call may raise.",
        format!(
            "Is one `{class}` made for each process, in its main thread? If not, do this where the process starts, and let that tell the objects."
        ),
    )
}
