//! A file that cannot be read counts as a fresh one, and is written over at once.

use crate::facts::{Call, ExprId, Facts, Handler, Leads, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "state-restarts-on-error",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "Any failure to read a file of state makes it start anew, and the file is overwritten, with no log.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.idle_file(cx.profile).is_some() {
        return;
    }
    for stmt in facts.stmt_ids() {
        let StmtKind::Try { body, handlers, .. } = &facts.stmt(stmt).kind else {
            continue;
        };
        let Some(handler) = handlers.iter().find(|one| starts_anew(facts, one)) else {
            continue;
        };
        let Some((path, write)) = overwritten(cx, stmt, body) else {
            continue;
        };
        let anchor = Anchor {
            stmt,
            span: handler.span,
        };
        let mut hit = Hit::new(&CHECK, anchor, HitVerdict::Look, word(facts, path));
        hit.causes.push(write.span());
        out.hits
            .push(hit.with_related(write.span(), "and is written over here"));
    }
}

/// It catches everything and only gives names a first value, without a word.
fn starts_anew(facts: &Facts, handler: &Handler) -> bool {
    let gives = |&stmt: &StmtId| match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, value, .. } => {
            targets.iter().all(|&target| facts.name(target).is_some())
                && value
                    .is_some_and(|value| facts.call(value).is_none_or(|call| call.args.is_empty()))
        }
        _ => false,
    };
    facts.catches_all(handler) && !handler.body.is_empty() && handler.body.iter().all(gives)
}

/// The file that the `try` reads and that the function writes behind it; a cache may always start anew.
fn overwritten<'f>(cx: &Context<'f>, stmt: StmtId, body: &[StmtId]) -> Option<(ExprId, Call<'f>)> {
    let facts = cx.facts;
    let inside = facts.statements_in(body);
    let mut read = inside
        .iter()
        .flat_map(|&inner| facts.calls_in(inner))
        .filter_map(|call| facts.read_path(&call));
    let behind = facts.statements_in(facts.following(stmt));
    read.find_map(|path| {
        let write = facts.writes().find(|write| {
            behind.contains(&write.call.stmt()) && facts.is_same_path(write.path, path)
        })?;
        let is_cache = matches!(facts.leads(path, cx.profile), Leads::Cache(_));
        (!is_cache).then_some((path, write.call))
    })
}

fn word(facts: &Facts, path: ExprId) -> Words {
    let path = facts.expr_text(path);
    Words::new(
        format!("Whatever makes `{path}` unreadable, its state starts anew and is written over."),
        "A passing failure (no permission, too many open files, a half-written file) is treated like a missing file: what was counted or stored is lost for good, and no log says so.",
        "Start anew only where the file is missing (`FileNotFoundError`); log and raise anything else, or keep a copy of what could not be read.",
    )
}
