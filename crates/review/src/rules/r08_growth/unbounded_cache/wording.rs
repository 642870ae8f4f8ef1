//! What the findings about growing containers say.

use crate::facts::{Container, Owner};
use crate::rules::Words;

pub(super) fn word_of_slot(name: &str) -> Words {
    Words::new(
        format!(
            "Each entry of `{name}` keeps its key when it is given up: `None` is written over it."
        ),
        "The map grows by one key for each that ever came, and whoever walks through it meets all of them.",
        format!("Take the entry out where it is given up: `{name}.pop(key, None)`."),
    )
}

pub(super) fn word_unseen(name: &str) -> Words {
    Words::new(
        format!(
            "`{name}` takes a new entry for every new key here, and nothing shown removes one."
        ),
        "If it lives across calls, its memory grows with every key that is ever seen.",
        format!(
            "Where is `{name}` made, and what takes entries out of it? A maximum size, an expiry or a removal would bound it."
        ),
    )
}

/// What the finding says of entries that only their own key's next reader takes out.
pub(super) fn word_lazy(container: &Container) -> Words {
    let name = &container.name;
    Words::new(
        format!("An expired entry of `{name}` goes only when the same key is asked for again."),
        "What is asked for once and never again, such as a token, a session or a made-up id, stays for as long as its owner lives.",
        format!(
            "Bound `{name}`: a maximum size with eviction (`TTLCache`), or a sweep over all entries now and then."
        ),
    )
}

/// What it says of sets and lists that stay under their key when their last member has gone.
pub(super) fn word_emptied(container: &Container) -> Words {
    let name = &container.name;
    Words::new(
        format!(
            "What stands under a key of `{name}` can become empty, and nothing shown takes the key out then."
        ),
        "Each room, user or id that ever came leaves an empty entry, for as long as the owner lives.",
        format!(
            "Where the last member goes, take the key out as well: `if not {name}[key]: del {name}[key]`."
        ),
    )
}

/// What it says of entries that a function would take out which nothing calls.
pub(super) fn word_idle(container: &Container, evictor: &str) -> Words {
    let name = &container.name;
    Words::new(
        format!("`{evictor}` would take entries out of `{name}`, and nothing shown calls it."),
        "So nothing is evicted: the memory grows with every key that is ever seen.",
        format!(
            "Call `{evictor}` where entries go in, or from a task that is started with the owner."
        ),
    )
}

/// What it says of a dict that is a parameter's default.
pub(super) fn word_default(name: &str) -> Words {
    Words::new(
        format!(
            "The default of `{name}` is one object for all calls, and it takes a new entry for every new key."
        ),
        "It lives as long as the process: its memory grows with every key that is ever seen, and one caller sees what another put there.",
        format!(
            "Make `{name}` anew where none is given, or keep the entries in a cache with a maximum size."
        ),
    )
}

pub(super) fn word(container: &Container) -> Words {
    let name = &container.name;
    let lives = match container.owner {
        Owner::Module => "as long as the process",
        Owner::Class(_) => "as long as the process, for all instances together",
        Owner::Instance(_) => "as long as its owner, across calls",
    };
    Words::new(
        format!("`{name}` takes a new entry for every new key and nothing shown removes one."),
        format!("It lives {lives}, so its memory grows with every key that is ever seen."),
        format!(
            "Bound `{name}`: a maximum size with eviction, an expiry, or removal when the key's owner goes away."
        ),
    )
}
