//! Names in the temp folder of the whole host that tell its users and roots not apart.

use super::CHECK;
use crate::facts::{ExprId, Facts, Piece};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) fn shared_temp(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for &composed in facts.compositions() {
        let Some(part) = relative_part(facts, composed) else {
            continue;
        };
        let anchor = Anchor::expr(facts, composed);
        let verdict = cx.where_shared(HitVerdict::Look);
        let mut hit = Hit::new(&CHECK, anchor, verdict, word(facts, part));
        hit.severity = Some(Severity::Flag);
        out.hits.push(hit);
    }
}

/// What a path below `tempfile.gettempdir()` is named by, where that is a path relative to a root that is left out.
fn relative_part(facts: &Facts, composed: ExprId) -> Option<ExprId> {
    let pieces = facts.pieces(composed)?;
    let (first, rest) = pieces.split_first()?;
    let Piece::Value(root) = first else {
        return None;
    };
    let is_temp = facts.values(*root).into_iter().any(|value| {
        facts
            .call(value)
            .is_some_and(|call| call.is(&["tempfile.gettempdir"]))
    });
    let values = || {
        rest.iter().filter_map(|piece| match piece {
            Piece::Value(value) => Some(*value),
            Piece::Text(_) => None,
        })
    };
    let relative = values().find(|&value| {
        facts.values(value).into_iter().any(|of| {
            facts.call(of).is_some_and(|call| {
                call.is(&["os.path.relpath"]) || call.method() == Some("relative_to")
            })
        })
    });
    let is_unique = values().any(|value| facts.is_unique(value));
    relative.filter(|_| is_temp && !is_unique)
}

fn word(facts: &Facts, part: ExprId) -> Words {
    let part = facts.expr_text(part);
    Words::new(
        format!(
            "`{part}` is relative to a root, and names a place in the temp folder that the whole host shares."
        ),
        "Another process with another root has the same relative paths: both write to the same place, and read what belongs to the other.",
        "Put a digest of the absolute path, or of root and user, into the name.",
    )
}
