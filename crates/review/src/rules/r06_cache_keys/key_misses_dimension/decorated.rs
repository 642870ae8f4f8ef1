//! Decorators that keep results, and are told to leave an argument out of the key.

use super::{CHECK, dimension, inputs};
use crate::facts::{Call, ExprId, ExprKind, Facts, Param, ScopeId, ScopeKind, Span};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for function in facts.scope_ids() {
        if facts.scope(function).kind != ScopeKind::Function {
            continue;
        }
        for &decorator in facts.decorators(function) {
            let call = facts.call(decorator).filter(keeps_results);
            if let Some((at, left_out)) = call.and_then(|call| left_out(cx, function, &call)) {
                out.hits.push(hit(cx, function, at, left_out));
            }
        }
    }
}

/// `@cached(...)`, `@cachedmethod(...)`, `@cache.memoize(...)`, `@memory.cache(...)`.
pub(super) fn keeps_results(call: &Call<'_>) -> bool {
    topic::has_word(
        call.callee(),
        "cached cache cachedmethod memoize memoized memo",
    )
}

/// The argument that says what the key is made of, and the first parameter that it leaves out although the value is made
/// with it.
fn left_out<'f>(
    cx: &'f Context<'_>,
    function: ScopeId,
    call: &Call<'f>,
) -> Option<(ExprId, &'f str)> {
    let facts = cx.facts;
    let makes_key = [
        "key",
        "key_builder",
        "make_cache_key",
        "keyfunc",
        "key_func",
    ];
    let by_function = || {
        let key = makes_key.iter().find_map(|name| call.keyword(name))?;
        let maker = KeyMaker::of(facts, key)?;
        let params = &facts.scope(function).params;
        let named = maker.names_any(facts, params);
        let missing = params.iter().enumerate().find(|(n, param)| {
            let place = (!named).then_some(*n);
            !maker.takes(facts, place, param) && makes_value(facts, function, param)
        });
        missing.map(|(_, param)| (key, facts.text(param.name)))
    };
    by_function().or_else(|| ignored(cx, function, call))
}

/// `ignore=["currency"]`: only what tells two values apart by its name counts, since leaving out is what it is for.
fn ignored<'f>(
    cx: &'f Context<'_>,
    function: ScopeId,
    call: &Call<'f>,
) -> Option<(ExprId, &'f str)> {
    let facts = cx.facts;
    let lists = ["ignore", "args_to_ignore", "ignore_args"];
    let list = lists.iter().find_map(|name| call.keyword(name))?;
    let mut names = facts.within(list).filter_map(|id| facts.string(id));
    let is_input = |name: &&str| {
        let mut params = facts.scope(function).params.iter();
        params.any(|param| facts.text(param.name) == *name && makes_value(facts, function, param))
    };
    let name = names.find(|name| dimension(cx, name).is_some() && is_input(name))?;
    Some((list, name))
}

/// What makes the key of the arguments.
struct KeyMaker<'f> {
    params: &'f [Param],
    /// Where it makes it.
    body: Span,
}

impl<'f> KeyMaker<'f> {
    fn of(facts: &'f Facts, key: ExprId) -> Option<KeyMaker<'f>> {
        let (scope, body) = match &facts.expr(key).kind {
            ExprKind::Lambda { scope, body } => (*scope, facts.expr(*body).span),
            _ => {
                let scope = facts.definition(key)?;
                (scope, facts.scope(scope).span)
            }
        };
        let params = facts.scope(scope).params.as_slice();
        (!params.is_empty()).then_some(KeyMaker { params, body })
    }

    /// Whether it calls any argument as the function does: then the places of others say nothing.
    fn names_any(&self, facts: &Facts, params: &[Param]) -> bool {
        let mut own = self.params.iter().map(|param| facts.text(param.name));
        own.any(|own| own != "self" && params.iter().any(|param| facts.text(param.name) == own))
    }

    /// Whether the argument gets into the key: by its own name, else by its place.
    fn takes(&self, facts: &Facts, place: Option<usize>, param: &Param) -> bool {
        let name = facts.text(param.name);
        let is_splat = |own: &Param| {
            let before = facts.text(Span {
                start: own.name.start.saturating_sub(1),
                end: own.name.start,
            });
            before == "*"
        };
        let same = self.params.iter().find(|own| facts.text(own.name) == name);
        let at_place = place.and_then(|place| self.params.get(place));
        let at_place = at_place.filter(|own| !is_splat(own));
        let mut splats = self.params.iter().filter(|own| is_splat(own));
        match same.or(at_place) {
            Some(own) => self.uses(facts, own),
            None => splats.any(|own| self.uses(facts, own)),
        }
    }

    fn uses(&self, facts: &Facts, own: &Param) -> bool {
        let name = facts.text(own.name);
        facts
            .exprs_within(self.body)
            .any(|id| facts.name(id) == Some(name))
    }
}

/// A plain text or number by which the function computes, not only what it tells.
fn makes_value(facts: &Facts, function: ScopeId, param: &Param) -> bool {
    let name = facts.text(param.name);
    let computes = |id: ExprId| {
        let of_body = facts.expr(id).scope == function && facts.name(id) == Some(name);
        of_body && facts.expr(id).parent.is_some() && !facts.is_only_told(id)
    };
    let body = facts.scope(function).span;
    inputs::decides(facts, param) && facts.exprs_within(body).any(computes)
}

fn hit(cx: &Context<'_>, function: ScopeId, at: ExprId, left_out: &str) -> Hit {
    let facts = cx.facts;
    let anchor = Anchor::expr(facts, at);
    let verdict = cx.where_shared(HitVerdict::Violation);
    let mut hit = Hit::new(&CHECK, anchor, verdict, word(facts, function, left_out));
    hit.causes.push(facts.expr(at).span);
    hit
}

fn word(facts: &Facts, function: ScopeId, left_out: &str) -> Words {
    let name = facts.scope_name(function).unwrap_or("the function");
    Words::new(
        format!(
            "The key that `{name}` is kept by leaves out `{left_out}`, and the value is made with it."
        ),
        format!("Whoever asks with another `{left_out}` gets what was made for the first."),
        format!("Put `{left_out}` (a secret: its digest) into the key."),
    )
}
