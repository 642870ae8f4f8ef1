//! Names that a route hands on to a function of the file, which joins them to a folder that is read or written.

use super::origin::{is_of_request, sender_of};
use super::remote::Sender;
use super::used::used_paths;
use super::{CHECK, is_checked_later};
use crate::facts::{Call, ExprId, Facts, Param, Piece, ScopeId, Source, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// Functions between the route and the one that joins the path, and between that and the use of it.
const DEPTH: u32 = 4;

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen = Vec::new();
    for (call, path) in used_paths(facts) {
        let mut composed = Vec::new();
        compositions_behind(facts, path, DEPTH, &mut composed);
        for joined in composed {
            if seen.contains(&joined) || is_checked_later(cx, path) {
                continue;
            }
            seen.push(joined);
            if let Some((value, given)) = handed_part(cx, joined) {
                out.hits.push(hit(cx, &call, (joined, value, given)));
            }
        }
    }
}

/// The compositions that a path is, also what a helper of the file returns, and those of the folder that it lies in.
fn compositions_behind(facts: &Facts, path: ExprId, depth: u32, out: &mut Vec<ExprId>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    for value in facts.values(path) {
        if let Some(pieces) = facts.pieces(value) {
            out.push(value);
            if let Some(Piece::Value(folder)) = pieces.first().filter(|_| pieces.len() > 1) {
                compositions_behind(facts, *folder, depth, out);
            }
        } else if let Some(helper) = facts.call(value).and_then(|call| facts.callee_scope(&call)) {
            for returned in facts.returns_of(helper) {
                compositions_behind(facts, returned, depth, out);
            }
        }
    }
}

/// The parameter that is joined as it came, and what a route gives it.
fn handed_part(cx: &Context<'_>, joined: ExprId) -> Option<(ExprId, ExprId)> {
    let facts = cx.facts;
    let pieces = facts.pieces(joined)?;
    pieces.into_iter().skip(1).find_map(|piece| match piece {
        Piece::Value(value) if !is_checked_later(cx, joined) => {
            Some((value, given(cx, value, DEPTH)?))
        }
        _ => None,
    })
}

/// What a route gives a parameter, through the functions between them, where none of these checks it.
fn given(cx: &Context<'_>, value: ExprId, depth: u32) -> Option<ExprId> {
    let facts = cx.facts;
    let depth = depth.checked_sub(1)?;
    let (function, param) = facts.parameter(value)?;
    if !is_text(facts, param) || !is_unchecked(cx, value) {
        return None;
    }
    let name = facts.text(param.name);
    facts.calls_to(function).find_map(|call| {
        let argument = facts.argument_for(&call, function, name)?;
        let comes_in = is_of_request(cx, argument)
            && is_unchecked(cx, argument)
            && !is_narrow_field(facts, argument);
        let through = || given(cx, argument, depth);
        comes_in.then_some(argument).or_else(through)
    })
}

fn is_text(facts: &Facts, param: &Param) -> bool {
    param.annotation.is_none_or(|annotation| {
        let text = facts.expr_text(annotation);
        text == "str" || text.contains("[str") || text.contains("str |")
    })
}

fn is_unchecked(cx: &Context<'_>, value: ExprId) -> bool {
    let facts = cx.facts;
    let stmt = facts.expr(value).stmt;
    let mut names = facts.within(value).filter_map(|id| facts.dotted(id));
    facts.key_part(value, cx.profile).source > Source::Checked
        && !names.any(|name| facts.is_validated(&name, stmt, cx.profile))
}

/// A field of a model that is shown and lets only some texts in: another type, a pattern, or a validator of the class.
pub(super) fn is_narrow_field(facts: &Facts, argument: ExprId) -> bool {
    facts.within(argument).any(|id| {
        facts.attribute(id).is_some_and(|(of, name)| {
            let annotation = facts.parameter(of).and_then(|(_, param)| param.annotation);
            let model = annotation.and_then(|annotation| facts.definition(annotation));
            model.is_some_and(|model| has_validator(facts, model) || is_narrow(facts, model, name))
        })
    })
}

fn has_validator(facts: &Facts, model: ScopeId) -> bool {
    let methods = facts
        .scope_ids()
        .filter(|&scope| facts.scope(scope).parent == Some(model));
    methods
        .flat_map(|method| facts.decorators(method))
        .any(|&decorator| facts.expr_text(decorator).contains("validator"))
}

fn is_narrow(facts: &Facts, model: ScopeId, field: &str) -> bool {
    facts
        .attribute_bindings(model, field)
        .iter()
        .any(|binding| {
            let StmtKind::Assign {
                annotation: Some(annotation),
                value,
                ..
            } = facts.stmt(binding.stmt).kind
            else {
                return false;
            };
            let text = facts.expr_text(annotation);
            let default = value.map_or("", |value| facts.expr_text(value));
            let has_pattern = ["pattern", "regex", "constr"]
                .iter()
                .any(|word| text.contains(word) || default.contains(word));
            has_pattern || !topic::has_word(text, "str")
        })
}

fn hit(cx: &Context<'_>, call: &Call<'_>, (joined, value, given): (ExprId, ExprId, ExprId)) -> Hit {
    let facts = cx.facts;
    let at = |id: ExprId| Anchor::expr(facts, id);
    let (used, given_at) = (facts.stmt(call.stmt()).head, at(given));
    // Where only the hand-over changed, that is the line to look at.
    let anchor = at(joined).or_where_changed(facts, given_at);
    let sender = sender_of(cx, given).unwrap_or(Sender::Request);
    let words = word(facts, value, given, sender);
    let mut hit = Hit::new(&CHECK, anchor, cx.where_shared(HitVerdict::Look), words);
    hit.causes
        .extend([used, given_at.span, facts.expr(joined).span]);
    hit.with_related(given_at.span, "what was sent is handed on here")
        .with_related(used, "used here")
}

fn word(facts: &Facts, value: ExprId, given: ExprId, sender: Sender) -> Words {
    let (value, given) = (facts.expr_text(value), facts.expr_text(given));
    let sender = sender.said();
    Words::new(
        format!(
            "`{given}` comes with {sender} and becomes `{value}`, which is joined to a folder as it came."
        ),
        "With `..` or an absolute path in it whoever sent it reads or overwrites files outside of the folder.",
        format!(
            "Is `{value}` checked on the way? Refuse what does not fully match a strict pattern, or test the resolved path with `os.path.commonpath` or `Path.is_relative_to`."
        ),
    )
}
