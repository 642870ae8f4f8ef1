//! A parameter that makes the value, where the key is another one.

use crate::facts::{ExprId, Facts, Param, ScopeId};
use crate::rules::r06_cache_keys::stores::{Store, composed_key, look_ups};

/// A plain parameter of the function that a call is given which makes the value, where the key holds another one.
pub(super) fn missing(facts: &Facts, store: &Store) -> Option<String> {
    let function = facts.function_of(facts.stmt(store.stmt).scope)?;
    let params = &facts.scope(facts.canonical(function)).params;
    let mut key = facts.names_behind(store.key);
    key.extend(facts.names_behind(composed_key(facts, store.key)));
    let in_key = |name: &str| key.iter().any(|known| known == name);
    let is_of_parameter = params.iter().any(|param| in_key(facts.text(param.name)));
    if !is_of_parameter
        || key.iter().any(|name| says_whole(name))
        || !looked_up(facts, store, function)
    {
        return None;
    }
    let missing = |value: ExprId| {
        let name = facts.name(value).filter(|name| !in_key(name))?;
        let mut same = params.iter().filter(|param| facts.text(param.name) == name);
        same.any(|param| decides(facts, param))
            .then(|| name.to_string())
    };
    let made = facts.values(store.value).into_iter();
    let made = made.filter_map(|value| facts.awaited_call(value)).next()?;
    made.args.iter().find_map(|arg| missing(arg.value))
}

/// A part that can hold anything.
fn says_whole(name: &str) -> bool {
    topic::has_word(name, "key hash digest kwargs args")
}

/// A text or number that by its name says what is made.
pub(super) fn decides(facts: &Facts, param: &Param) -> bool {
    let annotation = param
        .annotation
        .map_or("", |annotation| facts.expr_text(annotation));
    let plain = annotation
        .trim_start_matches("Optional[")
        .trim_end_matches(']')
        .trim_end_matches("| None")
        .trim();
    let says_how = topic::words(facts.text(param.name)).any(|word| MANNERS.contains(&&*word));
    matches!(plain, "str" | "int" | "float" | "bool") && !says_how
}

/// Words of parameters that say how something is made, not what.
const MANNERS: &[&str] = &[
    "timeout",
    "verbose",
    "retries",
    "retry",
    "attempts",
    "ttl",
    "expire",
    "expiry",
    "log",
    "debug",
    "force",
    "refresh",
    "overwrite",
    "max",
    "min",
    "limit",
    "size",
    "default",
    "description",
    "progress",
    "now",
    "time",
    "timestamp",
    "interval",
    "workers",
    "threads",
    "cache",
    "cached",
    "use",
    "msg",
    "message",
    "error",
    "reason",
    "status",
    "result",
    "value",
    "data",
    "content",
    "text",
    "body",
    "payload",
    "count",
    "total",
    "index",
];

/// Whether the function asks for the key before it makes the value: then a later caller gets what was made before.
fn looked_up(facts: &Facts, store: &Store, function: ScopeId) -> bool {
    let key = facts.expr_text(store.key);
    facts
        .statements_of(function)
        .take_while(|&stmt| stmt < store.stmt)
        .flat_map(|stmt| look_ups(facts, stmt))
        .any(|asked| facts.expr_text(asked) == key)
}
