//! A file from the system's temp folder is moved into the cache: across file systems that is a copy.

use crate::facts::{CacheProof, ExprId, Facts, Leads, Move, Temp, TempKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "rename-across-filesystems",
    rule: 5,
    severity: Severity::Block,
    references: &[],
    summary: "A temp file made in the system's temp folder is moved onto a cache path.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for moved in cx.facts.moves() {
        let (proof, is_of_cache) = match cx.facts.leads(moved.to, cx.profile) {
            Leads::Cache(proof) => (proof, true),
            Leads::Unknown if is_kept(cx.facts, &moved) => (CacheProof::Place, false),
            _ => continue,
        };
        match cx.facts.temp(moved.from) {
            Some(temp) if temp.kind == TempKind::System => {
                out.hits.push(hit(cx, &moved, temp, proof));
            }
            Some(temp) if temp.kind != TempKind::Fixed && is_of_cache => {
                out.evidence(5, moved.call.span(), "replaces the file in one step");
            }
            _ => {}
        }
    }
}

/// A name that the object itself makes for its files; a plain rename fails between file systems whatever the name.
fn is_kept(facts: &Facts, moved: &Move<'_>) -> bool {
    let own = |value: ExprId| {
        facts
            .within(value)
            .any(|id| facts.self_attribute(id).is_some())
    };
    let renames = !moved.call.is(&["shutil.move"]);
    renames || facts.values(moved.to).into_iter().any(own)
}

fn hit(cx: &Context<'_>, moved: &Move<'_>, temp: Temp, proof: CacheProof) -> Hit {
    // A class of another file, or a function that is given the folder, says so only by its name.
    let made = cx.facts.call(temp.made);
    let is_shown = made.is_none_or(|call| call.callee().starts_with("tempfile."));
    let verdict = match proof {
        CacheProof::Flows | CacheProof::Says if is_shown => HitVerdict::Violation,
        _ => HitVerdict::Look,
    };
    let mut hit = Hit::new(
        &CHECK,
        Anchor::call(&moved.call),
        cx.where_shared(verdict),
        word(cx, moved),
    );
    hit.causes.push(cx.facts.expr(temp.made).span);
    hit.with_related(
        cx.facts.expr(temp.made).span,
        "made in the system's temp folder",
    )
}

fn word(cx: &Context<'_>, moved: &Move<'_>) -> Words {
    let (from, to) = (cx.facts.expr_text(moved.from), cx.facts.expr_text(moved.to));
    let why = if moved.call.is(&["shutil.move"]) {
        "The temp folder is often another file system than the target's. Then the move is a copy under the final name, and another worker can read the file half-written."
    } else {
        "The temp folder is often another file system than the target's. Then the rename fails with `OSError` (EXDEV), and nothing is cached."
    };
    Words::new(
        format!("`{from}` comes from the system's temp folder and is moved onto `{to}`."),
        why,
        "Make the temp file in the target's own folder (`dir=os.path.dirname(target)`), then `os.replace` it.",
    )
}
