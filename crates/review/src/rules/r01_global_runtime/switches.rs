//! What a process has once, and what changes it.

/// Calls that change a setting of the process.
pub(super) const SWITCHES: &[&str] = &[
    "torch.set_default_dtype",
    "torch.set_default_device",
    "torch.set_default_tensor_type",
    "torch.set_num_threads",
    "torch.set_num_interop_threads",
    "torch.set_float32_matmul_precision",
    "torch.use_deterministic_algorithms",
    "torch.set_grad_enabled",
    "cv2.setNumThreads",
    "os.putenv",
    "os.unsetenv",
    "os.chdir",
    "os.umask",
    "locale.setlocale",
    "socket.setdefaulttimeout",
    "sys.setrecursionlimit",
    "tensorflow.config.set_visible_devices",
    "tensorflow.keras.backend.set_floatx",
    "tensorflow.keras.backend.clear_session",
    "torch.backends.cuda.enable_flash_sdp",
    "torch.backends.cuda.enable_math_sdp",
    "torch.backends.cuda.enable_mem_efficient_sdp",
    "torch.autograd.set_detect_anomaly",
    "time.tzset",
    "urllib.request.install_opener",
    "pandas.set_option",
    "numpy.set_printoptions",
    "matplotlib.use",
    "matplotlib.pyplot.switch_backend",
    "logging.disable",
    "boto3.setup_default_session",
    "google.generativeai.configure",
    "gc.disable",
    "gc.freeze",
    "tensorflow.config.run_functions_eagerly",
    "nest_asyncio.apply",
    "resource.setrlimit",
    "torch.cuda.set_per_process_memory_fraction",
    "torch.multiprocessing.set_sharing_strategy",
    "cv2.setUseOptimized",
    "cv2.ocl.setUseOpenCL",
    "logging.setLoggerClass",
    "tensorflow.config.set_soft_device_placement",
    "tensorflow.config.threading.set_intra_op_parallelism_threads",
    "faiss.omp_set_num_threads",
    "hydra.initialize",
    "hydra.initialize_config_dir",
    "hydra.initialize_config_module",
];

/// Contexts that change something of the whole process for as long as they are entered.
pub(super) const CONTEXTS: &[&str] = &[
    "contextlib.redirect_stdout",
    "contextlib.redirect_stderr",
    "hydra.initialize",
    "hydra.initialize_config_dir",
    "hydra.initialize_config_module",
];

/// Calls that change a setting of the process which seldom hurts: worth a word only where the handler of a route
/// makes them.
pub(super) const MILD: &[&str] = &[
    "logging.basicConfig",
    "sys.path.insert",
    "sys.path.append",
    "sys.path.remove",
    "sys.setswitchinterval",
    "signal.signal",
];

/// Settings that are attributes of a module, or of what it holds.
pub(super) const FIELDS: &[&str] = &[
    "PIL.Image.MAX_IMAGE_PIXELS",
    "PIL.ImageFile.LOAD_TRUNCATED_IMAGES",
];

/// What all settings of a library's own table begin with.
pub(super) const FIELDS_BELOW: &[&str] = &["torch.backends.", "pandas.options."];

/// Calls that begin the one sequence of random numbers anew, which all threads draw from.
pub(super) const SEEDS: &[&str] = &[
    "random.seed",
    "numpy.random.seed",
    "torch.manual_seed",
    "tensorflow.random.set_seed",
];

/// Tables of settings.
pub(super) const TABLES: &[&str] = &["matplotlib.rcParams", "matplotlib.pyplot.rcParams"];
