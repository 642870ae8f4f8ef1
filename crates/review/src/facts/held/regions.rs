//! Finds the regions: what a `with`, an acquire, or a context of the diff holds, and how far.

use super::{Held, Taken};
use crate::facts::Facts;
use crate::facts::calls::Call;
use crate::facts::hir::*;
use crate::facts::locks::Lock;
use crate::facts::release::Walk;
use crate::facts::types::Kind;

impl Facts {
    pub(super) fn plain_regions(&self) -> Vec<Held> {
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
            scope: self.stmt(stmt).scope,
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

    /// `with self._exclusive():` where the diff shows a generator that holds a lock over its `yield`.
    pub(super) fn regions_of_contexts(&self, known: &[Held]) -> Vec<Held> {
        let mut regions = Vec::new();
        for stmt in self.stmt_ids() {
            let StmtKind::With { items, body, .. } = &self.stmt(stmt).kind else {
                continue;
            };
            for item in items {
                let taken_already = known
                    .iter()
                    .any(|held| held.stmt == stmt && held.span == self.expr(item.context).span);
                let lock = self.lock_over_yield(item.context, known);
                if let Some(lock) = lock.filter(|_| !taken_already) {
                    regions.push(Held {
                        lock,
                        taken: Taken::Context(item.context),
                        stmt,
                        scope: self.stmt(stmt).scope,
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

    /// The lock that the called generator holds over its `yield`; of another file's as this file can name it.
    fn lock_over_yield(&self, context: ExprId, known: &[Held]) -> Option<Lock> {
        let (there, function) = self.callee(&self.call(context)?)?;
        let of_this_file = std::ptr::eq(there, self);
        let known = if of_this_file { known } else { there.held() };
        let inner = known.iter().find(|held| {
            let yields = held.body.iter().any(|&inner| there.yields(inner));
            held.scope == function && yields
        })?;
        let lock = inner.lock.clone();
        Some(if of_this_file {
            lock
        } else {
            Lock {
                expr: context,
                key: format!("{}:{}", there.path, lock.key),
                inner: None,
                ..lock
            }
        })
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
        let walk = Walk::from_acquire(self, &lock, call);
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
            scope: self.stmt(call.stmt()).scope,
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
}

/// The loop's own twin of a kind that only a name gave.
fn in_event_loop(kind: Kind) -> Kind {
    match kind {
        Kind::ThreadLock | Kind::ReentrantLock | Kind::Semaphore => Kind::AsyncLock,
        Kind::Condition => Kind::AsyncCondition,
        other => other,
    }
}
