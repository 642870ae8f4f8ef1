//! What calls construct: the classes and factories that make the objects the rules are about.

use super::Kind;
use crate::facts::Facts;
use crate::facts::calls::Call;
use crate::facts::hir::*;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Constructors and factory functions by dotted name.
pub(super) const MADE_BY: &[(Kind, &[&str])] = &[
    (
        Kind::ThreadLock,
        &[
            "threading.Lock",
            "multiprocessing.Lock",
            "multiprocessing.synchronize.Lock",
            "threading._RLock",
            "_thread.allocate_lock",
        ],
    ),
    (
        Kind::ReentrantLock,
        &["threading.RLock", "multiprocessing.RLock"],
    ),
    (
        Kind::Semaphore,
        &[
            "threading.Semaphore",
            "threading.BoundedSemaphore",
            "multiprocessing.Semaphore",
            "multiprocessing.BoundedSemaphore",
        ],
    ),
    (
        Kind::AsyncLock,
        &[
            "asyncio.Lock",
            "asyncio.Semaphore",
            "asyncio.BoundedSemaphore",
            "anyio.Lock",
        ],
    ),
    (
        Kind::FileLock,
        &[
            "filelock.FileLock",
            "filelock.SoftFileLock",
            "filelock.UnixFileLock",
            "fasteners.InterProcessLock",
            "portalocker.Lock",
        ],
    ),
    (Kind::Event, &["threading.Event", "multiprocessing.Event"]),
    (Kind::AsyncEvent, &["asyncio.Event"]),
    (
        Kind::Condition,
        &["threading.Condition", "multiprocessing.Condition"],
    ),
    (Kind::AsyncCondition, &["asyncio.Condition"]),
    (
        Kind::Barrier,
        &["threading.Barrier", "multiprocessing.Barrier"],
    ),
    (
        Kind::Executor,
        &[
            "concurrent.futures.ThreadPoolExecutor",
            "concurrent.futures.ProcessPoolExecutor",
            "concurrent.futures.thread.ThreadPoolExecutor",
            "concurrent.futures.process.ProcessPoolExecutor",
        ],
    ),
    (
        Kind::Pool,
        &[
            "multiprocessing.Pool",
            "multiprocessing.pool.Pool",
            "multiprocessing.pool.ThreadPool",
            "multiprocessing.dummy.Pool",
        ],
    ),
    (Kind::Thread, &["threading.Thread"]),
    (Kind::Timer, &["threading.Timer"]),
    (
        Kind::Process,
        &[
            "multiprocessing.Process",
            "multiprocessing.context.SpawnProcess",
        ],
    ),
    (
        Kind::Future,
        &[
            "concurrent.futures.Future",
            "asyncio.run_coroutine_threadsafe",
        ],
    ),
    (
        Kind::Task,
        &[
            "asyncio.create_task",
            "asyncio.ensure_future",
            "asyncio.Task",
            "asyncio.Future",
            "asyncio.wrap_future",
            "asyncio.gather",
            "asyncio.shield",
        ],
    ),
    (
        Kind::Queue,
        &[
            "queue.Queue",
            "queue.LifoQueue",
            "queue.PriorityQueue",
            "queue.SimpleQueue",
            "multiprocessing.Queue",
            "multiprocessing.JoinableQueue",
            "multiprocessing.SimpleQueue",
            "billiard.Queue",
            "modal.Queue",
            "ray.util.queue.Queue",
        ],
    ),
    (
        Kind::PipeEnd,
        &[
            "multiprocessing.connection.Connection",
            "multiprocessing.connection.Client",
        ],
    ),
    (
        Kind::AsyncQueue,
        &[
            "asyncio.Queue",
            "asyncio.LifoQueue",
            "asyncio.PriorityQueue",
        ],
    ),
    (Kind::Deque, &["collections.deque"]),
    (
        Kind::EventLoop,
        &[
            "asyncio.new_event_loop",
            "asyncio.get_event_loop",
            "asyncio.get_running_loop",
        ],
    ),
    (
        Kind::HttpSession,
        &[
            "requests.Session",
            "requests.session",
            "httpx.Client",
            "httpx.AsyncClient",
            "aiohttp.ClientSession",
        ],
    ),
    (Kind::StreamedResponse, &["urllib.request.urlopen"]),
    (Kind::Capture, &["cv2.VideoCapture"]),
    (Kind::VideoWriter, &["cv2.VideoWriter"]),
    (Kind::MediaContainer, &["av.open"]),
    (Kind::Socket, &["socket.socket", "socket.create_connection"]),
    (
        Kind::File,
        &[
            "open",
            "io.open",
            "gzip.open",
            "bz2.open",
            "lzma.open",
            "os.fdopen",
            "codecs.open",
            "tempfile.NamedTemporaryFile",
            "tempfile.TemporaryFile",
            "tempfile.SpooledTemporaryFile",
        ],
    ),
    (Kind::TempDir, &["tempfile.TemporaryDirectory"]),
    (
        Kind::Redis,
        &[
            "redis.Redis",
            "redis.StrictRedis",
            "redis.from_url",
            "redis.Redis.from_url",
            "redis.asyncio.Redis",
            "redis.cluster.RedisCluster",
            "redis.asyncio.from_url",
            "redis.asyncio.Redis.from_url",
            "aioredis.from_url",
            "pymemcache.client.base.Client",
            "pymemcache.Client",
            "memcache.Client",
        ],
    ),
    (
        Kind::Client,
        &[
            "paho.mqtt.client.Client",
            "mqtt.Client",
            "grpc.insecure_channel",
            "grpc.secure_channel",
            "grpc.aio.insecure_channel",
            "grpc.aio.secure_channel",
            "asyncua.sync.Client",
            "opcua.Client",
            "pymodbus.client.ModbusTcpClient",
            "ModbusTcpClient",
            "smtplib.SMTP",
            "smtplib.SMTP_SSL",
            "ftplib.FTP",
            "paramiko.SSHClient",
            "pymongo.MongoClient",
            "psycopg2.connect",
            "sqlite3.connect",
        ],
    ),
    (
        Kind::Subprocess,
        &[
            "subprocess.Popen",
            "psutil.Popen",
            "gevent.subprocess.Popen",
        ],
    ),
    (
        Kind::SharedMemory,
        &[
            "multiprocessing.shared_memory.SharedMemory",
            "shared_memory.SharedMemory",
        ],
    ),
    (Kind::ThreadLocal, &["threading.local"]),
    (Kind::Finalizer, &["weakref.finalize"]),
    (Kind::OrtSession, &["onnxruntime.InferenceSession"]),
    (
        Kind::ExitStack,
        &["contextlib.ExitStack", "contextlib.AsyncExitStack"],
    ),
    (
        Kind::Archive,
        &["zipfile.ZipFile", "tarfile.open", "tarfile.TarFile"],
    ),
    (
        Kind::Path,
        &["pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath"],
    ),
    (
        Kind::Dict,
        &[
            "dict",
            "collections.OrderedDict",
            "collections.defaultdict",
            "collections.Counter",
        ],
    ),
    (Kind::List, &["list"]),
    (Kind::Set, &["set"]),
];

/// Last names that many libraries give a class. Alone, with no import shown, they say nothing.
const AMBIGUOUS: &[&str] = &["Context", "Client"];

/// The names of [`MADE_BY`] with the same last name as a dotted one, in their order: no other can be meant.
fn candidates(dotted: &str) -> impl Iterator<Item = (&'static str, Kind)> {
    static BY_LAST: LazyLock<FxHashMap<&str, Vec<(&str, Kind)>>> = LazyLock::new(|| {
        let mut by_last: FxHashMap<&str, Vec<(&str, Kind)>> = FxHashMap::default();
        for (kind, names) in MADE_BY {
            for name in *names {
                by_last.entry(last(name)).or_default().push((name, *kind));
            }
        }
        by_last
    });
    BY_LAST.get(last(dotted)).into_iter().flatten().copied()
}

fn last(dotted: &str) -> &str {
    dotted.rsplit('.').next().unwrap_or(dotted)
}

/// `Popen` of a module that is named after the one of the standard library: it stands in for that.
fn re_exported(callee: &str) -> Option<Kind> {
    let (module, name) = callee.rsplit_once('.')?;
    let last = module.rsplit('.').next()?;
    (name == "Popen" && matches!(last, "subprocess" | "compat")).then_some(Kind::Subprocess)
}

impl Facts {
    /// The kind that a call constructs, by its callee alone.
    pub(crate) fn constructs(&self, call: &Call<'_>) -> Option<Kind> {
        let found = self.found.constructed.get_or_init(|| {
            let of = |call: Call<'_>| Some((call.id, self.made_by(&call)?));
            self.calls().filter_map(of).collect()
        });
        found.get(&call.id).copied()
    }

    fn made_by(&self, call: &Call<'_>) -> Option<Kind> {
        // `open` is the builtin before it is the tail of another module's.
        let callee = call.callee();
        let exact = candidates(callee).find(|(name, _)| *name == callee);
        exact
            .map(|(_, kind)| kind)
            .or_else(|| {
                self.kind_named(callee)
                    .filter(|_| !AMBIGUOUS.contains(&callee))
            })
            .or_else(|| re_exported(callee))
            .or_else(|| self.kind_named(&self.made_by_context(call)?))
            .or_else(|| self.subclass_kind(call))
    }

    /// The kind of what a resolved chain makes, by its name.
    fn kind_named(&self, resolved: &str) -> Option<Kind> {
        let meant = candidates(resolved).find(|(name, _)| self.means(resolved, name));
        meant.map(|(_, kind)| kind)
    }

    /// A class of this file, or of another of the diff, that derives from `Thread` and the like.
    fn subclass_kind(&self, call: &Call<'_>) -> Option<Kind> {
        match self.definition(call.function) {
            Some(class) => self.class_kind(class),
            None => self.imported(call.function)?.class_kind(),
        }
    }

    /// What a class of this file is by its bases.
    pub(crate) fn class_kind(&self, class: ScopeId) -> Option<Kind> {
        let StmtKind::Class { bases, .. } = &self.stmt(self.scope(class).stmt?).kind else {
            return None;
        };
        bases.iter().find_map(|base| {
            let resolved = self.resolved(base.value)?;
            self.kind_named(&resolved)
                .or_else(|| self.imported(base.value)?.class_kind())
        })
    }
}
