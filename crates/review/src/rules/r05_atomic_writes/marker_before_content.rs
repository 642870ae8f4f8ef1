//! The marker that calls a folder complete is written before what it vouches for.

use super::marked::{Marker, Order, filled, markers};
use super::switches::where_awaited;
use crate::facts::{Call, Facts, Leads};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "marker-before-content",
    rule: 5,
    severity: Severity::Block,
    references: &[],
    summary: "A marker file whose existence means that a folder is complete is written before the folder is filled.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for marker in markers(facts) {
        let is_own = matches!(
            facts.leads(marker.folder, cx.profile),
            Leads::Own | Leads::Staged
        );
        let early = filled(facts, &marker, Order::Before).is_none();
        let Some(content) = filled(facts, &marker, Order::Behind).filter(|_| early && !is_own)
        else {
            continue;
        };
        let words = word(facts, &marker, &content);
        let verdict = match marker.asked {
            Some(_) => HitVerdict::Violation,
            None => HitVerdict::Look,
        };
        let anchor = Anchor::call(&marker.call);
        let mut hit = Hit::new(&CHECK, anchor, where_awaited(cx, verdict), words)
            .with_related(content.span(), "filled only here");
        hit.causes.push(content.span());
        out.hits.push(match marker.asked {
            Some(asked) => hit.with_related(
                facts.stmt(asked).head,
                "its existence is taken for complete here",
            ),
            None => hit,
        });
    }
}

fn word(facts: &Facts, marker: &Marker<'_>, content: &Call<'_>) -> Words {
    let (path, folder) = (facts.expr_text(marker.path), facts.expr_text(marker.folder));
    Words::new(
        format!(
            "`{path}` is written before `{}` fills `{folder}`.",
            content.name()
        ),
        "Whoever asks for the marker takes the folder for complete while files are still missing, and a failed or killed run leaves it so for good.",
        "Write the marker last, when everything that it vouches for is in place.",
    )
}
