//! A folder of the cache is made where it is missing, and a second worker that makes it meanwhile is an error.

use super::deletes::deciding_test;
use crate::facts::{CacheProof, Call, ExprId, Facts, Leads};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "folder-made-twice",
    rule: 7,
    severity: Severity::Nit,
    references: &[],
    summary: "A folder of the cache is asked for and then made, with no tolerance of a worker that makes it in between.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls() {
        let Some(path) = made_folder(&call).filter(|_| !is_tolerant(facts, &call)) else {
            continue;
        };
        let is_cached = matches!(
            facts.cache_proof(path, cx.profile),
            Some(CacheProof::Flows | CacheProof::Says)
        ) || facts.common_folder(path).is_some()
            || is_given_to_workers(facts, path)
            || is_of_server(cx, path);
        let Some(asked) = deciding_test(facts, path, call.stmt()).filter(|_| is_cached) else {
            continue;
        };
        let verdict = cx.where_shared(HitVerdict::Look);
        let span = facts.stmt(asked).head;
        let mut hit = Hit::new(
            &CHECK,
            Anchor::call(&call),
            verdict,
            word(facts, path, &call),
        )
        .with_related(span, "asked for here");
        hit.causes.push(span);
        out.hits.push(hit);
    }
}

/// A parameter of a worker's constructor: its siblings are given the same folder.
fn is_given_to_workers(facts: &Facts, path: ExprId) -> bool {
    let values = facts.values(path).into_iter().chain([path]);
    let class = facts.class_of(facts.expr(path).scope);
    let is_worker = class
        .and_then(|class| facts.scope_name(class))
        .is_some_and(|name| topic::has_word(name, "worker nanny replica executor"));
    is_worker
        && values
            .flat_map(|value| facts.within(value))
            .any(|id| facts.parameter(id).is_some())
}

/// A folder that is not this process's own, in code that is not known to serve nobody.
fn is_of_server(cx: &Context<'_>, path: ExprId) -> bool {
    let facts = cx.facts;
    let is_own = matches!(
        facts.leads(path, cx.profile),
        Leads::Own | Leads::Staged | Leads::Handle
    );
    let is_result = facts
        .names_behind(path)
        .iter()
        .any(|name| topic::words(name).any(|word| RESULTS.contains(&&*word)));
    let is_tool = facts.imports_name("argparse") || facts.idle_file(cx.profile).is_some();
    !is_own && !is_result && !is_tool && !facts.is_unique(path)
}

/// Words of names of folders that one run fills for its user.
const RESULTS: &[&str] = &[
    "result", "results", "output", "out", "outdir", "report", "reports", "export", "project", "run",
];

fn made_folder(call: &Call<'_>) -> Option<ExprId> {
    if call.is(&["os.makedirs", "os.mkdir"]) {
        return call.arg(0, "name").or_else(|| call.keyword("path"));
    }
    call.receiver().filter(|_| call.method() == Some("mkdir"))
}

fn is_tolerant(facts: &Facts, call: &Call<'_>) -> bool {
    call.keyword("exist_ok").is_some()
        || call.has_splat()
        || facts.is_caught(call.stmt(), &["FileExistsError", "OSError"])
        || facts.is_file_locked(call.stmt())
}

fn word(facts: &Facts, path: ExprId, call: &Call<'_>) -> Words {
    let path = facts.expr_text(path);
    Words::new(
        format!("`{path}` is asked for and then made by `{}`.", call.name()),
        "Two workers that get here at once both find it missing; the second one fails with `FileExistsError`.",
        "Make it with `exist_ok=True` and ask for nothing.",
    )
}
