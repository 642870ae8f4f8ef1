//! What a name says where nothing proves more.

use super::{Kind, Proof, Type};
use crate::facts::Facts;
use crate::facts::bindings::BindingKind;
use crate::facts::hir::*;

/// Last words of names that say what an object is.
const NAMED: &[(Kind, &[&str])] = &[
    (Kind::ThreadLock, &["lock", "mutex", "rlock"]),
    (Kind::Semaphore, &["semaphore", "sem"]),
    (Kind::Future, &["future", "fut"]),
    (Kind::Executor, &["executor", "threadpool"]),
    (Kind::Thread, &["thread"]),
    (Kind::Process, &["process", "proc"]),
    (Kind::Queue, &["queue"]),
    (Kind::Event, &["event"]),
    (Kind::Condition, &["condition", "cond"]),
    (Kind::Task, &["task"]),
    (Kind::Redis, &["redis"]),
    (Kind::EventLoop, &["loop"]),
];

impl Facts {
    /// An annotation names a class that we do not know: then the name is no reason to guess.
    fn is_typed_otherwise(&self, id: ExprId) -> bool {
        self.bindings_behind(id).into_iter().any(|binding| {
            let annotation = match binding.kind {
                BindingKind::Declared(annotation) => Some(annotation),
                BindingKind::Parameter(_) => {
                    self.parameter(id).and_then(|(_, param)| param.annotation)
                }
                _ => None,
            };
            annotation
                .and_then(|kind| self.last_name(kind))
                .is_some_and(|name| {
                    !matches!(name, "Any" | "object" | "T" | "Optional" | "Union")
                        && name.starts_with(char::is_uppercase)
                })
        })
    }

    /// What the last word of the name says: `self._state_lock`, `pending_futures`.
    pub(super) fn named_type(&self, id: ExprId) -> Option<Type> {
        let name = match &self.expr(id).kind {
            ExprKind::Name | ExprKind::Attribute { .. } => self.last_name(id)?,
            ExprKind::Subscript { object, .. } => return self.named_type(*object)?.element(),
            _ => return None,
        };
        let last = topic::words(name).last()?;
        let found = |word: &str| {
            NAMED
                .iter()
                .find(|(_, words)| words.contains(&word))
                .map(|(kind, _)| *kind)
        };
        let plural = last
            .strip_suffix("es")
            .and_then(found)
            .or_else(|| last.strip_suffix('s').and_then(found));
        match (found(&last), plural) {
            (Some(Kind::Future), _) if self.is_typed_otherwise(id) => None,
            (Some(kind), _) => Some(Type {
                kind,
                depth: 0,
                proof: Proof::Named,
            }),
            (None, Some(kind)) => Some(Type {
                kind,
                depth: 1,
                proof: Proof::Named,
            }),
            (None, None) => None,
        }
    }
}
