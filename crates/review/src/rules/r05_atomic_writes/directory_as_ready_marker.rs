//! A folder whose existence means that it is complete, made before it is filled.

use super::switches::where_awaited;
use crate::facts::{Call, ExprId, Facts, Leads, Piece, StmtId, StmtKind};
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
        if is_own(cx, folder) || cx.facts.is_file_locked(call.stmt()) {
            continue;
        }
        let in_cache = cx.facts.cache_proof(folder, cx.profile).is_some();
        let found = match in_cache {
            true => in_cache_folder(cx, folder, call.stmt()),
            false => in_any_folder(cx.facts, folder, call.stmt()),
        };
        if let Some((asked, filled)) = found {
            let verdict = match in_cache {
                true => cx.where_shared(HitVerdict::Look),
                false => where_awaited(cx, HitVerdict::Look),
            };
            let words = word(cx.facts, folder);
            let anchor = Anchor::stmt(cx.facts, filled);
            let mut hit = Hit::new(&CHECK, anchor, verdict, words);
            hit.causes.push(call.span());
            let hit = hit.with_related(
                cx.facts.stmt(asked).head,
                "its existence is taken as ready here",
            );
            out.hits
                .push(hit.with_related(call.span(), "made here, before it is filled"));
        }
    }
}

/// Where a folder of the cache is asked for before it is made, and filled after.
fn in_cache_folder(cx: &Context<'_>, folder: ExprId, made: StmtId) -> Option<(StmtId, StmtId)> {
    let asked = asked_before(cx.facts, folder, made)?;
    let filled = filled_after(cx.facts, folder, made, SAVES)?;
    decides(cx.facts, asked, filled).then_some((asked, filled))
}

/// The same for any other folder: there the question must be seen to spare the filling.
fn in_any_folder(facts: &Facts, folder: ExprId, made: StmtId) -> Option<(StmtId, StmtId)> {
    let filled = filled_after(facts, folder, made, LOADS)?;
    let spared = facts.spared(folder, filled)?;
    let is_here = spared.decides && std::ptr::eq(spared.home, facts);
    (is_here && spared.stmt < made).then_some((spared.stmt, filled))
}

/// Words of calls that put into a folder what takes its time.
const LOADS: &[&str] = &[
    "download", "extract", "unpack", "unzip", "untar", "fetch", "clone",
];

const SAVES: &[&str] = &[
    "download", "extract", "unpack", "fetch", "populate", "fill", "save",
];

/// A folder of this run alone, or one that gets its name when it is complete.
fn is_own(cx: &Context<'_>, folder: ExprId) -> bool {
    let leads = cx.facts.leads(folder, cx.profile);
    let is_own = matches!(leads, Leads::Own | Leads::Staged | Leads::Handle);
    is_own || cx.facts.is_moved_away(folder)
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
fn filled_after(facts: &Facts, folder: ExprId, made: StmtId, says: &[&str]) -> Option<StmtId> {
    let scope = facts.stmt(made).scope;
    let written = || {
        facts
            .writes()
            .any(|write| facts.is_same_path(write.path, folder))
    };
    facts
        .calls_beside(made)
        .filter(|call| call.stmt() > made && facts.stmt(call.stmt()).scope == scope)
        .find(|call| fills(facts, call, folder, says))
        .filter(|_| !written())
        .map(|call| call.stmt())
}

/// A call that says that it loads, unpacks or saves something into the folder.
fn fills(facts: &Facts, call: &Call<'_>, folder: ExprId, says: &[&str]) -> bool {
    let mut args = call.args.iter().map(|arg| arg.value);
    topic::words(call.name()).any(|word| says.contains(&&*word))
        && args.any(|arg| is_in_folder(facts, arg, folder))
}

/// The folder itself, or a file that is put into it.
fn is_in_folder(facts: &Facts, path: ExprId, folder: ExprId) -> bool {
    let is_below = |value: ExprId| match facts.pieces(value).unwrap_or_default().first() {
        Some(Piece::Value(root)) => facts.is_same_path(*root, folder),
        _ => false,
    };
    facts.is_same_path(path, folder) || facts.values(path).into_iter().any(is_below)
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
