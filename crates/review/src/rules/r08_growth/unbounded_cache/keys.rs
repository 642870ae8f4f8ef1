//! Which keys can take any number of values, and which are a closed set.

use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, StmtKind, Use, UseKind};

/// Literals, constants, members of an enum and loop variables over displays are closed sets.
pub(super) fn is_open(facts: &Facts, key: ExprId) -> bool {
    match &facts.expr(key).kind {
        ExprKind::Str(_) | ExprKind::Number | ExprKind::True | ExprKind::False | ExprKind::None => {
            false
        }
        ExprKind::Name => {
            !is_constant(facts.expr_text(key))
                && !loops_over_display(facts, key)
                && !is_typed_closed(facts, key)
                && !is_given_constants(facts, key)
                && !is_of_fixed_set(facts, key)
        }
        ExprKind::Attribute { .. } => {
            !facts.last_name(key).is_some_and(is_constant) && !is_type_name(facts, key)
        }
        ExprKind::Tuple(items) => items.iter().any(|&item| is_open(facts, item)),
        ExprKind::Call { .. } => !facts
            .call(key)
            .is_some_and(|call| matches!(call.callee(), "type" | "len")),
        _ => true,
    }
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

/// Refused before where another collection of the module does not hold it: a name that was registered.
fn is_of_fixed_set(facts: &Facts, key: ExprId) -> bool {
    let at = facts.expr(key);
    let name = facts.expr_text(key);
    let earlier = facts
        .statements_of(at.scope)
        .take_while(|&stmt| stmt < at.stmt);
    let mut tests = earlier.filter_map(|stmt| match &facts.stmt(stmt).kind {
        StmtKind::If { test, body, .. }
            if facts.always_leaves(body) && facts.always_before(stmt, at.stmt) =>
        {
            Some(*test)
        }
        _ => None,
    });
    tests.any(|test| match &facts.expr(test).kind {
        ExprKind::Compare {
            operands,
            operators,
        } => match (&operands[..], &operators[..]) {
            ([asked, set], [operator]) => {
                let is_absent = facts.text(*operator).split_whitespace().eq(["not", "in"]);
                is_absent && facts.expr_text(*asked) == name && is_of_module(facts, *set)
            }
            _ => false,
        },
        _ => false,
    })
}

/// A name of the module or of a class of it: made once, whoever asks.
fn is_of_module(facts: &Facts, set: ExprId) -> bool {
    facts.reach(set).is_process_wide() || facts.is_constant_name(set)
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

fn is_constant(name: &str) -> bool {
    name.len() > 1
        && name
            .chars()
            .all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '_')
}

/// `cls.__name__`, `self.name`: one entry for each class or object of a program.
fn is_type_name(facts: &Facts, key: ExprId) -> bool {
    facts.attribute(key).is_some_and(|(_, name)| {
        matches!(
            name,
            "__name__" | "__class__" | "__qualname__" | "__module__"
        )
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

/// Keyed by a video or stream: as many entries as the owner has streams.
pub(super) fn is_by_stream(facts: &Facts, of: &Use) -> bool {
    let key = match of.kind {
        UseKind::Insert(key) | UseKind::Inner(key) => key,
        _ => return false,
    };
    let says = |id: ExprId| {
        let name = facts.last_name(id).unwrap_or("");
        ["video", "stream", "source", "camera", "pipeline"]
            .iter()
            .any(|word| topic::says(name, word))
    };
    says(key) || facts.values(key).into_iter().any(says)
}

/// The key is put together of a few plain parameters that configure the owner: styles, modes, flags.
/// One owner has one configuration, so it has one entry.
pub(super) fn is_setting(facts: &Facts, key: ExprId) -> bool {
    let settings = settings(facts, key);
    let is_sized = |id: &ExprId| ends_in(facts.expr_text(*id), SIZE_WORDS);
    settings.len() >= 3 && !settings.iter().any(is_sized)
}

/// The plain parameters that make up the key, if nothing of the input is among them; sizes may be of either.
pub(super) fn settings(facts: &Facts, key: ExprId) -> Vec<ExprId> {
    let composed = facts.values(key);
    let parts: Vec<ExprId> = composed
        .iter()
        .flat_map(|&value| facts.within(value))
        .filter(|&id| {
            matches!(facts.expr(id).kind, ExprKind::Name) && facts.parameter(id).is_some()
        })
        .collect();
    let joined = composed.iter().any(|&value| {
        matches!(
            facts.expr(value).kind,
            ExprKind::Call { .. } | ExprKind::Tuple(_) | ExprKind::FString(_)
        )
    });
    let is_input = |id: &ExprId| {
        let name = facts.expr_text(*id);
        INPUT_WORDS.contains(&name) || (ends_in(name, INPUT_WORDS) && !ends_in(name, SETTING_WORDS))
    };
    if joined && !parts.iter().any(is_input) {
        parts
    } else {
        Vec::new()
    }
}

fn ends_in(name: &str, words: &[&str]) -> bool {
    let last = topic::words(name).last();
    last.is_some_and(|last| words.contains(&last.as_str()))
}

/// Last words of names of sizes that requests bring as often as settings.
const SIZE_WORDS: &[&str] = &["width", "height", "resolution", "shape"];

/// Last words of names that are settings unless they stand alone: `palette_size`, `corner_length`, `icon_width`.
const SETTING_WORDS: &[&str] = &[
    "size",
    "length",
    "width",
    "height",
    "resolution",
    "step",
    "index",
];

/// Whether a key is made of nothing but sizes: `(height, width)`, `x.shape`. Few sizes occur where they are the sizes of
/// one model or stream.
pub(super) fn is_of_sizes(facts: &Facts, key: ExprId) -> bool {
    let says_size = |id: ExprId| {
        facts.last_name(id).is_some_and(|name| {
            matches!(name, "h" | "w" | "H" | "W")
                || topic::words(name).last().is_some_and(|word| {
                    matches!(
                        &*word,
                        "shape" | "size" | "width" | "height" | "resolution" | "stride" | "dim"
                    )
                })
        })
    };
    let is_size = |value: ExprId| match &facts.expr(value).kind {
        ExprKind::Tuple(items) => !items.is_empty() && items.iter().all(|&item| says_size(item)),
        _ => says_size(value),
    };
    is_size(key) || facts.values(key).into_iter().all(is_size)
}

/// Words in the name of a value that differs from request to request, frame to frame, or user to user.
const INPUT_WORDS: &[&str] = &[
    "id",
    "ids",
    "uid",
    "uuid",
    "key",
    "token",
    "url",
    "uri",
    "path",
    "file",
    "filename",
    "name",
    "text",
    "prompt",
    "query",
    "video",
    "stream",
    "track",
    "tracker",
    "session",
    "request",
    "user",
    "client",
    "host",
    "address",
    "image",
    "frame",
    "zone",
    "shape",
    "size",
    "width",
    "height",
    "resolution",
    "hash",
    "digest",
    "workspace",
    "model",
    "class",
    "label",
    "step",
    "seq",
    "length",
    "index",
    "timestamp",
    "time",
];
