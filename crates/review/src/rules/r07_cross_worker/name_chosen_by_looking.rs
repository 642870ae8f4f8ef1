//! A free name is looked for and then taken in another step: two workers choose the same.

use crate::facts::{Call, ExprId, ExprKind, Facts, Leads, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "name-chosen-by-looking",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "A file's name is chosen by asking which ones are free, or by counting those that are there.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.idle_file(cx.profile).is_some() || facts.imports_name("argparse") {
        return;
    }
    let loops = facts.stmt_ids().filter_map(|stmt| searched(facts, stmt));
    for (test, path) in loops.collect::<Vec<_>>() {
        if is_shared(cx, path) {
            let anchor = Anchor::expr(facts, test);
            out.hits.push(hit(anchor, word_of_search(facts, path)));
        }
    }
    for write in facts.writes() {
        let made = facts.writes_anew(&write.call);
        if let Some(count) =
            counted(facts, write.path).filter(|_| made && is_shared(cx, write.path))
        {
            let words = word_of_count(facts, write.path, count);
            out.hits.push(hit(Anchor::call(&write.call), words));
        }
    }
}

fn hit(anchor: Anchor, words: Words) -> Hit {
    Hit::new(&CHECK, anchor, HitVerdict::Look, words)
}

/// Not a place that this process made for itself.
fn is_shared(cx: &Context<'_>, path: ExprId) -> bool {
    let leads = cx.facts.leads(path, cx.profile);
    let is_own = matches!(leads, Leads::Own | Leads::Staged | Leads::Handle);
    !is_own && !cx.facts.is_unique(path)
}

/// `while path.exists(): path = ...`, and then the path is written or handed back.
fn searched(facts: &Facts, stmt: StmtId) -> Option<(ExprId, ExprId)> {
    let StmtKind::While { test, body, .. } = &facts.stmt(stmt).kind else {
        return None;
    };
    if matches!(facts.expr(*test).kind, ExprKind::Not(_)) {
        return None;
    }
    let path = facts
        .within(*test)
        .filter_map(|id| facts.call(id))
        .find_map(|call| facts.asked_path(&call))?;
    let name = facts.name(path)?;
    let inside = facts.statements_in(body);
    let renames = |&stmt: &StmtId| gives(facts, stmt, name);
    (inside.iter().any(renames) && is_taken(facts, stmt, path)).then_some((*test, path))
}

/// The statement gives another value to a name.
fn gives(facts: &Facts, stmt: StmtId, name: &str) -> bool {
    match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => targets
            .iter()
            .any(|&target| facts.name(target) == Some(name)),
        _ => false,
    }
}

/// Behind the loop the path is written anew, copied to or returned; an open that fails where it is there is the cure.
fn is_taken(facts: &Facts, around: StmtId, path: ExprId) -> bool {
    let scope = facts.stmt(around).scope;
    let is_behind = |stmt: StmtId| stmt > around && facts.stmt(stmt).scope == scope;
    let same = |id: ExprId| facts.is_same_path(id, path);
    let writes = facts.writes().any(|write| {
        let call = &write.call;
        is_behind(call.stmt()) && same(write.path) && !facts.opens_exclusively(call)
    });
    let moves = || {
        facts
            .moves()
            .any(|moved| is_behind(moved.call.stmt()) && same(moved.to))
    };
    let returns = || {
        let mut stmts = facts.stmt_ids().filter(|&stmt| is_behind(stmt));
        stmts.any(|stmt| match facts.stmt(stmt).kind {
            StmtKind::Return(Some(value)) => facts
                .within(value)
                .any(|id| facts.name(id).is_some() && facts.name(id) == facts.name(path)),
            _ => false,
        })
    };
    writes || moves() || returns()
}

/// The `len(os.listdir(folder))` that a path is numbered by.
fn counted(facts: &Facts, path: ExprId) -> Option<ExprId> {
    let values = facts.values(path).into_iter().chain([path]);
    let parts = values.flat_map(|value| facts.within(value));
    let mut behind = parts.flat_map(|part| {
        let values = facts.name(part).map(|_| facts.values(part));
        values.unwrap_or_default().into_iter().chain([part])
    });
    behind.find_map(|value| {
        let mut calls = facts.within(value).filter_map(|id| facts.call(id));
        calls
            .find(|call| call.callee() == "len" && counts_files(facts, call))
            .map(|call| call.id)
    })
}

fn counts_files(facts: &Facts, len: &Call<'_>) -> bool {
    let lists = |call: Call<'_>| {
        call.is(&["os.listdir", "os.scandir", "glob.glob"])
            || matches!(call.method(), Some("iterdir" | "glob" | "rglob"))
    };
    len.positional(0).is_some_and(|of| {
        let values = facts.values(of).into_iter().chain([of]);
        values
            .flat_map(|value| facts.within(value))
            .filter_map(|id| facts.call(id))
            .any(lists)
    })
}

fn word_of_search(facts: &Facts, path: ExprId) -> Words {
    let path = facts.shown(path);
    Words::new(
        format!("`{path}` is free when it is asked for, and taken in a later step."),
        "Two requests or workers that look at once find the same name free; the second one overwrites what the first has put there.",
        format!(
            "Can two of them look at once? Make `{path}` in the loop with a mode that fails where it is there (`open(..., \"x\")`), or name it by a uuid."
        ),
    )
}

fn word_of_count(facts: &Facts, path: ExprId, count: ExprId) -> Words {
    let (path, count) = (facts.shown(path), facts.shown(count));
    Words::new(
        format!("`{path}` is numbered by `{count}`."),
        "Two workers that count at once get the same number, and so does the next one after a removal: what is there under that number is overwritten.",
        "Can files be removed, or two workers write here? Name the file by a uuid, or make it with a mode that fails where it is there (`\"x\"`).",
    )
}
