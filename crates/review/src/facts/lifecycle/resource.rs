//! What has to be ended by whoever made it, and which calls end it.

use crate::facts::Kind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    Object(Kind),
    /// `mkdtemp()`: a path, whose folder stays until somebody removes it.
    TempFolder,
    /// `NamedTemporaryFile(delete=False)`: its file outlives the object.
    KeptTempFile,
    /// `os.open()`: a number, which no collector closes.
    Descriptor,
    /// A connection to a server or device of a library that is not named apart.
    Connection,
    /// What a function that is not shown has opened, and this one closes.
    Opened,
    /// `layer.register_forward_hook(...)`: a handle that takes the hook off again.
    Hook,
    /// A `multiprocessing.Manager()` process.
    Manager,
    /// An object with a thread of its own, by its class's name: a watchdog, a scheduler.
    Daemon,
}

/// Functions that take something off the disk, or to where it belongs.
pub(super) const REMOVERS: &[&str] = &[
    "rmtree",
    "remove",
    "unlink",
    "removedirs",
    "rmdir",
    "rename",
    "replace",
    "move",
];

impl Resource {
    pub(crate) fn is(self, kind: Kind) -> bool {
        self == Resource::Object(kind)
    }

    /// A pool of workers.
    pub(crate) fn is_pool(self) -> bool {
        matches!(self, Resource::Object(Kind::Executor | Kind::Pool))
    }

    /// A path on disk rather than an object.
    pub(crate) fn is_path(self) -> bool {
        matches!(self, Resource::TempFolder | Resource::KeptTempFile)
    }

    /// The methods that end it.
    pub(crate) fn closers(self) -> &'static [&'static str] {
        match self {
            Resource::Object(kind) => kind_closers(kind),
            Resource::TempFolder | Resource::KeptTempFile => {
                &["unlink", "rename", "replace", "rmdir", "rmtree"]
            }
            Resource::Hook => &["remove"],
            Resource::Manager => &["shutdown", "__exit__"],
            Resource::Descriptor => &[],
            Resource::Connection | Resource::Opened => &[
                "close",
                "aclose",
                "disconnect",
                "quit",
                "stop",
                "shutdown",
                "terminate",
                "release",
                "destroy",
                "abort",
                "unbind",
                "closeall",
                "deinit",
                "__exit__",
                "__aexit__",
            ],
            Resource::Daemon => &[
                "stop",
                "shutdown",
                "terminate",
                "close",
                "cancel",
                "join",
                "kill",
                "__exit__",
            ],
        }
    }

    /// How a finding calls it.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Resource::Object(kind) => kind_noun(kind),
            Resource::TempFolder => "temporary folder",
            Resource::KeptTempFile => "temporary file",
            Resource::Descriptor => "file descriptor",
            Resource::Connection => "connection",
            Resource::Opened => "resource",
            Resource::Hook => "hook",
            Resource::Manager => "manager process",
            Resource::Daemon => "background daemon",
        }
    }

    /// The call that a finding asks for.
    pub(crate) fn closer(self) -> &'static str {
        match self {
            Resource::TempFolder => "shutil.rmtree",
            Resource::KeptTempFile => "os.unlink",
            Resource::Descriptor => "os.close",
            other => other.closers().first().copied().unwrap_or("close"),
        }
    }

    /// Nothing but memory and a socket that the collector closes: dropping it is no more than untidy.
    pub(crate) fn is_memory_like(self) -> bool {
        matches!(
            self,
            Resource::Object(
                Kind::HttpSession
                    | Kind::Redis
                    | Kind::File
                    | Kind::Archive
                    | Kind::TempDir
                    | Kind::OrtSession
            )
        )
    }

    /// Whether a method of the object itself does not raise in practice.
    pub(crate) fn has_calm(self, method: &str) -> bool {
        match self {
            Resource::Object(Kind::Capture | Kind::VideoWriter | Kind::Thread) => true,
            // A connect that fails leaves nothing connected.
            Resource::Object(Kind::Client) => method == "connect",
            Resource::Connection => matches!(method, "connect" | "bind"),
            Resource::Daemon => method == "start",
            Resource::KeptTempFile => matches!(method, "write" | "flush" | "fileno" | "close"),
            Resource::Object(Kind::Executor | Kind::Pool) => {
                matches!(method, "submit" | "apply_async" | "map_async")
            }
            _ => false,
        }
    }
}

impl Kind {
    /// Whether somebody has to end what is of this kind.
    pub(super) fn has_end(self) -> bool {
        matches!(
            self,
            Kind::Executor
                | Kind::Pool
                | Kind::Thread
                | Kind::Timer
                | Kind::Process
                | Kind::HttpSession
                | Kind::StreamedResponse
                | Kind::Capture
                | Kind::VideoWriter
                | Kind::MediaContainer
                | Kind::Socket
                | Kind::File
                | Kind::TempDir
                | Kind::Redis
                | Kind::Client
                | Kind::Subprocess
                | Kind::SharedMemory
                | Kind::OrtSession
                | Kind::ExitStack
                | Kind::Archive
                | Kind::EventLoop
        )
    }
}

fn kind_closers(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Executor => &["shutdown", "__exit__"],
        Kind::Pool => &["terminate", "close", "__exit__"],
        Kind::Thread => &["join"],
        Kind::Timer => &["cancel", "join"],
        Kind::Process => &["join", "terminate", "kill", "close"],
        Kind::HttpSession | Kind::StreamedResponse => &["close", "aclose", "__exit__", "__aexit__"],
        Kind::Capture | Kind::VideoWriter => &["release", "close"],
        Kind::Socket => &["close", "shutdown", "detach", "__exit__"],
        Kind::TempDir => &["cleanup", "__exit__"],
        Kind::Redis => &["close", "aclose", "disconnect", "shutdown"],
        Kind::Client => &[
            "close",
            "disconnect",
            "loop_stop",
            "term",
            "destroy",
            "quit",
            "stop",
            "shutdown",
            "__exit__",
        ],
        Kind::Subprocess => &[
            "wait",
            "communicate",
            "kill",
            "terminate",
            "poll",
            "send_signal",
            "__exit__",
        ],
        Kind::SharedMemory => &["close", "unlink"],
        Kind::ExitStack => &["close", "aclose", "pop_all", "__exit__", "__aexit__"],
        Kind::EventLoop => &["close", "stop"],
        _ => &["close", "__exit__"],
    }
}

fn kind_noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Executor => "executor",
        Kind::Pool => "process pool",
        Kind::Thread => "thread",
        Kind::Timer => "timer",
        Kind::Process => "process",
        Kind::HttpSession => "HTTP session",
        Kind::StreamedResponse => "streamed response",
        Kind::Capture => "capture",
        Kind::VideoWriter => "video writer",
        Kind::MediaContainer => "media container",
        Kind::Socket => "socket",
        Kind::File => "file",
        Kind::TempDir => "temporary folder",
        Kind::Redis => "Redis client",
        Kind::Client => "client connection",
        Kind::Subprocess => "child process",
        Kind::SharedMemory => "shared memory block",
        Kind::OrtSession => "inference session",
        Kind::ExitStack => "exit stack",
        Kind::Archive => "archive",
        Kind::EventLoop => "event loop",
        _ => "resource",
    }
}
