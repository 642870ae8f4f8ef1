//! Functions that run before anything is served: hooks of a framework, and what a process of its own begins with.

use super::Facts;
use super::calls::Call;
use super::hir::*;
use super::types::Kind;

/// Decorators and attributes that make a start-up hook of a function.
const HOOKS: &[&str] = &[
    "enter",
    "on_startup",
    "before_serving",
    "before_server_start",
    "before_first_request",
    "main_process_start",
    "worker_init",
    "worker_process_init",
    "worker_ready",
    "post_fork",
    "post_worker_init",
];

/// Keywords by which a framework is given its start-up hooks.
const KEYWORDS: &[&str] = &[
    "lifespan",
    "on_startup",
    "startup",
    "post_fork",
    "post_worker_init",
    "when_ready",
];

/// Callers of callers that are followed.
const DEPTH: u32 = 3;

impl Facts {
    /// Whether a framework runs a function once, before the first request: decorated so (`@app.on_event("startup")`,
    /// `@modal.enter()`), or registered so (`FastAPI(lifespan=start)`, `app.add_event_handler("startup", start)`).
    pub(crate) fn is_start_hook(&self, function: ScopeId) -> bool {
        let decorated = self.decorators(function).iter();
        let mut decorated = decorated.copied();
        decorated.any(|decorator| self.names_hook(decorator))
            || self
                .mentions_of_function(function)
                .any(|id| self.is_registered(id))
    }

    /// Whether it runs in the one process that starts the workers.
    pub(crate) fn is_main_process_hook(&self, function: ScopeId) -> bool {
        let mut decorators = self.decorators(function).iter();
        decorators.any(|&decorator| {
            let name = self.last_name(decorator).unwrap_or("");
            topic::says(name, "main process")
        })
    }

    /// `modal.enter()`, `app.on_event("startup")`, `worker_process_init.connect`.
    fn names_hook(&self, decorator: ExprId) -> bool {
        let name = self.last_name(decorator).unwrap_or("");
        let head = self.call(decorator).map_or(decorator, |call| call.function);
        let of_signal = || {
            let signal = self.attribute(head).map(|(signal, _)| signal);
            let signal = signal.and_then(|signal| self.last_name(signal));
            name == "connect" && signal.is_some_and(|signal| HOOKS.contains(&signal))
        };
        let of_event = || {
            let call = self.call(decorator);
            let is_event = matches!(name, "on_event" | "listener");
            is_event && call.is_some_and(|call| self.names_start(&call))
        };
        HOOKS.contains(&name) || of_signal() || of_event()
    }

    /// Whether a function runs when the process is told to end: a signal's handler, by its registration or its parameters,
    /// or what `atexit` and a framework's shutdown call. Nobody who was served before waits for it any more.
    pub(crate) fn is_end_hook(&self, function: ScopeId) -> bool {
        let takes_frame = || {
            let params = &self.scope(function).params;
            let own = params.iter().map(|param| self.text(param.name));
            let own: Vec<&str> = own
                .filter(|name| !matches!(*name, "self" | "cls"))
                .collect();
            matches!(
                own.as_slice(),
                [
                    "signum" | "sig" | "signal" | "signal_number" | "signo",
                    "frame" | "_frame" | "_" | "stack",
                    ..
                ]
            )
        };
        let decorated = || {
            let mut calls = self.decorators(function).iter();
            calls.any(|&decorator| {
                let call = self.call(decorator);
                let by_event = call.is_some_and(|call| self.names_end(&call));
                by_event || self.is_one_of(decorator, &["atexit.register"])
            })
        };
        takes_frame() || decorated() || {
            let mut mentions = self.mentions_of_function(function);
            mentions.any(|id| self.is_given_to_the_end(id))
        }
    }

    fn is_given_to_the_end(&self, id: ExprId) -> bool {
        let around = |id: ExprId| self.expr(id).parent.and_then(|up| self.call(up));
        let call = match around(id) {
            Some(partial) if partial.name() == "partial" => around(partial.id),
            call => call,
        };
        call.filter(|call| call.function != id).is_some_and(|call| {
            call.is(&["signal.signal", "atexit.register"])
                || call.method() == Some("add_signal_handler")
                || (call.name() == "add_event_handler" && self.names_end(&call))
        })
    }

    fn names_end(&self, call: &Call<'_>) -> bool {
        let event = call.positional(0).and_then(|event| self.string(event));
        event == Some("shutdown")
    }

    fn names_start(&self, call: &Call<'_>) -> bool {
        let event = call.positional(0).and_then(|event| self.string(event));
        matches!(
            event,
            Some("startup" | "before_server_start" | "main_process_start")
        )
    }

    /// A function's name where a framework is given its start-up hooks.
    fn is_registered(&self, id: ExprId) -> bool {
        let Some(parent) = self.expr(id).parent else {
            return self.is_kept_as_lifespan(id);
        };
        // `on_startup=[first, second]`
        let listed = matches!(
            self.expr(parent).kind,
            ExprKind::List(_) | ExprKind::Tuple(_)
        );
        let (given, around) = match self.expr(parent).parent {
            Some(around) if listed => (parent, around),
            _ => (id, parent),
        };
        let Some(call) = self.call(around).filter(|call| call.function != given) else {
            return false;
        };
        let by_keyword = KEYWORDS
            .iter()
            .any(|name| call.keyword(name) == Some(given));
        let by_event = call.name() == "add_event_handler" && self.names_start(&call);
        let inner = self.call(call.function);
        let by_decorator = inner.is_some_and(|inner| self.names_hook(inner.id));
        let to_list = matches!(call.method(), Some("append" | "connect"))
            && call
                .receiver()
                .and_then(|list| self.last_name(list))
                .is_some_and(|list| HOOKS.contains(&list));
        by_keyword || by_event || by_decorator || to_list
    }

    /// `app.router.lifespan_context = start`.
    fn is_kept_as_lifespan(&self, id: ExprId) -> bool {
        match &self.stmt(self.expr(id).stmt).kind {
            StmtKind::Assign { targets, value, .. } if *value == Some(id) => targets
                .iter()
                .any(|&target| self.last_name(target) == Some("lifespan_context")),
            _ => false,
        }
    }

    /// Whether a statement prepares a process of its own: it stands, in no loop, in what only a `Process` is given to
    /// run, in the `run` of a subclass, or in what only such functions call.
    pub(crate) fn begins_process(&self, stmt: StmtId) -> bool {
        let function = self.function_of(self.stmt(stmt).scope);
        !self.in_loop(stmt)
            && function.is_some_and(|function| self.is_process_body(function, DEPTH))
    }

    fn is_process_body(&self, function: ScopeId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let runs_class = self.scope_name(function) == Some("run")
            && self
                .class_of(function)
                .is_some_and(|class| self.derives_from_process(class));
        if runs_class {
            return true;
        }
        let by_process = |id: ExprId| match self.expr(id).parent.and_then(|up| self.call(up)) {
            Some(call) if call.function == id => {
                let caller = self.function_of(call.scope());
                !self.in_loop(call.stmt())
                    && caller.is_some_and(|caller| self.is_process_body(caller, depth))
            }
            Some(call) => call.keyword("target") == Some(id) && self.makes_process(&call),
            None => false,
        };
        let mut mentions = self.mentions_of_function(function).peekable();
        self.calls_from_afar(function).is_empty()
            && mentions.peek().is_some()
            && mentions.all(by_process)
    }

    fn makes_process(&self, call: &Call<'_>) -> bool {
        self.constructs(call) == Some(Kind::Process) || call.name() == "Process"
    }

    fn derives_from_process(&self, class: ScopeId) -> bool {
        let head = self.scope(class).stmt.map(|stmt| &self.stmt(stmt).kind);
        match head {
            Some(StmtKind::Class { bases, .. }) => bases
                .iter()
                .any(|base| self.last_name(base.value) == Some("Process")),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::facts_of;

    fn is_hook(text: &str) -> bool {
        let facts = facts_of(text);
        let mut scopes = facts.scope_ids();
        let function = scopes.find(|&scope| facts.scope_name(scope) == Some("f"));
        facts.is_start_hook(function.unwrap())
    }

    #[test]
    fn hooks_are_decorated_or_registered() {
        assert!(is_hook("@app.on_event('startup')\ndef f(): pass\n"));
        assert!(is_hook("@modal.enter(snap=True)\ndef f(): pass\n"));
        assert!(is_hook("@worker_process_init.connect\ndef f(**kw): pass\n"));
        assert!(is_hook("def f(app): pass\napp = FastAPI(lifespan=f)\n"));
        assert!(is_hook("def f(): pass\napp = Starlette(on_startup=[f])\n"));
        assert!(is_hook(
            "def f(): pass\napp.add_event_handler('startup', f)\n"
        ));
        assert!(is_hook("def f(): pass\napp.on_event('startup')(f)\n"));
        assert!(is_hook(
            "async def f(app): pass\napp.on_startup.append(f)\n"
        ));
        assert!(is_hook(
            "def f(app): pass\napp.router.lifespan_context = f\n"
        ));
        assert!(!is_hook("@app.on_event('shutdown')\ndef f(): pass\n"));
        assert!(!is_hook(
            "def f(): pass\napp.add_event_handler('shutdown', f)\n"
        ));
        assert!(!is_hook("@app.get('/')\ndef f(): pass\n"));
    }

    #[test]
    fn what_ends_the_process_is_registered_or_takes_a_frame() {
        let ends = |text: &str| {
            let facts = facts_of(text);
            let mut scopes = facts.scope_ids();
            let function = scopes.find(|&scope| facts.scope_name(scope) == Some("f"));
            facts.is_end_hook(function.unwrap())
        };
        assert!(ends(
            "import signal\ndef f(n, x): pass\nsignal.signal(signal.SIGTERM, f)\n"
        ));
        assert!(ends("def f(signum, frame, table): pass\n"));
        assert!(ends(
            "import signal\ndef f(x): pass\nsignal.signal(signal.SIGINT, partial(f, 1))\n"
        ));
        assert!(ends("import atexit\n@atexit.register\ndef f(): pass\n"));
        assert!(ends("@app.on_event('shutdown')\ndef f(): pass\n"));
        assert!(!ends("@app.on_event('startup')\ndef f(): pass\n"));
        assert!(!ends("def f(signal, image): pass\n"));
        assert!(!ends("def f(frame): pass\nsubmit(f)\n"));
    }

    fn begins(text: &str) -> bool {
        let facts = facts_of(text);
        let call = facts.calls().find(|call| call.name() == "set_env").unwrap();
        facts.begins_process(call.stmt())
    }

    #[test]
    fn a_process_begins_with_what_stands_before_its_loop() {
        let made = "def g(): Process(target=f, args=(1,)).start()\n";
        assert!(begins(&format!(
            "def f(n):\n    set_env(n)\n    serve()\n{made}"
        )));
        assert!(begins(&format!(
            "def f(n):\n    _own(n)\ndef _own(n):\n    set_env(n)\n{made}"
        )));
        assert!(begins(
            "class W(Process):\n    def run(self):\n        set_env(self.n)\n"
        ));
        assert!(!begins(&format!(
            "def f(n):\n    while n:\n        set_env(n)\n{made}"
        )));
        assert!(!begins(&format!("def f(n):\n    set_env(n)\n{made}f(2)\n")));
        assert!(!begins(
            "def f(n):\n    set_env(n)\ndef g(): Thread(target=f).start()\n"
        ));
    }
}
