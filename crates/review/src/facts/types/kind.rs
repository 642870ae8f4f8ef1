//! The kinds of objects, and what is said of an expression's value.

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
    /// One end of a pipe between processes.
    PipeEnd,
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
    /// The name says so, or how the object is used.
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
    pub(super) fn proven(kind: Kind) -> Type {
        Type {
            kind,
            depth: 0,
            proof: Proof::Proven,
        }
    }

    pub(super) fn wrapped(self) -> Type {
        Type {
            depth: self.depth.saturating_add(1),
            ..self
        }
    }

    pub(super) fn element(self) -> Option<Type> {
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
