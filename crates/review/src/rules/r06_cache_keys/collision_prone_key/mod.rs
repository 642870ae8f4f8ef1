//! Two different ids get the same key.

mod constant_keys;
mod fallbacks;
mod hashed_names;
mod named_keys;
mod parts_of_ids;
mod shared_temp;
mod stored_keys;
mod unseparated;
mod words;

use super::compositions::{CachePath, cache_paths, plain_paths};
use crate::facts::{CacheProof, ExprId, Facts, Loss, Source};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome};
use constant_keys::constant_keys;
use fallbacks::fallbacks;
use hashed_names::hashed_names;
use named_keys::{lossy_helpers, lossy_keys};
use parts_of_ids::parts_of_ids;
use report::Severity;
use shared_temp::shared_temp;
use stored_keys::stored_keys;
use unseparated::unseparated;
use words::word;

pub(super) const CHECK: Check = Check {
    id: "collision-prone-key",
    rule: 6,
    severity: Severity::Block,
    references: &[],
    summary: "The only key of a cache entry loses what tells two ids apart.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let paths = cache_paths(cx);
    for path in &paths {
        if let Some((loss, at)) = loss_of(path)
            && !(loss == Loss::Basename && stays_in_folder(cx.facts, path.id, at))
            && !(loss == Loss::Replaced && is_name_of_hub(cx.facts, at))
        {
            out.hits.push(lossy_path(cx, path, loss, at));
        }
    }
    hashed_names(cx, &paths, out);
    lossy_helpers(cx, out);
    lossy_keys(cx, out);
    constant_keys(cx, out);
    fallbacks(cx, out);
    parts_of_ids(cx, &paths, out);
    unseparated(cx, out);
    shared_temp(cx, out);
    stored_keys(cx, out);
    short_names(cx, &paths, out);
}

/// The loss of a name that nothing else in it makes good.
fn loss_of(path: &CachePath) -> Option<(Loss, ExprId)> {
    if path.has_digest() {
        return None;
    }
    let whole = |source| matches!(source, Source::Raw(_));
    // Where the full id stands in the path too, a lossy part beside it does no harm.
    if path
        .parts
        .iter()
        .any(|(_, part)| whole(part.source) && part.loss.is_none())
    {
        return None;
    }
    let counting = path.parts.iter().filter_map(|(_, part)| {
        // The last component of some path is a usual name for a copy; that of an id, or of a lock's entry, is not.
        let usual = |loss: &(Loss, ExprId)| {
            loss.0 == Loss::Basename && !path.is_lock && !whole(part.source)
        };
        part.real_loss().filter(|loss| !usual(loss))
    });
    // Whatever else is lost, `hash()` and a short digest are the last that had a chance to keep it.
    counting.min_by_key(|(loss, _)| !is_grave(*loss))
}

/// `path.parent / path.stem`: what the last component lost stands before it.
fn stays_in_folder(facts: &Facts, composed: ExprId, at: ExprId) -> bool {
    let of = |id: ExprId| match facts.attribute(id) {
        Some((object, _)) => facts.dotted(object),
        None => facts.dotted(facts.call(id)?.positional(0)?),
    };
    let lost = of(at);
    let keeps = |id: ExprId| {
        let names_folder = match facts.attribute(id) {
            Some((_, name)) => name == "parent",
            None => facts
                .call(id)
                .is_some_and(|call| call.is(&["os.path.dirname"])),
        };
        names_folder && of(id) == lost
    };
    let parts = facts.within(composed).collect::<Vec<_>>();
    let values = parts.iter().flat_map(|&part| facts.values(part));
    lost.is_some() && parts.iter().copied().chain(values).any(keeps)
}

/// Losses that no reading of the value excuses.
fn is_grave(loss: Loss) -> bool {
    matches!(loss, Loss::Hash | Loss::ShortDigest)
}

fn lossy_path(cx: &Context<'_>, path: &CachePath, loss: Loss, at: ExprId) -> Hit {
    let anchor = Anchor::expr(cx.facts, path.id);
    // Another part of the name can hold what this one lost.
    let alone = path
        .parts
        .iter()
        .all(|(_, part)| part.source == Source::Constant || part.loss.is_some());
    let sure = path.proof != CacheProof::Place && !path.is_lock && !is_mild(loss);
    // `a/b` as `a--b` is a customary name, and hardly any id has the longer sign in it.
    let sure = sure && !(loss == Loss::Replaced && replaces_by_sign(cx.facts, at));
    let sure = sure && (alone || is_grave(loss));
    let verdict = HitVerdict::sure_if(sure);
    let mut hit = Hit::new(
        &CHECK,
        anchor,
        cx.where_shared(verdict),
        word(cx.facts, loss, at, path.is_lock),
    );
    hit.severity = path.is_lock.then_some(Severity::Flag);
    with_cause(cx.facts, hit, at)
}

/// `replace("/", "--")`: two characters or more stand for the separator.
fn replaces_by_sign(facts: &Facts, at: ExprId) -> bool {
    let call = facts
        .call(at)
        .filter(|call| call.method() == Some("replace"));
    let sign = call.and_then(|call| facts.string(call.positional(1)?));
    sign.is_some_and(|sign| sign.chars().count() >= 2)
}

/// `repo_id.replace("/", "--")`: the model hub lets no repository have that sign in its name.
fn is_name_of_hub(facts: &Facts, at: ExprId) -> bool {
    let call = facts.call(at);
    let name = call.and_then(|call| facts.last_name(call.receiver()?));
    let is_repo = name.is_some_and(|name| topic::has_word(name, "repo"));
    let sign = call.and_then(|call| facts.constant_text(call.positional(1)?));
    let of_hub = call.is_some_and(|call| match sign {
        Some(sign) => sign == "--",
        None => call
            .positional(1)
            .is_some_and(|sign| facts.is_constant_name(sign)),
    });
    is_repo && of_hub
}

/// Losses that the meaning of the value may allow.
fn is_mild(loss: Loss) -> bool {
    matches!(loss, Loss::LowerCased | Loss::Basename)
}

/// Makes the place of the loss a cause, and related where it is another statement.
fn with_cause(facts: &Facts, mut hit: Hit, at: ExprId) -> Hit {
    let (stmt, span) = (facts.expr(at).stmt, facts.expr(at).span);
    let callee = facts.call(at).and_then(|call| facts.callee(&call));
    let (home, function) = callee.unzip();
    if let (Some(home), Some(function)) = (home.filter(|home| home.path != facts.path), function) {
        hit.root = Some((home.path.clone(), home.scope(function).span));
    }
    if stmt == hit.anchor.stmt {
        return hit;
    }
    hit.causes.push(span);
    hit.with_related(span, "what tells two values apart is lost here")
}

/// A short digest as the only name of a file or folder, wherever it lies.
fn short_names(cx: &Context<'_>, known: &[CachePath], out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen = Vec::new();
    for path in plain_paths(cx, known) {
        let Some((loss, at)) = loss_of(&path).filter(|(loss, _)| *loss == Loss::ShortDigest) else {
            continue;
        };
        let is_told = out
            .hits
            .iter()
            .any(|hit| hit.check.id == CHECK.id && hit.anchor.span.overlaps(facts.expr(at).span));
        if is_told || seen.contains(&at) {
            continue;
        }
        seen.push(at);
        let anchor = Anchor::expr(facts, path.id);
        let verdict = cx.where_shared(HitVerdict::Look);
        let hit = Hit::new(&CHECK, anchor, verdict, word(facts, loss, at, false));
        out.hits.push(with_cause(facts, hit, at));
    }
}
