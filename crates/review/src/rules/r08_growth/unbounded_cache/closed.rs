//! Keys of which there are only so many: constants, registered names, what the program itself is made of.

use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, Part, StmtId, StmtKind};

/// A name that can mean a few things only.
pub(super) fn is_closed_name(facts: &Facts, key: ExprId) -> bool {
    loops_over_display(facts, key)
        || is_typed_closed(facts, key)
        || is_given_constants(facts, key)
        || is_of_fixed_set(facts, key)
}

/// `cls.__name__`, `request.endpoint`: one for each class, route or the like that the program has.
pub(super) fn is_of_program(facts: &Facts, key: ExprId) -> bool {
    let names_route = |id: ExprId| matches!(facts.last_name(id), Some("url_rule" | "route"));
    facts.attribute(key).is_some_and(|(object, name)| {
        // What is configured is one value for a process, or a few.
        let configured = facts
            .name(object)
            .is_some_and(|of| matches!(of, "config" | "settings" | "cfg" | "conf"));
        let is_own = matches!(
            name,
            "__name__"
                | "__class__"
                | "__qualname__"
                | "__module__"
                | "endpoint"
                | "url_rule"
                | "view_name"
                | "method"
                | "status_code"
                | "levelname"
                | "levelno"
        );
        is_own || configured || names_route(object)
    })
}

/// A parameter that every shown caller gives a constant: there are as many keys as calls.
fn is_given_constants(facts: &Facts, key: ExprId) -> bool {
    let Some((function, param)) = facts.parameter(key) else {
        return false;
    };
    let callers = facts.callers(function);
    let fixed = |home: &Facts, call: &Call<'_>| {
        let given = home.argument_for(call, function, facts.text(param.name));
        given.is_some_and(|given| home.string(given).is_some() || home.is_constant_name(given))
    };
    !callers.is_empty() && callers.iter().all(|(home, call)| fixed(home, call))
}

/// Refused before where another collection does not hold it, or used only where that does: a name that was registered
/// or configured.
fn is_of_fixed_set(facts: &Facts, key: ExprId) -> bool {
    refusals(facts, key).any(|test| asks(facts, test, key, true))
        || facts.ancestors(facts.expr(key).stmt).any(|around| {
            let StmtKind::If { test, .. } = facts.stmt(around.stmt).kind else {
                return false;
            };
            around.part == Part::Body && asks(facts, test, key, false)
        })
}

/// The tests of earlier `if` statements behind which nobody gets whom they hit.
fn refusals(facts: &Facts, key: ExprId) -> impl Iterator<Item = ExprId> {
    let at = facts.expr(key);
    let (scope, stmt) = (at.scope, at.stmt);
    let earlier = facts
        .statements_of(scope)
        .take_while(move |&other| other < stmt);
    earlier.filter_map(move |other| match &facts.stmt(other).kind {
        StmtKind::If { test, body, .. }
            if facts.always_leaves(body) && facts.always_before(other, stmt) =>
        {
            Some(*test)
        }
        _ => None,
    })
}

/// `key in SET` or `key not in SET`, alone or as a part of an `and`, with a set that does not grow.
fn asks(facts: &Facts, test: ExprId, key: ExprId, for_absence: bool) -> bool {
    let name = facts.expr_text(key);
    facts.asked_members(test).any(|asked| {
        asked.is_absence == for_absence
            && facts.expr_text(asked.key) == name
            && is_fixed(facts, asked.container)
    })
}

/// Made once, whoever asks: a name of the module or of a class, or a field that only the constructor was given.
fn is_fixed(facts: &Facts, set: ExprId) -> bool {
    let is_shared = facts.reach(set).is_process_wide() || facts.is_constant_name(set);
    is_shared || is_configured(facts, set)
}

/// `self._lines`, which the constructor takes from a parameter and no method fills; or of which nothing but the test is
/// shown.
fn is_configured(facts: &Facts, set: ExprId) -> bool {
    let bindings = facts.bindings_behind(set);
    let unseen = bindings.is_empty() && !facts.document.whole;
    let given = |value: ExprId| {
        facts
            .within(value)
            .any(|part| facts.parameter(part).is_some())
    };
    let from_outside = bindings.iter().all(|binding| match binding.kind {
        BindingKind::Value { value, index: None } => {
            facts.function_name(binding.stmt) == Some("__init__") && given(value)
        }
        _ => false,
    });
    let is_field = facts.self_attribute(set).is_some();
    is_field && (unseen || !bindings.is_empty()) && from_outside && !is_filled(facts, set)
}

fn is_filled(facts: &Facts, set: ExprId) -> bool {
    let (Some(name), dotted) = (facts.last_name(set), facts.dotted(set)) else {
        return true;
    };
    let mut mentions = facts
        .exprs_named(name)
        .filter(|&id| facts.dotted(id) == dotted);
    mentions.any(|id| grows_at(facts, id, facts.expr(id).stmt))
}

fn grows_at(facts: &Facts, id: ExprId, stmt: StmtId) -> bool {
    let parent = facts.expr(id).parent;
    let by_method = parent.and_then(|up| facts.attribute(up));
    let by_method = by_method.is_some_and(|(object, method)| {
        let grows = matches!(
            method,
            "add" | "append" | "update" | "setdefault" | "extend"
        );
        object == id && grows
    });
    let mut put = facts.entries_put(stmt);
    by_method || put.any(|(object, _)| object == id)
}

/// A parameter of a class of the project's own, an Enum or a Literal most likely: plain values are open.
fn is_typed_closed(facts: &Facts, key: ExprId) -> bool {
    let annotation = facts.parameter(key).and_then(|(_, param)| param.annotation);
    annotation
        .and_then(|kind| facts.last_name(kind))
        .is_some_and(|name| {
            matches!(name, "bool" | "Literal" | "Type" | "type")
                || [
                    "enum", "kind", "type", "mode", "status", "state", "name", "backend",
                    "strategy", "stage", "level", "phase", "policy", "format",
                ]
                .iter()
                .any(|word| {
                    name.starts_with(char::is_uppercase)
                        && topic::words(name).last().as_deref() == Some(word)
                })
        })
}

fn loops_over_display(facts: &Facts, key: ExprId) -> bool {
    let displays = |iter: ExprId| {
        matches!(
            facts.expr(iter).kind,
            ExprKind::List(_) | ExprKind::Tuple(_) | ExprKind::Set(_)
        )
    };
    let bindings = facts.bindings_behind(key);
    !bindings.is_empty()
        && bindings.iter().all(|binding| match binding.kind {
            BindingKind::Loop { iter, .. } => {
                displays(iter)
                    || facts
                        .call(iter)
                        .is_some_and(|call| call.callee() == "range")
            }
            _ => false,
        })
}
