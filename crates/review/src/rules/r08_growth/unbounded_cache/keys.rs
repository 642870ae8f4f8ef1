//! Which keys can take any number of values, and which are a closed set.

use super::closed::{is_closed_name, is_of_program};
use crate::facts::{ExprId, ExprKind, Facts, Use, UseKind};

/// Literals, constants, members of an enum and loop variables over displays are closed sets.
pub(super) fn is_open(facts: &Facts, key: ExprId) -> bool {
    match &facts.expr(key).kind {
        ExprKind::Str(_) | ExprKind::Number | ExprKind::True | ExprKind::False | ExprKind::None => {
            false
        }
        ExprKind::Name => !is_constant(facts.expr_text(key)) && !is_closed_name(facts, key),
        ExprKind::Attribute { .. } => {
            !facts.last_name(key).is_some_and(is_constant) && !is_of_program(facts, key)
        }
        ExprKind::Tuple(items) => items.iter().any(|&item| is_open(facts, item)),
        ExprKind::Call { .. } => !facts
            .call(key)
            .is_some_and(|call| matches!(call.callee(), "type" | "len")),
        _ => true,
    }
}

fn is_constant(name: &str) -> bool {
    name.len() > 1
        && name
            .chars()
            .all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '_')
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
    last.is_some_and(|last| words.contains(&&*last))
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
                || topic::ends_in_word(name, "shape size width height resolution stride dim")
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
