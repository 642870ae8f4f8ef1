//! What runs in other threads, and whether it ends.

use super::Facts;
use super::calls::Call;
use super::hir::*;
use super::types::Kind;
use super::waits::Bound;

/// Functions that pass messages on until their context is ended.
pub(crate) const PROXIES: &[&str] = &["zmq.proxy", "zmq.proxy_steerable", "zmq.device"];

/// A loop of a thread that ends only with the process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Endless {
    /// The `while True` or the call that serves for ever.
    pub(crate) stmt: StmtId,
    /// The function that holds it is shown whole.
    pub(crate) shown: bool,
}

impl Facts {
    /// The function of this file that a `Thread`, `Timer` or `Process` runs; of a subclass its `run`.
    pub(crate) fn thread_target(&self, call: &Call<'_>) -> Option<ScopeId> {
        if let Some(class) = self.definition(call.function) {
            return self.method(class, "run");
        }
        self.function_passed(self.thread_function(call)?)
    }

    /// The same, with the file of the diff that defines the function or the subclass.
    pub(crate) fn thread_target_across(&self, call: &Call<'_>) -> Option<(&Facts, ScopeId)> {
        if let Some(own) = self.thread_target(call) {
            return Some((self, own));
        }
        let class = self.imported(call.function);
        let run = class.and_then(|class| Some((class.facts, class.method("run")?)));
        run.or_else(|| {
            let given = self.imported(self.thread_function(call)?)?;
            Some((given.facts, given.function()?))
        })
    }

    /// What a `Thread`, `Timer` or `Process` is given to run.
    pub(crate) fn thread_function(&self, call: &Call<'_>) -> Option<ExprId> {
        let place = usize::from(call.name() == "Timer")
            + usize::from(call.keyword("group").is_none() && call.name() != "Timer");
        call.keyword("target")
            .or_else(|| call.arg(place, "function"))
    }

    /// The same of what is passed and not called: `Thread(target=self._loop())` runs the loop before there is a thread.
    fn function_passed(&self, given: ExprId) -> Option<ScopeId> {
        let is_called = self
            .call(given)
            .is_some_and(|call| call.name() != "partial");
        (!is_called).then(|| self.function_given(given))?
    }

    /// Whether a thread is given the result of a function of this file that returns nothing: the thread ends at once.
    pub(crate) fn runs_nothing(&self, thread: &Call<'_>) -> bool {
        let given = self.thread_function(thread).and_then(|id| self.call(id));
        let called = given.and_then(|given| self.callee_scope(&given));
        called.is_some_and(|function| {
            self.is_visible(function) && self.returns_of(function).next().is_none()
        })
    }

    /// The function that an argument names: `self._loop`, `loop`, `partial(self._loop, x)`, a lambda that calls it.
    pub(crate) fn function_given(&self, given: ExprId) -> Option<ScopeId> {
        if let Some(name) = self.self_attribute(given) {
            return self.method(self.class_of(self.expr(given).scope)?, name);
        }
        match &self.expr(given).kind {
            ExprKind::Name => self.definition(given),
            ExprKind::Attribute { object, .. } => {
                let class = self.definition(*object)?;
                let is_class = self.scope(class).kind == ScopeKind::Class;
                self.method(class, self.last_name(given)?)
                    .filter(|_| is_class)
            }
            // A coroutine that was made on the spot; whoever must not mean a call asks for what is passed.
            ExprKind::Call { function, args } => match self.last_name(*function) {
                Some("partial") => self.function_given(args.first()?.value),
                _ => self.function_given(*function),
            },
            ExprKind::Lambda { body, .. } => self.callee_scope(&self.call(*body)?),
            _ => None,
        }
    }

    /// A loop of the function, or of what it calls in this file, that nothing shown ends.
    pub(crate) fn endless_loop(&self, function: ScopeId) -> Option<Endless> {
        let called = self
            .calls_within(self.scope(function).span)
            .filter_map(|call| self.callee_scope(&call))
            .filter(|&inner| inner != function && self.scope_name(inner) != Some("__init__"));
        std::iter::once(function)
            .chain(called)
            .find_map(|scope| self.own_endless_loop(scope))
    }

    fn own_endless_loop(&self, function: ScopeId) -> Option<Endless> {
        let shown = self.is_visible(function);
        let of = |stmt| Endless { stmt, shown };
        self.statements_of(function)
            .find(|&stmt| self.is_endless_loop(stmt) || self.serves_for_ever(stmt))
            .map(of)
    }

    /// A `while True` of which nothing shown is a way out.
    pub(crate) fn is_endless_loop(&self, stmt: StmtId) -> bool {
        match &self.stmt(stmt).kind {
            StmtKind::While { test, body, .. } => {
                let always = matches!(self.expr(*test).kind, ExprKind::True)
                    || (matches!(self.expr(*test).kind, ExprKind::Number)
                        && self.expr_text(*test) != "0");
                always && !self.has_way_out(body, true)
            }
            _ => false,
        }
    }

    /// Whether a loop's body holds a `return`, a `raise` that leaves it, or a `break` of its own.
    fn has_way_out(&self, block: &[StmtId], own: bool) -> bool {
        block.iter().any(|&stmt| match &self.stmt(stmt).kind {
            StmtKind::Return(_) | StmtKind::Raise => true,
            StmtKind::Break => own,
            StmtKind::While { .. } | StmtKind::For { .. } => self
                .blocks(stmt)
                .into_iter()
                .any(|(_, inner)| self.has_way_out(inner, false)),
            _ => self
                .blocks(stmt)
                .into_iter()
                .any(|(_, inner)| self.has_way_out(inner, own)),
        }) || block.iter().any(|&stmt| self.yields(stmt))
    }

    /// `loop.run_forever()` or a server's `serve_forever()`, with nothing in the file that stops such a thing.
    fn serves_for_ever(&self, stmt: StmtId) -> bool {
        let serves = self
            .calls_in(stmt)
            .any(|call| matches!(call.method(), Some("run_forever" | "serve_forever")));
        serves && !self.stops_a_server()
    }

    /// Something in the file stops a server or an event loop.
    pub(crate) fn stops_a_server(&self) -> bool {
        let is_attribute = |id: ExprId| self.attribute(id).is_some();
        self.exprs_named("shutdown").any(is_attribute)
            || self.exprs_named("stop").any(|id| {
                self.attribute(id).is_some_and(|(object, _)| {
                    self.kind_of(object) == Some(Kind::EventLoop)
                        || self.last_name(object) == Some("server")
                })
            })
    }

    /// Whether the function, or what it calls in this file, works in a loop.
    pub(crate) fn works_in_loop(&self, function: ScopeId) -> bool {
        self.loops_itself(function)
            || self
                .calls_within(self.scope(function).span)
                .filter_map(|call| self.callee_scope(&call))
                .any(|inner| inner != function && self.loops_itself(inner))
    }

    fn loops_itself(&self, function: ScopeId) -> bool {
        let span = self.scope(function).span;
        let loops = |stmt: StmtId| match &self.stmt(stmt).kind {
            StmtKind::While { .. } => true,
            StmtKind::For { iter, .. } => self.is_stream(*iter),
            _ => false,
        };
        let forever = |call: Call<'_>| {
            matches!(
                call.method(),
                Some("run_forever" | "serve_forever" | "consume")
            )
        };
        self.stmt_ids()
            .filter(|&stmt| span.contains(self.stmt(stmt).span))
            .any(loops)
            || self.calls_within(span).any(forever)
    }

    /// Something that a `for` can wait on: a queue's iterator, a subscription, frames.
    fn is_stream(&self, iter: ExprId) -> bool {
        let name = self.last_name(iter).unwrap_or("");
        self.call(iter)
            .is_some_and(|call| call.name() == "iter" && call.positional(1).is_some())
            || [
                "stream",
                "frames",
                "listen",
                "subscribe",
                "messages",
                "events",
                "decode",
            ]
            .iter()
            .any(|word| topic::says(name, word))
    }

    /// Whether a task of its own runs a coroutine: `create_task(self._produce())`.
    pub(crate) fn runs_as_task(&self, function: ScopeId) -> bool {
        let function = self.canonical(function);
        let runs = |call: Call<'_>| {
            let makes = matches!(call.name(), "create_task" | "ensure_future");
            let coroutine = call.positional(0).filter(|_| makes);
            let coroutine = coroutine.and_then(|given| self.call(given));
            let target = coroutine.and_then(|inner| self.callee_scope(&inner));
            target.map(|scope| self.canonical(scope)) == Some(function)
        };
        self.calls().any(runs)
    }

    /// A wait inside a thread's function that nothing but the other side ends.
    pub(crate) fn unbounded_wait_in(&self, function: ScopeId) -> Option<StmtId> {
        let span = self.scope(function).span;
        self.calls_within(span)
            .find(|call| self.waits_for_ever(call))
            .map(|call| call.stmt())
    }

    fn waits_for_ever(&self, call: &Call<'_>) -> bool {
        if call.is(PROXIES) {
            return true;
        }
        let Some(kind) = call.receiver().and_then(|receiver| self.kind_of(receiver)) else {
            return false;
        };
        let bound = match (call.method(), kind) {
            (Some("get"), Kind::Queue) => self.bound(call, 1, "timeout"),
            (Some("put"), Kind::Queue) => self.bound(call, 2, "timeout"),
            (Some("recv" | "accept" | "recvfrom"), Kind::Socket) => Bound::Unbounded,
            _ => return false,
        };
        let non_blocking = call.keyword("block").is_some()
            || call
                .positional(usize::from(call.method() == Some("put")))
                .is_some();
        bound == Bound::Unbounded && !non_blocking
    }
}

/// A function that another thread runs, and the call that hands it over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handover {
    pub(crate) function: ScopeId,
    pub(crate) call: ExprId,
}

impl Facts {
    /// The functions of this file that are handed to threads and thread pools, in source order.
    pub(crate) fn handovers(&self) -> &[Handover] {
        let handover = |call: Call<'_>| {
            let function = self.handed_function(&call)?;
            Some(Handover {
                function,
                call: call.id,
            })
        };
        let find = || self.calls().filter_map(handover).collect();
        self.found.handovers.get_or_init(find)
    }

    fn handed_function(&self, call: &Call<'_>) -> Option<ScopeId> {
        if matches!(self.constructs(call), Some(Kind::Thread | Kind::Timer)) {
            return self.thread_target(call);
        }
        if call.is(&["asyncio.to_thread"]) {
            return self.function_passed(call.positional(0)?);
        }
        match call.method()? {
            "run_in_executor" => self.function_passed(call.positional(1)?),
            "submit" | "map" | "apply_async" if self.is_thread_pool(call.receiver()?) => {
                self.function_passed(call.positional(0)?)
            }
            _ => None,
        }
    }

    /// What the calls that hand a function over to threads and pools give one of its parameters.
    pub(crate) fn arguments_handed(&self, function: ScopeId, parameter: &str) -> Vec<ExprId> {
        let params = &self.scope(function).params;
        let place = params
            .iter()
            .position(|param| self.text(param.name) == parameter);
        let is_bound = params
            .first()
            .is_some_and(|first| matches!(self.text(first.name), "self" | "cls"));
        let place = place.and_then(|place| place.checked_sub(usize::from(is_bound)));
        let function = self.canonical(function);
        let of_function = |handover: &&Handover| self.canonical(handover.function) == function;
        self.handovers()
            .iter()
            .filter(of_function)
            .filter_map(|handover| self.handed_argument(&self.call(handover.call)?, place?))
            .collect()
    }

    /// `submit(work, a, b)`, `to_thread(work, a)`, `run_in_executor(pool, work, a)`, `Thread(target=work, args=(a, b))`.
    fn handed_argument(&self, call: &Call<'_>, place: usize) -> Option<ExprId> {
        match call.name() {
            "submit" | "to_thread" => call.positional(place + 1),
            "run_in_executor" => call.positional(place + 2),
            _ => self.item(call.keyword("args")?, u32::try_from(place).ok()?),
        }
    }

    fn is_thread_pool(&self, id: ExprId) -> bool {
        matches!(self.kind_of(id), Some(Kind::Executor | Kind::Pool))
    }

    /// Whether a function is what a thread or a process of this file runs: its target, or `run` of its subclass.
    pub(crate) fn is_thread_body(&self, function: ScopeId) -> bool {
        let function = self.canonical(function);
        let of_subclass = self.scope_name(function) == Some("run")
            && self.class_of(function).is_some_and(|class| {
                self.base_names(class)
                    .any(|base| matches!(base, "Thread" | "Process"))
            });
        let is_target = |call: Call<'_>| {
            let makes = matches!(self.constructs(&call), Some(Kind::Thread | Kind::Process));
            makes && self.thread_target(&call).map(|scope| self.canonical(scope)) == Some(function)
        };
        of_subclass || self.calls().any(is_target)
    }

    /// Whether a statement runs in a thread that is handed work in this file: in such a function,
    /// or in one that it calls there. Coroutines run where their loop does.
    pub(crate) fn handover_of(&self, stmt: StmtId) -> Option<Handover> {
        let function = self.function_of(self.stmt(stmt).scope)?;
        if self.is_async(function) {
            return None;
        }
        let handovers = self.handovers();
        let direct = |scope: ScopeId| {
            let scope = self.canonical(scope);
            handovers
                .iter()
                .find(|handover| self.canonical(handover.function) == scope)
                .copied()
        };
        direct(function).or_else(|| {
            self.calls_to(function)
                .filter_map(|call| self.function_of(call.scope()))
                .filter(|&caller| !self.is_async(caller))
                .find_map(direct)
        })
    }
}
