//! Paths that somebody configured: an input whose damage has to be told, and no entry of a cache that can be made anew.

use crate::facts::{BindingKind, CacheProof, ExprId, ExprKind, Facts};

/// Objects that hold what a user set.
const HOLDERS: &[&str] = &[
    "args",
    "arguments",
    "cfg",
    "conf",
    "config",
    "configuration",
    "namespace",
    "opt",
    "options",
    "opts",
    "params",
    "settings",
];

/// Calls that give the same path in another shape.
const SHAPES: &[&str] = &[
    "Path",
    "str",
    "fspath",
    "abspath",
    "realpath",
    "resolve",
    "expanduser",
    "absolute",
    "expandvars",
];

/// Whether the path that is read was given whole by the user, and nothing in the file writes it. What flows from a
/// cache's root is never such, nor what is put together here.
pub(super) fn is_configured(facts: &Facts, path: ExprId, proof: CacheProof) -> bool {
    proof != CacheProof::Flows && is_given(facts, path, proof, 4) && !is_written(facts, path)
}

fn is_given(facts: &Facts, path: ExprId, proof: CacheProof, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    if of_settings(facts, path) {
        return true;
    }
    match &facts.expr(path).kind {
        ExprKind::Call { .. } => is_shape_of_given(facts, path, proof, depth),
        ExprKind::Name if facts.parameter(path).is_some() => {
            // A plain parameter in a place that is about caches: only callers who build a path make it an entry.
            proof == CacheProof::Place && !callers_build(facts, path)
        }
        ExprKind::Name | ExprKind::Attribute { .. } => {
            let bound = facts.bindings_behind(path);
            let given = |kind: BindingKind| match kind {
                BindingKind::Value { value, index: None } => is_given(facts, value, proof, depth),
                _ => false,
            };
            let made: Vec<_> = bound
                .into_iter()
                .filter(|binding| !is_nothing(facts, binding.kind))
                .collect();
            !made.is_empty() && made.iter().all(|binding| given(binding.kind))
        }
        _ => false,
    }
}

fn is_nothing(facts: &Facts, kind: BindingKind) -> bool {
    match kind {
        BindingKind::Declared(_) => true,
        BindingKind::Value { value, .. } => matches!(facts.expr(value).kind, ExprKind::None),
        _ => false,
    }
}

/// `args.labels`, `self._config.seed_path`, `os.environ["LABELS"]`.
fn of_settings(facts: &Facts, path: ExprId) -> bool {
    match &facts.expr(path).kind {
        ExprKind::Attribute { object, .. } => holds_settings(facts, *object),
        ExprKind::Subscript { object, .. } => {
            holds_settings(facts, *object) || facts.is_one_of(*object, &["os.environ"])
        }
        ExprKind::Call { .. } => facts.call(path).is_some_and(|call| {
            let by_get = call.method() == Some("get")
                && call.receiver().is_some_and(|of| holds_settings(facts, of));
            by_get || call.is(&["os.getenv", "os.environ.get"])
        }),
        _ => false,
    }
}

fn holds_settings(facts: &Facts, object: ExprId) -> bool {
    facts.last_name(object).is_some_and(|name| {
        let last = topic::words(name).last().unwrap_or_default();
        HOLDERS.contains(&&*last)
    })
}

fn is_shape_of_given(facts: &Facts, path: ExprId, proof: CacheProof, depth: u32) -> bool {
    let Some(call) = facts
        .call(path)
        .filter(|call| SHAPES.contains(&call.name()))
    else {
        return false;
    };
    let inner = match call.args {
        [] => call.receiver(),
        [_] => call.positional(0),
        _ => None,
    };
    inner.is_some_and(|inner| is_given(facts, inner, proof, depth))
}

/// A shown caller puts the path together: a key under a root.
fn callers_build(facts: &Facts, path: ExprId) -> bool {
    let Some((function, param)) = facts.parameter(path) else {
        return false;
    };
    let name = facts.text(param.name);
    let callers = facts.callers(function);
    callers.iter().any(|(home, call)| {
        let given = facts.argument_for(call, function, name);
        given.is_some_and(|given| !is_plain(home, given))
    })
}

fn is_plain(facts: &Facts, given: ExprId) -> bool {
    let values = facts.values(given);
    values.into_iter().all(|value| {
        matches!(
            facts.expr(value).kind,
            ExprKind::Name | ExprKind::Attribute { .. } | ExprKind::Str(_)
        )
    })
}

/// The file writes the same path, or removes it: then it is a cache after all.
fn is_written(facts: &Facts, path: ExprId) -> bool {
    let name = facts.last_name(path);
    let same = |other: ExprId| {
        facts.is_same_path(other, path) || (name.is_some() && facts.last_name(other) == name)
    };
    facts.writes().any(|write| same(write.path))
        || facts.moves().any(|moved| same(moved.to))
        || facts.deletions().any(|deletion| same(deletion.path))
}
