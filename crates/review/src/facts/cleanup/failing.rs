//! What in clean-up can fail: removals, servers, devices, children and somebody else's code.

use super::super::Facts;
use super::super::calls::Call;
use super::super::hir::*;
use super::super::types::{Kind, Proof};
use super::CleanupPlace;

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

impl Facts {
    /// How well it is known that a call removes something on disk and raises when it cannot.
    fn removes(&self, call: &Call<'_>) -> Option<Proof> {
        let removal = self.deletion(*call).filter(|found| !found.forgives)?;
        if !removal.by_method {
            return Some(Proof::Proven);
        }
        let proof = match self.kind_of(removal.path) {
            Some(_) => Proof::Proven,
            None => Proof::Named,
        };
        self.is_path(removal.path).then_some(proof)
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
        if let Some(proof) = self.removes(call) {
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
        if found.kind == Kind::Client && self.answers_by_code(call) {
            return None;
        }
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

    /// `disconnect` of paho's MQTT client only queues the goodbye, and answers with a code where there is nobody.
    pub(crate) fn answers_by_code(&self, call: &Call<'_>) -> bool {
        call.method() == Some("disconnect") && self.imports_from("paho.mqtt")
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
        let by_session = || {
            let receiver = call.receiver().filter(|_| !call.args.is_empty());
            receiver.is_some_and(|receiver| {
                let named = self
                    .last_name(receiver)
                    .is_some_and(|name| topic::says(name, "session") || topic::says(name, "http"));
                let is_session = self.kind_of(receiver) == Some(Kind::HttpSession);
                (is_session && call.sends())
                    || (named && matches!(call.name(), "post" | "put" | "delete" | "patch"))
            })
        };
        call.request().is_some() || by_session()
    }

    /// A function that was handed in, by its name: `self._on_close()`, `callback(self)`.
    fn is_callback(&self, call: &Call<'_>) -> bool {
        let name = call.name();
        let bare = name.trim_start_matches('_');
        let says = bare.starts_with("on_") || topic::ends_in_word(bare, "callback hook listener");
        let own = matches!(
            self.dotted(call.function),
            Some(text) if !text.contains('.') || text.matches('.').count() == 1 && text.starts_with("self.")
        );
        says && own && self.callee_scope(call).is_none() && call.is_dropped()
    }
}
