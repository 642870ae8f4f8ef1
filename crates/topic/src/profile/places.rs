//! Where a file or a function stands: on a hot path, on a cold one, or neither.

use super::{any_name, any_path, any_words};
use serde::Deserialize;

/// How much a place matters.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Where {
    /// Globs of files on the request, dispatch or stream path.
    pub hot_paths: Vec<String>,
    /// Globs of files where nothing is hot, shared or long-lived. They win over the hot ones.
    pub cold_paths: Vec<String>,
    /// Globs of files that train, evaluate or prepare data. Nothing serves there, though files may be shared.
    pub offline_paths: Vec<String>,
    /// Phrases in the name of a function that is on a hot path.
    pub hot_functions: Vec<String>,
    /// Phrases in the name of a class or file whose functions are on a hot path where their own names are not shown.
    pub hot_owners: Vec<String>,
    /// Names of functions that run once, at process start.
    pub start_up_functions: Vec<String>,
    /// Names of parameters and keys that say that a function serves a request.
    pub request_names: Vec<String>,
}

impl Where {
    pub fn is_hot_path(&self, path: &str) -> bool {
        any_path(&self.hot_paths, path) && !self.is_cold_path(path)
    }

    pub fn is_cold_path(&self, path: &str) -> bool {
        any_path(&self.cold_paths, path)
    }

    pub fn is_offline_path(&self, path: &str) -> bool {
        any_path(&self.offline_paths, path)
    }

    pub fn says_hot_function(&self, name: &str) -> bool {
        any_words(&self.hot_functions, name)
    }

    /// Whether the name of a class or file says that it dispatches, serves or streams.
    pub fn says_hot_owner(&self, name: &str) -> bool {
        any_words(&self.hot_owners, name)
    }

    pub fn is_start_up_function(&self, name: &str) -> bool {
        any_name(&self.start_up_functions, name)
    }

    pub fn is_request_name(&self, name: &str) -> bool {
        any_name(&self.request_names, name)
    }
}
