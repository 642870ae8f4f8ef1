//! Who survives an outage: a handler around the call, the callers, or a decorator.

use super::side_jobs::is_side_job;
use crate::facts::{Call, ExprId, Facts, Handler, Proof, ScopeId, ScopeKind, StmtId};
use crate::rules::Context;

/// What a cache client raises when its server cannot be reached.
const OUTAGE_ERRORS: &[&str] = &[
    "RedisError",
    "ConnectionError",
    "TimeoutError",
    "CacheUnavailableError",
    "BusyLoadingError",
];

/// What clients of memcached raise; most pass on what their socket raised.
const MEMCACHED_ERRORS: &[&str] = &[
    "MemcacheError",
    "MemcachedError",
    "MemcacheServerError",
    "MemcacheUnexpectedCloseError",
    "ClientException",
    "Error",
    "OSError",
    "ConnectionError",
];

pub(super) fn is_survived(cx: &Context<'_>, call: &Call<'_>, proof: Proof) -> bool {
    let outage = Outage::of(cx, call, proof);
    let function = cx.facts.function_of(call.scope());
    let degrades = function.is_some_and(|function| outage.is_degraded(function));
    let by_callers = || function.is_some_and(|function| outage.is_caught_by_callers(function, 0));
    outage.is_caught(cx.facts, call.stmt()) || degrades || by_callers()
}

/// What has to be caught of one client.
struct Outage<'c> {
    cx: &'c Context<'c>,
    errors: &'static [&'static str],
    /// Whose client it is rests on names: then every class of some package is taken for its own.
    is_open: bool,
}

impl<'c> Outage<'c> {
    fn of(cx: &'c Context<'c>, call: &Call<'_>, proof: Proof) -> Outage<'c> {
        let of_memcached = call
            .receiver()
            .is_some_and(|receiver| cx.facts.memcached(receiver).is_some());
        Outage {
            cx,
            errors: match of_memcached {
                true => MEMCACHED_ERRORS,
                false => outage_errors(cx.facts),
            },
            is_open: proof == Proof::Named,
        }
    }

    fn is_caught(&self, facts: &Facts, stmt: StmtId) -> bool {
        facts.is_caught(stmt, self.errors)
            || facts
                .handlers_around(stmt)
                .any(|handler| self.is_met(facts, handler))
    }

    /// The handler goes on, and names a class that the profile or the client's package has for an outage.
    fn is_met(&self, facts: &Facts, handler: &Handler) -> bool {
        let is_own = |&class: &ExprId| {
            let resolved = facts.resolved(class).unwrap_or_default();
            let foreign = self.is_open && facts.imported_root(class).is_some();
            let is_error = facts
                .last_name(class)
                .is_some_and(|name| name.ends_with("Error") || name.ends_with("Exception"));
            self.cx.profile.outage.is_exception(&resolved) || (foreign && is_error)
        };
        !facts.reraises(handler)
            && !catches_builtins_only(facts, handler)
            && handler.types.iter().any(is_own)
    }

    /// Whether all that call it catch, themselves or further up: `serve_loop` catches what `serve` and its `next_batch`
    /// raise. A public function can have callers elsewhere, so what is not a whole file says nothing of it.
    fn is_caught_by_callers(&self, function: ScopeId, depth: usize) -> bool {
        let facts = self.cx.facts;
        let private = facts
            .scope_name(function)
            .is_some_and(|name| name.starts_with('_'));
        let decides = private || is_side_job(facts, function) || facts.document.whole;
        let mut callers = facts.calls_to(function).peekable();
        decides
            && depth < MOST_CALLERS
            && callers.peek().is_some()
            && callers.all(|caller| {
                let further = || {
                    facts
                        .function_of(caller.scope())
                        .is_some_and(|function| self.is_caught_by_callers(function, depth + 1))
                };
                self.is_caught(facts, caller.stmt()) || further()
            })
    }

    /// A decorator that turns the error into a miss, by its name or by what is shown of it.
    fn is_degraded(&self, function: ScopeId) -> bool {
        let facts = self.cx.facts;
        facts.decorators(function).iter().any(|&decorator| {
            let says = facts
                .last_name(decorator)
                .is_some_and(|name| self.cx.profile.outage.says_degrade(name));
            says || self.catches_around(decorator)
        })
    }

    /// The decorator's definition calls the function that it is given in a `try` that catches the outage.
    fn catches_around(&self, decorator: ExprId) -> bool {
        let facts = self.cx.facts;
        let named = facts
            .call(decorator)
            .map_or(decorator, |call| call.function);
        let own = facts.definition(named).map(|scope| (facts, scope));
        let imported = || {
            let found = facts.imported(named)?;
            Some((found.facts, found.function()?))
        };
        let Some((home, scope)) = own.or_else(imported) else {
            return false;
        };
        let entry = home.scope(scope);
        entry.kind == ScopeKind::Function
            && home.calls_within(entry.span).any(|call| {
                home.parameter(call.function).is_some() && self.is_caught(home, call.stmt())
            })
    }
}

/// Callers that are followed, one above the other.
const MOST_CALLERS: usize = 4;

/// Where all imports are shown a bare `ConnectionError` is the builtin, which no Redis client raises.
fn outage_errors(facts: &Facts) -> &'static [&'static str] {
    let builtin = |name: &str| !facts.imports_name(name);
    let clear = shows_imports(facts) && builtin("ConnectionError") && builtin("TimeoutError");
    let own = |id| {
        facts
            .attribute(id)
            .is_some_and(|(_, name)| matches!(name, "ConnectionError" | "TimeoutError"))
    };
    if clear && !facts.expr_ids().any(own) {
        return &["RedisError", "CacheUnavailableError", "BusyLoadingError"];
    }
    OUTAGE_ERRORS
}

/// `except (TimeoutError, ConnectionError)` of the builtins, where it shows that they are.
fn catches_builtins_only(facts: &Facts, handler: &Handler) -> bool {
    let narrow = outage_errors(facts).len() < OUTAGE_ERRORS.len();
    let builtin =
        |&class: &ExprId| matches!(facts.name(class), Some("ConnectionError" | "TimeoutError"));
    narrow && !handler.types.is_empty() && handler.types.iter().all(builtin)
}

/// Whether the head of the file is shown, by an import of the client itself.
pub(super) fn shows_imports(facts: &Facts) -> bool {
    facts.document.whole || facts.imports_from("redis")
}
