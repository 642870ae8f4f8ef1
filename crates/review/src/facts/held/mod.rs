//! Held regions: from where to where a lock is held, and what guards a statement.
//!
//! A `with` holds to the end of its block, an acquire up to its release. Nested functions and lambdas run later
//! and are no part of a region.

mod decorated;
mod regions;

use super::Facts;
use super::bindings::BindingKind;
use super::hir::*;
use super::locks::Lock;
use rustc_hash::FxHashMap;

/// One stretch of one function in which a lock is held.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) lock: Lock,
    pub(crate) taken: Taken,
    /// The `with`, the statement that acquires, or the `def` that is decorated.
    pub(crate) stmt: StmtId,
    /// The function that runs while it is held; not that of the statement where a decorator takes it.
    pub(crate) scope: ScopeId,
    /// The context expression or the acquire call.
    pub(crate) span: Span,
    /// The statements that run while it is held, in source order, inner blocks included.
    pub(crate) body: Vec<StmtId>,
    /// Of these the ones whose failure leaves the lock held: no `finally` or handler gives it back.
    pub(crate) unguarded: Vec<StmtId>,
    /// The statement of the same function that gives an acquired lock back where nothing fails.
    pub(crate) release: Option<StmtId>,
}

/// How a lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// `with lock:`
    With,
    /// `with acquire_with_timeout(lock):` or another context that is given the lock, or takes one inside.
    Context(ExprId),
    /// `lock.acquire()`, or `lock.acquire` handed to an executor.
    Acquire(ExprId),
    /// `@locked` over a function, where the wrapper that it makes takes the lock around each call.
    Decorator(ExprId),
}

impl Held {
    pub(crate) fn holds(&self, stmt: StmtId) -> bool {
        self.body.binary_search(&stmt).is_ok()
    }
}

impl Facts {
    /// All held regions of the file, by the place where they begin.
    pub(crate) fn held(&self) -> &[Held] {
        self.found.held.get_or_init(|| {
            let mut regions: Vec<Held> = self.plain_regions();
            let inner = self.regions_of_contexts(&regions);
            regions.extend(inner);
            let whole = self.regions_of_decorators(&regions);
            regions.extend(whole);
            regions.sort_by_key(|held| (held.span, held.stmt));
            regions
        })
    }

    /// The regions that a statement stands in, outermost first.
    pub(crate) fn held_at(&self, stmt: StmtId) -> impl Iterator<Item = &Held> {
        self.held_near(stmt).filter(move |held| held.holds(stmt))
    }

    /// The regions around an expression; later items of a `with` stand inside of the earlier ones.
    pub(crate) fn held_around(&self, id: ExprId) -> impl Iterator<Item = &Held> {
        let (stmt, span) = (self.expr(id).stmt, self.expr(id).span);
        self.held_near(stmt).filter(move |held| {
            let earlier_item = held.stmt == stmt
                && matches!(self.stmt(stmt).kind, StmtKind::With { .. })
                && held.span.end <= span.start;
            earlier_item || held.holds(stmt)
        })
    }

    /// The regions that a statement begins or stands in, by the place where they begin.
    fn held_near(&self, stmt: StmtId) -> impl Iterator<Item = &Held> {
        let near = self.found.held_near.get_or_init(|| {
            let mut near: FxHashMap<StmtId, Vec<u32>> = FxHashMap::default();
            for (place, held) in self.held().iter().enumerate() {
                near.entry(held.stmt).or_default().push(place as u32);
                for &inner in held.body.iter().filter(|&&inner| inner != held.stmt) {
                    near.entry(inner).or_default().push(place as u32);
                }
            }
            near
        });
        let places = near.get(&stmt).map_or(&[][..], |places| places);
        places
            .iter()
            .filter_map(|&place| self.held().get(place as usize))
    }

    /// Whether each shown call of a function stands in a held region. `None` where no call is shown.
    pub(crate) fn callers_hold(&self, function: ScopeId) -> Option<bool> {
        let mut held = None;
        for (facts, call) in self.callers(function) {
            let is_held = facts.held_around(call.id).next().is_some();
            held = Some(held.unwrap_or(true) && is_held);
        }
        held
    }

    /// Whether the name that a context binds (`as acquired`) is read anywhere in its block.
    pub(crate) fn answer_is_tested(&self, held: &Held) -> bool {
        let StmtKind::With { items, .. } = &self.stmt(held.stmt).kind else {
            return true;
        };
        let target = items
            .iter()
            .find(|item| self.expr(item.context).span == held.span)
            .and_then(|item| item.target);
        let Some(name) = target.and_then(|target| self.name(target)) else {
            return false;
        };
        let is_read = |id: ExprId| {
            self.name(id) == Some(name)
                && self
                    .lookup(id)
                    .iter()
                    .any(|binding| matches!(binding.kind, BindingKind::With(_)))
        };
        held.body
            .iter()
            .any(|&stmt| self.exprs_of(stmt).any(is_read))
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    /// The statements of a region, by their first lines, and those that nothing guards.
    #[track_caller]
    fn check(text: &str, body: &[&str], unguarded: &[&str]) {
        let facts = facts_of(text);
        let held = facts.held().first().expect("a region");
        let lines = |stmts: &[crate::facts::StmtId]| -> Vec<String> {
            let head = |&stmt: &crate::facts::StmtId| facts.text(facts.stmt(stmt).head).to_string();
            stmts.iter().map(head).collect()
        };
        assert_eq!(lines(&held.body), body);
        assert_eq!(lines(&held.unguarded), unguarded);
    }

    #[test]
    fn a_with_holds_its_block_and_not_what_runs_later() {
        check(
            "def f(lock):\n    with lock:\n        a()\n        def g():\n            b()\n    c()\n",
            &["a()", "def g():"],
            &[],
        );
    }

    #[test]
    fn an_acquire_holds_up_to_its_release() {
        check(
            "def f(lock):\n    lock.acquire()\n    a()\n    lock.release()\n    b()\n",
            &["a()"],
            &["a()"],
        );
    }

    #[test]
    fn a_finally_that_releases_guards_its_try() {
        check(
            "def f(lock):\n    if not lock.acquire(timeout=1):\n        return\n    try:\n        a()\n    finally:\n        lock.release()\n    b()\n",
            &["try:", "a()"],
            &[],
        );
    }

    #[test]
    fn only_the_successful_branch_holds() {
        check(
            "def f(lock):\n    if lock.acquire(blocking=False):\n        a()\n        lock.release()\n    else:\n        b()\n    c()\n",
            &["a()"],
            &["a()"],
        );
    }

    #[test]
    fn a_release_that_is_handed_on_ends_the_region() {
        check(
            "def f(slots, pool):\n    slots_lock = slots.lock\n    slots_lock.acquire()\n    future = pool.submit(work)\n    future.add_done_callback(lambda _: slots_lock.release())\n    b()\n",
            &["future = pool.submit(work)"],
            &["future = pool.submit(work)"],
        );
    }

    #[test]
    fn a_context_of_the_file_holds_the_lock_that_it_takes_inside() {
        let facts = facts_of(
            "class A:\n    @contextmanager\n    def _alone(self):\n        with self._lock:\n            yield\n    def f(self):\n        with self._alone():\n            a()\n",
        );
        let held: Vec<usize> = facts.held().iter().map(|held| held.body.len()).collect();
        assert_eq!(held, [1, 1]);
    }
}
