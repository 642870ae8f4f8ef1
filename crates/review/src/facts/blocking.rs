//! Calls that make their thread or their task wait: for the network, a process, another thread, a device, or the clock.

use super::Facts;
use super::calls::Call;
use super::hir::*;
use super::types::{Kind, Proof};
use topic::Profile;

/// What a call waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    Network,
    Sleep,
    Subprocess,
    /// A queue's other end, with no timeout.
    Queue,
    Future,
    /// The end of a thread, process or pool.
    Join,
    /// A camera, stream or field device.
    Device,
}

/// Functions of one file that are followed below one call.
const MOST_CALLED: usize = 24;

impl Wait {
    /// Something outside of the process is waited for.
    fn is_outside(self) -> bool {
        matches!(self, Wait::Network | Wait::Subprocess | Wait::Device)
    }

    /// What is waited for, as a noun phrase.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Wait::Network => "the network",
            Wait::Sleep => "the clock",
            Wait::Subprocess => "another process",
            Wait::Queue => "the other end of a queue",
            Wait::Future => "other work to finish",
            Wait::Join => "a thread or process to end",
            Wait::Device => "a device or stream",
        }
    }
}

/// What else goes over the network, beside requests over HTTP.
const NETWORK: &[&str] = &[
    "urllib.request.urlretrieve",
    "huggingface_hub.snapshot_download",
    "huggingface_hub.hf_hub_download",
    "torch.hub.load",
    "torch.hub.load_state_dict_from_url",
    "torch.hub.download_url_to_file",
    "socket.create_connection",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "smtplib.SMTP",
    "smtplib.SMTP_SSL",
    "ftplib.FTP",
];

const SUBPROCESS: &[&str] = &[
    "subprocess.run",
    "subprocess.call",
    "subprocess.check_call",
    "subprocess.check_output",
    "os.system",
    "os.waitpid",
];

/// Methods of a connection that go over the wire.
const WIRE: &[&str] = &[
    "connect",
    "connect_ex",
    "accept",
    "recv",
    "recv_into",
    "recvfrom",
    "send",
    "sendall",
    "sendto",
    "disconnect",
    "read_holding_registers",
    "read_coils",
    "write_register",
    "write_registers",
    "write_coil",
    "login",
    "sendmail",
    "send_message",
    "execute",
    "commit",
    "exec_command",
];

/// Methods of a Redis client that stay on this side.
const REDIS_LOCAL: &[&str] = &["lock", "pipeline", "register_script", "pubsub"];

impl Facts {
    /// What a call waits for, and how well that is known.
    pub(crate) fn blocking(&self, call: &Call<'_>) -> Option<(Wait, Proof)> {
        if call.request().is_some() || call.is(NETWORK) {
            return Some((Wait::Network, Proof::Proven));
        }
        if call.is(&["time.sleep", "asyncio.sleep"]) {
            // `sleep(0)` only lets others go first.
            let waits = |time: ExprId| self.expr_text(time) != "0";
            return call
                .positional(0)
                .is_none_or(waits)
                .then_some((Wait::Sleep, Proof::Proven));
        }
        if call.is(SUBPROCESS) {
            return Some((Wait::Subprocess, Proof::Proven));
        }
        if call.is(&["concurrent.futures.wait", "concurrent.futures.as_completed"]) {
            return Some((Wait::Future, Proof::Proven));
        }
        if call.is(&["cv2.VideoCapture", "av.open"]) {
            return Some((Wait::Device, Proof::Proven));
        }
        if self.receives_message(call) {
            return Some((Wait::Network, Proof::Proven));
        }
        self.blocking_method(call)
            .or_else(|| joins(call).then_some((Wait::Join, Proof::Named)))
            .or_else(|| self.asks_address(call))
            .or_else(|| self.cloud_call(call))
            .or_else(|| self.redis_behind(call))
    }

    /// A receive of ZeroMQ with no limit: neither a flag, nor a poll or a limit of the socket in the same function.
    pub(crate) fn receives_message(&self, call: &Call<'_>) -> bool {
        let receives = matches!(
            call.method(),
            Some("recv_multipart" | "recv_json" | "recv_string" | "recv_pyobj")
        );
        let is_limited = || {
            let span = self.scope(call.scope()).span;
            self.calls_within(span)
                .any(|other| matches!(other.method(), Some("poll" | "setsockopt")))
        };
        receives && !call.is_awaited() && call.args.is_empty() && !is_limited()
    }

    fn blocking_method(&self, call: &Call<'_>) -> Option<(Wait, Proof)> {
        let found = self
            .type_of(call.receiver()?)
            .filter(|found| found.depth == 0)?;
        let method = call.method()?;
        let wait = match found.kind {
            Kind::HttpSession if call.sends() => Wait::Network,
            Kind::Redis if !REDIS_LOCAL.contains(&method) => Wait::Network,
            // SQLite asks a file.
            Kind::Client
                if matches!(method, "execute" | "commit")
                    && self.is_of_sqlite(call.receiver()?) =>
            {
                return None;
            }
            Kind::Socket | Kind::Client if WIRE.contains(&method) => Wait::Network,
            Kind::Future if matches!(method, "result" | "exception") => Wait::Future,
            Kind::Thread | Kind::Timer | Kind::Process | Kind::Pool if method == "join" => {
                Wait::Join
            }
            Kind::Executor if method == "shutdown" && self.waits_for_all(call) => Wait::Join,
            Kind::Subprocess if matches!(method, "wait" | "communicate") => Wait::Subprocess,
            Kind::Capture if matches!(method, "read" | "grab" | "open") => Wait::Device,
            Kind::Queue if self.waits_at_queue(call, method) => Wait::Queue,
            _ => return None,
        };
        Some((wait, found.proof))
    }

    fn is_of_sqlite(&self, connection: ExprId) -> bool {
        let mut makers = self.makers_of(connection).into_iter();
        makers.any(|made| made.callee().starts_with("sqlite3.")) || self.imports_from("sqlite3")
    }

    /// `shutdown()` waits unless it is told not to.
    fn waits_for_all(&self, call: &Call<'_>) -> bool {
        !call
            .arg(0, "wait")
            .is_some_and(|wait| matches!(self.expr(wait).kind, ExprKind::False))
    }

    /// `self._client.get(f"http://{host}/state")`: whatever it is that is asked, it asks a server.
    fn asks_address(&self, call: &Call<'_>) -> Option<(Wait, Proof)> {
        let verb = call.method().filter(|_| call.sends())?;
        let url = call.positional(usize::from(verb == "request"))?;
        let unknown = call.receiver().is_some_and(|of| self.type_of(of).is_none());
        (unknown && self.is_address(url)).then_some((Wait::Network, Proof::Named))
    }

    /// A text with values in it that begins with a scheme of the web.
    fn is_address(&self, id: ExprId) -> bool {
        let ExprKind::FString(parts) = &self.expr(id).kind else {
            return false;
        };
        match parts.first() {
            Some(StringPart::Text(text)) => {
                let text = self.text(*text);
                text.starts_with("http://") || text.starts_with("https://")
            }
            _ => false,
        }
    }

    /// `boto3.client("s3").upload_file(...)` and clients kept under a name.
    fn cloud_call(&self, call: &Call<'_>) -> Option<(Wait, Proof)> {
        let receiver = call.receiver()?;
        let is_cloud = |id: ExprId| {
            self.call(id)
                .is_some_and(|made| made.is(&["boto3.client", "boto3.resource"]))
        };
        let from_cloud = self.values(receiver).into_iter().any(is_cloud);
        from_cloud.then_some((Wait::Network, Proof::Proven))
    }

    /// `self._redis_cache.client.set(...)`: the connection of an object that is named after the server.
    fn redis_behind(&self, call: &Call<'_>) -> Option<(Wait, Proof)> {
        let (owner, field) = self.attribute(call.receiver()?)?;
        let is_connection = matches!(field, "client" | "_client" | "connection" | "conn");
        let is_redis = self
            .last_name(owner)
            .is_some_and(|name| topic::says(name, "redis"));
        let goes_out = call
            .method()
            .is_some_and(|method| !REDIS_LOCAL.contains(&method));
        (is_connection && is_redis && goes_out).then_some((Wait::Network, Proof::Named))
    }

    /// The first call in a function of this file that is proven to wait, or that goes over the network by its name;
    /// else the first that does so below it.
    pub(crate) fn blocks_inside(
        &self,
        function: ScopeId,
        profile: &Profile,
    ) -> Option<(ExprId, Wait)> {
        let mut seen = vec![self.canonical(function)];
        let mut next = 0;
        while let Some(&at) = seen.get(next) {
            next += 1;
            let own = || self.calls_of(at);
            let found = own().find_map(|call| Some((call.id, self.waits(&call, profile)?)));
            // Far below, a wait for other threads is rather the work itself.
            if let Some((_, wait)) = found.filter(|(_, wait)| next == 1 || wait.is_outside()) {
                return found.map(|(id, _)| (id, wait));
            }
            for called in own().filter_map(|call| self.callee_scope(&call)) {
                let called = self.canonical(called);
                if seen.len() < MOST_CALLED && !seen.contains(&called) {
                    seen.push(called);
                }
            }
        }
        None
    }

    fn waits(&self, call: &Call<'_>, profile: &Profile) -> Option<Wait> {
        match self.blocking(call) {
            Some((wait, Proof::Proven)) => Some(wait),
            _ => self.fetches(call, profile).then_some(Wait::Network),
        }
    }

    /// Whether a helper of another file goes over the network, by the profile or by its name.
    pub(crate) fn fetches(&self, call: &Call<'_>, profile: &Profile) -> bool {
        let is_imported = self
            .imported_root(call.function)
            .is_some_and(|_| self.lookup(call.function).is_empty())
            || self.is_unseen_function(call);
        let mut words = topic::words(call.name());
        let says = words
            .next()
            .is_some_and(|word| matches!(&*word, "download" | "fetch"))
            || topic::says(call.name(), "from url");
        is_imported && (says || profile.locks.is_network_helper(call.callee()))
    }
}

impl Facts {
    /// A name that nothing shown binds, or a method of the object that is not shown: it may go anywhere by its name.
    fn is_unseen_function(&self, call: &Call<'_>) -> bool {
        let of_object = self.self_attribute(call.function).is_some();
        let is_bare = self.name(call.function).is_some() && self.lookup(call.function).is_empty();
        let is_hidden = match self.class_of(call.scope()).filter(|_| of_object) {
            Some(class) => !self.is_visible(class),
            None => is_bare,
        };
        !self.document.whole && is_hidden && self.callee(call).is_none()
    }
}

/// `worker.join()`: a text is joined with what is between its parts, only a thread, a process or a queue with nothing.
fn joins(call: &Call<'_>) -> bool {
    call.method() == Some("join") && call.args.is_empty() && call.is_dropped()
}
