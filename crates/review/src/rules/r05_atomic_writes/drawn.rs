//! Secrets and ids that are drawn at random and kept in a file, so that all processes have the same.

use crate::facts::{Call, ExprId, Facts, StmtKind};
use crate::rules::Words;

/// Functions whose results are other ones each time, and that are asked for what shall stay secret or the only one.
const DRAWS: &[&str] = &[
    "os.urandom",
    "secrets.token_hex",
    "secrets.token_bytes",
    "secrets.token_urlsafe",
    "secrets.choice",
    "uuid.uuid4",
    "uuid.uuid1",
    "uuid4",
    "cryptography.fernet.Fernet.generate_key",
    "django.core.management.utils.get_random_secret_key",
];

/// `token_file.write_text(secrets.token_hex())`, or an `open` in whose body such a value is written.
pub(super) fn is_drawn(facts: &Facts, call: &Call<'_>) -> bool {
    let given = call
        .positional(0)
        .filter(|_| matches!(call.method(), Some("write_text" | "write_bytes")));
    if let Some(given) = given {
        return draws(facts, given);
    }
    let StmtKind::With { items, body, .. } = &facts.stmt(call.stmt()).kind else {
        return false;
    };
    let is_opened = items.iter().any(|item| item.context == call.id);
    let writes = |inner: Call<'_>| {
        let content = inner
            .positional(0)
            .filter(|_| inner.method() == Some("write"));
        content.is_some_and(|content| draws(facts, content))
    };
    is_opened
        && facts
            .statements_in(body)
            .into_iter()
            .any(|stmt| facts.calls_in(stmt).any(writes))
}

fn draws(facts: &Facts, content: ExprId) -> bool {
    let parts = facts.within(content);
    let mut values = parts.flat_map(|part| {
        let behind = facts.name(part).map(|_| facts.values(part));
        behind.unwrap_or_default().into_iter().chain([part])
    });
    values.any(|value| {
        let mut calls = facts.within(value).filter_map(|id| facts.call(id));
        calls.any(|call| call.is(DRAWS) || call.name() == "generate_key")
    })
}

pub(super) fn word(path: &str) -> Words {
    Words::new(
        format!("`{path}` is made where it is missing, from a value that each process draws anew."),
        "Processes that start together all find it missing and each keep a value of their own, while only the last one's stays in the file; one that reads it meanwhile finds it empty.",
        "Can several workers get here at once? Write a temp file and `os.link` it onto the name, or open with mode `x` and read what is there where that fails.",
    )
}
