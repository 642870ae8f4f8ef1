//! Cache paths that the file puts together, with what each part is worth.

use crate::facts::{
    CacheProof, Call, ExprId, ExprKind, Facts, KeyPart, Kind, Leads, Piece, Source, Span, StmtKind,
};
use crate::rules::Context;

/// A composed path in the cache, or the composed name of a lock file.
pub(super) struct CachePath {
    pub(super) id: ExprId,
    pub(super) proof: CacheProof,
    pub(super) is_lock: bool,
    /// The parts behind the root; of a lock file's name all of them.
    pub(super) parts: Vec<(ExprId, KeyPart)>,
}

impl CachePath {
    /// What the whole name is worth.
    pub(super) fn has_digest(&self) -> bool {
        self.parts.iter().any(|(_, part)| part.has_digest)
    }
}

/// The cache paths that are composed in the file, in source order; inner ones are parts of the outer.
pub(super) fn cache_paths(cx: &Context<'_>) -> Vec<CachePath> {
    let facts = cx.facts;
    let mut out: Vec<CachePath> = Vec::new();
    for &id in facts.compositions() {
        if facts.is_only_told(id) || facts.is_never_read(id) {
            continue;
        }
        let inside = |outer: &CachePath| {
            let (outer, inner) = (facts.expr(outer.id), facts.expr(id));
            outer.stmt == inner.stmt && outer.span.contains(inner.span)
        };
        if !out.iter().rev().take(8).any(inside) {
            out.extend(cache_path(cx, id));
        }
    }
    out
}

fn cache_path(cx: &Context<'_>, id: ExprId) -> Option<CachePath> {
    let facts = cx.facts;
    let pieces = facts
        .pieces(id)
        .filter(|pieces| is_pathlike(facts, pieces))?;
    let names_lock = names_lock_file(facts, id);
    let proof = match facts.leads(id, cx.profile) {
        Leads::Cache(CacheProof::Place) if !joins_folders(facts, id, &pieces) => None,
        Leads::Cache(proof) => Some(proof),
        // A constant behind the name of an entry: what stands before it counts.
        Leads::Staged => first_value(&pieces).and_then(|root| facts.cache_proof(root, cx.profile)),
        _ => None,
    };
    let proof = proof.or(names_lock.then_some(CacheProof::Says))?;
    let skipped = usize::from(!names_lock || is_rooted(cx, &pieces));
    let parts = parts_of(cx, pieces, skipped);
    Some(CachePath {
        id,
        proof,
        is_lock: names_lock,
        parts,
    })
}

/// The other paths that the file joins: a folder and what lies in it, wherever that is.
pub(super) fn plain_paths(cx: &Context<'_>, known: &[CachePath]) -> Vec<CachePath> {
    let facts = cx.facts;
    let is_known = |id: ExprId| {
        let inner = facts.expr(id);
        known.iter().any(|path| {
            let outer = facts.expr(path.id);
            outer.stmt == inner.stmt && outer.span.contains(inner.span)
        })
    };
    facts
        .expr_ids()
        .filter_map(|id| Some((id, facts.pieces(id)?)))
        .filter(|(id, pieces)| {
            is_pathlike(facts, pieces) && joins_folders(facts, *id, pieces) && !is_known(*id)
        })
        .map(|(id, pieces)| CachePath {
            id,
            proof: CacheProof::Place,
            is_lock: false,
            parts: parts_of(cx, pieces, 1),
        })
        .collect()
}

/// What each value behind the first pieces is worth.
fn parts_of(cx: &Context<'_>, pieces: Vec<Piece>, skipped: usize) -> Vec<(ExprId, KeyPart)> {
    let behind = pieces.into_iter().skip(skipped);
    behind
        .filter_map(|piece| match piece {
            Piece::Value(value) => Some((value, cx.facts.key_part(value, cx.profile))),
            Piece::Text(_) => None,
        })
        .collect()
}

fn first_value(pieces: &[Piece]) -> Option<ExprId> {
    match pieces.first()? {
        Piece::Value(value) => Some(*value),
        Piece::Text(_) => None,
    }
}

/// Whether the first piece is the folder, not a part of the name.
fn is_rooted(cx: &Context<'_>, pieces: &[Piece]) -> bool {
    first_value(pieces).is_some_and(|root| {
        let part = cx.facts.key_part(root, cx.profile);
        !matches!(part.source, Source::Raw(_))
    })
}

/// Messages and URLs are composed too; a path has no blanks, and no protocol.
fn is_pathlike(facts: &Facts, pieces: &[Piece]) -> bool {
    pieces.iter().all(|piece| match piece {
        Piece::Text(text) => {
            let text = facts.text(*text);
            !text.contains(char::is_whitespace) && !text.contains("://") && !text.contains('?')
        }
        Piece::Value(_) => true,
    })
}

/// `os.path.join(...)` or `a / b`, from something that is no address.
fn joins_folders(facts: &Facts, id: ExprId, pieces: &[Piece]) -> bool {
    let joins = match &facts.expr(id).kind {
        ExprKind::Call { .. } => facts
            .call(id)
            .is_some_and(|call| call.callee().ends_with("path.join") || call.name() == "joinpath"),
        ExprKind::Binary { operator, .. } => facts.text(*operator) == "/",
        _ => false,
    };
    let is_address = first_value(pieces)
        .and_then(|root| facts.last_name(root))
        .is_some_and(|name| topic::has_word(name, "url uri host api bucket"));
    joins && !is_address && !is_arithmetic(facts, id)
}

/// A division, not a join: numbers, slices of arrays and other operators stand in it or around it.
fn is_arithmetic(facts: &Facts, id: ExprId) -> bool {
    let calculates = |operator: Span| matches!(facts.text(operator), "*" | "-" | "**" | "//" | "@");
    let around = facts.expr(id).parent.map(|parent| &facts.expr(parent).kind);
    let goes_on =
        matches!(around, Some(ExprKind::Binary { operator, .. }) if calculates(*operator));
    goes_on
        || facts.within(id).any(|inner| match &facts.expr(inner).kind {
            ExprKind::Binary { operator, .. } => calculates(*operator),
            ExprKind::Unary(_) => true,
            ExprKind::Number => facts
                .expr(inner)
                .parent
                .is_some_and(|around| matches!(facts.expr(around).kind, ExprKind::Binary { .. })),
            ExprKind::Subscript { index, .. } => index.len() > 1,
            _ => false,
        })
}

/// Whether the composition is the name of a file lock: given to one, or ending in `.lock`.
fn names_lock_file(facts: &Facts, id: ExprId) -> bool {
    let makes_lock = |call: &Call<'_>| facts.constructs(call) == Some(Kind::FileLock);
    let parent = facts.expr(id).parent;
    let given = parent
        .and_then(|parent| facts.call(parent))
        .is_some_and(|call| makes_lock(&call));
    let ends_in_lock = facts
        .expr_text(id)
        .trim_end_matches([')', '"', '\''])
        .ends_with(".lock");
    let named = ends_in_lock && (stands_in_folder(facts, id) || becomes_lock(facts, id));
    given || (named && !is_unused(facts, id))
}

/// Given to a local name that the function, which is shown whole, never reads: the lock was commented out.
fn is_unused(facts: &Facts, id: ExprId) -> bool {
    let expr = facts.expr(id);
    let StmtKind::Assign { targets, .. } = &facts.stmt(expr.stmt).kind else {
        return false;
    };
    let is_read = |target: ExprId| {
        facts.name(target).is_none_or(|name| {
            facts
                .exprs_named(name)
                .any(|other| other != target && facts.name(other).is_some())
        })
    };
    facts.is_visible(expr.scope) && !targets.iter().any(|&target| is_read(target))
}

/// `os.path.join(folder, ...)`: a name alone is a part of something that is not shown.
fn stands_in_folder(facts: &Facts, id: ExprId) -> bool {
    let joins = facts
        .call(id)
        .is_some_and(|call| call.callee().ends_with("path.join") || call.name() == "joinpath");
    let divides = matches!(&facts.expr(id).kind, ExprKind::Binary { operator, .. } if facts.text(*operator) == "/");
    joins || divides || facts.expr_text(id).contains('/')
}

/// Whether the name that it is given goes into a file lock as it is.
fn becomes_lock(facts: &Facts, id: ExprId) -> bool {
    facts
        .calls()
        .filter(|call| facts.constructs(call) == Some(Kind::FileLock))
        .any(|call| {
            call.arg(0, "lock_file")
                .is_some_and(|of| facts.values(of).contains(&id))
        })
}
