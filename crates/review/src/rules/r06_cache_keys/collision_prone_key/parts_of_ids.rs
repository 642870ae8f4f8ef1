//! Entries that are named by one part of an id that was taken apart: `owner, name = id.split("/")`.

use super::CHECK;
use crate::facts::{BindingKind, ExprId, Facts, Piece, StmtKind};
use crate::rules::r06_cache_keys::compositions::CachePath;
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn parts_of_ids(cx: &Context<'_>, paths: &[CachePath], out: &mut Outcome) {
    let facts = cx.facts;
    for path in paths.iter().filter(|path| !path.has_digest()) {
        let Some((part, left)) = path.parts.iter().find_map(|&(part, _)| {
            let left = left_out(facts, part)?;
            (!holds(facts, path.id, left, 4)).then_some((part, left))
        }) else {
            continue;
        };
        let anchor = Anchor::expr(facts, path.id);
        let taken = facts.expr(left).stmt;
        let words = word(facts, part, left);
        let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(HitVerdict::Look), words);
        hit.causes.push(facts.stmt(taken).head);
        out.hits
            .push(hit.with_related(facts.stmt(taken).head, "the id is taken apart here"));
    }
}

/// The part of the same id that says whose it is, where this is another part of it.
fn left_out(facts: &Facts, part: ExprId) -> Option<ExprId> {
    facts.bindings_behind(part).into_iter().find_map(|binding| {
        let BindingKind::Value {
            value,
            index: Some(_),
        } = binding.kind
        else {
            return None;
        };
        let call = facts.call(value)?;
        let splits = matches!(
            call.method(),
            Some("split" | "rsplit" | "partition" | "rpartition")
        );
        let by_slash = call.positional(0).and_then(|by| facts.string(by)) == Some("/");
        let StmtKind::Assign { targets, .. } = &facts.stmt(binding.stmt).kind else {
            return None;
        };
        let mut others = targets.iter().flat_map(|&target| facts.within(target));
        let owner = others.find(|&other| {
            let name = facts.name(other).unwrap_or("");
            Some(name) != facts.name(part) && says_owner(name)
        });
        owner.filter(|_| splits && by_slash)
    })
}

fn says_owner(name: &str) -> bool {
    topic::has_word(
        name,
        "user owner org organization namespace workspace account tenant team \
         author",
    )
}

/// Whether the path holds the other part as well, in any of the folders that it is joined onto.
fn holds(facts: &Facts, composed: ExprId, part: ExprId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return true;
    };
    let name = facts.name(part);
    facts.values(composed).into_iter().any(|value| {
        let here = facts.within(value).any(|id| facts.name(id) == name);
        let pieces = facts.pieces(value).unwrap_or_default();
        here || pieces.into_iter().any(|piece| match piece {
            Piece::Value(piece) => {
                piece != value && facts.name(piece).is_some() && holds(facts, piece, part, depth)
            }
            Piece::Text(_) => false,
        })
    })
}

fn word(facts: &Facts, part: ExprId, left: ExprId) -> Words {
    let (part, left) = (facts.expr_text(part), facts.expr_text(left));
    Words::new(
        format!("`{part}` names the entry without its `{left}`."),
        format!(
            "Equal names of two different `{left}` are one entry: the second finds, overwrites or deletes what belongs to the first."
        ),
        format!("Put `{left}` into the path as well, or a digest of the whole id."),
    )
}
