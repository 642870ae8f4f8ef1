//! What a file removes from disk, how tolerant it is of others who removed it first,
//! and what it asks about paths before it acts.

use super::Facts;
use super::calls::{Call, OfCalls};
use super::cleanup::REMOVAL_ERRORS;
use super::hir::*;
use super::types::{Kind, Proof};

/// A call that removes a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deletion<'f> {
    pub(crate) call: Call<'f>,
    pub(crate) path: ExprId,
    /// A whole folder.
    pub(crate) is_tree: bool,
    /// It does not fail where the path is gone already.
    pub(crate) is_tolerant: bool,
    /// By its own arguments: `missing_ok`, `ignore_errors`. Else an error ends the block that it stands in.
    pub(crate) forgives: bool,
    /// A method of the path itself; a function that removes is known by its full name.
    pub(crate) by_method: bool,
}

/// The same, without the call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Removal {
    path: ExprId,
    is_tree: bool,
    is_tolerant: bool,
    forgives: bool,
    by_method: bool,
}

impl<'f> Deletion<'f> {
    fn new(call: Call<'f>, removal: Removal) -> Deletion<'f> {
        Deletion {
            call,
            path: removal.path,
            is_tree: removal.is_tree,
            is_tolerant: removal.is_tolerant,
            forgives: removal.forgives,
            by_method: removal.by_method,
        }
    }
}

/// Callers of callers that are followed.
const CALLERS: u32 = 3;

/// A lock between processes that is held at a statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileLocked {
    /// The `with` or the acquire.
    pub(crate) stmt: StmtId,
    pub(crate) proof: Proof,
}

impl Facts {
    /// The calls that remove a path, in source order.
    pub(crate) fn deletions(&self) -> impl Iterator<Item = Deletion<'_>> {
        let deletions = self.found_deletions().all(self);
        deletions.map(|(call, removal)| Deletion::new(call, removal))
    }

    fn found_deletions(&self) -> &OfCalls<Removal> {
        let found = || OfCalls::new(self, |call| self.removal(call));
        self.found.deletions.get_or_init(found)
    }

    /// What a call removes, if it removes a path.
    pub(crate) fn deletion<'f>(&'f self, call: Call<'f>) -> Option<Deletion<'f>> {
        let removal = self.found_deletions().of(&call)?;
        Some(Deletion::new(call, removal))
    }

    fn removal(&self, call: &Call<'_>) -> Option<Removal> {
        let is_tree = call.is(&["shutil.rmtree"]);
        let of_file = call.is(&["os.remove", "os.unlink", "os.rmdir", "os.removedirs"])
            || call.is(&[
                "aiofiles.os.remove",
                "aiofiles.os.unlink",
                "aiofiles.os.rmdir",
            ]);
        let by_method = !is_tree && !of_file;
        let path = if !by_method {
            call.arg(0, "path")?
        } else {
            let is_method = matches!(call.method(), Some("unlink" | "rmdir"))
                && call.args.iter().all(|arg| arg.name.is_some())
                && call.receiver().is_some_and(|object| {
                    !matches!(self.kind_of(object), Some(Kind::SharedMemory))
                        && self.resolved(object).as_deref() != Some("os")
                });
            call.receiver().filter(|_| is_method)?
        };
        let missing_ok = call
            .keyword("missing_ok")
            .is_some_and(|value| !matches!(self.expr(value).kind, ExprKind::False));
        let forgives = missing_ok || (is_tree && self.ignores_errors(call));
        let is_tolerant = forgives || self.is_caught(call.stmt(), REMOVAL_ERRORS);
        Some(Removal {
            path,
            is_tree,
            is_tolerant,
            forgives,
            by_method,
        })
    }

    /// The keyword by which a removal tolerates that its item is gone, if it has one: `unlink` of a shared memory block,
    /// and the functions of `os`, have none.
    pub(crate) fn tolerates_by(&self, removal: &Call<'_>) -> Option<&'static str> {
        if removal.is(&["shutil.rmtree"]) {
            return Some("ignore_errors");
        }
        let item = removal
            .receiver()
            .filter(|_| removal.method() == Some("unlink"))?;
        let is_memory = self.last_name(item).is_some_and(|name| {
            ["shm", "shared", "memory", "segment", "block"]
                .iter()
                .any(|word| topic::says(name, word))
        });
        let text = self.expr_text(item);
        let is_closed = self.calls_beside(removal.stmt()).any(|other| {
            let of = other.receiver().map(|of| self.expr_text(of));
            other.method() == Some("close") && of == Some(text)
        });
        let is_os = self.resolved(item).as_deref() == Some("os");
        let by_kind = self.kind_of(item) == Some(Kind::SharedMemory);
        (!is_memory && !is_closed && !is_os && !by_kind).then_some("missing_ok")
    }

    /// The path that an expression asks after: `os.path.exists(p)`, `p.is_dir()`, `os.path.lexists(p)`.
    pub(crate) fn asked_path(&self, call: &Call<'_>) -> Option<ExprId> {
        let by_function = call.is(&[
            "os.path.exists",
            "os.path.lexists",
            "os.path.isfile",
            "os.path.isdir",
            "os.path.islink",
        ]);
        // `path.exists()` looks like the end of `os.path.exists`.
        if let Some(path) = call.positional(0).filter(|_| by_function) {
            return Some(path);
        }
        let of_path = matches!(
            call.method(),
            Some("exists" | "is_file" | "is_dir" | "is_symlink")
        ) && call.args.is_empty();
        call.receiver().filter(|_| of_path)
    }

    /// Whether a question for a path only leads to its removal, and the function goes on all the same:
    /// `if os.path.isdir(path): shutil.rmtree(path)`.
    pub(crate) fn asks_to_remove(&self, call: &Call<'_>) -> bool {
        let Some(asked) = self.asked_path(call) else {
            return false;
        };
        let StmtKind::If { test, body, .. } = &self.stmt(call.stmt()).kind else {
            return false;
        };
        let inside = self.statements_in(body);
        let removes = |stmt: &StmtId| {
            let mut removals = self.calls_in(*stmt).filter_map(|call| self.deletion(call));
            removals.any(|removal| self.is_same_path(removal.path, asked))
        };
        let leaves = |stmt: &StmtId| matches!(self.stmt(*stmt).kind, StmtKind::Return(_));
        self.within(*test).any(|id| id == call.id)
            && inside.iter().any(removes)
            && !inside.iter().any(leaves)
    }

    /// Whether the function does something else after a statement: more than giving its answer back.
    pub(crate) fn work_goes_on(&self, stmt: StmtId) -> bool {
        let end = self.stmt(stmt).span.end;
        let works = |after: StmtId| {
            let gives_back = matches!(self.stmt(after).kind, StmtKind::Return(_));
            self.stmt(after).span.start >= end
                && (!gives_back || self.calls_in(after).next().is_some())
        };
        self.statements_of(self.stmt(stmt).scope).any(works)
    }

    /// Whether the function asks for the removed path before, or puts something there behind the removal.
    pub(crate) fn is_asked_or_refilled(&self, deletion: &Deletion<'_>) -> bool {
        let removal = deletion.call.span();
        self.calls_beside(deletion.call.stmt()).any(|call| {
            if call.span().start >= removal.end {
                let args = call.args.iter().map(|arg| arg.value);
                args.chain(call.receiver())
                    .any(|id| self.can_be_same_path(id, deletion.path))
            } else {
                self.asked_path(&call)
                    .is_some_and(|asked| self.can_be_same_path(asked, deletion.path))
            }
        })
    }

    pub(super) fn can_be_same_path(&self, a: ExprId, b: ExprId) -> bool {
        let others = self.values(self.bare_path(b));
        self.values(self.bare_path(a))
            .into_iter()
            .any(|a| others.iter().any(|&b| self.is_same_path(a, b)))
    }

    /// The innermost lock between processes that is held where a statement runs, by its own function.
    pub(crate) fn file_lock_at(&self, stmt: StmtId) -> Option<FileLocked> {
        let shown = self
            .held_at(stmt)
            .filter(|held| held.lock.keeps_processes_out())
            .last()
            .map(|held| FileLocked {
                stmt: held.stmt,
                proof: held.lock.proof,
            });
        shown.or_else(|| self.hidden_file_lock(stmt))
    }

    /// A shown handler for `filelock.Timeout` says that a lock is taken in the `try` whose head is hidden.
    fn hidden_file_lock(&self, stmt: StmtId) -> Option<FileLocked> {
        let is_busy = |handler: &Handler| {
            handler
                .types
                .iter()
                .any(|&class| self.last_name(class) == Some("Timeout"))
        };
        let waits = |outer: &StmtId| self.handlers(*outer).iter().any(is_busy);
        let hidden = self
            .protecting_tries(stmt)
            .find(|outer| self.stmt(*outer).scaffold && waits(outer))
            .or_else(|| self.entered_where_busy(stmt, waits))?;
        Some(FileLocked {
            stmt: hidden,
            proof: Proof::Named,
        })
    }

    /// `with _guard(folder):` in such a `try`: what the `with` enters is what can be busy.
    fn entered_where_busy(&self, stmt: StmtId, waits: impl Fn(&StmtId) -> bool) -> Option<StmtId> {
        let may_lock = |item: &WithItem| {
            let known = self.type_of(item.context);
            let opens = self.call(item.context).is_some_and(|call| {
                matches!(call.name(), "open" | "suppress" | "stream" | "get" | "post")
            });
            !opens && known.is_none_or(|found| found.kind.is_lock())
        };
        self.with_items(stmt)
            .filter(|(_, item)| may_lock(item))
            .map(|(with, _)| with)
            .find(|&with| self.protecting_tries(with).any(|outer| waits(&outer)))
    }

    /// The statement of another function that takes a file lock for a path of this name.
    pub(crate) fn file_lock_for(&self, name: &str, apart_from: StmtId) -> Option<StmtId> {
        let scope = self.stmt(apart_from).scope;
        self.held()
            .iter()
            .filter(|held| held.lock.keeps_processes_out() && held.lock.proof == Proof::Proven)
            .filter(|held| held.scope != scope)
            .find(|held| {
                self.within(held.lock.expr)
                    .any(|id| self.name(id) == Some(name))
            })
            .map(|held| held.stmt)
    }

    /// Whether each shown call of a function, and at least one, stands under a file lock, or in a function of which
    /// that holds.
    pub(crate) fn callers_lock_files(&self, function: ScopeId) -> bool {
        self.callers_lock_within(function, CALLERS)
    }

    fn callers_lock_within(&self, function: ScopeId, hops: u32) -> bool {
        let Some(hops) = hops.checked_sub(1) else {
            return false;
        };
        let mut calls = self.calls_to(function).peekable();
        calls.peek().is_some()
            && calls.all(|call| {
                let caller = self.function_of(call.scope());
                self.file_lock_at(call.stmt()).is_some()
                    || caller.is_some_and(|caller| {
                        self.calls_itself_locked(caller) || self.callers_lock_within(caller, hops)
                    })
            })
    }

    /// A function that takes the lock and then calls itself under it: what it does, it does locked.
    fn calls_itself_locked(&self, function: ScopeId) -> bool {
        self.calls_to(function).any(|call| {
            let own = self
                .function_of(call.scope())
                .map(|scope| self.canonical(scope));
            own == Some(self.canonical(function)) && self.file_lock_at(call.stmt()).is_some()
        })
    }

    /// Whether a statement runs under a file lock, its own function's or that of all shown callers.
    pub(crate) fn is_file_locked(&self, stmt: StmtId) -> bool {
        self.file_lock_at(stmt).is_some()
            || self
                .function_of(self.stmt(stmt).scope)
                .is_some_and(|function| self.callers_lock_files(function))
    }
}
