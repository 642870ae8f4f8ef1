//! What a reader reads: the path of the entry.

use crate::facts::{BindingKind, Call, ExprId, Facts, Kind};

/// What a reader is given: its first argument, or the one that is named as a path.
pub(super) fn source_of(call: &Call<'_>) -> Option<ExprId> {
    let names = ["path", "file_path", "file", "filename", "f", "fp"];
    call.positional(0)
        .or_else(|| names.iter().find_map(|name| call.keyword(name)))
}

/// The path of the entry that a call reads.
pub(super) fn entry_path(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let source = source_of(call)?;
    Some(read_from(facts, source).unwrap_or(source))
}

/// The path behind `f`, `f.read()` and `path.read_text()`.
pub(super) fn read_from(facts: &Facts, source: ExprId) -> Option<ExprId> {
    if let Some(call) = facts.call(source) {
        let receiver = call.receiver()?;
        return match call.method()? {
            "read" => opened_path(facts, receiver),
            "read_text" | "read_bytes" => Some(receiver),
            _ => None,
        };
    }
    opened_path(facts, source).or_else(|| {
        let values = facts.values(source);
        values
            .into_iter()
            .filter(|&value| value != source)
            .find_map(|value| read_from(facts, value))
    })
}

/// The path that a `with open(path) as f` opened.
fn opened_path(facts: &Facts, file: ExprId) -> Option<ExprId> {
    facts.bindings_behind(file).into_iter().find_map(|binding| {
        let opened = match binding.kind {
            BindingKind::With(context)
            | BindingKind::Value {
                value: context,
                index: None,
            } => facts.call(context)?,
            _ => return None,
        };
        let is_open = facts.constructs(&opened) == Some(Kind::File) || opened.name() == "open";
        is_open
            .then(|| opened.positional(0).or_else(|| opened.receiver()))
            .flatten()
    })
}
