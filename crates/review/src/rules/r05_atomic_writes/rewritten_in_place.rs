//! A store on disk writes an entry over in place, and reads the same entry elsewhere.

use super::refilled;
use super::switches::{is_marker, where_awaited};
use crate::facts::{ExprId, Facts, Leads, StmtId, Write, Writing, says_lock};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "rewritten-in-place",
    rule: 5,
    severity: Severity::Flag,
    references: &[],
    summary: "A store's entry, or a folder, is written over in place, and other functions of the file read it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    refilled::detect(cx, out);
    for write in cx.facts.writes() {
        if !is_entry(cx, &write) {
            continue;
        }
        if let Some(read) = read_elsewhere(cx.facts, &write) {
            out.hits.push(hit(cx, &write, read));
        }
    }
}

/// A file of a store, written anew under its final name, and no lock says who may read it meanwhile.
fn is_entry(cx: &Context<'_>, write: &Write<'_>) -> bool {
    let facts = cx.facts;
    let stmt = write.call.stmt();
    let leads = facts.leads(write.path, cx.profile);
    write.how == Writing::File
        && says_store(facts, stmt)
        && facts.writes_anew(&write.call)
        && matches!(leads, Leads::Unknown | Leads::Elsewhere)
        && !facts.is_moved_away(write.path)
        && !names_lock(facts, stmt)
        && !is_marker(cx, write)
}

/// Whether the class has a lock: who holds it where may be decided by its callers.
fn names_lock(facts: &Facts, stmt: StmtId) -> bool {
    let class = facts.class_of(facts.stmt(stmt).scope);
    let says = says_lock;
    class.is_some_and(|class| {
        facts
            .calls_of_class(class)
            .any(|call| says(call.callee()) || says(call.name()))
            || facts
                .exprs_within(facts.scope(class).span)
                .any(|id| facts.self_attribute(id).is_some_and(says))
    })
}

/// Words of classes whose business is to keep what others come back for.
const STORES: &[&str] = &[
    "store",
    "storage",
    "backend",
    "registry",
    "repository",
    "index",
    "checkpoint",
    "checkpointer",
    "persistence",
    "broker",
];

fn says_store(facts: &Facts, stmt: StmtId) -> bool {
    let class = facts.class_of(facts.stmt(stmt).scope);
    class
        .and_then(|class| facts.scope_name(class))
        .is_some_and(|name| topic::words(name).any(|word| STORES.contains(&&*word)))
}

/// Where another method of the class opens the same path to read it.
fn read_elsewhere(facts: &Facts, write: &Write<'_>) -> Option<StmtId> {
    let own = facts.stmt(write.call.stmt()).scope;
    let class = facts.class_of(own)?;
    facts
        .calls_of_class(class)
        .filter(|call| facts.stmt(call.stmt()).scope != own)
        .find(|call| {
            let read = facts.read_path(call);
            read.is_some_and(|read| is_same_entry(facts, read, write.path))
        })
        .map(|call| call.stmt())
}

/// The same field, or what the same helper or composition makes of a key.
fn is_same_entry(facts: &Facts, a: ExprId, b: ExprId) -> bool {
    if let Some(field) = facts.self_attribute(a) {
        return facts.self_attribute(b) == Some(field);
    }
    let texts = |id: ExprId| facts.values(id).into_iter().map(|value| facts.shown(value));
    let others: Vec<String> = texts(b).collect();
    texts(a).any(|text| text.contains("self.") && others.contains(&text))
        || path_maker(facts, a).is_some_and(|maker| path_maker(facts, b) == Some(maker))
}

/// `_entry_path` of `self._entry_path(key)`: what one method makes of keys are the paths of the same entries.
fn path_maker(facts: &Facts, path: ExprId) -> Option<&str> {
    facts.values(path).into_iter().find_map(|value| {
        let call = facts.call(value)?;
        let says = |name: &str| topic::has_word(name, "path file filename");
        facts
            .self_attribute(call.function)
            .filter(|name| says(name))
    })
}

fn hit(cx: &Context<'_>, write: &Write<'_>, read: StmtId) -> Hit {
    let words = word(&cx.facts.shown(write.path));
    let verdict = where_awaited(cx, HitVerdict::Look);
    let hit = Hit::new(&CHECK, Anchor::call(&write.call), verdict, words);
    hit.with_related(cx.facts.stmt(read).head, "read here")
}

fn word(path: &str) -> Words {
    Words::new(
        format!("`{path}` is written over in place, while others may read it."),
        "The file is empty first and filled then: another process that reads in between gets a part, and a crash leaves one for good.",
        "Do several processes use this store, or must it survive a crash? Write to a temp name in the same folder and `os.replace` it onto the final one.",
    )
}
