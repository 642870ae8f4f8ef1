//! Classes that are a lock themselves, and remove its file in their constructor or behind the unlock.

use super::CHECK;
use crate::facts::{Call, ExprId, Facts, ScopeId, Span, StmtKind, says_lock_file};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls() {
        let Some((class, path)) = removal(facts, &call) else {
            continue;
        };
        let Some(moment) = moment(facts, class, &call) else {
            continue;
        };
        let is_sure = !matches!(moment, Moment::Stale) && facts.sees_enclosure(call.stmt());
        let verdict = HitVerdict::sure_if(is_sure);
        let words = word(facts, path, moment);
        let verdict = cx.where_shared(verdict);
        out.hits
            .push(Hit::new(&CHECK, Anchor::call(&call), verdict, words));
    }
}

/// Whether a path is the file of such a class, whose removal is judged here.
pub(super) fn judges(facts: &Facts, path: ExprId) -> bool {
    let class = facts.class_of(facts.expr(path).scope);
    facts.self_attribute(path).is_some() && class.is_some_and(|class| is_lock(facts, class))
}

/// When a lock removes its file.
#[derive(Clone, Copy)]
enum Moment {
    Constructor,
    Unlocked,
    /// Behind a look at who holds it.
    Stale,
}

/// The removal of a field by a class that is a lock; also by a helper that says so: `util.unlink(self.path)`.
fn removal(facts: &Facts, call: &Call<'_>) -> Option<(ScopeId, ExprId)> {
    let class = facts.class_of(call.scope())?;
    let moved = || facts.moves().find(|moved| moved.call.id == call.id);
    let path = match facts.deletion(*call) {
        Some(deletion) => deletion.path,
        None if let Some(moved) = moved() => moved.from,
        None => {
            let says = topic::has_word(call.name(), "unlink remove delete");
            call.positional(0)
                .filter(|_| says && call.args.len() == 1)?
        }
    };
    let path = wrapped(facts, path);
    let removes = facts.self_attribute(path).is_some() && is_lock(facts, class);
    removes.then_some((class, path))
}

/// `self.path` of `Path(self.path)`.
fn wrapped(facts: &Facts, path: ExprId) -> ExprId {
    let inner = facts
        .call(path)
        .filter(|call| call.is(&["str", "pathlib.Path"]))
        .and_then(|call| call.positional(0));
    inner.unwrap_or(path)
}

/// Its name says that it is a lock, and it takes one on a file.
fn is_lock(facts: &Facts, class: ScopeId) -> bool {
    let named = facts.scope_name(class).is_some_and(says_lock_file);
    named && (locks_by_system(facts, class) || makes_exclusively(facts, class))
}

/// A lock of the system, or a helper that says so and keeps its flags to itself.
fn locks_by_system(facts: &Facts, class: ScopeId) -> bool {
    facts.calls_of_class(class).any(|call| {
        let name = call.name().trim_start_matches('_');
        facts.system_lock(call).is_some()
            || (matches!(name, "lock" | "lock_file") && call.receiver().is_none())
    })
}

/// `O_CREAT | O_EXCL`: that the file is there is the lock, and its removal gives it back.
fn makes_exclusively(facts: &Facts, class: ScopeId) -> bool {
    let span = facts.scope(class).span;
    let mut said = ["O_EXCL", "EEXIST"]
        .into_iter()
        .flat_map(|name| facts.exprs_named(name));
    said.any(|id| span.contains(facts.expr(id).span))
        || facts
            .calls_of_class(class)
            .any(|call| facts.opens_exclusively(&call))
}

fn moment(facts: &Facts, class: ScopeId, call: &Call<'_>) -> Option<Moment> {
    let name = facts.function_name(call.stmt())?;
    if name == "__init__" {
        return (!asks_whether_stale(facts, call)).then_some(Moment::Constructor);
    }
    let gives_back = matches!(
        name.trim_start_matches('_'),
        "release" | "unlock" | "close" | "exit__"
    ) || topic::words(name).any(|word| word == "release" || word == "unlock");
    let by_system = locks_by_system(facts, class) && !makes_exclusively(facts, class);
    if gives_back {
        return by_system.then_some(Moment::Unlocked);
    }
    takes_over(facts, call).then_some(Moment::Stale)
}

/// The function looks for a dead holder, takes the file away, and does not look again at what it has taken.
fn takes_over(facts: &Facts, call: &Call<'_>) -> bool {
    let looks = |other: &Call<'_>| {
        topic::has_word(
            other.name(),
            "alive kill pid stale expired stat getmtime getctime",
        )
    };
    let compares = |other: &Call<'_>| {
        matches!(other.name(), "samefile" | "samestat" | "fstat")
            || (other.span().start > call.span().end && topic::says(other.name(), "read"))
    };
    let scope = call.scope();
    let before = facts
        .calls_of(scope)
        .any(|other| other.span().end < call.span().start && looks(&other));
    let identified = facts
        .exprs_named("st_ino")
        .any(|id| facts.expr(id).scope == scope);
    before && !identified && !facts.calls_of(scope).any(|other| compares(&other))
}

/// Who holds it is looked at before: its process, or its age.
fn asks_whether_stale(facts: &Facts, call: &Call<'_>) -> bool {
    let says = |span: Span| {
        facts.calls_within(span).any(|inner| {
            topic::has_word(
                inner.name(),
                "kill pid alive stale getmtime stat age time expired",
            )
        })
    };
    facts
        .ancestors(call.stmt())
        .any(|around| match facts.stmt(around.stmt).kind {
            StmtKind::If { test, .. } => says(facts.expr(test).span),
            _ => false,
        })
}

pub(super) fn word_of_takeover(path: &str) -> Words {
    Words::new(
        format!("`{path}` is taken away as stale some steps after its holder was looked at."),
        "Between the look and this step another process can have found the same, removed the file and locked it anew: then a lock that is held is taken away.",
        "Look again at what was taken (its inode or its content) and give it back if it is another; or keep the lock on an open file, which the system releases with its holder.",
    )
}

fn word(facts: &Facts, path: ExprId, moment: Moment) -> Words {
    let path = facts.expr_text(path);
    let (message, why) = match moment {
        Moment::Constructor => (
            format!("The constructor of the lock removes `{path}`, whoever holds it."),
            "Another process that owns the lock keeps working, and the next one makes a new file and owns it too.",
        ),
        Moment::Stale | Moment::Unlocked => (
            format!("The lock removes its file `{path}` when it is given back."),
            "A process that waits has the old file open and gets the lock on it; the next one makes a new file and gets the lock on that: both own it.",
        ),
    };
    if matches!(moment, Moment::Stale) {
        return word_of_takeover(path);
    }
    Words::new(
        message,
        why,
        "Leave the file where it is: it is empty, and the lock is on it and not in it.",
    )
}
