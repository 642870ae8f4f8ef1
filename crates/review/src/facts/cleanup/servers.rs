//! Calls of cache servers: Redis, memcached, and what stands behind a framework's cache.

use super::super::Facts;
use super::super::calls::Call;
use super::super::hir::*;
use super::super::types::{Kind, Proof};
use rustc_hash::FxHashSet;

impl Facts {
    /// Whether a call talks to a cache server, and how sure that is. Methods that only Redis has prove the receiver
    /// together with its name.
    pub(crate) fn redis_call(&self, call: &Call<'_>) -> Option<Proof> {
        let (receiver, method) = (call.receiver()?, call.method()?);
        if is_construction_or_state(method) {
            return None;
        }
        let found = self.type_of(receiver).filter(|found| found.is(Kind::Redis));
        if let Some(found) = found {
            return Some(found.proof);
        }
        if let Some(proof) = self.memcached(receiver) {
            return MEMCACHED.contains(&method).then_some(proof);
        }
        let name = self.last_name(receiver)?;
        let named = topic::says(name, "cache") || topic::says(name, "redis");
        let by_name = COMMON.contains(&method) && (names_redis(name) || self.is_django(receiver));
        let only = by_name
            || match UNMISTAKABLE.contains(&method) {
                true => !names_pipeline(name),
                false => named && REDIS_ONLY.contains(&method),
            };
        let acts =
            only || self.acts_as_redis(call, receiver) || self.looks_up_by_key(call, receiver);
        (acts && !self.is_in_process(receiver)).then_some(Proof::Named)
    }

    /// A client of memcached by its package, made or annotated; or a field or variable that is called so.
    pub(crate) fn memcached(&self, receiver: ExprId) -> Option<Proof> {
        let mut values = self.values(receiver).into_iter();
        if values.any(|value| self.is_of_packages(value, MEMCACHED_PACKAGES)) {
            return Some(Proof::Proven);
        }
        let name = self.last_name(receiver).unwrap_or("");
        let says = topic::ends_in_word(name, "memcached memcache");
        (says && !self.is_in_process(receiver)).then_some(Proof::Named)
    }

    /// `django.core.cache.cache`, whatever server stands behind it.
    fn is_django(&self, receiver: ExprId) -> bool {
        let resolved = self.resolved(receiver);
        resolved.is_some_and(|name| name.starts_with("django.core.cache."))
    }

    /// A `set` with an expiry, or a common command of what is given one elsewhere in the file.
    fn acts_as_redis(&self, call: &Call<'_>, receiver: ExprId) -> bool {
        let common = call.method().is_some_and(|name| COMMON.contains(&name));
        let client = self.dotted(receiver).filter(|_| common);
        self.sets_expiring(call) || client.is_some_and(|client| self.expiring().contains(&client))
    }

    /// `client.set(key, value, ex=60)`; `expire` is a word of stores on disk as well.
    fn sets_expiring(&self, call: &Call<'_>) -> bool {
        let has = |names: &[&str]| names.iter().any(|name| call.keyword(name).is_some());
        let of_cache = || {
            let receiver = call.receiver().and_then(|of| self.last_name(of));
            receiver.is_some_and(|name| topic::says(name, "cache"))
        };
        call.method() == Some("set")
            && (has(&["ex", "px", "nx", "xx", "ttl"]) || (has(&["expire"]) && of_cache()))
    }

    /// Whatever is given a `set` with an expiry somewhere in the file.
    fn expiring(&self) -> &FxHashSet<String> {
        let sets = || {
            self.calls_named("set")
                .filter(|call| self.sets_expiring(call))
        };
        let find = || sets().filter_map(|call| self.dotted(call.receiver()?));
        self.found.expiring.get_or_init(|| find().collect())
    }
}

/// `redis`, `redis_client`, `self._redis_conn`; no `redis_settings`.
fn names_redis(name: &str) -> bool {
    topic::says(name, "redis")
        && topic::ends_in_word(name, "redis client cache conn connection db store")
}

/// Packages of clients of memcached.
const MEMCACHED_PACKAGES: &[&str] = &[
    "aiomcache",
    "bmemcached",
    "emcache",
    "memcache",
    "pylibmc",
    "pymemcache",
];

/// What is asked of memcached.
const MEMCACHED: &[&str] = &[
    "add",
    "append",
    "cas",
    "decr",
    "delete",
    "get",
    "get_many",
    "get_multi",
    "gets",
    "incr",
    "prepend",
    "replace",
    "set",
    "set_many",
    "set_multi",
    "touch",
];

/// Commands that other stores have as well.
const COMMON: &[&str] = &["get", "set", "delete", "exists", "incr", "decr"];

/// Commands that nothing but Redis has, whatever the client is called.
const UNMISTAKABLE: &[&str] = &[
    "hgetall",
    "hincrby",
    "psetex",
    "scard",
    "setex",
    "sismember",
    "smembers",
    "zincrby",
    "zrangebyscore",
    "zremrangebyscore",
];

/// Redis commands that no dict has.
const REDIS_ONLY: &[&str] = &[
    "zadd",
    "zrem",
    "zrange",
    "hset",
    "hget",
    "hdel",
    "rpush",
    "lpush",
    "lpop",
    "rpop",
    "lrange",
    "incrby",
    "expire",
    "sadd",
    "set_numpy",
    "acquire_lock",
];

/// What only collects commands: the server is asked by its `execute`.
fn names_pipeline(name: &str) -> bool {
    topic::ends_in_word(name, "pipe pipeline p multi tr transaction self")
}

fn is_construction_or_state(method: &str) -> bool {
    matches!(
        method,
        "pipeline" | "pubsub" | "from_url" | "lock" | "register_script" | "close" | "aclose"
    )
}
