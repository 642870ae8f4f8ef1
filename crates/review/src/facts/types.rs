//! What an object is: a lock, a future, a queue. Inferred from constructors, annotations, `isinstance`,
//! containers and one level of calls; a name alone ("`_state_lock`") is told apart from proof.

use super::Facts;
use super::bindings::{Binding, BindingKind};
use super::calls::Call;
use super::hir::*;
use super::imported::Imported;
use std::cell::Cell;

/// The objects that the rules are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Lock or RLock of threads or processes.
    ThreadLock,
    /// A re-entrant thread lock.
    ReentrantLock,
    Semaphore,
    AsyncLock,
    FileLock,
    /// A lock kept in Redis or another shared cache.
    DistributedLock,
    Event,
    AsyncEvent,
    Condition,
    AsyncCondition,
    Barrier,
    /// `concurrent.futures` executor.
    Executor,
    /// `multiprocessing` pool.
    Pool,
    Thread,
    Timer,
    Process,
    /// `concurrent.futures.Future`.
    Future,
    /// Task or future of an event loop.
    Task,
    Queue,
    AsyncQueue,
    Deque,
    EventLoop,
    HttpSession,
    /// A response that was asked for with `stream=True`.
    StreamedResponse,
    Capture,
    VideoWriter,
    MediaContainer,
    Socket,
    File,
    /// `TemporaryDirectory()`; `mkdtemp()` gives a path and is no object.
    TempDir,
    Redis,
    /// A client with a connection of its own: MQTT, ZeroMQ, gRPC, OPC, Modbus.
    Client,
    Subprocess,
    SharedMemory,
    ThreadLocal,
    Finalizer,
    OrtSession,
    ExitStack,
    Archive,
    Path,
    Dict,
    List,
    Set,
}

/// What a type rests on. Ordered: `Proven` first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Proof {
    /// Constructor, annotation, `isinstance` or the call that returns it.
    Proven,
    /// The name says so.
    Named,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Type {
    pub(crate) kind: Kind,
    /// Containers around it: 1 for a list of futures.
    pub(crate) depth: u8,
    pub(crate) proof: Proof,
}

impl Type {
    fn proven(kind: Kind) -> Type {
        Type {
            kind,
            depth: 0,
            proof: Proof::Proven,
        }
    }

    fn wrapped(self) -> Type {
        Type {
            depth: self.depth.saturating_add(1),
            ..self
        }
    }

    fn element(self) -> Option<Type> {
        let depth = self.depth.checked_sub(1)?;
        Some(Type { depth, ..self })
    }

    pub(crate) fn is(self, kind: Kind) -> bool {
        self.kind == kind && self.depth == 0
    }
}

impl Kind {
    /// Locks that a thread blocks on.
    pub(crate) fn is_blocking_lock(self) -> bool {
        matches!(
            self,
            Kind::ThreadLock
                | Kind::ReentrantLock
                | Kind::Semaphore
                | Kind::Condition
                | Kind::FileLock
                | Kind::DistributedLock
        )
    }

    pub(crate) fn is_lock(self) -> bool {
        self.is_blocking_lock() || matches!(self, Kind::AsyncLock | Kind::AsyncCondition)
    }
}

/// Constructors and factory functions by dotted name.
const MADE_BY: &[(Kind, &[&str])] = &[
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
        ],
    ),
    (
        Kind::Client,
        &[
            "paho.mqtt.client.Client",
            "mqtt.Client",
            "zmq.Context",
            "zmq.asyncio.Context",
            "grpc.insecure_channel",
            "grpc.secure_channel",
            "grpc.aio.insecure_channel",
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
    (Kind::Subprocess, &["subprocess.Popen"]),
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

/// Containers in annotations whose last parameter is what they hold.
const CONTAINERS: &[&str] = &[
    "List",
    "list",
    "Sequence",
    "Iterable",
    "Iterator",
    "Tuple",
    "tuple",
    "Set",
    "set",
    "Deque",
    "deque",
    "Dict",
    "dict",
    "DefaultDict",
    "defaultdict",
    "OrderedDict",
    "Mapping",
    "MutableMapping",
    "Collection",
    "FrozenSet",
    "WeakValueDictionary",
    "WeakKeyDictionary",
];

/// Generic wrappers that change nothing about what the object is.
const TRANSPARENT: &[&str] = &[
    "Optional",
    "Union",
    "Final",
    "ClassVar",
    "Annotated",
    "Awaitable",
];

/// Last words of names that say what an object is.
const NAMED: &[(Kind, &[&str])] = &[
    (Kind::ThreadLock, &["lock", "mutex", "rlock"]),
    (Kind::Semaphore, &["semaphore", "sem"]),
    (Kind::Future, &["future", "fut"]),
    (Kind::Executor, &["executor", "threadpool"]),
    (Kind::Thread, &["thread"]),
    (Kind::Process, &["process", "proc"]),
    (Kind::Queue, &["queue"]),
    (Kind::Event, &["event"]),
    (Kind::Condition, &["condition", "cond"]),
    (Kind::Task, &["task"]),
    (Kind::Redis, &["redis"]),
    (Kind::EventLoop, &["loop"]),
];

/// Steps of inference in one line before we give up; cycles through assignments end here.
const DEPTH: u32 = 10;
/// Steps over all branches together: many returns of many functions multiply.
const STEPS: u32 = 400;

/// What is left of an inference's steps.
#[derive(Clone, Copy)]
struct Fuel<'a> {
    depth: u32,
    steps: &'a Cell<u32>,
}

impl Fuel<'_> {
    /// One step less; `None` where nothing is left.
    fn spend(self) -> Option<Self> {
        let left = self.steps.get().checked_sub(1)?;
        self.steps.set(left);
        Some(Fuel {
            depth: self.depth.checked_sub(1)?,
            ..self
        })
    }
}

/// Runs one inference with all its steps to go.
fn with_fuel<T>(infer: impl FnOnce(Fuel<'_>) -> T) -> T {
    let steps = Cell::new(STEPS);
    infer(Fuel {
        depth: DEPTH,
        steps: &steps,
    })
}

impl Facts {
    /// What the expression's value is, as far as the text says.
    pub(crate) fn type_of(&self, id: ExprId) -> Option<Type> {
        let slot = self.found.types.get(id.index());
        if let Some(known) = slot.and_then(|slot| slot.get()) {
            return *known;
        }
        let found = with_fuel(|fuel| self.infer(id, fuel)).or_else(|| self.named_type(id));
        if let Some(slot) = slot {
            // Set already where the inference came back to this expression: the same answer.
            let _ = slot.set(found);
        }
        found
    }

    /// The kind of an expression that is no container of it.
    pub(crate) fn kind_of(&self, id: ExprId) -> Option<Kind> {
        self.type_of(id)
            .filter(|found| found.depth == 0)
            .map(|found| found.kind)
    }

    /// Whether the expression is of a kind, by proof.
    pub(crate) fn is_proven(&self, id: ExprId, kind: Kind) -> bool {
        self.type_of(id)
            .is_some_and(|found| found.is(kind) && found.proof == Proof::Proven)
    }

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
        let exact = MADE_BY.iter().find(|(_, names)| names.contains(&callee));
        let by_name = exact
            .or_else(|| MADE_BY.iter().find(|(_, names)| call.is(names)))
            .map(|(kind, _)| *kind);
        by_name.or_else(|| self.subclass_kind(call))
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
            MADE_BY
                .iter()
                .find(|(_, names)| names.iter().any(|name| self.means(&resolved, name)))
                .map(|(kind, _)| *kind)
                .or_else(|| self.imported(base.value)?.class_kind())
        })
    }

    /// What a binding gives its name by proof, where another file imports the name.
    pub(super) fn exported_type(&self, binding: &Binding) -> Option<Type> {
        let found = match binding.kind {
            BindingKind::Value { value, index: None } => self.type_of(value),
            BindingKind::Value {
                value,
                index: Some(n),
            } => self.type_of(self.item(value, n)?),
            BindingKind::Declared(annotation) => {
                with_fuel(|fuel| self.annotation_type(annotation, fuel))
            }
            _ => None,
        };
        found.filter(|found| found.proof == Proof::Proven)
    }

    /// What a function returns by proof, where another file calls it.
    pub(super) fn exported_result(&self, function: ScopeId) -> Option<Type> {
        let found = with_fuel(|fuel| self.result_type(function, fuel));
        found.filter(|found| found.proof == Proof::Proven)
    }

    fn infer(&self, id: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        let fuel = fuel.spend()?;
        if let Some(narrowed) = self.narrowed(id, fuel) {
            return Some(narrowed);
        }
        match &self.expr(id).kind {
            ExprKind::Call { .. } => self.call_type(&self.call(id)?, fuel),
            ExprKind::Name | ExprKind::Attribute { .. } => self.bound_type(id, fuel),
            ExprKind::Subscript { object, .. } => match self.item_annotation(id) {
                Some(annotation) => self.annotation_type(annotation, fuel),
                None => self.infer(*object, fuel)?.element(),
            },
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => {
                self.display_type(id, items, fuel)
            }
            ExprKind::Dict(pairs) => {
                let held = pairs
                    .iter()
                    .find_map(|(_, value)| self.infer(*value, fuel))
                    .map(Type::wrapped);
                Some(held.unwrap_or(Type::proven(Kind::Dict)))
            }
            ExprKind::Comprehension { elements, .. } => {
                self.infer(*elements.last()?, fuel).map(Type::wrapped)
            }
            ExprKind::Conditional { body, orelse, .. } => self
                .infer(*body, fuel)
                .or_else(|| self.infer(*orelse, fuel)),
            ExprKind::Bool { left, right } => {
                self.infer(*left, fuel).or_else(|| self.infer(*right, fuel))
            }
            ExprKind::Walrus { value, .. } => self.infer(*value, fuel),
            ExprKind::Binary { left, right, .. } => self.binary_type(*left, *right, fuel),
            ExprKind::Starred(inner) => self.infer(*inner, fuel),
            _ => None,
        }
    }

    fn display_type(&self, id: ExprId, items: &[ExprId], fuel: Fuel<'_>) -> Option<Type> {
        let held = items
            .iter()
            .find_map(|&item| self.infer(item, fuel))
            .map(Type::wrapped);
        held.or(match self.expr(id).kind {
            ExprKind::List(_) => Some(Type::proven(Kind::List)),
            ExprKind::Set(_) => Some(Type::proven(Kind::Set)),
            _ => None,
        })
    }

    /// `Path / "x"` is a path, `[None] * n` is a list.
    fn binary_type(&self, left: ExprId, right: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        let found = self.infer(left, fuel).or_else(|| self.infer(right, fuel))?;
        (matches!(found.kind, Kind::Path | Kind::List) || found.depth > 0).then_some(found)
    }

    fn call_type(&self, call: &Call<'_>, fuel: Fuel<'_>) -> Option<Type> {
        if let Some(kind) = self.constructs(call) {
            return Some(self.constructed(call, kind, fuel));
        }
        if call.is(&["typing.cast", "cast"]) {
            return self.annotation_type(call.positional(0)?, fuel);
        }
        if matches!(
            call.callee(),
            "sorted" | "tuple" | "reversed" | "enumerate" | "zip" | "iter" | "copy.copy"
        ) {
            return self.infer(call.positional(0)?, fuel);
        }
        if call.is(&["requests.get", "requests.post", "requests.request"])
            || call.name() == "stream"
        {
            let streams = call
                .keyword("stream")
                .is_some_and(|s| matches!(self.expr(s).kind, ExprKind::True));
            return streams.then_some(Type::proven(Kind::StreamedResponse));
        }
        self.method_type(call, fuel)
            .or_else(|| self.returned_type(call, fuel))
    }

    /// `list(futures)` keeps what it holds.
    fn constructed(&self, call: &Call<'_>, kind: Kind, fuel: Fuel<'_>) -> Type {
        let copies = matches!(kind, Kind::List | Kind::Set | Kind::Dict | Kind::Deque);
        let held = call
            .positional(0)
            .filter(|_| copies)
            .and_then(|first| self.infer(first, fuel));
        match held.filter(|held| held.depth > 0) {
            Some(held) => held,
            None => Type::proven(kind),
        }
    }

    fn method_type(&self, call: &Call<'_>, fuel: Fuel<'_>) -> Option<Type> {
        let receiver = call.receiver()?;
        let of = |kind| Some(Type::proven(kind));
        match call.method()? {
            "submit" => {
                let found = self
                    .infer(receiver, fuel)
                    .or_else(|| self.named_type(receiver));
                let is_pool = found.is_some_and(|found| found.is(Kind::Executor))
                    || self
                        .last_name(receiver)
                        .is_some_and(|name| topic::says(name, "pool"));
                let proof = if is_pool { Proof::Proven } else { Proof::Named };
                let unknown = found.is_none() && self.callee_scope(call).is_none();
                (is_pool || unknown).then_some(Type {
                    kind: Kind::Future,
                    depth: 0,
                    proof,
                })
            }
            "create_task" | "ensure_future" | "run_in_executor" | "create_future" => of(Kind::Task),
            "apply_async" | "map_async" => None,
            "open"
                if self
                    .infer(receiver, fuel)
                    .is_some_and(|found| found.is(Kind::Path)) =>
            {
                of(Kind::File)
            }
            "joinpath" | "with_suffix" | "with_name" | "resolve" | "absolute" | "expanduser" => {
                self.infer(receiver, fuel)
                    .filter(|found| found.is(Kind::Path))
            }
            "lock" if self.is_distributed(receiver, fuel) => of(Kind::DistributedLock),
            "pop" | "get" | "popleft" | "setdefault" | "popitem" | "__getitem__" => {
                self.infer(receiver, fuel)?.element()
            }
            "values" | "copy" | "items" => {
                self.infer(receiver, fuel).filter(|found| found.depth > 0)
            }
            _ => None,
        }
    }

    /// A Redis client or a shared cache, whose `lock(...)` is a distributed lock.
    fn is_distributed(&self, receiver: ExprId, fuel: Fuel<'_>) -> bool {
        let by_type = self
            .infer(receiver, fuel)
            .is_some_and(|found| found.is(Kind::Redis));
        let by_name = self
            .last_name(receiver)
            .is_some_and(|name| topic::says(name, "redis") || topic::says(name, "cache"));
        by_type || by_name
    }

    /// What the function returns that a call runs, one of this file or of another of the diff.
    fn returned_type(&self, call: &Call<'_>, fuel: Fuel<'_>) -> Option<Type> {
        match self.callee(call)? {
            (facts, function) if std::ptr::eq(facts, self) => self.result_type(function, fuel),
            (other, function) => other.exported_result(function),
        }
    }

    /// What a function returns, by annotation or by its return statements.
    fn result_type(&self, function: ScopeId, fuel: Fuel<'_>) -> Option<Type> {
        let scope = self.scope(function);
        if let Some(found) = scope
            .returns
            .and_then(|returns| self.annotation_type(returns, fuel))
        {
            return Some(found);
        }
        self.returns_of(function)
            .find_map(|value| self.infer(value, fuel))
    }

    /// The values that a function returns, in source order.
    pub(crate) fn returns_of(&self, function: ScopeId) -> impl Iterator<Item = ExprId> {
        self.statements_of(function)
            .map(|stmt| self.stmt(stmt))
            .filter(move |stmt| stmt.scope == function)
            .filter_map(|stmt| match stmt.kind {
                StmtKind::Return(value) => value,
                _ => None,
            })
    }

    fn bound_type(&self, id: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        let bindings = self.bindings_behind(id);
        if bindings.is_empty() {
            return self.imported(id)?.value_type();
        }
        let found = bindings
            .into_iter()
            .rev()
            .find_map(|binding| self.binding_type(binding, id, fuel));
        match found {
            Some(found) if found.depth == 0 && is_container(found.kind) => {
                Some(self.filled_type(id, fuel).map_or(found, Type::wrapped))
            }
            found => found,
        }
    }

    /// What is put into a container that starts empty: `futures.append(pool.submit(...))`, `jobs[key] = ...`.
    fn filled_type(&self, id: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        let name = self.dotted(id)?;
        let class = self
            .self_attribute(id)
            .and_then(|_| self.class_of(self.expr(id).scope));
        let place = |at: ScopeId| match class {
            Some(class) => self.class_of(at) == Some(class),
            None => self.canonical(at) == self.canonical(self.expr(id).scope),
        };
        let fills = self.fills_of(&name).iter();
        fills
            .filter(|fill| place(fill.scope))
            .find_map(|fill| self.infer(fill.value, fuel))
    }

    fn binding_type(&self, binding: &Binding, id: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        match binding.kind {
            BindingKind::Value { value, index: None } => self.infer(value, fuel),
            BindingKind::Value {
                value,
                index: Some(n),
            } => match self.item(value, n) {
                Some(item) => self.infer(item, fuel),
                None => match self.unpacked_annotation(value, n) {
                    Some(annotation) => self.annotation_type(annotation, fuel),
                    None => self.infer(value, fuel)?.element(),
                },
            },
            BindingKind::Declared(annotation) => self.annotation_type(annotation, fuel),
            BindingKind::Loop { iter, index } => self.loop_type(iter, index, fuel),
            BindingKind::With(context) => self.infer(context, fuel),
            BindingKind::Parameter(_) => {
                let (_, param) = self.parameter(id)?;
                let annotated = param
                    .annotation
                    .and_then(|kind| self.annotation_type(kind, fuel));
                annotated.or_else(|| self.infer(param.default?, fuel))
            }
            BindingKind::Augmented(_) | BindingKind::Definition(_) => None,
        }
    }

    /// `for future in futures`, `for key, future in futures.items()`, `for n, future in enumerate(futures)`.
    fn loop_type(&self, iter: ExprId, index: Option<u32>, fuel: Fuel<'_>) -> Option<Type> {
        let pairs = self
            .call(iter)
            .is_some_and(|call| matches!(call.name(), "items" | "enumerate"));
        if pairs && index != Some(1) {
            return None;
        }
        if self
            .call(iter)
            .is_some_and(|call| call.is(&["concurrent.futures.as_completed"]))
        {
            return Some(Type::proven(Kind::Future));
        }
        self.infer(iter, fuel)?.element()
    }

    /// The type that an annotation names: `Future`, `Optional[Lock]`, `"List[Future]"`, `Dict[str, Queue]`.
    fn annotation_type(&self, id: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        let fuel = fuel.spend()?;
        match &self.expr(id).kind {
            ExprKind::Name | ExprKind::Attribute { .. } => self.class_type(&self.resolved(id)?),
            ExprKind::Str(content) => self.class_type(self.text(*content).trim_end_matches(']')),
            ExprKind::Subscript { object, index } => {
                let name = self.last_name(*object)?;
                if matches!(name, "Tuple" | "tuple") && !self.is_uniform(index) {
                    return None;
                }
                if CONTAINERS.contains(&name) {
                    let held = index
                        .last()
                        .and_then(|&last| self.annotation_type(last, fuel));
                    return held
                        .map(Type::wrapped)
                        .or_else(|| self.class_type(&self.resolved(*object)?));
                }
                if TRANSPARENT.contains(&name) {
                    return index
                        .iter()
                        .find_map(|&inner| self.annotation_type(inner, fuel));
                }
                self.annotation_type(*object, fuel)
            }
            ExprKind::Binary { left, right, .. } => self
                .annotation_type(*left, fuel)
                .or_else(|| self.annotation_type(*right, fuel)),
            ExprKind::Tuple(items) | ExprKind::Other(items) => items
                .iter()
                .find_map(|&item| self.annotation_type(item, fuel)),
            _ => None,
        }
    }

    fn class_type(&self, resolved: &str) -> Option<Type> {
        let is_it = |name: &&str| {
            let is_class = name
                .rsplit('.')
                .next()
                .is_some_and(|last| last.starts_with(char::is_uppercase));
            (is_class || *name == "collections.deque") && self.means(resolved, name)
        };
        let found = MADE_BY.iter().find(|(_, names)| names.iter().any(is_it));
        let builtin = match resolved {
            "dict" | "Dict" | "typing.Dict" => Some(Kind::Dict),
            "list" | "List" | "typing.List" => Some(Kind::List),
            "set" | "Set" | "typing.Set" => Some(Kind::Set),
            "asyncio.AbstractEventLoop" => Some(Kind::EventLoop),
            "typing.Deque" | "Deque" => Some(Kind::Deque),
            "BinaryIO" | "IO" | "TextIO" => Some(Kind::File),
            _ => None,
        };
        found.map(|(kind, _)| *kind).or(builtin).map(Type::proven)
    }

    /// `isinstance(x, Future)` in a condition that holds where the expression stands.
    fn narrowed(&self, id: ExprId, fuel: Fuel<'_>) -> Option<Type> {
        let text = match self.expr(id).kind {
            ExprKind::Name | ExprKind::Attribute { .. } => self.dotted(id)?,
            _ => return None,
        };
        let stmt = self.expr(id).stmt;
        let around = self.ancestors(stmt).filter(|a| a.part == Part::Body);
        let tests = around.filter_map(|a| match self.stmt(a.stmt).kind {
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => Some(test),
            _ => None,
        });
        let own = match self.stmt(stmt).kind {
            StmtKind::If { test, .. } => Some(test),
            _ => None,
        };
        let conditions = self.conditions_around(id);
        own.into_iter()
            .chain(tests)
            .chain(conditions)
            .chain(self.early_returns(stmt))
            .find_map(|test| self.instance_test(test, &text, fuel))
    }

    /// Conditional expressions and comprehension filters around an expression.
    fn conditions_around(&self, id: ExprId) -> Vec<ExprId> {
        let mut tests = Vec::new();
        let mut at = self.expr(id).parent;
        while let Some(parent) = at {
            match &self.expr(parent).kind {
                ExprKind::Conditional { test, .. } => tests.push(*test),
                ExprKind::Comprehension { conditions, .. } => tests.extend(conditions),
                ExprKind::Bool { left, .. } => tests.push(*left),
                _ => {}
            }
            at = self.expr(parent).parent;
        }
        tests
    }

    /// Tests of `if not isinstance(...): return` before a statement in its block.
    fn early_returns(&self, stmt: StmtId) -> Vec<ExprId> {
        let block = self.block_of(stmt);
        let before = block.iter().take_while(|&&s| s != stmt);
        before
            .filter_map(|&s| match &self.stmt(s).kind {
                StmtKind::If { test, body, .. } if self.always_leaves(body) => {
                    match self.expr(*test).kind {
                        ExprKind::Not(inner) => Some(inner),
                        _ => None,
                    }
                }
                _ => None,
            })
            .collect()
    }

    fn instance_test(&self, test: ExprId, text: &str, fuel: Fuel<'_>) -> Option<Type> {
        self.within(test).find_map(|id| {
            let call = self.call(id)?;
            let is_it = call.callee() == "isinstance" && self.dotted(call.positional(0)?)? == text;
            let negated = matches!(self.expr(test).kind, ExprKind::Not(_));
            (is_it && !negated)
                .then(|| self.annotation_type(call.positional(1)?, fuel))
                .flatten()
        })
    }

    /// An annotation names a class that we do not know: then the name is no reason to guess.
    fn is_typed_otherwise(&self, id: ExprId) -> bool {
        self.bindings_behind(id).into_iter().any(|binding| {
            let annotation = match binding.kind {
                BindingKind::Declared(annotation) => Some(annotation),
                BindingKind::Parameter(_) => {
                    self.parameter(id).and_then(|(_, param)| param.annotation)
                }
                _ => None,
            };
            annotation
                .and_then(|kind| self.last_name(kind))
                .is_some_and(|name| {
                    !matches!(name, "Any" | "object" | "T" | "Optional" | "Union")
                        && name.starts_with(char::is_uppercase)
                })
        })
    }

    /// What the last word of the name says: `self._state_lock`, `pending_futures`.
    fn named_type(&self, id: ExprId) -> Option<Type> {
        let name = match &self.expr(id).kind {
            ExprKind::Name | ExprKind::Attribute { .. } => self.last_name(id)?,
            ExprKind::Subscript { object, .. } => return self.named_type(*object)?.element(),
            _ => return None,
        };
        let last = topic::words(name).last()?;
        let found = |word: &str| {
            NAMED
                .iter()
                .find(|(_, words)| words.contains(&word))
                .map(|(kind, _)| *kind)
        };
        let plural = last
            .strip_suffix("es")
            .and_then(found)
            .or_else(|| last.strip_suffix('s').and_then(found));
        match (found(&last), plural) {
            (Some(Kind::Future), _) if self.is_typed_otherwise(id) => None,
            (Some(kind), _) => Some(Type {
                kind,
                depth: 0,
                proof: Proof::Named,
            }),
            (None, Some(kind)) => Some(Type {
                kind,
                depth: 1,
                proof: Proof::Named,
            }),
            (None, None) => None,
        }
    }
}

impl Imported<'_> {
    /// What the value is that the name stands for.
    fn value_type(&self) -> Option<Type> {
        let mut bindings = self.bindings.iter().rev();
        bindings.find_map(|binding| self.facts.exported_type(binding))
    }

    /// What a class is by its bases.
    fn class_kind(&self) -> Option<Kind> {
        self.facts.class_kind(self.definition()?)
    }
}

fn is_container(kind: Kind) -> bool {
    matches!(kind, Kind::List | Kind::Set | Kind::Dict | Kind::Deque)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::facts_of;

    /// The type of what is waited for.
    #[track_caller]
    fn check(text: &str, kind: Kind, proof: Proof) {
        let facts = facts_of(text);
        let is_wait =
            |call: &Call<'_>| matches!(call.method(), Some("acquire" | "wait" | "result"));
        let receiver = facts
            .calls()
            .find(is_wait)
            .and_then(|call| call.receiver())
            .unwrap();
        let found = facts.type_of(receiver);
        assert_eq!(
            found,
            Some(Type {
                kind,
                depth: 0,
                proof
            }),
            "{text}"
        );
    }

    #[test]
    fn constructors_prove() {
        check(
            "from threading import Lock as L\nx = L()\nx.acquire()\n",
            Kind::ThreadLock,
            Proof::Proven,
        );
        check(
            "import threading\nthreading.Lock().acquire()\n",
            Kind::ThreadLock,
            Proof::Proven,
        );
    }

    #[test]
    fn attributes_are_followed_through_methods() {
        let text = "import threading\nclass A:\n    def __init__(self):\n        self.x = threading.Event()\n    def f(self):\n        self.x.wait()\n";
        check(text, Kind::Event, Proof::Proven);
    }

    #[test]
    fn annotations_and_loops_prove() {
        let text = "from concurrent.futures import Future\nfrom typing import Dict\ndef f(jobs: Dict[str, Future]):\n    for key, job in jobs.items():\n        job.result()\n";
        check(text, Kind::Future, Proof::Proven);
        let text = "from concurrent.futures import Future\nfrom typing import Optional\ndef f(job: Optional[Future] = None):\n    job.result()\n";
        check(text, Kind::Future, Proof::Proven);
    }

    #[test]
    fn submit_gives_futures_through_a_helper() {
        let text = "class A:\n    def _go(self, xs):\n        return [self._pool.submit(x) for x in xs]\n    def f(self, xs):\n        for one in self._go(xs):\n            one.result()\n";
        check(text, Kind::Future, Proof::Proven);
    }

    #[test]
    fn isinstance_proves() {
        let text = "from concurrent.futures import Future\ndef f(v):\n    if isinstance(v, Future):\n        return v.result()\n";
        check(text, Kind::Future, Proof::Proven);
        let text = "from concurrent.futures import Future\ndef f(v):\n    return v.result() if isinstance(v, Future) else v\n";
        check(text, Kind::Future, Proof::Proven);
    }

    #[test]
    fn a_name_alone_is_no_proof() {
        check(
            "def f(self):\n    self._state_lock.acquire()\n",
            Kind::ThreadLock,
            Proof::Named,
        );
        let facts = facts_of("def f(clock):\n    clock.acquire()\n");
        let receiver = facts
            .calls()
            .last()
            .and_then(|call| call.receiver())
            .unwrap();
        assert_eq!(facts.type_of(receiver), None);
    }
}
