//! The names of roboflow/inference.

use super::general::list;
use super::{
    Cache, Containers, Futures, Guard, Keys, LeakyConstructor, Locks, OnlyWith, Outage,
    PackageHelpers, Profile, Role, SharedHelper, TorchScript, Twin, Where,
};

/// The general names and this repository's.
pub(super) fn profile() -> Profile {
    let general = Profile::default();
    Profile {
        name: super::BUILTIN_PROFILE.to_owned(),
        torchscript: torchscript(),
        leaky_constructors: leaky_constructors(),
        only_with: vec![OnlyWith {
            name: "build_sam3_image_model".to_owned(),
            keyword: "enable_inst_interactivity".to_owned(),
        }],
        locks: Locks {
            timed_contexts: list(&["acquire_with_timeout"]),
            network_helpers: list(&[
                "load_image",
                "load_image_rgb",
                "load_image_bgr",
                "load_image_from_url",
                "get_from_url",
                "get_roboflow_model_data",
                "get_roboflow_instant_model_data",
                "get_roboflow_base_lora",
                "get_workflow_specification",
                "stream_download",
            ]),
        },
        futures: Futures {
            resolvers: list(&[
                "resolve_futures",
                "maybe_resolve_futures",
                "resolve_future_result",
                "contains_future",
            ]),
            timeout_settings: list(&["WORKFLOWS_ASYNC_FUTURE_RESULT_TIMEOUT"]),
        },
        cache: cache(general.cache),
        keys: keys(general.keys),
        containers: Containers {
            bounded: and(
                general.containers.bounded,
                &[
                    "LimitedSizeDict",
                    "WithFixedSizeCache",
                    "BasicWorkflowsCache",
                ],
            ),
            ..general.containers
        },
        outage: Outage {
            exceptions: and(general.outage.exceptions, &["CacheUnavailableError"]),
            clients: and(
                general.outage.clients,
                &["inference.core.cache.cache", "ephemeral_cache"],
            ),
            ..general.outage
        },
        shared_helpers: shared_helpers(),
        places: places(general.places),
    }
}

fn and(mut names: Vec<String>, more: &[&str]) -> Vec<String> {
    names.extend(list(more));
    names
}

fn torchscript() -> TorchScript {
    let guard = |name: &str, calls: &[&str]| Guard {
        name: name.to_owned(),
        calls: list(calls),
    };
    TorchScript {
        builders: list(&[
            "SAM2ImagePredictor",
            "SAM2ImagePredictor.from_pretrained",
            "SAM2Transforms",
            "build_sam3_image_model",
            "SAM3InteractiveImagePredictor",
            "Sam3ImagePredictor",
        ]),
        model_builders: list(&["build_sam2", "build_sam2_hf", "build_sam3_*"]),
        guards: vec![
            guard("torchscript_global_lock", &["*"]),
            guard("torchscript_guard", &["*"]),
            guard("acquire_with_timeout", &["*"]),
            guard(
                "_temporarily_disable_torch_jit_script",
                &[
                    "torch.jit.script",
                    "SAM2ImagePredictor",
                    "SAM2ImagePredictor.from_pretrained",
                    "SAM2Transforms",
                    "SAM3InteractiveImagePredictor",
                    "Sam3ImagePredictor",
                    "Sam3TrackerPredictor",
                    "build_sam2",
                    "build_sam2_*",
                    "build_sam3_*",
                ],
            ),
        ],
        lock_names: list(&[
            "torchscript_state_global_lock",
            "torchscript_lock",
            "torch_jit_script_lock",
        ]),
        lock_takers: list(&[
            "inference_models.AutoModel.from_pretrained",
            "auto_loaders.core.AutoModel.from_pretrained",
        ]),
        shared_guards: list(&[
            "torchscript_guard",
            "torchscript_global_lock",
            "torchscript_state_global_lock",
            "_temporarily_disable_torch_jit_script",
        ]),
    }
}

fn leaky_constructors() -> Vec<LeakyConstructor> {
    let leaky = |name: &str| LeakyConstructor {
        name: name.to_owned(),
        context: "a bfloat16 autocast context".to_owned(),
        cleanup: list(&["_eject_sam3_leaked_bf16_autocast", "bf16_context.__exit__"]),
    };
    vec![
        leaky("build_sam3_image_model"),
        leaky("build_sam3_video_model"),
        leaky("build_sam3_video_predictor"),
        leaky("Sam3TrackerPredictor"),
    ]
}

fn cache(general: Cache) -> Cache {
    let twin = |plain: &str, atomic: &str| Twin {
        plain: plain.to_owned(),
        atomic: atomic.to_owned(),
    };
    Cache {
        roots: and(
            general.roots,
            &[
                "MODEL_CACHE_DIR",
                "INFERENCE_HOME",
                "LOCAL_CACHE",
                "TENSORRT_CACHE_PATH",
            ],
        ),
        path_calls: and(
            general.path_calls,
            &[
                "get_model_cache_dir",
                "get_cache_file_path",
                "get_cache_file_path_for_read",
                "get_cache_dir_for_read",
                "get_model_id_cache_path",
                "construct_model_type_cache_path",
                "generate_models_cache_dir",
                "generate_model_cache_root_for_model_id",
                "generate_model_package_cache_path",
                "generate_shared_blobs_path",
                "generate_auto_resolution_cache_path",
            ],
        ),
        modules: and(
            general.modules,
            &["inference/core/cache/**/*.py", "**/auto_loaders/**/*.py"],
        ),
        atomic_writers: and(
            general.atomic_writers,
            &["AtomicPath", "dump_*_atomic", "save_*_in_cache"],
        ),
        twins: vec![
            twin("dump_json", "dump_json_atomic"),
            twin("dump_bytes", "dump_bytes_atomic"),
            twin("dump_text_lines", "dump_text_lines_atomic"),
        ],
        atomic_switches: list(&["ATOMIC_CACHE_WRITES_ENABLED"]),
        ..general
    }
}

fn keys(general: Keys) -> Keys {
    Keys {
        safe_calls: and(
            general.safe_calls,
            &[
                "get_cache_dir",
                "get_cache_file_path",
                "slugify_model_id_to_cache_key",
                "slugify_model_id_to_os_safe_format",
                "get_model_id_cache_path",
                "generate_model_cache_root_for_model_id",
                "generate_model_package_cache_path",
                "get_text_hash",
                "hash_dict_content",
            ],
        ),
        containment_checks: and(general.containment_checks, &["cache_path_is_within_root"]),
        length_checks: and(general.length_checks, &["path_fits_os_limits"]),
        ..general
    }
}

fn shared_helpers() -> Vec<PackageHelpers> {
    const FILES: &str = "inference/core/utils/file_system.py";
    const KEYS: &str = "inference/core/cache/model_artifacts.py";
    const FUTURES: &str = "inference/core/workflows/execution_engine/v1/executor/utils.py";
    vec![
        PackageHelpers {
            paths: list(&["inference/**"]),
            helpers: vec![
                helper(Role::AtomicWrite, "AtomicPath", FILES),
                helper(Role::AtomicWrite, "dump_json_atomic", FILES),
                helper(Role::AtomicWrite, "dump_bytes_atomic", FILES),
                helper(Role::AtomicWrite, "dump_text_lines_atomic", FILES),
                helper(Role::PathLimit, "path_fits_os_limits", FILES),
                helper(Role::CacheKey, "slugify_model_id_to_cache_key", KEYS),
                helper(Role::CacheKey, "get_model_id_cache_path", KEYS),
                helper(Role::Containment, "cache_path_is_within_root", KEYS),
                helper(Role::CacheClear, "clear_cache", KEYS),
                helper(Role::FutureResolver, "resolve_futures", FUTURES),
                helper(Role::FutureQuestion, "contains_future", FUTURES),
                helper(
                    Role::TimedAcquire,
                    "acquire_with_timeout",
                    "inference/core/managers/base.py",
                ),
                helper(
                    Role::TorchscriptGuard,
                    "_temporarily_disable_torch_jit_script",
                    "inference/core/utils/torchscript_guard.py",
                ),
                helper(
                    Role::BoundedCache,
                    "LRUCache",
                    "inference/core/cache/lru_cache.py",
                ),
            ],
        },
        PackageHelpers {
            paths: list(&["inference_models/inference_models/**"]),
            helpers: vec![
                helper(
                    Role::TorchscriptGuard,
                    "torchscript_global_lock",
                    "inference_models/inference_models/models/common/torch.py",
                ),
                helper(
                    Role::CacheKey,
                    "slugify_model_id_to_os_safe_format",
                    "inference_models/inference_models/models/auto_loaders/model_cache_paths.py",
                ),
            ],
        },
    ]
}

fn helper(role: Role, name: &str, defined_in: &str) -> SharedHelper {
    SharedHelper {
        role,
        name: name.to_owned(),
        defined_in: defined_in.to_owned(),
    }
}

fn places(general: Where) -> Where {
    Where {
        hot_paths: list(&[
            "inference/core/interfaces/**",
            "inference/core/managers/**",
            "inference/core/models/**",
            "inference/core/workflows/core_steps/**",
            "inference/core/workflows/execution_engine/**",
            "inference/models/**",
            "inference/enterprise/parallel/**",
            "inference_models/inference_models/models/**",
            "inference_models/inference_models/model_pipelines/**",
            "inference_model_manager/inference_model_manager/**",
            "inference_sdk/webrtc/**",
        ]),
        cold_paths: and(
            general.cold_paths,
            &[
                "development/**",
                "**/development/**",
                "docker/**",
                "app_bundles/**",
                "build_scripts/**",
                "theme_build/**",
                "inference_cli/**",
                "debugrun.py",
            ],
        ),
        ..general
    }
}
