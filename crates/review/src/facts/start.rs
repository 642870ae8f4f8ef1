//! Functions that run once, while a program starts or an object is built, and those that a command line runs.

use super::Facts;
use super::calls::Call;
use super::hir::*;

/// Callers of callers that are followed.
const DEPTH: u32 = 4;

/// What runs the function that it is given, and comes back when that is done.
const RUNNERS: &[&str] = &[
    "run", "run_app", "main", "launch", "Fire", "cli", "execute", "spawn", "call",
];

/// Libraries whose decorators make a command of a function.
const COMMAND_LIBRARIES: &[&str] = &["click", "typer", "hydra", "fire", "cyclopts"];

impl Facts {
    /// Whether a function runs at the program's start alone: all that names it are calls at module level or in functions
    /// of the same kind, or it is handed to a runner in the `__main__` block. A loop repeats it, and a thread runs beside
    /// others: neither is a start.
    pub(crate) fn starts_program(&self, function: ScopeId) -> bool {
        self.starts(function, DEPTH)
    }

    fn starts(&self, function: ScopeId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        if self.is_command(function) {
            return true;
        }
        let decorated = self.decorators(function).iter().any(|&decorator| {
            !matches!(self.name(decorator), Some("staticmethod" | "classmethod"))
        });
        if self.is_handed_over(function) || decorated {
            return false;
        }
        let mentions: Vec<ExprId> = self.mentions_of_function(function).collect();
        let afar = self.calls_from_afar(function);
        let counted = |facts: &Facts, id: ExprId| facts.is_at_start(id, depth);
        !(mentions.is_empty() && afar.is_empty())
            && mentions.iter().all(|&id| counted(self, id))
            && afar
                .iter()
                .all(|(facts, call)| counted(facts, call.function))
    }

    /// Decorated as a command of a command-line library.
    fn is_command(&self, function: ScopeId) -> bool {
        self.decorators(function).iter().any(|&decorator| {
            let head = self.call(decorator).map_or(decorator, |call| call.function);
            self.imported_root(head)
                .is_some_and(|root| COMMAND_LIBRARIES.contains(&root.as_str()))
        })
    }

    fn is_handed_over(&self, function: ScopeId) -> bool {
        let function = self.canonical(function);
        self.handovers()
            .iter()
            .any(|handover| self.canonical(handover.function) == function)
    }

    /// The names in this file that mean a function, calls or not; of a method those through `self`.
    pub(crate) fn mentions_of_function(&self, function: ScopeId) -> impl Iterator<Item = ExprId> {
        let target = self.canonical(function);
        let means = move |id: &ExprId| {
            let found = match self.self_attribute(*id) {
                Some(name) => self
                    .class_of(self.expr(*id).scope)
                    .and_then(|class| self.method(class, name)),
                None => self.definition(*id),
            };
            found.is_some_and(|scope| self.canonical(scope) == target)
        };
        let name = self.scope_name(function).unwrap_or("");
        self.exprs_named(name).filter(means)
    }

    fn is_at_start(&self, name: ExprId, depth: u32) -> bool {
        let (stmt, scope) = (self.expr(name).stmt, self.expr(name).scope);
        let is_called = self.is_callee(name);
        if self.begins_worker(name) {
            return true;
        }
        if self.in_loop(stmt) || self.scope(scope).kind == ScopeKind::Lambda {
            return false;
        }
        match self.function_of(scope) {
            Some(caller) => is_called && self.starts(caller, depth),
            None if is_called => self.is_module_level(stmt),
            None => self.in_main_block(stmt) && self.is_run(name),
        }
    }

    /// Whether an expression is what a call calls.
    fn is_callee(&self, id: ExprId) -> bool {
        let parent = self.expr(id).parent;
        parent
            .and_then(|parent| self.call(parent))
            .is_some_and(|call| call.function == id)
    }

    /// An argument of a runner: `run(work)`, `Fire(work)`.
    fn is_run(&self, id: ExprId) -> bool {
        let parent = self.expr(id).parent;
        let call = parent.and_then(|parent| self.call(parent));
        call.is_some_and(|call| RUNNERS.contains(&call.name()))
    }

    /// Given to a pool to prepare each of its workers: `Pool(initializer=prepare)`.
    fn begins_worker(&self, id: ExprId) -> bool {
        let parent = self.expr(id).parent;
        let call = parent.and_then(|parent| self.call(parent));
        call.is_some_and(|call| {
            let prepares = ["initializer", "initfunc", "worker_init_fn", "preexec_fn"];
            prepares.iter().any(|name| call.keyword(name) == Some(id))
        })
    }

    /// Whether a function is only given to pools, to prepare each of their workers.
    pub(crate) fn prepares_worker(&self, function: ScopeId) -> bool {
        let mut mentions = self.mentions_of_function(function).peekable();
        match mentions.peek() {
            Some(_) => mentions.all(|id| self.begins_worker(id)),
            // A subclass whose bases are not shown gives what it has inherited.
            None => {
                let name = self.scope_name(function).unwrap_or("");
                let mut same = self.exprs_named(name);
                self.class_of(function).is_some() && same.any(|id| self.begins_worker(id))
            }
        }
    }

    /// Below `if __name__ == "__main__":`.
    pub(crate) fn in_main_block(&self, stmt: StmtId) -> bool {
        self.ancestors(stmt).any(|ancestor| {
            let test = match self.stmt(ancestor.stmt).kind {
                StmtKind::If { test, .. } => test,
                _ => return false,
            };
            ancestor.part == Part::Body
                && self
                    .within(test)
                    .any(|id| self.name(id) == Some("__name__"))
        })
    }

    /// Whether a function of a command line: it prints to somebody, and ends the process.
    pub(crate) fn talks_to_terminal(&self, function: ScopeId) -> bool {
        let calls = |names: &[&str]| self.calls_of(function).any(|call| call.is(names));
        let ends = |call: Call<'_>| {
            call.is(&["sys.exit", "exit", "quit"]) && !self.misses_package(call.stmt())
        };
        calls(&["print", "click.echo"]) && self.calls_of(function).any(ends)
    }

    /// In the handler of a package that is not installed: a service gives up there as well.
    fn misses_package(&self, stmt: StmtId) -> bool {
        let says = |class: &ExprId| {
            matches!(
                self.last_name(*class),
                Some("ImportError" | "ModuleNotFoundError")
            )
        };
        self.enclosing_handler(stmt)
            .is_some_and(|handler| handler.types.iter().any(says))
    }

    /// Whether the file is a helper of command lines: functions alone, of which one prints and ends the process,
    /// and nothing that could run beside them.
    pub(crate) fn is_of_command_line(&self) -> bool {
        let functions = || {
            self.scope_ids()
                .filter(|&id| self.scope(id).kind == ScopeKind::Function)
        };
        let others = |id: ScopeId| self.scope(id).kind == ScopeKind::Class || self.is_async(id);
        self.document.whole
            && self.calls_named("exit").next().is_some()
            && !self.scope_ids().any(others)
            && functions().all(|function| self.decorators(function).is_empty())
            && functions().any(|function| self.talks_to_terminal(function))
            && self.handovers().is_empty()
    }

    /// Whether the file is shown whole and defines nothing: it runs once, from its first line to its last.
    pub(crate) fn runs_once_through(&self) -> bool {
        let defines =
            |id: ScopeId| matches!(self.scope(id).kind, ScopeKind::Function | ScopeKind::Class);
        self.document.whole && !self.scope_ids().any(defines)
    }

    /// Whether a function constructs its object: `__init__` and its like, or one that only they call, however far down.
    /// A public method is there for others to call.
    pub(crate) fn builds(&self, function: ScopeId) -> bool {
        self.builds_within(function, DEPTH)
    }

    fn builds_within(&self, function: ScopeId, depth: u32) -> bool {
        let name = self.scope_name(function).unwrap_or("");
        if matches!(
            name,
            "__init__" | "__new__" | "__post_init__" | "__setstate__"
        ) {
            return true;
        }
        if name.is_empty() && self.makes_own_locks(function) {
            return true;
        }
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let is_inner = name.starts_with('_') && !name.starts_with("__");
        let mut mentions = self.mentions_of_function(function).peekable();
        let by_callers = is_inner
            && mentions.peek().is_some()
            && mentions.all(|id| {
                let caller = self.function_of(self.expr(id).scope);
                self.is_callee(id) && caller.is_some_and(|caller| self.builds_within(caller, depth))
            });
        by_callers || (!self.scope(function).head_shown && self.makes_own_locks(function))
    }

    /// Whether nothing in the file names a function: only others can call it.
    pub(crate) fn is_uncalled(&self, function: ScopeId) -> bool {
        self.mentions_of_function(function).next().is_none()
            && self.calls_from_afar(function).is_empty()
    }

    /// Whether all that names a function in the file are calls of it: it is handed to nobody.
    pub(crate) fn is_only_called(&self, function: ScopeId) -> bool {
        let mut mentions = self.mentions_of_function(function).peekable();
        mentions.peek().is_some() && mentions.all(|id| self.is_callee(id))
    }

    /// Whether a name of a function says that it prepares the process: `set_backend`, `patch_all`, `seed_everything`.
    pub(crate) fn says_preparation(&self, function: ScopeId) -> bool {
        let name = self.scope_name(function).unwrap_or("");
        let first = topic::words(name).next().unwrap_or_default();
        PREPARES.contains(&&*first) || topic::says(name, "safe state")
    }
}

impl Facts {
    /// Whether a function's name says that it changes other code for good: nobody does that for a request.
    pub(crate) fn says_patch(&self, function: ScopeId) -> bool {
        let name = self.scope_name(function).unwrap_or("");
        topic::begins_with_word(name, "patch monkeypatch seed bootstrap")
    }
}

/// First words of functions that prepare the process.
const PREPARES: &[&str] = &[
    "patch",
    "monkeypatch",
    "set",
    "seed",
    "init",
    "initialize",
    "initialise",
    "setup",
    "configure",
    "register",
    "install",
    "enable",
    "disable",
    "prepare",
    "bootstrap",
    "publish",
];
