//! Libraries that keep state of their own outside of Python and do not guard it.

use super::inconsistent_lock::CHECK;
use super::torchscript::alone;
use crate::facts::{Call, ExprId, Facts, Kind, Lock, ScopeKind, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// Packages whose documentation asks for one thread at a time.
const UNSAFE: &[&str] = &[
    "pypdfium2",
    "fitz",
    "pymupdf",
    "netCDF4",
    "tables",
    "osgeo",
    "rpy2",
    "bpy",
    "pyttsx3",
    "win32com",
    "comtypes",
    "clingo",
];

/// Whether two threads must not be in a library at once.
pub(super) fn bears_no_threads(library: &str) -> bool {
    UNSAFE.contains(&library)
}

/// Whether a lock is there for a library: it is named for it, or the library needs one.
pub(super) fn is_guarded_library(facts: &Facts, lock: &Lock, library: &str) -> bool {
    let name = facts.last_name(lock.expr).unwrap_or("");
    let is_named_for = topic::words(name).any(|word| {
        word != "lock" && word.len() > 3 && topic::words(library).any(|part| part == word)
    });
    is_named_for || bears_no_threads(library)
}

/// Part of a file that makes a lock for the module and shows no use of it: calls into such a library that do without.
pub(super) fn detect_beside_lock(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.document.whole || !facts.held().is_empty() {
        return;
    }
    let Some(lock) = facts
        .stmt_ids()
        .find_map(|stmt| lock_of_module(facts, stmt))
    else {
        return;
    };
    for call in facts.calls().filter(|call| is_into_unsafe(facts, call)) {
        let verdict = alone(cx, call.stmt()).map_or(HitVerdict::Look, HitVerdict::Excused);
        let words = word(facts, &call, lock);
        let hit = Hit::new(&CHECK, Anchor::call(&call), verdict, words);
        let span = facts.expr(lock).span;
        out.hits.push(hit.with_related(span, "the module's lock"));
    }
}

fn lock_of_module(facts: &Facts, stmt: StmtId) -> Option<ExprId> {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        ..
    } = &facts.stmt(stmt).kind
    else {
        return None;
    };
    let kind = facts.constructs(&facts.call(*value)?)?;
    let is_lock = matches!(kind, Kind::ThreadLock | Kind::ReentrantLock);
    let at_module = facts.scope(facts.stmt(stmt).scope).kind == ScopeKind::Module;
    targets.first().copied().filter(|_| is_lock && at_module)
}

/// In a function all of whose surroundings are shown.
fn is_into_unsafe(facts: &Facts, call: &Call<'_>) -> bool {
    let library = facts.imported_root(call.function);
    let in_function = facts.function_of(call.scope()).is_some();
    in_function
        && library.is_some_and(|library| bears_no_threads(&library))
        && facts.sees_enclosure(call.stmt())
}

fn word(facts: &Facts, call: &Call<'_>, lock: ExprId) -> Words {
    let (callee, lock) = (call.callee(), facts.expr_text(lock));
    Words::new(
        format!("`{callee}` is called with no lock held, in a module that has `{lock}`."),
        "The library keeps state of its own that threads must not touch at once; a lock protects it only if everybody takes it.",
        format!(
            "Is `{lock}` there for this library? Then take it here, too, up to where its objects are closed."
        ),
    )
}
