//! Functions that only a pool of one worker runs: no two calls of them meet, and no lock is needed for that.

use super::Facts;
use super::bindings::BindingKind;
use super::calls::Call;
use super::hir::*;
use super::types::Kind;

impl Facts {
    /// Whether a pool of one worker, and nothing else, runs a function, by all that is shown.
    pub(crate) fn runs_in_one_worker(&self, function: ScopeId) -> bool {
        let given = self.given_over(function);
        let mut pools = given.iter().filter_map(|&id| self.pool_of(&self.call(id)?));
        let Some(first) = pools.next() else {
            return false;
        };
        // Two pools of one worker each are two threads.
        let is_one = pools.all(|pool| self.object_key(pool) == self.object_key(first));
        is_one && self.has_one_worker(first) && self.is_only_handed_over(function)
    }

    /// Whether all that names a function hands it to threads or pools of this file.
    pub(crate) fn is_only_handed_over(&self, function: ScopeId) -> bool {
        let given = self.given_over(function).len();
        given > 0
            && given == self.mentions_of_function(function).count()
            && self.calls_from_afar(function).is_empty()
    }

    fn given_over(&self, function: ScopeId) -> Vec<ExprId> {
        let own = self.canonical(function);
        let handovers = self.handovers().iter();
        handovers
            .filter(|handover| self.canonical(handover.function) == own)
            .map(|handover| handover.call)
            .collect()
    }

    fn pool_of(&self, call: &Call<'_>) -> Option<ExprId> {
        match call.name() {
            "run_in_executor" => call.positional(0),
            "submit" | "map" => call.receiver(),
            _ => None,
        }
    }

    /// The calls that made a pool, `with Pool() as pool:` included.
    pub(crate) fn makers_of(&self, pool: ExprId) -> Vec<Call<'_>> {
        let bindings = self.bindings_behind(pool).into_iter();
        let entered = bindings.filter_map(|binding| match binding.kind {
            BindingKind::With(context) => Some(context),
            _ => None,
        });
        let all = entered.chain(self.values(pool));
        all.filter_map(|id| self.call(id)).collect()
    }

    fn has_one_worker(&self, pool: ExprId) -> bool {
        let made = self.makers_of(pool);
        let is_one = |made: &Call<'_>| {
            let is_pool = self.constructs(made) == Some(Kind::Executor);
            let workers = made.arg(0, "max_workers").filter(|_| is_pool);
            workers.is_some_and(|workers| self.is_number_one(workers))
        };
        !made.is_empty() && made.iter().all(is_one)
    }

    fn is_number_one(&self, id: ExprId) -> bool {
        let values = self.values(id);
        !values.is_empty() && values.into_iter().all(|value| self.expr_text(value) == "1")
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    #[track_caller]
    fn check(text: &str, alone: bool) {
        let text =
            format!("from concurrent.futures import ThreadPoolExecutor\ndef f(x): pass\n{text}");
        let facts = facts_of(&text);
        let function = facts
            .scope_ids()
            .find(|&scope| facts.scope_name(scope) == Some("f"));
        let found = function.is_some_and(|function| facts.runs_in_one_worker(function));
        assert_eq!(found, alone, "{text}");
    }

    #[test]
    fn a_pool_of_one_keeps_calls_apart() {
        check(
            "P = ThreadPoolExecutor(1)\ndef g(x):\n    return P.submit(f, x)\n",
            true,
        );
        check(
            "N = 1\nP = ThreadPoolExecutor(max_workers=N)\nasync def g(loop, x):\n    return await loop.run_in_executor(P, partial(f, x))\n",
            true,
        );
    }

    #[test]
    fn more_workers_and_calls_beside_do_not() {
        check(
            "P = ThreadPoolExecutor(2)\ndef g(x):\n    return P.submit(f, x)\n",
            false,
        );
        check(
            "P = ThreadPoolExecutor()\ndef g(x):\n    return P.submit(f, x)\n",
            false,
        );
        check(
            "P = ThreadPoolExecutor(1)\ndef g(x):\n    f(x)\n    return P.submit(f, x)\n",
            false,
        );
        check(
            "P = ThreadPoolExecutor(1)\nQ = ThreadPoolExecutor(1)\ndef g(x):\n    Q.submit(f, x)\n    return P.submit(f, x)\n",
            false,
        );
    }
}
