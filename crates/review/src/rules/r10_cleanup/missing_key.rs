//! A removal by key that ends what has to go on: the thread that expires entries, or the release of something.

use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, ScopeId, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "missing-key-ends-cleanup",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "A clean-up thread or a release takes an entry out by its key, which another way out may have taken before: KeyError ends it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.idle_file(cx.profile).is_some() {
        return;
    }
    let mut told: Vec<ScopeId> = Vec::new();
    let taken = |stmt: StmtId| taken_by_key(facts, stmt).map(|taken| (stmt, taken));
    let mut all: Vec<(StmtId, Taken<'_>)> = facts.stmt_ids().filter_map(taken).collect();
    // A member of an entry can be gone in two ways: itself, or with its entry.
    all.sort_by_key(|(stmt, taken)| (!taken.of_member, *stmt));
    for (stmt, taken) in all {
        let scope = facts.stmt(stmt).scope;
        if told.contains(&scope) || is_guarded(facts, stmt, &taken) {
            continue;
        }
        let hit = in_thread(facts, stmt, &taken).or_else(|| in_release(facts, stmt, &taken));
        if let Some(hit) = hit {
            told.push(scope);
            out.hits.push(hit);
        }
    }
}

/// An entry that a statement takes out or reads by its key.
struct Taken<'f> {
    /// The container's field: `_entries` of `del self._entries[key]`.
    field: &'f str,
    container: ExprId,
    key: ExprId,
    removes: bool,
    /// It stands in an entry: `del self._sets[name][member]`.
    of_member: bool,
}

/// `del self._entries[key]`, `self._entries.pop(key)`, and of a release `resolver, users = self._entries[key]`.
fn taken_by_key(facts: &Facts, stmt: StmtId) -> Option<Taken<'_>> {
    match &facts.stmt(stmt).kind {
        StmtKind::Delete(targets) => targets
            .iter()
            .find_map(|&target| subscript(facts, target, true)),
        StmtKind::Expr(value) => {
            let call = facts.call(*value)?;
            let container = call.receiver().filter(|_| call.method() == Some("pop"))?;
            let key = call.positional(0).filter(|_| call.args.len() == 1)?;
            let field = facts.self_attribute(container)?;
            Some(Taken {
                field,
                container,
                key,
                removes: true,
                of_member: false,
            })
        }
        StmtKind::Assign {
            value: Some(value), ..
        } => subscript(facts, *value, false),
        _ => None,
    }
}

fn subscript(facts: &Facts, id: ExprId, removes: bool) -> Option<Taken<'_>> {
    let (object, key) = parts(facts, id)?;
    match facts.self_attribute(object) {
        Some(field) => Some(Taken {
            field,
            container: object,
            key,
            removes,
            of_member: false,
        }),
        // `del self._sets[name][member]`
        None => {
            let (outer, _) = parts(facts, object)?;
            let field = facts.self_attribute(outer)?;
            Some(Taken {
                field,
                container: outer,
                key,
                removes,
                of_member: true,
            })
        }
    }
}

/// The container and the key of `container[key]`.
fn parts(facts: &Facts, id: ExprId) -> Option<(ExprId, ExprId)> {
    match &facts.expr(id).kind {
        ExprKind::Subscript { object, index } => Some((*object, index.first().copied()?)),
        _ => None,
    }
}

/// Caught, asked for before in an `if`, or done under a lock.
fn is_guarded(facts: &Facts, stmt: StmtId, taken: &Taken<'_>) -> bool {
    let key = facts.expr_text(taken.key);
    let names = |test: ExprId| {
        let mut parts = facts.within(test);
        let of_field = parts.any(|id| facts.self_attribute(id) == Some(taken.field));
        of_field && facts.within(test).any(|id| facts.expr_text(id) == key)
    };
    let asks = |stmt: StmtId| match facts.stmt(stmt).kind {
        StmtKind::If { test, .. } => names(test),
        StmtKind::Assert(_) => true,
        _ => false,
    };
    let before = facts
        .statements_of(facts.stmt(stmt).scope)
        .filter(|&before| before < stmt);
    facts.is_caught(stmt, &["KeyError", "LookupError"])
        || before.into_iter().any(asks)
        || facts.held_at(stmt).next().is_some()
        || !facts.sees_enclosure(stmt)
}

/// In the endless loop of a thread, where another method takes entries out of the same field.
fn in_thread(facts: &Facts, stmt: StmtId, taken: &Taken<'_>) -> Option<Hit> {
    let scope = facts.stmt(stmt).scope;
    let class = facts.class_of(scope)?;
    let in_while = facts
        .ancestors(stmt)
        .any(|around| matches!(facts.stmt(around.stmt).kind, StmtKind::While { .. }));
    let runs = taken.removes && in_while && facts.is_thread_body(scope);
    let other = runs
        .then(|| taken_elsewhere(facts, class, scope, taken.field))
        .flatten()?;
    let words = word_of_thread(facts, stmt, other);
    let verdict = HitVerdict::sure_if(facts.is_visible(class));
    let span = facts.stmt(other).head;
    let mut hit = Hit::new(&CHECK, Anchor::stmt(facts, stmt), verdict, words)
        .with_related(span, "takes entries out as well");
    hit.causes.push(span);
    Some(hit)
}

/// A statement of another method of the class that takes something out of the field, without a lock.
fn taken_elsewhere(facts: &Facts, class: ScopeId, own: ScopeId, field: &str) -> Option<StmtId> {
    let methods = facts.methods(class).filter(|&method| method != own);
    let mut stmts = methods.flat_map(|method| facts.statements_of(method));
    stmts.find(|&stmt| takes_out(facts, stmt, field) && facts.held_at(stmt).next().is_none())
}

fn takes_out(facts: &Facts, stmt: StmtId, field: &str) -> bool {
    let of_field = |id: ExprId| {
        facts
            .within(id)
            .any(|id| facts.self_attribute(id) == Some(field))
    };
    match &facts.stmt(stmt).kind {
        StmtKind::Delete(targets) => targets.iter().any(|&target| of_field(target)),
        _ => facts.calls_in(stmt).any(|call| {
            let takes = matches!(call.method(), Some("pop" | "popitem" | "clear"));
            takes && call.receiver().is_some_and(of_field)
        }),
    }
}

/// In a release, of a map that lets go of its keys by itself.
fn in_release(facts: &Facts, stmt: StmtId, taken: &Taken<'_>) -> Option<Hit> {
    let name = facts.function_name(stmt)?;
    let releases = topic::has_word(
        name,
        "release close stop unregister deregister cleanup dispose unsubscribe \
         shutdown",
    );
    let is_weak = releases && is_weak_map(facts, taken.container);
    is_weak.then(|| {
        let words = word_of_release(facts, taken);
        Hit::new(&CHECK, Anchor::stmt(facts, stmt), HitVerdict::Look, words)
    })
}

fn is_weak_map(facts: &Facts, container: ExprId) -> bool {
    let weak =
        |call: Call<'_>| call.is(&["weakref.WeakKeyDictionary", "weakref.WeakValueDictionary"]);
    facts
        .bindings_behind(container)
        .into_iter()
        .any(|binding| match binding.kind {
            BindingKind::Value { value, index: None } => facts.call(value).is_some_and(weak),
            _ => false,
        })
}

fn word_of_thread(facts: &Facts, stmt: StmtId, other: StmtId) -> Words {
    let what = first_line(facts.text(facts.stmt(stmt).head));
    let method = facts.function_name(other).unwrap_or("another method");
    Words::new(
        format!("`{what}` raises `KeyError` where `{method}` took the entry out before."),
        "Nothing around it catches that, so the thread ends: nothing is cleaned up from then on, and only a traceback on stderr says so.",
        "Use `pop(key, None)`, or catch `KeyError` inside the loop; and let both take the same lock.",
    )
}

fn word_of_release(facts: &Facts, taken: &Taken<'_>) -> Words {
    let what = facts.expr_text(taken.container);
    Words::new(
        format!("A release looks up `{what}` by its key, and that map loses entries by itself."),
        "A second release, or one after the key was collected, raises `KeyError` out of a close that should have nothing left to do.",
        "Can it be gone already? Then use `pop(key, None)` or `get`, and return where there is nothing.",
    )
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or(text)
}
