//! Models and sessions kept by key in a field of which no shown text says more: whoever asks first makes them.

use super::torchscript::alone;
use super::unlocked_shared_init::CHECK;
use crate::facts::{Call, ExprId, Facts, Heat, StmtId, StmtKind, says_lock};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.document.whole || facts.idle_file(cx.profile).is_some() {
        return;
    }
    for stmt in facts.stmt_ids() {
        let Some((table, target)) = made_by_key(facts, stmt) else {
            continue;
        };
        let cold = matches!(facts.heat(stmt, cx.profile), Heat::Cold(_));
        let locked = facts.held_at(stmt).next().is_some() || !facts.sees_enclosure(stmt);
        if cold || locked || alone(cx, stmt).is_some() {
            continue;
        }
        if let Some(test) = facts.tested_before(stmt, target) {
            let words = word(facts, table);
            let hit = Hit::new(&CHECK, Anchor::stmt(facts, stmt), HitVerdict::Look, words);
            let test = facts.stmt(test).head;
            out.hits.push(hit.with_related(test, "found missing here"));
        }
    }
}

/// `self._models[name] = AutoModel.from_pretrained(name)`: the table, and the entry that is put.
fn made_by_key(facts: &Facts, stmt: StmtId) -> Option<(ExprId, ExprId)> {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        augmented: false,
        ..
    } = &facts.stmt(stmt).kind
    else {
        return None;
    };
    let (table, _) = facts.entries_put(stmt).next()?;
    let is_async = facts.is_async(facts.stmt(stmt).scope);
    let is_kept = facts.self_attribute(table).is_some() && facts.is_unseen_attribute(table);
    let loads = facts.within(*value).any(|id| {
        facts
            .call(id)
            .is_some_and(|call| LOADS.contains(&call.name()) && !is_given_lock(facts, &call))
    });
    (is_kept && !is_async && loads).then_some((table, *targets.first()?))
}

/// A loader that is given a lock has been thought of.
fn is_given_lock(facts: &Facts, call: &Call<'_>) -> bool {
    call.args.iter().any(|arg| {
        let keyword = arg.name.map_or("", |name| facts.text(name));
        says_lock(keyword)
    })
}

/// Calls that bring a model or an engine into memory.
const LOADS: &[&str] = &[
    "from_pretrained",
    "load_model",
    "InferenceSession",
    "SentenceTransformer",
    "CrossEncoder",
    "WhisperModel",
    "deserialize_cuda_engine",
];

fn word(facts: &Facts, table: ExprId) -> Words {
    let table = facts.expr_text(table);
    Words::new(
        format!("An entry of `{table}` is made where it is found missing, and no lock is shown."),
        "If two threads ask for the same model at once, both load it: time and memory are spent twice, and callers hold different ones.",
        format!(
            "Can two threads get here? Then hold a lock around test and creation, best one for each key of `{table}`."
        ),
    )
}
