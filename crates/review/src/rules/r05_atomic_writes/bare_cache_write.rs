//! A cache file is written under its final name: another worker reads half of it.

use super::marked::is_marked_complete;
use super::switches::{excuse, is_marker, is_part_of_bundle};
use crate::facts::{CacheProof, ExprId, Facts, StmtKind, Write, Writing};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words, own_helper};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "bare-cache-write",
    rule: 5,
    severity: Severity::Block,
    references: &[],
    summary: "A file or folder of the cache is written in place under its final name.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        if cx.profile.cache.is_atomic_writer(call.callee()) {
            out.evidence(5, call.span(), "writes through the atomic helper");
        }
    }
    for write in cx.facts.writes() {
        let Some(proof) = cx.facts.cache_proof(write.path, cx.profile) else {
            continue;
        };
        // Names that are moved away and writes under a lock have checks of their own.
        let elsewhere = cx.facts.is_moved_away(write.path)
            || is_locked(cx, &write)
            || is_marked_complete(cx.facts, &write)
            || is_told_to_callers(cx, &write)
            || is_lock_file(cx.facts, write.path)
            || appends_line(cx.facts, &write)
            || (proof == CacheProof::Place
                && is_part_of_bundle(cx.facts, write.call.stmt(), write.path));
        if !elsewhere {
            out.hits.push(Hit::new(
                &CHECK,
                Anchor::call(&write.call),
                verdict(cx, &write, proof),
                word(cx, &write, proof),
            ));
        }
    }
    writers_given_away(cx, out);
}

/// `return path.write_bytes`: the caller is given what writes in place.
fn writers_given_away(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let names = ["write_bytes", "write_text"].into_iter();
    for id in names.flat_map(|name| facts.exprs_named(name)) {
        let stmt = facts.expr(id).stmt;
        let is_result =
            matches!(facts.stmt(stmt).kind, StmtKind::Return(Some(value)) if value == id);
        let Some(path) = facts.writing_method(id).filter(|_| is_result) else {
            continue;
        };
        if let Some(proof) = facts.cache_proof(path, cx.profile) {
            let verdict = match proof {
                CacheProof::Flows | CacheProof::Says => HitVerdict::Violation,
                CacheProof::Place => HitVerdict::Look,
            };
            let anchor = Anchor {
                stmt,
                span: facts.expr(id).span,
            };
            let verdict = cx.where_path_shared(path, verdict);
            out.hits.push(Hit::new(
                &CHECK,
                anchor,
                verdict,
                word_of_writer(facts, path),
            ));
        }
    }
}

fn word_of_writer(facts: &Facts, path: ExprId) -> Words {
    let path = facts.expr_text(path);
    Words::new(
        format!("Whoever gets this writes `{path}` in place under its final name."),
        "Workers share the cache: one that opens the file in the meantime reads a truncated artifact, and a crash leaves it truncated for good.",
        "Give a function instead that writes to a temp file in the same folder, then `os.replace`s it onto the final name.",
    )
}

/// In a plain helper that has an atomic twin each caller with a cache path is told to take that.
fn is_told_to_callers(cx: &Context<'_>, write: &Write<'_>) -> bool {
    let facts = cx.facts;
    facts
        .function_of(facts.stmt(write.call.stmt()).scope)
        .is_some_and(|function| {
            let name = facts.scope_name(function).unwrap_or("");
            cx.profile.cache.atomic_twin(name).is_some()
                && is_given(facts, write.path)
                && !facts.callers(function).is_empty()
        })
}

/// A parameter, or what is made of one.
fn is_given(facts: &Facts, path: ExprId) -> bool {
    let values = facts.values(path);
    let mut parts = values.into_iter().flat_map(|value| facts.within(value));
    parts.any(|id| facts.parameter(id).is_some())
}

/// `with open(path, "a") as list: list.write(line)`: what stood there stays, and a line comes whole.
fn appends_line(facts: &Facts, write: &Write<'_>) -> bool {
    let is_mode = |id: ExprId| matches!(facts.string(id), Some("a" | "at"));
    let mut args = write.call.args.iter();
    let StmtKind::With { body, .. } = &facts.stmt(write.call.stmt()).kind else {
        return false;
    };
    let is_one = match &body[..] {
        [stmt] => facts
            .calls_in(*stmt)
            .any(|call| call.method() == Some("write")),
        _ => false,
    };
    is_one && args.any(|arg| is_mode(arg.value))
}

/// `open(lock_file, "w")`: nobody reads what is in it.
fn is_lock_file(facts: &Facts, path: ExprId) -> bool {
    facts
        .last_name(path)
        .is_some_and(|name| topic::has_word(name, "lock lockfile"))
}

/// Whether the write stands under a lock.
fn is_locked(cx: &Context<'_>, write: &Write<'_>) -> bool {
    cx.facts.is_file_locked(write.call.stmt())
}

fn verdict(cx: &Context<'_>, write: &Write<'_>, proof: CacheProof) -> HitVerdict {
    if let Some(reason) = excuse(cx, write.call.stmt()) {
        return HitVerdict::Excused(reason);
    }
    if is_marker(cx, write) {
        return HitVerdict::Excused(
            "Only a constant marker is written: its readers ask whether the file is there."
                .to_string(),
        );
    }
    if is_for_people(cx.facts, write) {
        return HitVerdict::Excused(
            "It is a debug dump for people to read; no worker takes it for an entry.".to_string(),
        );
    }
    let exports = is_uncalled_export(cx.facts, write);
    let verdict = match proof {
        CacheProof::Flows | CacheProof::Says if !exports => HitVerdict::Violation,
        _ => HitVerdict::Look,
    };
    cx.where_path_shared(write.path, verdict)
}

/// `debug_dump_script(...)`, or a path with a folder `debug`.
fn is_for_people(facts: &Facts, write: &Write<'_>) -> bool {
    let function = facts.function_name(write.call.stmt());
    let by_name = function.is_some_and(|name| topic::has_word(name, "debug"));
    let is_folder = |text: &str| text.split('/').any(|part| part == "debug");
    let values = facts.values(write.path);
    let mut parts = values.into_iter().flat_map(|value| facts.within(value));
    by_name || parts.any(|id| facts.string(id).is_some_and(is_folder))
}

/// A function that by its name, or by what it calls, makes a model or data ready for others, and that no worker is shown
/// to run.
fn is_uncalled_export(facts: &Facts, write: &Write<'_>) -> bool {
    let function = facts.function_of(facts.stmt(write.call.stmt()).scope);
    let says = |name: &str| {
        ["export", "serialize", "saveas", "convert"]
            .iter()
            .any(|word| topic::says(name, word))
    };
    function.is_some_and(|function| {
        let by_name = facts.scope_name(function).is_some_and(says);
        (by_name || says(write.call.name())) && facts.callers(function).is_empty()
    })
}

/// Whether the file asks if the folder is there: then its existence means that it is ready.
fn is_ready_marker(cx: &Context<'_>, write: &Write<'_>) -> bool {
    let facts = cx.facts;
    facts.calls().any(|call| {
        facts
            .asked_path(&call)
            .is_some_and(|asked| facts.is_same_path(asked, write.path))
            && !facts.asks_to_remove(&call)
    })
}

/// Whether a handler or a `finally` of the function removes what was written.
fn is_cleared(facts: &Facts, write: &Write<'_>) -> bool {
    let scope = facts.stmt(write.call.stmt()).scope;
    facts.deletions().any(|deletion| {
        let stmt = deletion.call.stmt();
        let at_the_end = facts.in_finally(stmt) || facts.enclosing_handler(stmt).is_some();
        at_the_end
            && facts.stmt(stmt).scope == scope
            && facts.is_same_path(deletion.path, write.path)
    })
}

fn word(cx: &Context<'_>, write: &Write<'_>, proof: CacheProof) -> Words {
    let path = cx.facts.expr_text(write.path);
    let message = match write.how {
        Writing::File => format!("`{path}` is written in place under its final name."),
        Writing::Copy => format!("`{path}` is copied into place byte by byte."),
        Writing::Download => format!("A download goes straight into `{path}`."),
        Writing::Extract => format!("An archive is unpacked straight into `{path}`."),
    };
    let (why, left) = match write.how {
        Writing::Extract if is_ready_marker(cx, write) => (
            "The folder exists from the first file on, and its existence is what tells others that it is complete: another worker loads a model with files missing",
            "a killed process leaves such a folder for good",
        ),
        Writing::Extract => (
            "Another worker sees the folder while files are still missing",
            "a killed process leaves it incomplete for good",
        ),
        _ => (
            "Workers share the cache: one that opens the file in the meantime reads a truncated artifact",
            "a crash leaves it truncated for good",
        ),
    };
    let why = if is_cleared(cx.facts, write) {
        format!("{why}.")
    } else {
        format!("{why}, and {left}.")
    };
    Words::new(message, why, ask(cx, write, proof))
}

fn ask(cx: &Context<'_>, write: &Write<'_>, proof: CacheProof) -> String {
    let path = cx.facts.expr_text(write.path);
    let helper = cx
        .profile
        .helpers_for(&cx.facts.path, topic::Role::AtomicWrite)
        .next();
    let cure = match (write.how, helper) {
        (Writing::Extract | Writing::Copy, _) | (Writing::Download, None) => {
            "write to a temp name in the same parent folder and `os.replace` it onto the final one when it is complete".to_string()
        }
        (_, Some(helper)) => format!(
            "write to a temp file in the same folder, then `os.replace` it onto the final name, and remove it if that fails ({})",
            own_helper::does(cx.facts, &helper.name)
        ),
        (_, None) => {
            "write to a temp file in the same folder, then `os.replace` it onto the final name, and remove it if that fails".to_string()
        }
    };
    match proof {
        CacheProof::Place => format!(
            "Find out whether `{path}` lies in a folder that other workers read; if so, {cure}."
        ),
        _ => format!("{}.", capitalised(&cure)),
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}
