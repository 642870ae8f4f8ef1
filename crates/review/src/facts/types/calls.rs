//! What a call gives.

use super::infer::Fuel;
use super::{Kind, Proof, Type};
use crate::facts::Facts;
use crate::facts::calls::Call;
use crate::facts::hir::*;

impl Facts {
    pub(super) fn call_type(&self, call: &Call<'_>, fuel: Fuel<'_>) -> Option<Type> {
        if let Some(kind) = self.constructs(call) {
            return Some(self.constructed(call, kind, fuel));
        }
        if call.is(&["typing.cast", "cast"]) {
            return self.annotation_type(call.positional(0)?, fuel);
        }
        if matches!(
            call.callee(),
            "sorted" | "tuple" | "reversed" | "enumerate" | "zip" | "iter" | "copy.copy"
        ) {
            return self.infer(call.positional(0)?, fuel);
        }
        // `ours, theirs = Pipe()`.
        let is_pipe = call.is(&["multiprocessing.Pipe", "multiprocessing.connection.Pipe"]);
        if is_pipe || self.made_by_context(call).as_deref() == Some("multiprocessing.Pipe") {
            return Some(Type::proven(Kind::PipeEnd).wrapped());
        }
        if self.asks_for_stream(call) {
            return Some(Type::proven(Kind::StreamedResponse));
        }
        self.method_type(call, fuel)
            .or_else(|| self.returned_type(call, fuel))
    }

    /// An HTTP request with `stream=True`, of the module, of a session, or of a client by the verb.
    fn asks_for_stream(&self, call: &Call<'_>) -> bool {
        let streams = call
            .keyword("stream")
            .is_some_and(|value| matches!(self.expr(value).kind, ExprKind::True));
        let verb = matches!(
            call.name(),
            "get" | "post" | "put" | "patch" | "request" | "send" | "stream"
        );
        streams && verb
    }

    /// `list(futures)` keeps what it holds.
    fn constructed(&self, call: &Call<'_>, kind: Kind, fuel: Fuel<'_>) -> Type {
        let copies = matches!(kind, Kind::List | Kind::Set | Kind::Dict | Kind::Deque);
        let held = call
            .positional(0)
            .filter(|_| copies)
            .and_then(|first| self.infer(first, fuel));
        match held.filter(|held| held.depth > 0) {
            Some(held) => held,
            None => Type::proven(kind),
        }
    }

    fn method_type(&self, call: &Call<'_>, fuel: Fuel<'_>) -> Option<Type> {
        let receiver = call.receiver()?;
        let of = |kind| Some(Type::proven(kind));
        match call.method()? {
            "submit" => {
                let found = self
                    .infer(receiver, fuel)
                    .or_else(|| self.named_type(receiver));
                let is_pool = found.is_some_and(|found| found.is(Kind::Executor))
                    || self
                        .last_name(receiver)
                        .is_some_and(|name| topic::says(name, "pool"));
                let proof = if is_pool { Proof::Proven } else { Proof::Named };
                let unknown = found.is_none() && self.callee_scope(call).is_none();
                (is_pool || unknown).then_some(Type {
                    kind: Kind::Future,
                    depth: 0,
                    proof,
                })
            }
            "create_task" | "ensure_future" | "run_in_executor" | "create_future" => of(Kind::Task),
            // `portal.call_soon_in_loop_thread(work)`: asyncio's own `call_soon` gives a handle, which has no result.
            name if is_sent_to_loop(name) && self.callee_scope(call).is_none() => Some(Type {
                kind: Kind::Future,
                depth: 0,
                proof: Proof::Named,
            }),
            // `stub.Rank.future(request)` of gRPC.
            "future" => self.rpc_type(receiver),
            "apply_async" | "map_async" => None,
            "open"
                if self
                    .infer(receiver, fuel)
                    .is_some_and(|found| found.is(Kind::Path)) =>
            {
                of(Kind::File)
            }
            // A file system of another kind: `self.fs.open(path)`.
            "open"
                if self.last_name(receiver).is_some_and(|name| {
                    matches!(name, "fs" | "_fs" | "filesystem") || name.ends_with("_fs")
                }) =>
            {
                of(Kind::File)
            }
            "joinpath" | "with_suffix" | "with_name" | "resolve" | "absolute" | "expanduser" => {
                self.infer(receiver, fuel)
                    .filter(|found| found.is(Kind::Path))
            }
            "lock" if self.is_distributed(receiver, fuel) => of(Kind::DistributedLock),
            // No other lock has this limit.
            "lock" if call.keyword("blocking_timeout").is_some() => Some(Type {
                kind: Kind::DistributedLock,
                depth: 0,
                proof: Proof::Named,
            }),
            "pop" | "get" | "popleft" | "setdefault" | "popitem" | "__getitem__" => {
                let kept = || self.infer(receiver, fuel)?.element();
                kept().or_else(|| self.type_of_default(call, fuel))
            }
            "values" | "copy" | "items" => {
                self.infer(receiver, fuel).filter(|found| found.depth > 0)
            }
            _ => None,
        }
    }

    /// What a method of a gRPC stub gives: methods of a service have names like classes.
    fn rpc_type(&self, method: ExprId) -> Option<Type> {
        let named = self.attribute(method).map(|(_, name)| name);
        let like_class = named.is_some_and(|name| name.starts_with(char::is_uppercase));
        let proof = match self.imports_name("grpc") {
            true => Proof::Proven,
            false => Proof::Named,
        };
        let may_be = like_class && (proof == Proof::Proven || !self.document.whole);
        may_be.then_some(Type {
            kind: Kind::Future,
            depth: 0,
            proof,
        })
    }

    /// `locks.setdefault(key, Lock())` gives a lock, new or old.
    fn type_of_default(&self, call: &Call<'_>, fuel: Fuel<'_>) -> Option<Type> {
        let default = call
            .positional(1)
            .filter(|_| call.method() == Some("setdefault"))?;
        self.infer(default, fuel)
    }

    /// A Redis client or a shared cache, whose `lock(...)` is a distributed lock.
    fn is_distributed(&self, receiver: ExprId, fuel: Fuel<'_>) -> bool {
        let by_type = self
            .infer(receiver, fuel)
            .is_some_and(|found| found.is(Kind::Redis));
        let by_name = self
            .last_name(receiver)
            .is_some_and(|name| topic::says(name, "redis") || topic::says(name, "cache"))
            || self.path.rsplit('/').next() == Some("redis.py");
        by_type || by_name
    }

    /// What the function returns that a call runs, one of this file or of another of the diff.
    fn returned_type(&self, call: &Call<'_>, fuel: Fuel<'_>) -> Option<Type> {
        match self.callee(call)? {
            (facts, function) if std::ptr::eq(facts, self) => self.result_type(function, fuel),
            (other, function) => other.exported_result(function),
        }
    }

    /// What a function returns, by annotation or by its return statements.
    pub(super) fn result_type(&self, function: ScopeId, fuel: Fuel<'_>) -> Option<Type> {
        let scope = self.scope(function);
        if let Some(found) = scope
            .returns
            .and_then(|returns| self.annotation_type(returns, fuel))
        {
            return Some(found);
        }
        self.returns_of(function)
            .find_map(|value| self.infer(value, fuel))
    }
}

/// `call_soon_in_loop_thread`, `submit_coroutine`, `run_in_loop`: names of what sends work to the thread of a loop.
fn is_sent_to_loop(name: &str) -> bool {
    let sends = topic::words(name)
        .next()
        .is_some_and(|verb| matches!(&*verb, "call" | "run" | "submit" | "schedule"));
    sends && topic::has_word(name, "loop coroutine coro")
}
