//! The expensive work is done before anybody asks the cache.

use super::stores::look_up;
use crate::facts::{Call, ExprId, Facts, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "cache-checked-late",
    rule: 6,
    severity: Severity::Flag,
    references: &[],
    summary: "A download or decode runs before the cache look-up that could save it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let Some(key) = look_up(facts, stmt) else {
            continue;
        };
        if !ends_work(facts, stmt) {
            continue;
        }
        if let Some(call) = work_before(facts, stmt, key) {
            let words = word(facts, &call);
            let hit = Hit::new(
                &CHECK,
                Anchor::call(&call),
                cx.where_shared(HitVerdict::Look),
                words,
            );
            out.hits
                .push(hit.with_related(facts.stmt(stmt).head, "the cache is asked here"));
        }
    }
}

/// Whether a hit returns: the `if` itself, or the one behind the look-up.
fn ends_work(facts: &Facts, stmt: StmtId) -> bool {
    let returns = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::If { body, .. } => body
            .iter()
            .any(|&inner| matches!(facts.stmt(inner).kind, StmtKind::Return(Some(_)))),
        _ => false,
    };
    returns(stmt)
        || facts
            .following(stmt)
            .first()
            .is_some_and(|&next| returns(next))
}

/// A download or decode that always ran by then and that the key does not rest on.
fn work_before(facts: &Facts, look_up: StmtId, key: ExprId) -> Option<Call<'_>> {
    let in_key = facts.names_behind(key);
    let scope = facts.scope(facts.stmt(look_up).scope);
    facts
        .calls_within(scope.span)
        .filter(|call| facts.always_before(call.stmt(), look_up))
        .filter(is_expensive)
        .find(|call| match &facts.stmt(call.stmt()).kind {
            StmtKind::Assign { targets, .. } => targets.iter().all(|&target| {
                facts
                    .last_name(target)
                    .is_none_or(|name| !in_key.iter().any(|known| known == name))
            }),
            _ => false,
        })
}

fn is_expensive(call: &Call<'_>) -> bool {
    let fetches = call.is(&[
        "requests.get",
        "requests.post",
        "httpx.get",
        "urllib.request.urlopen",
    ]);
    let says = topic::has_word(
        call.name(),
        "download decode imdecode fetch imread preprocess",
    );
    fetches || says
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let text = facts.expr_text(call.function);
    Words::new(
        format!("`{text}(...)` runs before the cache is asked."),
        "A hit then saves nothing of the expensive part.",
        "Can the look-up stand first? Move it above, as long as the key does not need the result.",
    )
}
