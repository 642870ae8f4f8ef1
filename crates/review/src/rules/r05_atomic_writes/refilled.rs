//! A folder that others read in is removed and filled anew in place.

use super::rewritten_in_place::CHECK;
use super::switches::where_awaited;
use crate::facts::{Call, Deletion, Facts, Leads, StmtId};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for removal in facts.deletions().filter(|removal| removal.is_tree) {
        let stmt = removal.call.stmt();
        let is_shared = matches!(
            facts.leads(removal.path, cx.profile),
            Leads::Unknown | Leads::Cache(_)
        );
        if !is_shared || facts.is_file_locked(stmt) || facts.held_at(stmt).next().is_some() {
            continue;
        }
        let Some(refill) = made_again(facts, &removal) else {
            continue;
        };
        if let Some(read) = read_elsewhere(facts, &removal) {
            out.hits.push(hit(cx, &removal, refill, read));
        }
    }
}

/// Where the same function makes the folder that it removed, or copies another one there.
fn made_again(facts: &Facts, removal: &Deletion<'_>) -> Option<StmtId> {
    let (stmt, scope) = (removal.call.stmt(), removal.call.scope());
    let mut later = facts.calls_of(scope).filter(|call| call.stmt() > stmt);
    let made = |call: &Call<'_>| {
        let folder = match call.is(&["os.makedirs", "os.mkdir"]) {
            true => call.positional(0),
            false if call.is(&["shutil.copytree"]) => call.arg(1, "dst"),
            false => call.receiver().filter(|_| call.method() == Some("mkdir")),
        };
        folder.is_some_and(|folder| facts.is_same_path(folder, removal.path))
    };
    later.find(made).map(|call| call.stmt())
}

/// Where another function opens or lists what lies in the folder.
fn read_elsewhere(facts: &Facts, removal: &Deletion<'_>) -> Option<StmtId> {
    let scope = removal.call.scope();
    let folder = facts.roots(removal.path);
    let reads = |call: &Call<'_>| {
        let read = facts.read_path(call).or_else(|| facts.listed_folder(call));
        read.is_some_and(|read| facts.roots(read).meet(&folder))
    };
    let mut others = facts.calls().filter(|call| call.scope() != scope);
    others.find(reads).map(|call| call.stmt())
}

fn hit(cx: &Context<'_>, removal: &Deletion<'_>, refill: StmtId, read: StmtId) -> Hit {
    let facts = cx.facts;
    let words = word(&facts.shown(removal.path));
    let verdict = where_awaited(cx, HitVerdict::Look);
    let mut hit = Hit::new(&CHECK, Anchor::call(&removal.call), verdict, words);
    hit.causes.push(facts.stmt(refill).head);
    hit.with_related(facts.stmt(read).head, "read here")
        .with_related(facts.stmt(refill).head, "made again here")
}

fn word(folder: &str) -> Words {
    Words::new(
        format!("`{folder}` is removed and filled anew in place, while others may read in it."),
        "Until the last file is there they find none or a part of them, and a failed or killed run leaves it so.",
        "Can anybody read here meanwhile? Fill a folder beside it, and swap the two by renaming.",
    )
}
