//! The names of the reviewed repository: which calls guard, which helpers exist where, where caches live, what is hot and cold.
//!
//! [`Profile::default`] knows what Python and its well-known libraries call these things; [`Profile::builtin`] adds the names of
//! roboflow/inference. A JSON file replaces the built-in one ([`Profile::from_json`]): a field that it leaves out has its default, in each part too,
//! a field that does not exist is an error. Names are compared by [`crate::name_matches`], phrases by [`crate::says`],
//! paths by [`crate::path_matches`].

mod general;
mod helpers;
mod places;
mod roboflow;
mod runtime;
mod storage;

pub use helpers::{PackageHelpers, Role, SharedHelper};
pub use places::Where;
pub use runtime::{Futures, Guard, LeakyConstructor, Locks, OnlyWith, TorchScript};
pub use storage::{Cache, Containers, Keys, Outage, Twin};

use crate::pattern::{name_matches, path_matches, says};
use serde::Deserialize;

/// The name of the built-in profile.
pub const BUILTIN_PROFILE: &str = "roboflow/inference";

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    /// Shown in the report.
    pub name: String,
    pub torchscript: TorchScript,
    pub leaky_constructors: Vec<LeakyConstructor>,
    /// Which of the callables above need a keyword for it.
    pub only_with: Vec<OnlyWith>,
    pub locks: Locks,
    pub futures: Futures,
    pub cache: Cache,
    pub keys: Keys,
    pub containers: Containers,
    pub outage: Outage,
    /// Helpers that a package's code should reuse, by package.
    pub shared_helpers: Vec<PackageHelpers>,
    pub places: Where,
}

impl Profile {
    /// The names of roboflow/inference.
    pub fn builtin() -> Profile {
        roboflow::profile()
    }

    /// Reads a profile out of a file's text.
    pub fn from_json(text: &str) -> Result<Profile, ProfileError> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if !text.starts_with('{') {
            return Err(ProfileError::NotJson);
        }
        serde_json::from_str(text).map_err(|error| ProfileError::NotAProfile(error.to_string()))
    }

    /// The shared helpers that code at `path` should reuse for this role.
    pub fn helpers_for<'a>(
        &'a self,
        path: &'a str,
        role: Role,
    ) -> impl Iterator<Item = &'a SharedHelper> {
        self.shared_helpers
            .iter()
            .filter(move |package| any_path(&package.paths, path))
            .flat_map(|package| &package.helpers)
            .filter(move |helper| helper.role == role)
    }

    /// Whether this is the name of any helper that the profile lists, in whatever package.
    pub fn is_shared_helper(&self, name: &str) -> bool {
        self.shared_helpers
            .iter()
            .flat_map(|package| &package.helpers)
            .any(|helper| name_matches(&helper.name, name))
    }

    /// The keyword without which a listed callable does nothing of what it is listed for.
    pub fn only_with(&self, callee: &str) -> Option<&str> {
        self.only_with
            .iter()
            .find(|only| name_matches(&only.name, callee))
            .map(|only| only.keyword.as_str())
    }

    /// What is known of a constructor that enters a context and leaves it entered.
    pub fn leaky_constructor(&self, callee: &str) -> Option<&LeakyConstructor> {
        self.leaky_constructors
            .iter()
            .find(|leaky| name_matches(&leaky.name, callee))
    }
}

/// Why a text is no profile: a sentence for whoever gave it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    #[error("This is no profile: a profile is a JSON object, {{\"name\": \"...\", ...}}.")]
    NotJson,
    #[error("This profile cannot be read: {0}.")]
    NotAProfile(String),
}

impl Default for Profile {
    fn default() -> Profile {
        general::profile()
    }
}

fn any_name(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| name_matches(pattern, name))
}

fn any_path(globs: &[String], path: &str) -> bool {
    globs.iter().any(|glob| path_matches(glob, path))
}

fn any_words(phrases: &[String], identifier: &str) -> bool {
    phrases.iter().any(|phrase| says(identifier, phrase))
}
