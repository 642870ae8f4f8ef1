//! A folder whose existence means that it is complete, made before it is filled.

use crate::facts::{Call, ExprId, Facts, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "directory-as-ready-marker",
    rule: 5,
    severity: Severity::Flag,
    references: &[],
    summary: "A cache folder whose existence means that it is ready is made before it is filled.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        let Some(folder) = made_folder(cx.facts, &call) else {
            continue;
        };
        let in_cache = cx.facts.cache_proof(folder, cx.profile).is_some();
        if !in_cache || cx.facts.is_moved_away(folder) || cx.facts.is_file_locked(call.stmt()) {
            continue;
        }
        let Some(asked) = asked_before(cx.facts, folder, call.stmt()) else {
            continue;
        };
        let filled = filled_after(cx, folder, call.stmt());
        if let Some(filled) = filled.filter(|&filled| decides(cx.facts, asked, filled)) {
            let words = word(cx.facts, folder);
            let hit = Hit::new(
                &CHECK,
                Anchor::call(&call),
                cx.where_shared(HitVerdict::Look),
                words,
            );
            let hit = hit.with_related(
                cx.facts.stmt(asked).head,
                "its existence is taken as ready here",
            );
            out.hits
                .push(hit.with_related(cx.facts.stmt(filled).head, "filled here"));
        }
    }
}

fn made_folder(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    if call.is(&["os.makedirs", "os.mkdir"]) {
        return call.arg(0, "name");
    }
    let of_path = call.method() == Some("mkdir");
    call.receiver()
        .filter(|&receiver| of_path && facts.resolved(receiver).as_deref() != Some("os"))
}

/// The test of the same function that asks whether the folder is there.
fn asked_before(facts: &Facts, folder: ExprId, made: StmtId) -> Option<StmtId> {
    let scope = facts.stmt(made).scope;
    facts
        .calls_beside(made)
        .take_while(|call| call.stmt() < made)
        .filter(|call| facts.stmt(call.stmt()).scope == scope && !facts.asks_to_remove(call))
        .find(|call| {
            facts
                .asked_path(call)
                .is_some_and(|asked| facts.is_same_path(asked, folder))
        })
        .map(|call| call.stmt())
}

/// Whether the answer decides on the filling: it stands under the question, or the question leaves before.
fn decides(facts: &Facts, asked: StmtId, filled: StmtId) -> bool {
    let encloses = facts
        .ancestors(filled)
        .any(|ancestor| ancestor.stmt == asked);
    match &facts.stmt(asked).kind {
        StmtKind::If { body, .. } => {
            let mut inside = facts.statements_in(body).into_iter();
            encloses || inside.any(|stmt| matches!(facts.stmt(stmt).kind, StmtKind::Return(_)))
        }
        _ => true,
    }
}

/// The call behind it that is given the folder to fill, where no finding of its own says so.
fn filled_after(cx: &Context<'_>, folder: ExprId, made: StmtId) -> Option<StmtId> {
    let facts = cx.facts;
    let scope = facts.stmt(made).scope;
    let written = || {
        facts
            .writes()
            .any(|write| facts.is_same_path(write.path, folder))
    };
    facts
        .calls_beside(made)
        .filter(|call| call.stmt() > made && facts.stmt(call.stmt()).scope == scope)
        .find(|call| fills(facts, call, folder))
        .filter(|_| !written())
        .map(|call| call.stmt())
}

/// A call that says that it loads, unpacks or saves something into the folder.
fn fills(facts: &Facts, call: &Call<'_>, folder: ExprId) -> bool {
    let says = topic::words(call.name()).any(|word| {
        matches!(
            &*word,
            "download" | "extract" | "unpack" | "fetch" | "populate" | "fill" | "save"
        )
    });
    says && call
        .args
        .iter()
        .any(|arg| facts.is_same_path(arg.value, folder))
}

fn word(facts: &Facts, folder: ExprId) -> Words {
    let folder = facts.expr_text(folder);
    Words::new(
        format!(
            "`{folder}` exists before it is complete, and its existence means that it is ready."
        ),
        "Another worker that asks in the meantime skips the work and uses a folder with files missing; after a crash all of them do.",
        format!(
            "Does another worker take `{folder}` for complete because it is there? Fill a folder with a temp name and `os.replace` it, or write a marker file last and ask for that."
        ),
    )
}
