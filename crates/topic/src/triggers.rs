//! When the topic applies: five groups of content.
//!
//! Names here are those of the language, its libraries and the reviewed repository that say by themselves
//! that a thread, a lock, a shared runtime, a cache on disk or a stream is at work. A name that is as often used for something
//! else (`cache`, `join`, `close`, `open`) is not among them; a finding of a rule makes the topic apply anyway.

use crate::model::{Signal, SignalKind, TriggerGroup};

pub(crate) const GROUPS: [TriggerGroup; 5] = [
    TriggerGroup {
        id: "background-execution",
        title: "Background execution",
        signals: BACKGROUND,
        path_hints: &["**/*watchdog*.py", "**/*executor*.py", "**/parallel/**"],
    },
    TriggerGroup {
        id: "shared-runtime-state",
        title: "Shared runtime state",
        signals: RUNTIME,
        path_hints: &[
            "**/torchscript_guard.py",
            "**/*torch_script*.py",
            "**/*_trt.py",
            "**/*_onnx.py",
        ],
    },
    TriggerGroup {
        id: "model-lifecycle",
        title: "Model lifecycle",
        signals: LIFECYCLE,
        path_hints: &["inference/core/managers/**", "**/model_manager.py"],
    },
    TriggerGroup {
        id: "caches-and-artifacts",
        title: "Caches and artifacts on disk",
        signals: ON_DISK,
        path_hints: &[
            "inference/core/cache/**",
            "**/model_artifacts.py",
            "**/*cache*.py",
        ],
    },
    TriggerGroup {
        id: "streams-and-servers",
        title: "Long-running streams and servers",
        signals: STREAMS,
        path_hints: &[
            "inference/core/interfaces/stream/**",
            "inference/core/interfaces/camera/**",
            "**/*webrtc*/**",
            "**/modal*.py",
        ],
    },
];

const BACKGROUND: &[Signal] = &[
    call("concurrent.futures.ThreadPoolExecutor"),
    call("concurrent.futures.ProcessPoolExecutor"),
    call("concurrent.futures.wait"),
    call("concurrent.futures.as_completed"),
    call("as_completed"),
    name("concurrent.futures.Future"),
    call("multiprocessing.pool.ThreadPool"),
    call("multiprocessing.Pool"),
    call("multiprocessing.Process"),
    call("multiprocessing.Manager"),
    call("multiprocessing.Queue"),
    call("multiprocessing.JoinableQueue"),
    call("threading.Thread"),
    call("threading.Timer"),
    call("threading.Lock"),
    call("threading.RLock"),
    call("threading.Event"),
    call("threading.Condition"),
    call("threading.Semaphore"),
    call("threading.BoundedSemaphore"),
    call("threading.Barrier"),
    call("multiprocessing.Lock"),
    call("multiprocessing.RLock"),
    call("multiprocessing.Event"),
    call("multiprocessing.Semaphore"),
    call("threading.local"),
    call("queue.Queue"),
    call("queue.SimpleQueue"),
    call("queue.LifoQueue"),
    call("queue.PriorityQueue"),
    call("asyncio.Lock"),
    call("asyncio.Event"),
    call("asyncio.Condition"),
    call("asyncio.Semaphore"),
    call("asyncio.BoundedSemaphore"),
    call("asyncio.Queue"),
    call("asyncio.create_task"),
    call("asyncio.ensure_future"),
    call("asyncio.run"),
    call("asyncio.new_event_loop"),
    call("asyncio.to_thread"),
    name("asyncio.Task"),
    call("run_in_executor"),
    call("run_coroutine_threadsafe"),
    call("call_soon_threadsafe"),
    call("run_in_threadpool"),
    call("weakref.finalize"),
    call("atexit.register"),
    name("daemon"),
    word("lock"),
    word("locks"),
    word("mutex"),
    word("semaphore"),
    word("watchdog"),
    word("pingback"),
    word("finalizer"),
    word("thread"),
    word("threads"),
    word("threadpool"),
];

const RUNTIME: &[Signal] = &[
    call("torch.jit.load"),
    call("torch.jit.script"),
    call("torch.jit.trace"),
    call("torch.jit.freeze"),
    call("torch.cuda.stream"),
    call("torch.cuda.Stream"),
    call("torch.cuda.set_device"),
    call("torch.autocast"),
    call("torch.amp.autocast"),
    call("torch.cuda.amp.autocast"),
    call("torch.set_default_dtype"),
    call("torch.set_num_threads"),
    call("torch.set_float32_matmul_precision"),
    call("onnxruntime.InferenceSession"),
    call("ort.InferenceSession"),
    call("tensorrt.Builder"),
    call("trt.Builder"),
    call("tensorrt.Runtime"),
    call("trt.Runtime"),
    call("build_serialized_network"),
    call("deserialize_cuda_engine"),
    call("create_execution_context"),
    call("make_context"),
    call("retain_primary_context"),
    call("use_cuda_context"),
    call("use_primary_cuda_context"),
    call("torchscript_global_lock"),
    name("torchscript_state_global_lock"),
    import("torchscript_guard"),
    word("cuda context"),
    word("cuda graph"),
    word("torchscript guard"),
];

const LIFECYCLE: &[Signal] = &[
    name("add_model"),
    name("remove_model"),
    call("ModelManager"),
    call("WithFixedSizeCache"),
    name("pinned_models"),
    word("evict"),
    word("eviction"),
    word("evicted"),
    word("pin model"),
    word("unpin model"),
    word("model cache"),
    word("models cache"),
    word("models state"),
];

const ON_DISK: &[Signal] = &[
    name("MODEL_CACHE_DIR"),
    name("INFERENCE_HOME"),
    call("get_cache_dir"),
    call("get_model_cache_dir"),
    call("get_cache_file_path"),
    call("clear_cache"),
    call("save_bytes_in_cache"),
    call("save_json_in_cache"),
    call("save_text_lines_in_cache"),
    call("dump_*_atomic"),
    call("AtomicPath"),
    call("filelock.FileLock"),
    call("filelock.SoftFileLock"),
    call("fcntl.flock"),
    call("fcntl.lockf"),
    call("tempfile.*"),
    call("NamedTemporaryFile"),
    call("TemporaryDirectory"),
    call("mkdtemp"),
    call("mkstemp"),
    call("os.replace"),
    call("os.rename"),
    call("shutil.rmtree"),
    call("rmtree"),
    call("slugify_model_id_to_cache_key"),
    call("get_model_id_cache_path"),
    call("cache_path_is_within_root"),
    call("path_fits_os_limits"),
    word("cache dir"),
    word("cache directory"),
    word("cache key"),
    word("cache path"),
    word("cache file"),
    word("artifact dir"),
];

const STREAMS: &[Signal] = &[
    call("VideoSource"),
    call("VideoSource.init"),
    call("InferencePipeline.init"),
    call("cv2.VideoCapture"),
    call("cv2.VideoWriter"),
    call("av.open"),
    call("requests.Session"),
    call("httpx.Client"),
    call("httpx.AsyncClient"),
    call("aiohttp.ClientSession"),
    call("HTTPAdapter"),
    call("redis.ConnectionPool"),
    call("redis.Redis"),
    call("SharedMemory"),
    call("RTCPeerConnection"),
    call("subprocess.Popen"),
    name("WORKFLOWS_ASYNC_FUTURE_RESULT_TIMEOUT"),
    call("resolve_futures"),
    call("contains_future"),
    word("connection pool"),
    word("session pool"),
    word("stop event"),
    word("stop flag"),
];

const fn call(pattern: &'static str) -> Signal {
    let kind = SignalKind::Call;
    Signal { kind, pattern }
}

const fn import(pattern: &'static str) -> Signal {
    let kind = SignalKind::Import;
    Signal { kind, pattern }
}

const fn name(pattern: &'static str) -> Signal {
    let kind = SignalKind::Name;
    Signal { kind, pattern }
}

const fn word(phrase: &'static str) -> Signal {
    let kind = SignalKind::Word;
    Signal {
        kind,
        pattern: phrase,
    }
}
