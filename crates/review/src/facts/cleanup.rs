//! Where clean-up happens, and what there can fail.

use super::Facts;
use super::bindings::BindingKind;
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
    /// A signal to, or a timed wait for, a child process.
    Child,
    /// Somebody else's code.
    Callback,
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
            && call
                .receiver()
                .is_some_and(|receiver| self.is_path(receiver));
        tree || file || path
    }

    /// A path by its type, or by its name where no shown text binds that.
    fn is_path(&self, id: ExprId) -> bool {
        let by_name = || {
            let last = self
                .last_name(id)
                .and_then(|name| topic::words(name).last());
            last.is_some_and(|last| {
                matches!(
                    &*last,
                    "path" | "file" | "folder" | "directory" | "filename"
                )
            })
        };
        match self.kind_of(id) {
            Some(kind) => kind == Kind::Path,
            None => !self.document.whole && self.bindings_behind(id).is_empty() && by_name(),
        }
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
            let of_module = call.is(&[
                "shutil.rmtree",
                "os.remove",
                "os.unlink",
                "os.rmdir",
                "os.removedirs",
            ]);
            let path = call.receiver().filter(|_| !of_module);
            let by_name = path.is_some_and(|path| self.kind_of(path).is_none());
            let proof = match by_name {
                true => Proof::Named,
                false => Proof::Proven,
            };
            return Some((Failing::Removal, proof));
        }
        if let Some(proof) = self.redis_call(call) {
            return Some((Failing::Server, proof));
        }
        if call.is(&["os.kill", "os.killpg"]) {
            return Some((Failing::Child, Proof::Proven));
        }
        if self.is_callback(call) {
            return Some((Failing::Callback, Proof::Named));
        }
        self.failing_method(call).or_else(|| {
            self.asks_server(call)
                .then_some((Failing::Server, Proof::Proven))
        })
    }

    fn failing_method(&self, call: &Call<'_>) -> Option<(Failing, Proof)> {
        let receiver = call.receiver()?;
        let timed = call.keyword("timeout").is_some();
        let shuts = call
            .positional(0)
            .and_then(|how| self.last_name(how))
            .is_some_and(|how| how.starts_with("SHUT_"));
        if call.method() == Some("shutdown") && shuts {
            return Some((Failing::Server, Proof::Proven));
        }
        if self.type_of(receiver).is_none() && self.leaves_peer(call, receiver) {
            return Some((Failing::Server, Proof::Named));
        }
        let found = self.type_of(receiver).filter(|found| found.depth == 0)?;
        match (found.kind, call.method()?) {
            (Kind::Client, "disconnect" | "publish" | "stop" | "quit" | "logout") => {
                Some((Failing::Server, found.proof))
            }
            (Kind::MediaContainer, "close") if self.is_written(receiver) => {
                Some((Failing::Device, found.proof))
            }
            (Kind::Subprocess, "wait" | "communicate") if timed && !self.was_killed(call) => {
                Some((Failing::Child, found.proof))
            }
            _ => None,
        }
    }

    /// `server.quit()` and `box.logout()` in a `finally`, `self._client.disconnect()` in an exit: they talk to the other side
    /// once more, which may be the one that failed.
    fn leaves_peer(&self, call: &Call<'_>, receiver: ExprId) -> bool {
        let says = |words: &[&str]| {
            self.last_name(receiver)
                .is_some_and(|name| topic::words(name).any(|word| words.contains(&&*word)))
        };
        let by_place = matches!(
            self.cleanup_place(call.stmt()),
            Some(CleanupPlace::Finally | CleanupPlace::Protocol)
        );
        let leaves = match call.method() {
            Some("logout") => true,
            Some("quit") => says(&["smtp", "mail", "mailer", "server", "imap", "ftp", "pop3"]),
            Some("disconnect") => says(&["client", "connection", "conn", "broker", "peer"]),
            _ => false,
        };
        let is_unseen = !self.document.whole && self.bindings_behind(receiver).is_empty();
        by_place && leaves && is_unseen && call.args.is_empty()
    }

    /// What was killed right before ends in time.
    fn was_killed(&self, wait: &Call<'_>) -> bool {
        let child = wait.receiver().and_then(|child| self.dotted(child));
        let block = self.block_of(wait.stmt()).iter().copied();
        block
            .take_while(|&stmt| stmt < wait.stmt())
            .flat_map(|stmt| self.calls_in(stmt))
            .any(|call| {
                let same = call.receiver().and_then(|of| self.dotted(of)) == child;
                call.method() == Some("kill") && same
            })
    }

    /// The end of a container that is written flushes what is left; that of one that is read only lets go.
    fn is_written(&self, container: ExprId) -> bool {
        let opens: Vec<Call<'_>> = self
            .values(container)
            .into_iter()
            .filter_map(|value| self.call(value))
            .collect();
        opens.is_empty()
            || opens.iter().any(|open| {
                let mode = open.arg(1, "mode");
                mode.is_some_and(|mode| self.string(mode) != Some("r"))
            })
    }

    /// A request over HTTP.
    fn asks_server(&self, call: &Call<'_>) -> bool {
        let by_module = ["requests.", "httpx.", "urllib.request.urlopen"]
            .iter()
            .any(|module| call.callee().starts_with(module));
        let verb = matches!(
            call.name(),
            "post" | "put" | "delete" | "patch" | "get" | "request" | "urlopen"
        );
        let by_session = || {
            let receiver = call.receiver().filter(|_| !call.args.is_empty());
            receiver.is_some_and(|receiver| {
                let named = self
                    .last_name(receiver)
                    .is_some_and(|name| topic::says(name, "session") || topic::says(name, "http"));
                self.kind_of(receiver) == Some(Kind::HttpSession)
                    || (named && matches!(call.name(), "post" | "put" | "delete" | "patch"))
            })
        };
        verb && (by_module || by_session())
    }

    /// A function that was handed in, by its name: `self._on_close()`, `callback(self)`.
    fn is_callback(&self, call: &Call<'_>) -> bool {
        let name = call.name();
        let bare = name.trim_start_matches('_');
        let says = bare.starts_with("on_")
            || topic::words(bare)
                .last()
                .is_some_and(|word| matches!(word.as_str(), "callback" | "hook" | "listener"));
        let own = matches!(
            self.dotted(call.function),
            Some(text) if !text.contains('.') || text.matches('.').count() == 1 && text.starts_with("self.")
        );
        says && own && self.callee_scope(call).is_none() && call.is_dropped()
    }

    /// A field that keeps what the constructor was given: somebody else's object, of a class that is not known.
    pub(crate) fn is_handed_in(&self, id: ExprId) -> bool {
        let of_field = self.self_attribute(id).is_some();
        of_field
            && self
                .bindings_behind(id)
                .iter()
                .any(|binding| match binding.kind {
                    BindingKind::Value { value, index: None } => {
                        self.name(value).is_some() && self.parameter(value).is_some()
                    }
                    _ => false,
                })
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
        let by_name = COMMON.contains(&method) && (names_redis(name) || self.is_django(receiver));
        let only = (named && REDIS_ONLY.contains(&method)) || by_name;
        let acts =
            only || self.acts_as_redis(call, receiver) || self.looks_up_by_key(call, receiver);
        (acts && !self.is_in_process(receiver)).then_some(Proof::Named)
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

/// `redis`, `redis_client`, `self._redis_conn`; no `redis_settings`.
fn names_redis(name: &str) -> bool {
    let last = topic::words(name).last().unwrap_or_default();
    topic::says(name, "redis")
        && matches!(
            last.as_str(),
            "redis" | "client" | "cache" | "conn" | "connection" | "db" | "store"
        )
}

/// `client.set(key, value, ex=60)`.
fn sets_expiring(call: &Call<'_>) -> bool {
    let options = ["ex", "px", "nx", "xx", "expire", "ttl"];
    call.method() == Some("set") && options.iter().any(|name| call.keyword(name).is_some())
}

/// Commands that other stores have as well.
const COMMON: &[&str] = &["get", "set", "delete", "exists", "incr", "decr"];

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
