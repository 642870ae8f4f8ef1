//! Names of what values differ by: whose they are, which model or version made them, what they were made with.

use topic::Profile;

/// The phrase in a name that says that values differ by what it names.
pub(crate) fn told_apart_by<'a>(profile: &'a Profile, name: &str) -> Option<&'a str> {
    let mut others = SECRETS.iter().chain(SETTINGS);
    let known = profile.keys.dimension(name);
    known.or_else(|| others.find(|word| topic::says(name, word)).copied())
}

/// Whether a part of a key by that name tells entries of different owners, models or settings apart.
pub(crate) fn tells_entries_apart(profile: &Profile, name: &str) -> bool {
    told_apart_by(profile, name).is_some() || says_owner(name) || topic::says(name, "model id")
}

/// What tells who may see the value.
pub(crate) fn says_owner(name: &str) -> bool {
    let owners = [
        "tenant",
        "api key",
        "workspace",
        "user id",
        "user",
        "account",
    ];
    let mut owners = owners.iter().chain(SECRETS);
    owners.any(|owner| topic::says(name, owner))
}

/// What tells who may see a value, as the phrase that a name carries: of two names of one phrase either will do.
const SECRETS: &[&str] = &["password", "token", "secret", "credentials", "credential"];

/// Settings that decide what a value holds, by the last words of their names.
const SETTINGS: &[&str] = &[
    "sample rate",
    "sampling rate",
    "language",
    "locale",
    "currency",
    "timezone",
    "voice",
    "resolution",
    "threshold",
    "temperature",
    "top k",
    "seed",
    "quality",
    "normalize",
    "fps",
];
