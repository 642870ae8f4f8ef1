//! Every rank or worker of a run removes a folder that all of them share.

use crate::facts::{Deletion, ExprId, Facts, Leads, Piece, ScopeId, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "each-worker-removes",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "Each rank or worker of a run removes a folder above its own, in which the others still work.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for deletion in facts.deletions().filter(|deletion| deletion.is_tree) {
        let Some(own) = folder_above_own(facts, deletion.path) else {
            all_remove(cx, &deletion, out);
            continue;
        };
        let stmt = deletion.call.stmt();
        if is_for_one(facts, stmt) || waits_for_all(facts, stmt) {
            continue;
        }
        let verdict = HitVerdict::sure_if(facts.sees_enclosure(stmt) && is_of_rank(facts, own));
        let words = word(facts, &deletion, own);
        let anchor = Anchor::call(&deletion.call);
        out.hits
            .push(Hit::new(&CHECK, anchor, cx.where_shared(verdict), words));
    }
}

/// A folder that no argument tells apart, removed by a function that runs in each of several workers.
fn all_remove(cx: &Context<'_>, deletion: &Deletion<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let stmt = deletion.call.stmt();
    let Some(function) = facts.function_of(deletion.call.scope()) else {
        return;
    };
    let is_mapped = is_mapped(facts, function);
    let starts = facts.is_start_hook(function) && !facts.is_main_process_hook(function);
    let is_of_all = is_same_for_all(facts, deletion.path)
        && !matches!(
            facts.leads(deletion.path, cx.profile),
            Leads::Own | Leads::Staged | Leads::Cache(_)
        );
    if !(is_mapped || starts) || !is_of_all || is_for_one(facts, stmt) {
        return;
    }
    let verdict = HitVerdict::sure_if(is_mapped);
    let words = word_of_all(facts, deletion, is_mapped);
    let anchor = Anchor::call(&deletion.call);
    out.hits
        .push(Hit::new(&CHECK, anchor, cx.where_shared(verdict), words));
}

/// `pool.map(render, parts)`: the function runs once for each part.
fn is_mapped(facts: &Facts, function: ScopeId) -> bool {
    let function = facts.canonical(function);
    facts.handovers().iter().any(|handover| {
        let call = facts.call(handover.call);
        let maps = call.is_some_and(|call| {
            matches!(call.name(), "map" | "imap" | "imap_unordered" | "starmap")
                || facts.in_loop(call.stmt())
        });
        maps && facts.canonical(handover.function) == function
    })
}

/// The path rests on constants alone: no parameter and nothing of this process goes into it.
fn is_same_for_all(facts: &Facts, path: ExprId) -> bool {
    let roots = facts.roots(path);
    let values = facts.values(path).into_iter().chain([path]);
    let is_given = values
        .flat_map(|value| facts.within(value))
        .any(|id| facts.parameter(id).is_some());
    let is_constant = roots
        .starts
        .iter()
        .any(|start| start.name.len() > 2 && !start.name.chars().any(|c| c.is_ascii_lowercase()));
    is_constant && !is_given && roots.listed.is_none() && !facts.is_unique(path)
}

fn word_of_all(facts: &Facts, deletion: &Deletion<'_>, is_mapped: bool) -> Words {
    let path = facts.expr_text(deletion.path);
    match is_mapped {
        true => Words::new(
            format!("`{path}` is the same folder for all workers, and each of them removes it."),
            "The first one that is done removes what the others still write and read.",
            "Remove it once, where the workers are started and waited for.",
        ),
        false => Words::new(
            format!("Each worker process that starts removes `{path}`."),
            "Several workers run this start, also one that is started again later: it takes the files away that the others serve and write.",
            format!(
                "Does the service run with one process alone? If not, give each worker a folder of its own, or clear `{path}` once before they start."
            ),
        ),
    }
}

/// The folder of this rank, where the removed one is its parent: `self._folder.parent`, `os.path.dirname(folder)`.
fn folder_above_own(facts: &Facts, path: ExprId) -> Option<ExprId> {
    let values = facts.values(path).into_iter().chain([path]);
    let mut below = values.filter_map(|value| {
        if let Some((own, "parent")) = facts.attribute(value) {
            return Some(own);
        }
        let call = facts.call(value)?;
        call.is(&["os.path.dirname"]).then(|| call.positional(0))?
    });
    below.find(|&own| is_of_rank(facts, own) || is_unseen_of_rank(facts, own))
}

/// A field that no shown text gives a value, in a function that names its rank.
fn is_unseen_of_rank(facts: &Facts, folder: ExprId) -> bool {
    let scope = facts.scope(facts.expr(folder).scope).span;
    facts.starts_unseen(folder)
        && facts
            .exprs_within(scope)
            .any(|id| facts.last_name(id).is_some_and(says_rank))
}

/// Its last part says which of the workers it belongs to.
fn is_of_rank(facts: &Facts, folder: ExprId) -> bool {
    facts.values(folder).into_iter().any(|value| {
        let pieces = facts.pieces(value).unwrap_or_default();
        pieces.iter().rev().take(2).any(|piece| match piece {
            Piece::Value(id) => facts.names_behind(*id).iter().any(|name| says_rank(name)),
            Piece::Text(_) => false,
        })
    })
}

fn says_rank(name: &str) -> bool {
    let says = |phrase: &str| topic::says(name, phrase);
    [
        "rank",
        "worker id",
        "worker index",
        "shard id",
        "replica id",
    ]
    .iter()
    .any(|phrase| says(phrase))
        || name == "getpid"
}

/// Only one of them comes here.
fn is_for_one(facts: &Facts, stmt: StmtId) -> bool {
    let asks = |test: ExprId| {
        facts.within(test).any(|id| {
            facts.last_name(id).is_some_and(|name| {
                says_rank(name) || topic::has_word(name, "main master leader primary coordinator")
            })
        })
    };
    let scope = facts.stmt(stmt).scope;
    let by_test = facts.statements_of(scope).any(|other| {
        other < stmt && matches!(facts.stmt(other).kind, StmtKind::If { test, .. } if asks(test))
    });
    let by_decorator = facts.function_of(scope).is_some_and(|function| {
        facts.decorators(function).iter().any(|&decorator| {
            let name = facts.call(decorator).map_or_else(
                || facts.last_name(decorator).unwrap_or(""),
                |call| call.name(),
            );
            says_rank(name) || topic::says(name, "main process")
        })
    });
    by_test || by_decorator
}

/// All of them meet before: then nobody works there any more.
fn waits_for_all(facts: &Facts, stmt: StmtId) -> bool {
    facts
        .calls_beside(stmt)
        .any(|call| call.stmt() < stmt && topic::has_word(call.name(), "barrier rendezvous"))
}

fn word(facts: &Facts, deletion: &Deletion<'_>, own: ExprId) -> Words {
    let (path, own) = (facts.expr_text(deletion.path), facts.expr_text(own));
    Words::new(
        format!("`{path}` is removed by each worker, and holds the folders of all."),
        "The first one that is done removes what the slower ones still read and write.",
        format!(
            "Remove `{own}` alone, or let one worker remove the whole after a barrier that all have passed."
        ),
    )
}
