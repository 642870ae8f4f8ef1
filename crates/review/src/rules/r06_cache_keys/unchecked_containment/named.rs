//! Folders that are removed by a caller's name, and payloads that are joined and only made normal.

use super::CHECK;
use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, Piece, Source, StmtId};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut seen = Vec::new();
    for deletion in facts.deletions().filter(|deletion| deletion.is_tree) {
        let Some((composed, value)) = named_part(cx, deletion.path, 4) else {
            continue;
        };
        if seen.contains(&composed) {
            continue;
        }
        seen.push(composed);
        let words = word_of_tree(facts, deletion.path, value);
        let removal = facts.stmt(deletion.call.stmt()).head;
        let mut hit = hit(cx, composed, words);
        hit.causes.push(removal);
        out.hits.push(hit.with_related(removal, "removed here"));
    }
    for call in facts.calls() {
        if let Some(value) = normalised_payload(facts, &call) {
            out.hits
                .push(hit(cx, call.id, word_of_payload(facts, value)));
        }
    }
}

fn hit(cx: &Context<'_>, at: ExprId, words: Words) -> Hit {
    let anchor = Anchor::expr(cx.facts, at);
    Hit::new(&CHECK, anchor, cx.where_shared(HitVerdict::Look), words)
}

/// The composition on the way to a removed folder that takes in a caller's name as it came, and that name.
fn named_part(cx: &Context<'_>, path: ExprId, depth: u32) -> Option<(ExprId, ExprId)> {
    let facts = cx.facts;
    let depth = depth.checked_sub(1)?;
    facts.values(path).into_iter().find_map(|composed| {
        let pieces = facts.pieces(composed)?;
        let of_caller = pieces.iter().skip(1).find_map(|piece| match piece {
            Piece::Value(value) => is_callers_name(cx, *value).then_some(*value),
            Piece::Text(_) => None,
        });
        let Some(Piece::Value(root)) = pieces.first() else {
            return None;
        };
        match of_caller {
            // Under a folder that was handed in, the caller says where.
            Some(value) => facts
                .parameter(*root)
                .is_none()
                .then_some((composed, value)),
            None => named_part(cx, *root, depth),
        }
    })
}

/// A text parameter of a public function by the name of a model, user or the like, which nothing checks.
fn is_callers_name(cx: &Context<'_>, value: ExprId) -> bool {
    let facts = cx.facts;
    let Some((function, param)) = facts.parameter(value) else {
        return false;
    };
    let name = facts.text(param.name);
    let is_public = facts
        .scope_name(function)
        .is_some_and(|name| !name.starts_with('_'));
    let is_text = param.annotation.is_none_or(|annotation| {
        let text = facts.expr_text(annotation);
        text == "str" || text.contains("Optional[str]") || text.contains("str |")
    });
    let says = [
        "model name",
        "env name",
        "project name",
        "model uid",
        "user name",
    ]
    .iter()
    .any(|phrase| topic::says(name, phrase))
        || cx.profile.keys.says_raw(name);
    let unchecked = facts.key_part(value, cx.profile).source > Source::Checked
        && !facts.is_validated(name, facts.expr(value).stmt, cx.profile)
        && !is_tested(cx, facts.expr(value).stmt);
    is_public && is_text && says && unchecked
}

/// A containment check, a validator or a test of the name somewhere in the function.
fn is_tested(cx: &Context<'_>, stmt: StmtId) -> bool {
    let facts = cx.facts;
    facts.calls_of(facts.stmt(stmt).scope).any(|call| {
        let says = topic::has_word(
            call.name(),
            "validate safe sanitize check fullmatch startswith",
        );
        cx.profile.keys.is_containment_check(call.callee()) || says
    })
}

/// `os.path.normpath(os.path.join(root, *payload.parts))`: made normal it still leaves the root.
fn normalised_payload(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    if !call.is(&["os.path.normpath", "os.path.abspath", "os.path.realpath"]) {
        return None;
    }
    let joined = facts.call(call.positional(0)?)?;
    if !joined.is(&["os.path.join"]) {
        return None;
    }
    let value = joined
        .args
        .iter()
        .skip(1)
        .map(|arg| arg.value)
        .find(|&value| is_of_payload(facts, value, 5))?;
    let is_tested = facts.calls_of(call.scope()).any(|other| {
        matches!(
            other.method(),
            Some("startswith" | "is_relative_to" | "relative_to")
        ) || other.is(&[
            "os.path.commonpath",
            "os.path.relpath",
            "os.path.commonprefix",
        ]) || topic::has_word(
            other.name(),
            "safe validate secure allowed within contained",
        )
    });
    (!is_tested).then_some(value)
}

/// A part of what a client sent: of a parameter `payload`, also through loops and subscripts.
fn is_of_payload(facts: &Facts, value: ExprId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let says = |name: &str| {
        ["payload", "request body", "form data"]
            .iter()
            .any(|word| topic::says(name, word))
    };
    let is_given = facts.parameter(value).is_some() || is_of_hidden_head(facts, value);
    let is_sent = is_given && facts.name(value).is_some_and(says);
    let source = match &facts.expr(value).kind {
        ExprKind::Attribute { object, .. } | ExprKind::Subscript { object, .. } => Some(*object),
        ExprKind::Starred(inner) => Some(*inner),
        ExprKind::Name => {
            facts
                .bindings_behind(value)
                .into_iter()
                .find_map(|binding| match binding.kind {
                    BindingKind::Loop { iter, .. } => Some(iter),
                    BindingKind::Value { value, .. } => Some(value),
                    _ => None,
                })
        }
        _ => None,
    };
    is_sent || source.is_some_and(|source| source != value && is_of_payload(facts, source, depth))
}

/// A name that nothing shown binds, in a function whose head is not shown.
fn is_of_hidden_head(facts: &Facts, value: ExprId) -> bool {
    let function = facts.function_of(facts.expr(value).scope);
    let is_hidden = function.is_none_or(|function| facts.scope_name(function).is_none());
    is_hidden && facts.bindings_behind(value).is_empty()
}

fn word_of_tree(facts: &Facts, path: ExprId, value: ExprId) -> Words {
    let (path, value) = (facts.expr_text(path), facts.expr_text(value));
    Words::new(
        format!(
            "`{value}` is joined to the root as it came, and `{path}` is removed with all in it."
        ),
        "With `..` or an absolute path in the name the removal reaches any folder that the process may write.",
        format!(
            "Can `{value}` come from a user? Then refuse what does not fully match a strict pattern, or test the resolved path against the root before the removal."
        ),
    )
}

fn word_of_payload(facts: &Facts, value: ExprId) -> Words {
    let value = facts.expr_text(value);
    Words::new(
        format!(
            "`{value}` comes from the client; joined and made normal it can still leave the root."
        ),
        "`normpath` only resolves `..`, and an absolute part replaces the root: the client then names any file of the host.",
        "Is it checked before? If not, join it with a helper that refuses what leaves the root, or test the result with `os.path.commonpath`.",
    )
}
