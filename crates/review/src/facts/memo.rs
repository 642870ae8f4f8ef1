//! Functions whose results are kept for the next caller.

use super::Facts;
use super::hir::*;

impl Facts {
    /// `@lru_cache`, `@functools.cache`, `@lru_cache(maxsize=1)`: who calls gets what the first call made.
    pub(crate) fn keeps_results(&self, function: ScopeId) -> bool {
        let keeps = |&decorator: &ExprId| {
            let name = self.call(decorator).map_or(decorator, |call| call.function);
            self.is_one_of(name, &["functools.lru_cache", "functools.cache"])
        };
        self.decorators(function).iter().any(keeps)
    }
}
