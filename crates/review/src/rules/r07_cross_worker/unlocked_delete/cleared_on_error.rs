//! The cached entry is cleared for whatever error its load has met.

use super::CHECK;
use crate::facts::{Call, Facts};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls().filter(clears) {
        let stmt = call.stmt();
        let for_any = facts
            .enclosing_handler(stmt)
            .is_some_and(|handler| facts.catches_all(handler));
        if for_any && !facts.is_file_locked(stmt) && !locks_inside(facts, &call) {
            let verdict = cx.where_shared(HitVerdict::Look);
            let anchor = Anchor::call(&call);
            let words = word(call.name());
            out.hits.push(Hit::new(&CHECK, anchor, verdict, words));
        }
    }
}

/// `self.clear_cache()`, `clear_model_cache(name)`: the entry of one model; what empties memory is named otherwise.
fn clears(call: &Call<'_>) -> bool {
    let name = call.name();
    let first = topic::words(name.trim_start_matches('_')).next();
    let verb = first.is_some_and(|word| matches!(&*word, "clear" | "purge" | "remove" | "delete"));
    let whose = [
        "model cache",
        "cache dir",
        "cache files",
        "artifacts",
        "cached model",
    ];
    let says = whose.iter().any(|phrase| topic::says(name, phrase));
    call.is_dropped() && verb && !of_memory(call) && (says || name == "clear_cache")
}

/// `mx.clear_cache()`, `torch.mps.clear_cache()`: what a library keeps in memory.
fn of_memory(call: &Call<'_>) -> bool {
    let module = call.callee().split('.').next().unwrap_or("");
    matches!(module, "torch" | "gc" | "jax" | "mx" | "mlx" | "keras")
}

fn locks_inside(facts: &Facts, call: &Call<'_>) -> bool {
    let Some((there, function)) = facts.callee(call) else {
        return false;
    };
    let span = there.scope(function).span;
    let in_body = there.held().iter().any(|held| span.contains(held.span));
    // A method that clears what it has in memory removes nothing on disk.
    let mut calls = there.calls_of(function);
    let on_disk = calls.any(|inner| {
        there.deletion(inner).is_some() || topic::has_word(inner.name(), "clear rmtree purge")
    });
    in_body || !on_disk
}

fn word(name: &str) -> Words {
    Words::new(
        format!("`{name}` removes the cached entry for whatever error was met here."),
        "An error of the moment (memory, a busy device, a wrong argument) then removes files that are complete and that other workers are loading, and all of them fetch them again.",
        format!(
            "Does `{name}` remove files that workers share? Clear them only where they are known to be damaged, under the entry's file lock with a timeout."
        ),
    )
}
