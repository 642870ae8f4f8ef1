//! Where clean-up happens, and what there can fail.

use super::Facts;
use super::calls::Call;
use super::hir::*;
use super::types::{Kind, Proof};
use rustc_hash::FxHashSet;

/// A place whose job is to clean up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CleanupPlace {
    Finally,
    /// `__exit__`, `__aexit__`, `__del__`.
    Protocol,
    /// `close`, `stop`, `terminate`, `cleanup` and the like.
    Closer,
    /// A function that clears a cache.
    CacheClear,
    /// A step within other work that drops what the cache holds.
    Step,
}

/// What a call in clean-up reaches that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failing {
    /// Removal on disk.
    Removal,
    /// Redis or another server.
    Server,
    /// A camera, writer or container.
    Device,
}

/// Errors that a removal on disk raises.
pub(crate) const REMOVAL_ERRORS: &[&str] = &[
    "OSError",
    "IOError",
    "EnvironmentError",
    "FileNotFoundError",
    "PermissionError",
    "Error",
];

const CLOSERS: &[&str] = &[
    "close",
    "stop",
    "terminate",
    "shutdown",
    "cleanup",
    "clean_up",
    "release",
    "teardown",
    "disconnect",
    "dispose",
    "aclose",
    "stop_all",
    "unload",
];

impl Facts {
    /// Whether a statement belongs to clean-up, and to which kind.
    pub(crate) fn cleanup_place(&self, stmt: StmtId) -> Option<CleanupPlace> {
        if self.in_finally(stmt) {
            return Some(CleanupPlace::Finally);
        }
        let name = self.function_name(stmt)?;
        let bare = name.trim_start_matches('_');
        match name {
            "__exit__" | "__aexit__" | "__del__" => Some(CleanupPlace::Protocol),
            _ if CLOSERS
                .iter()
                .any(|closer| bare == *closer || bare.starts_with(&format!("{closer}_"))) =>
            {
                Some(CleanupPlace::Closer)
            }
            _ if clears_cache(name) => Some(CleanupPlace::CacheClear),
            _ => None,
        }
    }

    /// Whether a call removes something on disk and raises when it cannot.
    pub(crate) fn removes(&self, call: &Call<'_>) -> bool {
        let tree = call.is(&["shutil.rmtree"]) && !self.ignores_errors(call);
        let file = call.is(&["os.remove", "os.unlink", "os.rmdir", "os.removedirs"]);
        let path = matches!(call.method(), Some("unlink" | "rmdir"))
            && call.keyword("missing_ok").is_none()
            && call.receiver().and_then(|receiver| self.kind_of(receiver)) == Some(Kind::Path);
        tree || file || path
    }

    /// `ignore_errors=True`, or a handler for errors.
    pub(crate) fn ignores_errors(&self, call: &Call<'_>) -> bool {
        let ignored = call
            .arg(1, "ignore_errors")
            .is_some_and(|value| !matches!(self.expr(value).kind, ExprKind::False));
        ignored || call.keyword("onerror").is_some() || call.keyword("onexc").is_some()
    }

    /// What of the outside world a call reaches, if it is known to fail at times.
    pub(crate) fn failing(&self, call: &Call<'_>) -> Option<(Failing, Proof)> {
        if self.removes(call) {
            return Some((Failing::Removal, Proof::Proven));
        }
        if let Some(proof) = self.redis_call(call) {
            return Some((Failing::Server, proof));
        }
        let receiver = call.receiver()?;
        let found = self.type_of(receiver).filter(|found| found.depth == 0)?;
        match (found.kind, call.method()?) {
            (Kind::Client, "disconnect" | "close" | "publish" | "stop") => {
                Some((Failing::Server, found.proof))
            }
            (Kind::MediaContainer, "close") => Some((Failing::Device, found.proof)),
            _ => None,
        }
    }

    /// Whether a call talks to Redis, and how sure that is. Methods that only Redis has prove the receiver
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
        let name = self.last_name(receiver)?;
        let named = topic::says(name, "cache") || topic::says(name, "redis");
        let only = named && REDIS_ONLY.contains(&method);
        (only || self.acts_as_redis(call, receiver)).then_some(Proof::Named)
    }

    /// A `set` with an expiry, or a common command of what is given one elsewhere in the file.
    fn acts_as_redis(&self, call: &Call<'_>, receiver: ExprId) -> bool {
        let common = matches!(
            call.method(),
            Some("get" | "set" | "delete" | "exists" | "incr")
        );
        let client = self.dotted(receiver).filter(|_| common);
        sets_expiring(call) || client.is_some_and(|client| self.expiring().contains(&client))
    }

    /// Whatever is given a `set` with an expiry somewhere in the file.
    fn expiring(&self) -> &FxHashSet<String> {
        let sets = || self.calls_named("set").filter(sets_expiring);
        let find = || sets().filter_map(|call| self.dotted(call.receiver()?));
        self.found.expiring.get_or_init(|| find().collect())
    }

    /// Whether a handler says what happened: a log, a print, a warning, a metric, or the error handed on.
    pub(crate) fn tells(&self, handler: &Handler) -> bool {
        self.statements_in(&handler.body).into_iter().any(|stmt| {
            matches!(self.stmt(stmt).kind, StmtKind::Raise)
                || self.calls_in(stmt).any(|call| is_telling(&call))
        })
    }
}

/// `client.set(key, value, ex=60)`.
fn sets_expiring(call: &Call<'_>) -> bool {
    let options = ["ex", "px", "nx", "xx"];
    call.method() == Some("set") && options.iter().any(|name| call.keyword(name).is_some())
}

/// Redis commands that no dict has.
const REDIS_ONLY: &[&str] = &[
    "zadd",
    "zrem",
    "zrange",
    "zrangebyscore",
    "zremrangebyscore",
    "hset",
    "hget",
    "hgetall",
    "hdel",
    "rpush",
    "lpush",
    "lpop",
    "rpop",
    "lrange",
    "incrby",
    "setex",
    "expire",
    "sadd",
    "smembers",
    "set_numpy",
    "acquire_lock",
];

fn is_construction_or_state(method: &str) -> bool {
    matches!(
        method,
        "pipeline" | "pubsub" | "from_url" | "lock" | "register_script" | "close" | "aclose"
    )
}

fn is_telling(call: &Call<'_>) -> bool {
    let name = call.name();
    matches!(
        name,
        "debug"
            | "info"
            | "warning"
            | "warn"
            | "error"
            | "exception"
            | "critical"
            | "log"
            | "print"
            | "print_exc"
            | "capture_exception"
            | "set_exception"
            | "fail"
            | "secho"
            | "echo"
    ) || topic::says(name, "log")
        || topic::says(name, "warn")
        || topic::says(name, "report")
}

fn clears_cache(name: &str) -> bool {
    let clears = [
        "clear",
        "evict",
        "purge",
        "prune",
        "invalidate",
        "delete",
        "remove",
        "sweep",
    ]
    .iter()
    .any(|word| topic::says(name, word));
    let cache = ["cache", "caches", "cached", "artifacts", "artefacts"]
        .iter()
        .any(|word| topic::says(name, word));
    clears && cache
}
