//! What any Python repository may call these things.

use super::{Cache, Containers, Futures, Keys, Locks, Outage, Profile, TorchScript, Where};

pub(super) fn profile() -> Profile {
    Profile {
        name: "python".to_owned(),
        torchscript: TorchScript::default(),
        leaky_constructors: Vec::new(),
        only_with: Vec::new(),
        locks: Locks::default(),
        futures: Futures::default(),
        cache: Cache::default(),
        keys: Keys::default(),
        containers: Containers::default(),
        outage: Outage::default(),
        shared_helpers: Vec::new(),
        places: Where::default(),
    }
}

// A part of a profile file that leaves a list out has the general one, too.

impl Default for Cache {
    fn default() -> Cache {
        cache()
    }
}

impl Default for Keys {
    fn default() -> Keys {
        keys()
    }
}

impl Default for Containers {
    fn default() -> Containers {
        containers()
    }
}

impl Default for Outage {
    fn default() -> Outage {
        outage()
    }
}

impl Default for Where {
    fn default() -> Where {
        places()
    }
}

/// Owned strings from a literal list.
pub(super) fn list(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn cache() -> Cache {
    Cache {
        roots: list(&[
            "*_CACHE_DIR",
            "*_CACHE_ROOT",
            "*_CACHE_PATH",
            "*_CACHE_HOME",
            "CACHE_DIR",
            "CACHE_ROOT",
            "HF_HOME",
            "HF_HUB_CACHE",
            "HUGGINGFACE_HUB_CACHE",
            "TRANSFORMERS_CACHE",
            "TORCH_HOME",
            "XDG_CACHE_HOME",
        ]),
        path_calls: list(&[
            "get_cache_dir",
            "get_cache_path",
            "get_cache_file",
            "platformdirs.user_cache_dir",
            "platformdirs.user_cache_path",
            "appdirs.user_cache_dir",
            "user_cache_dir",
            "user_cache_path",
            "torch.hub.get_dir",
        ]),
        path_words: list(&[
            "cache dir",
            "cache dirs",
            "cache directory",
            "cachedir",
            "cache path",
            "cache root",
            "cache folder",
            "cache home",
            "cache file",
            "cached file",
            "artifact dir",
            "artifact directory",
            "artifact path",
            "artifacts dir",
            "artifacts directory",
            "artifacts path",
        ]),
        modules: list(&[
            "**/cache.py",
            "**/caches.py",
            "**/*_cache.py",
            "**/cache/**/*.py",
            "**/caching/**/*.py",
            "**/*artifact*.py",
        ]),
        atomic_writers: list(&[
            "atomic_write",
            "atomic_open",
            "atomicwrites.atomic_write",
            "atomic_writer",
            "open_atomic",
            "write_atomic",
        ]),
        twins: Vec::new(),
        atomic_switches: Vec::new(),
    }
}

fn keys() -> Keys {
    Keys {
        safe_calls: list(&["werkzeug.utils.secure_filename", "secure_filename"]),
        sanitizer_words: list(&[
            "sanitize",
            "sanitise",
            "sanitized",
            "sanitised",
            "slugify",
            "slug",
            "safe name",
            "safe filename",
            "safe path",
            "secure",
            "escape",
            "quote",
            "validate",
            "validated",
        ]),
        containment_checks: list(&[
            "os.path.commonpath",
            "commonpath",
            "is_relative_to",
            "relative_to",
            "safe_join",
        ]),
        length_checks: Vec::new(),
        raw_words: list(&[
            "model id",
            "endpoint",
            "dataset",
            "dataset id",
            "workspace",
            "workspace id",
            "project id",
            "user",
            "user id",
            "username",
            "tenant",
            "tenant id",
            "task id",
            "job id",
            "session id",
            "request",
            "filename",
            "file name",
            "url",
            "prompt",
        ]),
        dimension_words: list(&[
            "tenant",
            "api key",
            "workspace",
            "user id",
            "version",
            "revision",
            "dtype",
            "precision",
            "device",
            "backend",
            "quantization",
        ]),
    }
}

fn containers() -> Containers {
    Containers {
        bounded: list(&[
            "LRUCache",
            "LFUCache",
            "FIFOCache",
            "RRCache",
            "TTLCache",
            "TLRUCache",
        ]),
        pinned_words: list(&["pinned", "pin"]),
    }
}

fn outage() -> Outage {
    Outage {
        exceptions: list(&[
            "redis.RedisError",
            "redis.exceptions.*",
            "redis.ConnectionError",
            "redis.TimeoutError",
        ]),
        clients: list(&["redis_client", "redis", "_redis", "redis_cache"]),
        degrade_words: list(&[
            "degrade",
            "degraded",
            "fallback",
            "on failure",
            "ignore errors",
            "fall back",
            "falls back",
            "best effort",
            "fail open",
            "fail soft",
            "or default",
            "resilient",
            "swallow",
            "swallows",
            "tolerant",
            "tolerates",
        ]),
    }
}

fn places() -> Where {
    Where {
        hot_paths: Vec::new(),
        cold_paths: list(&[
            "**/tests/**",
            "**/test/**",
            "**/testing/**",
            "**/test-*/**",
            "**/testing.py",
            "**/test-*/**",
            "**/test_*.py",
            "**/*_test.py",
            "**/test.py",
            "**/tests.py",
            "**/conftest.py",
            "**/debug_*.py",
            "**/demo_*.py",
            "**/deploy_*.py",
            "**/bench_*.py",
            "**/benchmark_*.py",
            "**/*_benchmark_*.py",
            "**/benchmark.py",
            "**/*_benchmark.py",
            "**/docs/**",
            "**/doc/**",
            "**/*_demo.py",
            "**/demo.py",
            "**/example.py",
            "**/*_example.py",
            "**/examples/**",
            "**/example/**",
            "**/samples/**",
            "**/demo/**",
            "**/demos/**",
            "**/notebooks/**",
            "**/benchmarks/**",
            "**/perf/**",
            "**/perfs/**",
            "**/benchmark_*/**",
            "**/scripts/**",
            "**/_vendor/**",
            "**/vendor/**",
            "**/vendored/**",
            "**/externals/**",
            "**/thirdparty/**",
            // Deeper in, a project names its own connections to others so.
            "third_party/**",
            "*/third_party/**",
            "**/hack/**",
            "**/*_scripts/**",
            "**/setup.py",
            "t/**",
            "**/versioneer.py",
            "**/_version.py",
            "**/noxfile.py",
            "**/cli.py",
            "**/cli/**",
            "**/*_cli/**",
            "**/__main__.py",
        ]),
        offline_paths: list(&[
            "**/datasets/**",
            "**/dataset/**",
            "**/dataset.py",
            "**/*_dataset.py",
            "**/data/dataset*/**",
            "**/train.py",
            "**/train_*.py",
            "**/trainer.py",
            "**/trainers/**",
            "**/training/**",
            "**/finetune*.py",
            "**/eval.py",
            "**/eval_*.py",
            "**/evaluate*.py",
            "**/evaluation/**",
            "**/metrics/analysis/**",
            "**/losses/**",
            "**/loss.py",
            "**/*_loss.py",
        ]),
        hot_functions: list(&[
            "predict",
            "infer",
            "inference",
            "run",
            "process",
            "handle",
            "handler",
            "forward",
            "dispatch",
            "flush",
            "submit",
            "consume",
            "serve",
            "recv",
            "next frame",
            "read frame",
            "on frame",
            "on message",
        ]),
        hot_owners: list(&[
            "dispatch",
            "dispatcher",
            "manager",
            "adapter",
            "adapters",
            "model",
            "models",
            "pipeline",
            "scheduler",
            "worker",
            "stream",
            "handler",
            "server",
        ]),
        start_up_functions: list(&[
            "main",
            "_main",
            "__main__",
            "setup",
            "on_startup",
            "startup",
            "lifespan",
            "init_process",
            "daemonize",
            "preload_models",
            "load_initial_models",
            "parse_args",
        ]),
        request_names: list(&[
            "request",
            "request_id",
            "req_id",
            "correlation_id",
            "execution_id",
            "response_id",
        ]),
    }
}
