//! What the topic's data promises to whoever reads it.

use crate::{Profile, ProfileError, Role, Topic, topic};
use report::Severity;
use report::export::Gravity;
use std::collections::BTreeSet;

fn cards() -> impl Iterator<Item = &'static crate::RuleCard> {
    topic().rules.iter()
}

#[test]
fn rules_are_numbered_in_checklist_order() {
    let ids: Vec<&str> = cards().map(|card| card.id).collect();
    assert_eq!(
        ids,
        ["R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10"]
    );
    for (number, card) in (1..).zip(cards()) {
        assert_eq!(card.number, number);
        assert_eq!(card.id, format!("R{number}"));
    }
}

#[test]
fn severities_are_those_of_the_topic() {
    let of = |severity| {
        cards()
            .filter(|card| card.severity == severity)
            .map(|card| card.number)
            .collect::<Vec<_>>()
    };
    assert_eq!(of(Severity::Block), [1, 4, 5, 6]);
    assert_eq!(of(Severity::Flag), [2, 3, 7, 9, 10]);
    assert_eq!(of(Severity::Nit), [8]);
}

#[test]
fn each_reference_stands_at_its_rule() {
    let have: Vec<(u8, u32)> = cards()
        .flat_map(|card| {
            card.references
                .iter()
                .map(|pull| (card.number, pull.number))
        })
        .collect();
    assert_eq!(
        have,
        [
            (1, 2373),
            (2, 1750),
            (3, 2491),
            (3, 1875),
            (3, 1769),
            (4, 2489),
            (4, 2486),
            (9, 2363),
            (10, 2387),
        ]
    );
    for pull in cards().flat_map(|card| card.references) {
        assert_eq!(
            pull.url(),
            format!("https://github.com/roboflow/inference/pull/{}", pull.number)
        );
        assert!(!pull.title.is_empty());
    }
}

#[test]
fn a_reference_to_one_check_is_named_there_only() {
    let card = topic().rule(3).unwrap();
    assert_eq!(card.references_of("executor-never-shut-down"), [2491]);
    assert_eq!(card.references_of("loop-touched-from-thread"), [2491, 1875]);
    assert_eq!(
        topic().rule(5).unwrap().references_of("bare-cache-write"),
        [0_u32; 0]
    );
}

#[test]
fn each_card_is_whole() {
    for card in cards() {
        for text in [card.title, card.what, card.why] {
            assert!(
                !text.is_empty() && !text.contains("  "),
                "{}: {text}",
                card.id
            );
        }
        assert!(card.safe.len() >= 3, "{}", card.id);
        assert!(!card.key_files.is_empty(), "{}", card.id);
        for example in [card.bad, card.good] {
            assert!((8..=22).contains(&example.lines().count()), "{}", card.id);
            assert!(example.ends_with('\n') && !example.contains('\t'));
        }
        assert_ne!(card.bad, card.good);
    }
}

#[test]
fn a_question_goes_with_its_answer() {
    for card in cards() {
        assert!(card.asks.ends_with('?'), "{}", card.id);
        assert!(!card.settled_if.ends_with('.'), "{}", card.id);
        let wording = topic().wording(Gravity::High);
        let question = (wording.question)(card.number).unwrap();
        assert_eq!(question.asks, card.asks);
    }
}

#[test]
fn ids_are_unique() {
    let Topic {
        groups,
        not_blocking,
        rules,
        ..
    } = topic();
    let ids: Vec<&str> = groups
        .iter()
        .map(|group| group.id)
        .chain(not_blocking.iter().map(|condition| condition.id))
        .chain(rules.iter().map(|card| card.id))
        .collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
}

#[test]
fn no_signal_is_given_twice() {
    let mut seen = BTreeSet::new();
    for signal in topic().groups.iter().flat_map(|group| group.signals) {
        assert!(seen.insert((signal.kind, signal.pattern)), "{signal:?}");
    }
}

#[test]
fn conditions_name_rules_that_exist() {
    for condition in &topic().not_blocking {
        assert!(
            condition
                .rules
                .iter()
                .all(|&rule| topic().rule(rule).is_some())
        );
        assert!(!condition.text.is_empty());
    }
}

#[test]
fn guards_are_listed_per_call() {
    let torchscript = Profile::builtin().torchscript;
    assert!(torchscript.guards("torchscript_global_lock", "torch.jit.load"));
    assert!(torchscript.guards("_temporarily_disable_torch_jit_script", "torch.jit.script"));
    assert!(!torchscript.guards("_temporarily_disable_torch_jit_script", "torch.jit.load"));
    assert!(!torchscript.guards("nullcontext", "torch.jit.load"));
    assert!(torchscript.is_lock_name("self._torchscript_state_global_lock"));
    assert!(torchscript.is_builder("sam2.sam2_image_predictor.SAM2ImagePredictor"));
}

#[test]
fn cache_paths_are_told_by_root_call_and_words() {
    let cache = Profile::builtin().cache;
    assert!(cache.is_root("inference.core.env.MODEL_CACHE_DIR"));
    assert!(cache.is_root("FONT_CACHE_DIR"));
    assert!(!cache.is_root("OUTPUT_DIR"));
    assert!(cache.is_path_call("get_cache_dir"));
    assert!(cache.says_path("self._cache_dir"));
    assert!(!cache.says_path("cache"));
    assert_eq!(
        cache.atomic_twin("file_system.dump_json"),
        Some("dump_json_atomic")
    );
    assert_eq!(cache.atomic_twin("dump_json_atomic"), None);
}

#[test]
fn a_package_is_asked_for_its_own_helpers_only() {
    let profile = Profile::builtin();
    let names = |path, role| {
        profile
            .helpers_for(path, role)
            .map(|helper| helper.name.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(
            "inference/core/registries/roboflow.py",
            Role::FutureResolver
        ),
        ["resolve_futures"]
    );
    assert!(
        names(
            "inference_models/inference_models/utils/a.py",
            Role::AtomicWrite
        )
        .is_empty()
    );
    assert!(names("elsewhere/core.py", Role::AtomicWrite).is_empty());
}

#[test]
fn cold_wins_over_hot() {
    let places = Profile::builtin().places;
    assert!(places.is_hot_path("inference/core/managers/base.py"));
    assert!(!places.is_hot_path("inference/core/managers/tests/test_base.py"));
    assert!(places.is_cold_path("tests/inference/unit_tests/conftest.py"));
    assert!(places.is_cold_path("inference_cli/lib/utils.py"));
    assert!(!places.is_cold_path("inference/core/interfaces/http/http_api.py"));
}

#[test]
fn a_profile_file_replaces_what_it_names() {
    let text = r#"{"name": "acme", "locks": {"timed_contexts": ["lock_within"]},
        "shared_helpers": [{"paths": ["acme/**"], "helpers":
            [{"role": "atomic-write", "name": "write_whole", "defined_in": "acme/files.py"}]}]}"#;
    let profile = Profile::from_json(text).unwrap();
    assert_eq!(profile.name, "acme");
    assert!(profile.locks.is_timed_context("lock_within"));
    assert!(!profile.locks.is_timed_context("acquire_with_timeout"));
    assert!(profile.places.is_cold_path("tests/test_a.py"));
    assert_eq!(
        profile
            .helpers_for("acme/a/b.py", Role::AtomicWrite)
            .count(),
        1
    );
}

#[test]
fn a_part_that_leaves_a_list_out_has_the_general_one() {
    let text = r#"{"places": {"hot_paths": ["serve/**"]}, "cache": {"roots": ["ACME_ROOT"]},
        "keys": {}, "containers": {}, "outage": {}}"#;
    let profile = Profile::from_json(text).unwrap();
    let general = Profile::default();
    assert!(profile.places.is_hot_path("serve/a.py"));
    assert!(profile.places.is_cold_path("serve/tests/test_a.py"));
    assert_eq!(profile.places.hot_functions, general.places.hot_functions);
    assert_eq!(profile.cache.roots, ["ACME_ROOT"]);
    assert_eq!(profile.cache.path_words, general.cache.path_words);
    assert_eq!(profile.keys, general.keys);
    assert_eq!(profile.containers, general.containers);
    assert_eq!(profile.outage, general.outage);
}

#[test]
fn a_misspelt_field_of_a_profile_is_refused() {
    let error = Profile::from_json(r#"{"name": "a", "lock": {}}"#).unwrap_err();
    assert!(
        error.to_string().contains("unknown field `lock`"),
        "{error}"
    );
    let toml = Profile::from_json("name = \"a\"\n");
    assert_eq!(toml, Err(ProfileError::NotJson));
}

#[test]
fn a_builder_may_need_a_keyword_for_what_it_is_listed_for() {
    let profile = Profile::builtin();
    let keyword = profile.only_with("sam3.build_sam3_image_model");
    assert_eq!(keyword, Some("enable_inst_interactivity"));
    assert_eq!(profile.only_with("SAM2ImagePredictor"), None);

    let text = r#"{"only_with": [{"name": "build", "keyword": "scripted"}]}"#;
    let own = Profile::from_json(text).unwrap();
    assert_eq!(own.only_with("build"), Some("scripted"));
}
