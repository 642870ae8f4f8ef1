//! What has to be ended by whoever made it, and which calls end it.

use crate::facts::{Call, ExprId, ExprKind, Facts, Kind};

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
            Resource::Manager => &["shutdown", "__exit__"],
            Resource::Descriptor => &[],
            Resource::Connection => &[
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

impl Facts {
    /// What a call makes that somebody has to end; by its own callee, or by a function of this file
    /// that returns it fresh. An accessor that returns what is kept elsewhere makes nothing.
    pub(crate) fn resource_made(&self, call: &Call<'_>) -> Option<Resource> {
        self.resource_of_callee(call)
            .or_else(|| self.resource_returned(call))
    }

    fn resource_of_callee(&self, call: &Call<'_>) -> Option<Resource> {
        if call.is(&["tempfile.mkdtemp"]) {
            return Some(Resource::TempFolder);
        }
        if call.is(&[
            "multiprocessing.Manager",
            "multiprocessing.managers.SyncManager",
        ]) {
            return Some(Resource::Manager);
        }
        if call.is(&["tempfile.NamedTemporaryFile"]) && self.is_false(call, "delete") {
            return Some(Resource::KeptTempFile);
        }
        // Where no import is shown a bare `open` would be the tail of `os.open`.
        if matches!(call.callee(), "os.open" | "os.dup" | "os.memfd_create") {
            return Some(Resource::Descriptor);
        }
        let is_session = call.name() == "SessionLocal";
        let subscribes = call.method() == Some("pubsub") && call.args.is_empty();
        let connects = || self.connects_engine(call);
        if call.is(CONNECTORS) || self.opens_socket(call) || is_session || subscribes || connects()
        {
            return Some(Resource::Connection);
        }
        if call.is(&[
            "asyncio.create_subprocess_exec",
            "asyncio.create_subprocess_shell",
        ]) {
            return Some(Resource::Object(Kind::Subprocess));
        }
        if call.is(&[
            "h5py.File",
            "mmap.mmap",
            "aiofiles.open",
            "aiofiles.threadpool.open",
            "wave.open",
            "lmdb.open",
            "rasterio.open",
            "soundfile.SoundFile",
            "tifffile.TiffFile",
            "tifffile.TiffWriter",
            "netCDF4.Dataset",
            "fitz.open",
            "pymupdf.open",
            "pypdfium2.PdfDocument",
            "os.popen",
        ]) {
            return Some(Resource::Object(Kind::File));
        }
        if self.constructs(call).is_none() && is_daemon(call.name()) {
            return Some(Resource::Daemon);
        }
        let kind = self
            .constructs(call)
            .or_else(|| self.opened_by_method(call))?;
        let ends = !kind_noun(kind).eq("resource") && !is_borrowed(call);
        ends.then_some(Resource::Object(kind))
    }

    /// `path.open()` and a request with `stream=True`.
    fn opened_by_method(&self, call: &Call<'_>) -> Option<Kind> {
        let opens = call.method() == Some("open");
        let streams = call.keyword("stream").is_some();
        let found = (opens || streams)
            .then(|| self.kind_of(call.id))
            .flatten()?;
        matches!(found, Kind::File | Kind::StreamedResponse).then_some(found)
    }

    /// `engine.connect()` of SQLAlchemy: takes a connection out of the engine's pool.
    fn connects_engine(&self, call: &Call<'_>) -> bool {
        let takes = matches!(call.method(), Some("connect" | "raw_connection"));
        let Some(engine) = call.receiver().filter(|_| takes && call.args.is_empty()) else {
            return false;
        };
        let is_made = |value: ExprId| {
            self.call(value).is_some_and(|made| {
                matches!(
                    made.name(),
                    "create_engine" | "create_async_engine" | "engine_from_config"
                )
            })
        };
        let says = self
            .last_name(engine)
            .is_some_and(|name| topic::words(name).last().as_deref() == Some("engine"));
        says || self.values(engine).into_iter().any(is_made)
    }

    /// `context.socket(zmq.REQ)` of ZeroMQ.
    fn opens_socket(&self, call: &Call<'_>) -> bool {
        let kind = call.positional(0).and_then(|kind| self.resolved(kind));
        call.method() == Some("socket") && kind.is_some_and(|kind| kind.starts_with("zmq."))
    }

    fn is_false(&self, call: &Call<'_>, keyword: &str) -> bool {
        call.keyword(keyword)
            .is_some_and(|value| matches!(self.expr(value).kind, ExprKind::False))
    }

    fn resource_returned(&self, call: &Call<'_>) -> Option<Resource> {
        let function = self.callee_scope(call)?;
        let is_constructor = self.scope_name(function) == Some("__init__");
        let is_generator = self.scope(function).is_generator;
        let is_shared = self.keeps_results(function);
        if is_constructor || is_generator || is_shared || call.scope() == function {
            return None;
        }
        let returned: Vec<_> = self.returns_of(function).collect();
        let [only] = returned.as_slice() else {
            return None;
        };
        let kept = self.self_attribute(*only).is_some();
        let [made] = self.values(*only).try_into().ok()?;
        let inner = self.call(made).filter(|_| !kept)?;
        let resource = self.resource_of_callee(&inner)?;
        (!self.is_kept_on_the_way(&inner, *only)).then_some(resource)
    }
}

/// What opens a connection to a server, a database, a browser or a device.
const CONNECTORS: &[&str] = &[
    "websocket.create_connection",
    "websockets.connect",
    "websockets.client.connect",
    "websockets.sync.client.connect",
    "pymysql.connect",
    "psycopg.connect",
    "asyncpg.connect",
    "asyncpg.create_pool",
    "aiosqlite.connect",
    "mysql.connector.connect",
    "pyodbc.connect",
    "pika.BlockingConnection",
    "kafka.KafkaProducer",
    "kafka.KafkaConsumer",
    "serial.Serial",
    "selenium.webdriver.Chrome",
    "selenium.webdriver.Firefox",
    "telnetlib.Telnet",
    "nats.connect",
    "aio_pika.connect",
    "aio_pika.connect_robust",
    "docker.DockerClient",
    "duckdb.connect",
    "aiomysql.connect",
    "asyncssh.connect",
    "snowflake.connector.connect",
    "imaplib.IMAP4",
    "imaplib.IMAP4_SSL",
    "http.client.HTTPConnection",
    "http.client.HTTPSConnection",
    "pyaudio.PyAudio",
    "aiortc.RTCPeerConnection",
];

/// Classes whose name says that they run by themselves.
fn is_daemon(name: &str) -> bool {
    let last = topic::words(name).last().unwrap_or_default();
    name.trim_start_matches('_').starts_with(char::is_uppercase)
        && matches!(
            last.as_str(),
            "watchdog" | "daemon" | "scheduler" | "poller" | "heartbeat" | "thread"
        )
}

/// `get_event_loop()` gives a loop that somebody else made.
fn is_borrowed(call: &Call<'_>) -> bool {
    matches!(call.name(), "get_event_loop" | "get_running_loop")
}
