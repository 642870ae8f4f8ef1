//! Held regions: from where to where a lock is held, and what guards a statement.
//!
//! A `with` holds to the end of its block, an acquire up to its release. Nested functions and lambdas run later
//! and are no part of a region.

use super::Facts;
use super::bindings::BindingKind;
use super::calls::Call;
use super::hir::*;
use super::locks::Lock;
use super::types::Kind;

/// One stretch of one function in which a lock is held.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) lock: Lock,
    pub(crate) taken: Taken,
    /// The `with`, or the statement that acquires.
    pub(crate) stmt: StmtId,
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
}

impl Held {
    pub(crate) fn holds(&self, stmt: StmtId) -> bool {
        self.body.binary_search(&stmt).is_ok()
    }
}

impl Facts {
    /// All held regions of the file, by the place where they begin.
    pub(crate) fn held(&self) -> &[Held] {
        self.held.get_or_init(|| {
            let mut regions: Vec<Held> = self.plain_regions();
            let inner = self.regions_of_contexts(&regions);
            regions.extend(inner);
            regions.sort_by_key(|held| (held.span, held.stmt));
            regions
        })
    }

    /// The regions that a statement stands in, outermost first.
    pub(crate) fn held_at(&self, stmt: StmtId) -> impl Iterator<Item = &Held> {
        self.held().iter().filter(move |held| held.holds(stmt))
    }

    /// The regions around an expression; later items of a `with` stand inside of the earlier ones.
    pub(crate) fn held_around(&self, id: ExprId) -> impl Iterator<Item = &Held> {
        let (stmt, span) = (self.expr(id).stmt, self.expr(id).span);
        self.held().iter().filter(move |held| {
            let earlier_item = held.stmt == stmt
                && matches!(self.stmt(stmt).kind, StmtKind::With { .. })
                && held.span.end <= span.start;
            earlier_item || held.holds(stmt)
        })
    }

    /// Whether each shown call of a function stands in a held region. `None` where no call is shown.
    pub(crate) fn callers_hold(&self, function: ScopeId) -> Option<bool> {
        let mut held = None;
        for call in self.calls_to(function) {
            let is_held = self.held_around(call.id).next().is_some();
            held = Some(held.unwrap_or(true) && is_held);
        }
        held
    }

    fn plain_regions(&self) -> Vec<Held> {
        let mut regions = Vec::new();
        for stmt in self.stmt_ids() {
            if let StmtKind::With {
                items,
                body,
                is_async,
            } = &self.stmt(stmt).kind
            {
                let body = self.statements_in(body);
                for item in items {
                    regions.extend(self.with_region(stmt, item.context, &body, *is_async));
                }
            }
        }
        regions.extend(self.calls().filter_map(|call| self.acquired_region(&call)));
        regions
    }

    fn with_region(
        &self,
        stmt: StmtId,
        context: ExprId,
        body: &[StmtId],
        is_async: bool,
    ) -> Option<Held> {
        let (mut lock, taken) = self.context_lock(context)?;
        if is_async {
            lock.kind = in_event_loop(lock.kind);
        }
        Some(Held {
            lock,
            taken,
            stmt,
            span: self.expr(context).span,
            body: body.to_vec(),
            unguarded: Vec::new(),
            release: None,
        })
    }

    /// The lock that a context expression takes.
    fn context_lock(&self, context: ExprId) -> Option<(Lock, Taken)> {
        if let Some(lock) = self.lock(context) {
            return Some((lock, Taken::With));
        }
        let call = self.call(context)?;
        if call.method() == Some("acquire") {
            let lock = self.lock(call.receiver()?)?;
            return Some((lock, Taken::Context(context)));
        }
        let given = call.args.iter().find_map(|arg| self.lock(arg.value));
        if let Some(lock) = given {
            return Some((lock, Taken::Context(context)));
        }
        let named = self.named_lock_call(context)?;
        Some((named, Taken::Context(context)))
    }

    /// `with self._exclusive():` where the file shows a generator that holds a lock over its `yield`.
    fn regions_of_contexts(&self, known: &[Held]) -> Vec<Held> {
        let mut regions = Vec::new();
        for stmt in self.stmt_ids() {
            let StmtKind::With { items, body, .. } = &self.stmt(stmt).kind else {
                continue;
            };
            for item in items {
                let taken_already = known
                    .iter()
                    .any(|held| held.stmt == stmt && held.span == self.expr(item.context).span);
                let inner = self.call(item.context).and_then(|call| {
                    let function = self.callee_scope(&call)?;
                    known.iter().find(|held| {
                        let yields = held.body.iter().any(|&inner| self.yields(inner));
                        self.stmt(held.stmt).scope == function && yields
                    })
                });
                if let Some(inner) = inner.filter(|_| !taken_already) {
                    regions.push(Held {
                        lock: inner.lock.clone(),
                        taken: Taken::Context(item.context),
                        stmt,
                        span: self.expr(item.context).span,
                        body: self.statements_in(body),
                        unguarded: Vec::new(),
                        release: None,
                    });
                }
            }
        }
        regions
    }

    /// The region that `lock.acquire()` opens; a refused or unknown receiver opens none.
    fn acquired_region(&self, call: &Call<'_>) -> Option<Held> {
        let (lock_expr, acquire) = self.acquired(call)?;
        let mut lock = self.lock(lock_expr)?;
        if call.is_awaited() && call.method() == Some("acquire") {
            lock.kind = in_event_loop(lock.kind);
        }
        let is_context = self.with_holds(call.id);
        if is_context {
            return None;
        }
        let mut walk = Walk {
            facts: self,
            lock: &lock,
            body: Vec::new(),
            unguarded: Vec::new(),
            release: None,
            on_error: false,
        };
        walk.start(call);
        let Walk {
            mut body,
            mut unguarded,
            release,
            ..
        } = walk;
        body.sort_unstable();
        unguarded.sort_unstable();
        Some(Held {
            lock,
            taken: Taken::Acquire(acquire),
            stmt: call.stmt(),
            span: call.span(),
            body,
            unguarded,
            release,
        })
    }

    /// `lock` of `lock.acquire()` and of `run_in_executor(pool, lock.acquire)`.
    fn acquired(&self, call: &Call<'_>) -> Option<(ExprId, ExprId)> {
        if call.method() == Some("acquire") {
            return Some((call.receiver()?, call.id));
        }
        if !matches!(call.name(), "run_in_executor" | "to_thread" | "run_sync") {
            return None;
        }
        let handed = call.args.iter().find_map(|arg| {
            let (object, name) = self.attribute(arg.value)?;
            (name == "acquire").then_some(object)
        })?;
        Some((handed, call.id))
    }

    fn with_holds(&self, id: ExprId) -> bool {
        match &self.stmt(self.expr(id).stmt).kind {
            StmtKind::With { items, .. } => items.iter().any(|item| item.context == id),
            _ => false,
        }
    }

    /// Whether a statement's own expressions give the lock back, call a function that does,
    /// or hand `lock.release` to somebody who will.
    pub(crate) fn gives_back(&self, stmt: StmtId, lock: &Lock) -> bool {
        let named = self.exprs_of(stmt).any(|id| self.is_release(id, lock));
        named
            || self
                .calls_in(stmt)
                .any(|call| self.callee_releases(&call, lock))
    }

    fn is_release(&self, id: ExprId, lock: &Lock) -> bool {
        let Some((object, "release")) = self.attribute(id) else {
            return false;
        };
        let same_text =
            self.dotted(object).is_some() && self.dotted(object) == self.dotted(lock.expr);
        same_text || self.lock(object).is_some_and(|other| other.is_same(lock))
    }

    fn callee_releases(&self, call: &Call<'_>, lock: &Lock) -> bool {
        let Some(function) = self.callee_scope(call) else {
            return false;
        };
        self.expr_ids()
            .any(|id| self.expr(id).scope == function && self.is_release(id, lock))
    }

    /// Whether the statement's function is itself the acquire of something larger: `acquire`, `__enter__`, `lock_rows`.
    pub(crate) fn is_acquirer(&self, stmt: StmtId) -> bool {
        self.function_name(stmt).is_some_and(|name| {
            matches!(name, "__enter__" | "__aenter__")
                || topic::words(name).any(|word| {
                    matches!(
                        word.as_str(),
                        "acquire" | "lock" | "enter" | "reserve" | "checkout"
                    )
                })
        })
    }

    /// Whether anything below these statements gives the lock back.
    pub(crate) fn gives_back_within(&self, block: &[StmtId], lock: &Lock) -> bool {
        self.statements_in(block)
            .into_iter()
            .any(|stmt| self.gives_back(stmt, lock))
    }

    /// The branch of an `if` that runs when the acquire failed: tested directly or through the name of its result.
    fn failed_branch(&self, stmt: StmtId, acquire: ExprId) -> Option<Part> {
        let StmtKind::If { test, .. } = self.stmt(stmt).kind else {
            return None;
        };
        let (tested, negated) = match self.expr(test).kind {
            ExprKind::Not(inner) => (inner, true),
            _ => (test, false),
        };
        let is_it = self.within(tested).any(|id| id == acquire)
            || self.values(tested).contains(&acquire)
            || self.values(tested).iter().any(|&value| {
                matches!(self.expr(value).kind, ExprKind::Await(inner) if inner == acquire)
            });
        is_it.then_some(if negated { Part::Body } else { Part::Else })
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

/// Follows control from an acquire to its release.
struct Walk<'f> {
    facts: &'f Facts,
    lock: &'f Lock,
    body: Vec<StmtId>,
    unguarded: Vec<StmtId>,
    release: Option<StmtId>,
    /// In a handler: a release there is for errors only.
    on_error: bool,
}

/// Whether the lock is still held behind a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Held,
    Ended,
}

impl Walk<'_> {
    fn start(&mut self, call: &Call<'_>) {
        let stmt = call.stmt();
        let flow = match &self.facts.stmt(stmt).kind {
            StmtKind::Return(_) => Flow::Ended,
            StmtKind::If { .. } => self.branch(stmt, call.id, false),
            _ => Flow::Held,
        };
        if flow == Flow::Held {
            self.onwards(stmt, call.id);
        }
    }

    /// The statements behind one, then those behind the block that it stands in, and so on.
    fn onwards(&mut self, from: StmtId, acquire: ExprId) {
        let mut at = from;
        loop {
            let guarded = self.is_guarded(at);
            for &stmt in self.facts.following(at) {
                if self.step(stmt, acquire, guarded) == Flow::Ended {
                    return;
                }
            }
            let Some(slot) = self.facts.stmt(at).parent else {
                return;
            };
            match self.facts.stmt(slot.stmt).kind {
                StmtKind::Try { ref finally, .. } if self.gives_back(finally) => {
                    self.note(finally);
                    return;
                }
                StmtKind::For { .. } | StmtKind::While { .. } => return,
                _ => at = slot.stmt,
            }
        }
    }

    fn step(&mut self, stmt: StmtId, acquire: ExprId, guarded: bool) -> Flow {
        let facts = self.facts;
        if matches!(
            facts.stmt(stmt).kind,
            StmtKind::Function { .. } | StmtKind::Class { .. }
        ) {
            return Flow::Held;
        }
        if facts.gives_back(stmt, self.lock) {
            if !self.on_error {
                self.release.get_or_insert(stmt);
            }
            return Flow::Ended;
        }
        match &facts.stmt(stmt).kind {
            StmtKind::Try {
                body,
                handlers,
                orelse,
                finally,
                ..
            } => {
                let by_handler = handlers
                    .iter()
                    .any(|handler| facts.catches_all(handler) && self.gives_back(&handler.body));
                let by_finally = self.gives_back(finally) || facts.end_of_try_is_hidden(stmt);
                let inside = guarded || by_finally || by_handler;
                self.add(stmt, true);
                let mut flow = self.run(body, acquire, inside);
                for handler in handlers {
                    let outer = std::mem::replace(&mut self.on_error, true);
                    let handled = self.run(&handler.body, acquire, guarded || by_finally);
                    self.on_error = outer;
                    let leaves = facts.always_leaves(&handler.body);
                    if handled == Flow::Ended && !by_handler && !leaves {
                        flow = Flow::Ended;
                    }
                }
                if flow == Flow::Held {
                    flow = self.run(orelse, acquire, guarded || by_finally);
                }
                if by_finally {
                    self.note(finally);
                    return Flow::Ended;
                }
                flow
            }
            StmtKind::If { .. } => self.branch(stmt, acquire, guarded),
            _ => {
                self.add(stmt, guarded);
                let blocks = facts.blocks(stmt);
                let mut flow = Flow::Held;
                for (_, block) in blocks {
                    if self.run(block, acquire, guarded) == Flow::Ended {
                        flow = Flow::Ended;
                    }
                }
                flow
            }
        }
    }

    /// Both branches of an `if`; a branch that gives the lock back and leaves does not end the region behind it.
    fn branch(&mut self, stmt: StmtId, acquire: ExprId, guarded: bool) -> Flow {
        let facts = self.facts;
        let failed = facts.failed_branch(stmt, acquire);
        if failed.is_none() {
            self.add(stmt, guarded);
        }
        let mut flow = Flow::Held;
        for (part, block) in facts.blocks(stmt) {
            let leaves = facts.always_leaves(block);
            if failed == Some(part) {
                continue;
            }
            let ended = self.run(block, acquire, guarded) == Flow::Ended;
            if ended && !leaves {
                flow = Flow::Ended;
            }
        }
        let only_success_holds = failed == Some(Part::Else);
        if only_success_holds {
            Flow::Ended
        } else {
            flow
        }
    }

    fn run(&mut self, block: &[StmtId], acquire: ExprId, guarded: bool) -> Flow {
        for &stmt in block {
            if self.step(stmt, acquire, guarded) == Flow::Ended {
                return Flow::Ended;
            }
        }
        Flow::Held
    }

    fn add(&mut self, stmt: StmtId, guarded: bool) {
        self.body.push(stmt);
        if !guarded {
            self.unguarded.push(stmt);
        }
    }

    fn gives_back(&self, block: &[StmtId]) -> bool {
        self.facts.gives_back_within(block, self.lock)
    }

    fn note(&mut self, block: &[StmtId]) {
        let facts = self.facts;
        let release = facts
            .statements_in(block)
            .into_iter()
            .find(|&stmt| facts.gives_back(stmt, self.lock));
        self.release = self.release.or(release);
    }

    /// Whether a `finally` or a handler for everything around the statement gives the lock back.
    fn is_guarded(&self, stmt: StmtId) -> bool {
        let facts = self.facts;
        facts
            .finally_blocks(stmt)
            .any(|finally| self.gives_back(finally))
            || facts
                .handlers_around(stmt)
                .any(|handler| facts.catches_all(handler) && self.gives_back(&handler.body))
    }
}

/// The loop's own twin of a kind that only a name gave.
fn in_event_loop(kind: Kind) -> Kind {
    match kind {
        Kind::ThreadLock | Kind::ReentrantLock | Kind::Semaphore => Kind::AsyncLock,
        Kind::Condition => Kind::AsyncCondition,
        other => other,
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
