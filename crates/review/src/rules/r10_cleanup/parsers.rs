//! Readers of text and object formats, for the checks that ask what a damaged file raises.

/// What raises something else than OSError on a damaged file.
pub(super) const PARSERS: &[&str] = &[
    "json.load",
    "json.loads",
    "orjson.loads",
    "pickle.load",
    "pickle.loads",
    "yaml.safe_load",
    "yaml.load",
    "tomllib.load",
    "tomllib.loads",
    "toml.load",
    "joblib.load",
];
