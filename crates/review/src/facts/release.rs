//! From an acquire to its release: what runs in between, and what of it can miss the release.

use super::Facts;
use super::calls::Call;
use super::hir::*;
use super::locks::{Lock, says_acquire};

/// Follows control from an acquire to its release.
pub(super) struct Walk<'f> {
    facts: &'f Facts,
    lock: &'f Lock,
    pub(super) body: Vec<StmtId>,
    pub(super) unguarded: Vec<StmtId>,
    pub(super) release: Option<StmtId>,
    /// In a handler: a release there is for errors only.
    on_error: bool,
}

/// Whether the lock is still held behind a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Held,
    Ended,
}

impl<'f> Walk<'f> {
    pub(super) fn from_acquire(facts: &'f Facts, lock: &'f Lock, call: &Call<'_>) -> Walk<'f> {
        let mut walk = Walk {
            facts,
            lock,
            body: Vec::new(),
            unguarded: Vec::new(),
            release: None,
            on_error: false,
        };
        walk.start(call);
        walk
    }

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

impl Facts {
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
        self.exprs_within(self.scope(function).span)
            .any(|id| self.expr(id).scope == function && self.is_release(id, lock))
    }

    /// Whether the statement's function is itself the acquire of something larger: `acquire`, `__enter__`, `lock_rows`.
    pub(crate) fn is_acquirer(&self, stmt: StmtId) -> bool {
        self.function_name(stmt)
            .is_some_and(|name| matches!(name, "__enter__" | "__aenter__") || says_acquire(name))
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
}
