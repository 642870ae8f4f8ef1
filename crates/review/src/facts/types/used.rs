//! What the use of an object says, where its making is not shown and its name says nothing: only a lock is acquired
//! with `blocking=`, only a process is communicated with.

use super::{Kind, Proof, Type};
use crate::facts::Facts;
use crate::facts::bindings::{Binding, BindingKind};
use crate::facts::calls::Call;
use crate::facts::hir::*;

/// Last words of names of work that was handed to others.
const WORK: &[&str] = &[
    "job",
    "pending",
    "waiting",
    "submitted",
    "promise",
    "deferred",
];

impl Facts {
    /// Whether nothing but its use says what the expression is.
    pub(crate) fn rests_on_use(&self, id: ExprId) -> bool {
        self.used_type(id).is_some() && self.known_type(id).is_none()
    }

    /// What the method call around an expression says of it.
    pub(super) fn used_type(&self, id: ExprId) -> Option<Type> {
        let attribute = self.expr(id).parent?;
        let (object, _) = self.attribute(attribute)?;
        let call = self.call(self.expr(attribute).parent?)?;
        let is_receiver = object == id && call.function == attribute;
        if !is_receiver || call.is_awaited() || !self.is_made_elsewhere(id) {
            return None;
        }
        let kind = self.kind_by_use(&call, id)?;
        Some(Type {
            kind,
            depth: 0,
            proof: Proof::Named,
        })
    }

    fn kind_by_use(&self, call: &Call<'_>, receiver: ExprId) -> Option<Kind> {
        let is_bare = call.args.is_empty();
        match call.method()? {
            "result" | "exception" if only_keywords(call, &["timeout"]) => Some(Kind::Future),
            "result" if is_bare && self.is_work(receiver) => Some(Kind::Future),
            "get" if only_keywords(call, &["block", "timeout"]) => Some(Kind::Queue),
            "recv" | "recv_bytes" if is_bare && self.is_pipe_by_name(receiver) => {
                Some(Kind::PipeEnd)
            }
            "communicate" => Some(Kind::Subprocess),
            "wait" if self.is_met_at(call, receiver) => Some(Kind::Barrier),
            "wait" if is_bare => Some(Kind::Event),
            "wait" if only_keywords(call, &["timeout"]) && self.is_signal(receiver) => {
                Some(Kind::Event)
            }
            "join" if is_bare => Some(Kind::Thread),
            "acquire" if only_keywords(call, &["poll_interval", "poll_intervall"]) => {
                Some(Kind::FileLock)
            }
            "acquire"
                if only_keywords(call, &["blocking", "block", "timeout", "blocking_timeout"]) =>
            {
                Some(Kind::ThreadLock)
            }
            "acquire" if is_bare && self.is_released(call, receiver) => Some(Kind::ThreadLock),
            _ => None,
        }
    }

    /// Nothing that is shown says where the object comes from: no annotation, no import, no class of this file.
    fn is_made_elsewhere(&self, id: ExprId) -> bool {
        let root = match &self.expr(id).kind {
            ExprKind::Name => id,
            ExprKind::Attribute { object, .. } | ExprKind::Subscript { object, .. } => *object,
            _ => return false,
        };
        let is_imported = self
            .name(root)
            .is_some_and(|name| self.imports_name(name) || (root == id && name == "self"));
        let is_typed = self
            .parameter(id)
            .is_some_and(|(_, param)| param.annotation.is_some());
        let comes_from_afar = |binding: &&Binding| match binding.kind {
            BindingKind::Parameter(_) => true,
            BindingKind::Loop { iter, .. } => self.call(iter).is_none(),
            BindingKind::Value { value, .. } => self.is_taken_out(value),
            _ => false,
        };
        !is_imported && !is_typed && self.bindings_behind(id).iter().all(comes_from_afar)
    }

    /// Taken out of something that is not shown: `self._ready.pop(key)`, `jobs[key]`, `first, *rest = jobs`.
    fn is_taken_out(&self, value: ExprId) -> bool {
        match self.expr(value).kind {
            ExprKind::Name | ExprKind::Attribute { .. } | ExprKind::Subscript { .. } => true,
            _ => self.call(value).is_some_and(|call| {
                matches!(call.method(), Some("pop" | "get" | "popleft" | "popitem"))
            }),
        }
    }

    /// A barrier breaks, and is put together again: `except BrokenBarrierError`, `meeting.reset()`.
    fn is_met_at(&self, call: &Call<'_>, receiver: ExprId) -> bool {
        let breaks = self.handlers_around(call.stmt()).any(|handler| {
            let mut types = handler.types.iter();
            types.any(|&class| self.last_name(class) == Some("BrokenBarrierError"))
        });
        let name = self.dotted(receiver);
        let renews = |other: Call<'_>| {
            let of = other.receiver().and_then(|of| self.dotted(of));
            matches!(other.method(), Some("reset" | "abort")) && of.is_some() && of == name
        };
        breaks || self.calls_of(call.scope()).any(renews)
    }

    /// A name that says that something has come about.
    fn is_signal(&self, receiver: ExprId) -> bool {
        let last = self
            .last_name(receiver)
            .and_then(|name| topic::words(name).last());
        last.is_some_and(|last| {
            matches!(
                &*last,
                "ready" | "done" | "finished" | "started" | "stopped" | "changed" | "signal"
            )
        })
    }

    /// A socket's `recv` is told how much; that of a pipe's end takes nothing.
    fn is_pipe_by_name(&self, receiver: ExprId) -> bool {
        let last = self
            .last_name(receiver)
            .and_then(|name| topic::words(name).last());
        last.is_some_and(|last| matches!(&*last, "conn" | "connection" | "pipe"))
    }

    fn is_work(&self, receiver: ExprId) -> bool {
        let last = self
            .last_name(receiver)
            .and_then(|name| topic::words(name).last());
        last.is_some_and(|last| {
            WORK.contains(&&*last)
                || last.strip_suffix('s').is_some_and(|one| {
                    matches!(self.expr(receiver).kind, ExprKind::Subscript { .. })
                        && WORK.contains(&one)
                })
        })
    }

    /// The same object is released in the function that acquires it, or in a `try` whose end is not shown, and no answer
    /// of the acquire is kept: a registry's `acquire` hands something out.
    fn is_released(&self, call: &Call<'_>, receiver: ExprId) -> bool {
        let Some(name) = self.dotted(receiver) else {
            return false;
        };
        let scope = call.scope();
        let releases = |other: Call<'_>| {
            other.method() == Some("release")
                && other.args.is_empty()
                && other
                    .receiver()
                    .and_then(|of| self.dotted(of))
                    .is_some_and(|of| of == name)
        };
        let cut = self.leads_into_cut_try(call.stmt());
        call.is_dropped() && (cut || self.calls_within(self.scope(scope).span).any(releases))
    }
}

/// At least one argument, and all of them named so.
fn only_keywords(call: &Call<'_>, names: &[&str]) -> bool {
    let named = names.iter().filter(|name| call.keyword(name).is_some());
    !call.args.is_empty() && named.count() == call.args.len()
}
