//! R1, R2, R4 and R9: what guards, who waits, and who leaves a context entered.

use super::any_name;
use crate::pattern::name_matches;
use serde::Deserialize;

/// R1: who changes the process-global TorchScript registry, and what serialises it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TorchScript {
    /// Third-party callables that script or load inside.
    pub builders: Vec<String>,
    /// Third-party callables that build a model, and script only where what they are given or what follows does.
    pub model_builders: Vec<String>,
    /// Context calls that guard, each with the calls that it guards.
    pub guards: Vec<Guard>,
    /// Parameters and attributes that carry the process-wide lock.
    pub lock_names: Vec<String>,
    /// Callables that accept that lock and have to be given it.
    pub lock_takers: Vec<String>,
    /// Modules and names whose import or definition says that the file has the shared guard at hand.
    pub shared_guards: Vec<String>,
}

impl TorchScript {
    pub fn is_builder(&self, callee: &str) -> bool {
        any_name(&self.builders, callee)
    }

    pub fn is_model_builder(&self, callee: &str) -> bool {
        any_name(&self.model_builders, callee) && !self.is_builder(callee)
    }

    /// Whether the context call `guard` serialises `call`.
    pub fn guards(&self, guard: &str, call: &str) -> bool {
        self.guards
            .iter()
            .any(|known| name_matches(&known.name, guard) && any_name(&known.calls, call))
    }

    /// Whether `name` is a context call that guards anything at all.
    pub fn is_guard(&self, name: &str) -> bool {
        self.guards
            .iter()
            .any(|known| name_matches(&known.name, name))
    }

    /// Whether an identifier carries the process-wide lock; leading underscores do not matter.
    pub fn is_lock_name(&self, name: &str) -> bool {
        let last = name.rsplit('.').next().unwrap_or(name);
        any_name(&self.lock_names, last.trim_start_matches('_'))
    }

    pub fn takes_lock(&self, callee: &str) -> bool {
        any_name(&self.lock_takers, callee)
    }

    pub fn is_shared_guard(&self, name: &str) -> bool {
        any_name(&self.shared_guards, name)
    }
}

/// A context call and the calls that may stand inside.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    pub name: String,
    /// Guarded callees; `*` stands for any.
    pub calls: Vec<String>,
}

/// A callable that does what it is listed for only where a keyword of it is true. Not given, the keyword is false.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnlyWith {
    pub name: String,
    pub keyword: String,
}

/// R9: a constructor that enters a process-wide context and does not leave it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeakyConstructor {
    pub name: String,
    /// What stays entered, as a noun phrase: `a bfloat16 autocast context`.
    pub context: String,
    /// Calls that leave it again.
    pub cleanup: Vec<String>,
}

/// R2.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Locks {
    /// Context calls that try to take a lock for a limited time and yield whether they got it.
    pub timed_contexts: Vec<String>,
    /// Helpers that go over the network inside, always or for some inputs.
    pub network_helpers: Vec<String>,
}

impl Locks {
    pub fn is_timed_context(&self, callee: &str) -> bool {
        any_name(&self.timed_contexts, callee)
    }

    pub fn is_network_helper(&self, callee: &str) -> bool {
        any_name(&self.network_helpers, callee)
    }
}

/// R4.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Futures {
    /// Shared helpers that wait for futures with the shared timeout, or ask for futures in a value.
    pub resolvers: Vec<String>,
    /// The shared settings that a hot wait should use in place of a literal.
    pub timeout_settings: Vec<String>,
}

impl Futures {
    pub fn is_resolver(&self, callee: &str) -> bool {
        any_name(&self.resolvers, callee)
    }
}
