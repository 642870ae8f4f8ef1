//! What a function reads from its surroundings: the active language, the current tenant, a field of the request.

use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, Kind, ScopeId};
use crate::rules::r06_cache_keys::stores::{Store, composed_key};

/// Whether a name holds what is another one in each request, without being handed in.
pub(super) fn is_ambient(facts: &Facts, function: ScopeId, name: &str, store: &Store) -> bool {
    let given = facts.bindings_of(function, name).iter();
    let mut given = given.filter_map(|binding| match binding.kind {
        BindingKind::Value { value, .. } => Some(value),
        _ => None,
    });
    let composed = facts.expr_text(composed_key(facts, store.key));
    let in_key = |value: ExprId| composed.contains(facts.expr_text(value));
    given.any(|value| reads(facts, value) && !in_key(value)) || is_called_in(facts, name, store)
}

/// `render(entries, get_language())`: read where the value is made.
fn is_called_in(facts: &Facts, name: &str, store: &Store) -> bool {
    let values = facts.values(store.value).into_iter();
    let mut parts = values.flat_map(|value| facts.within(value).collect::<Vec<_>>());
    parts.any(|id| facts.last_name(id) == Some(name) && reads_itself(facts, id))
}

fn reads(facts: &Facts, value: ExprId) -> bool {
    facts.within(value).any(|id| reads_itself(facts, id))
}

pub(super) fn reads_itself(facts: &Facts, id: ExprId) -> bool {
    match &facts.expr(id).kind {
        ExprKind::Call { .. } => facts
            .call(id)
            .is_some_and(|call| asks_surroundings(facts, &call)),
        ExprKind::Attribute { object, .. } => {
            facts.kind_of(*object) == Some(Kind::ThreadLocal) || is_of_request(facts, *object)
        }
        _ => false,
    }
}

/// `get_language()`, `get_current_tenant()`, `current_locale()`, `TENANT.get()` of a context variable.
fn asks_surroundings(facts: &Facts, call: &Call<'_>) -> bool {
    if !call.args.is_empty() {
        return false;
    }
    let of_variable = call.method() == Some("get")
        && call.receiver().is_some_and(|of| {
            let origins = facts.origins(of);
            origins.iter().any(|origin| origin.ends_with("ContextVar"))
        });
    let words: Vec<_> = topic::words(call.name()).collect();
    let mut words = words.iter().map(|word| &**word);
    let says = matches!(
        (words.next(), words.next()),
        (Some("current"), Some(_))
            | (
                Some("get"),
                Some(
                    "current"
                        | "active"
                        | "language"
                        | "locale"
                        | "tenant"
                        | "timezone"
                        | "currency"
                )
            )
    );
    of_variable || says
}

/// `request.user`, `request.state.tenant_id`, `g.tenant`, `flask.g.tenant`.
fn is_of_request(facts: &Facts, object: ExprId) -> bool {
    match facts.attribute(object) {
        Some((of, "state" | "user" | "session" | "g")) => {
            is_of_request(facts, of) || facts.name(of) == Some("flask")
        }
        Some(_) => false,
        None => matches!(facts.name(object), Some("request" | "g")),
    }
}
