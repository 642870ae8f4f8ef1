//! What an object is: a lock, a future, a queue. Inferred from constructors, annotations, `isinstance`,
//! containers and one level of calls; a name alone ("`_state_lock`"), or a telling use, is told apart from proof.

mod annotate;
mod bound;
mod calls;
mod contexts;
mod entered;
mod exported;
mod infer;
mod kind;
mod made_by;
mod named;
mod narrow;
mod used;

pub(crate) use kind::{Kind, Proof, Type};

use super::Facts;
use super::hir::*;
use infer::with_fuel;

impl Facts {
    /// What the expression's value is, as far as the text says.
    pub(crate) fn type_of(&self, id: ExprId) -> Option<Type> {
        let slot = self.types().get(id.index());
        if let Some(known) = slot.and_then(|slot| slot.get()) {
            return *known;
        }
        let found = self
            .known_type(id)
            .or_else(|| self.used_type(id))
            .or_else(|| self.entered_type(id));
        if let Some(slot) = slot {
            // Set already where the inference came back to this expression: the same answer.
            let _ = slot.set(found);
        }
        found
    }

    fn known_type(&self, id: ExprId) -> Option<Type> {
        with_fuel(|fuel| self.infer(id, fuel)).or_else(|| self.named_type(id))
    }

    /// The kind of an expression that is no container of it.
    pub(crate) fn kind_of(&self, id: ExprId) -> Option<Kind> {
        self.type_of(id)
            .filter(|found| found.depth == 0)
            .map(|found| found.kind)
    }

    /// Whether the expression is of a kind, by proof.
    pub(crate) fn is_proven(&self, id: ExprId, kind: Kind) -> bool {
        self.type_of(id)
            .is_some_and(|found| found.is(kind) && found.proof == Proof::Proven)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::calls::Call;
    use crate::probe::facts_of;

    /// The type of what is waited for.
    #[track_caller]
    fn check(text: &str, kind: Kind, proof: Proof) {
        let facts = facts_of(text);
        let is_wait =
            |call: &Call<'_>| matches!(call.method(), Some("acquire" | "wait" | "result"));
        let receiver = facts
            .calls()
            .find(is_wait)
            .and_then(|call| call.receiver())
            .unwrap();
        let found = facts.type_of(receiver);
        assert_eq!(
            found,
            Some(Type {
                kind,
                depth: 0,
                proof
            }),
            "{text}"
        );
    }

    #[test]
    fn constructors_prove() {
        check(
            "from threading import Lock as L\nx = L()\nx.acquire()\n",
            Kind::ThreadLock,
            Proof::Proven,
        );
        check(
            "import threading\nthreading.Lock().acquire()\n",
            Kind::ThreadLock,
            Proof::Proven,
        );
    }

    #[test]
    fn attributes_are_followed_through_methods() {
        let text = "import threading\nclass A:\n    def __init__(self):\n        self.x = threading.Event()\n    def f(self):\n        self.x.wait()\n";
        check(text, Kind::Event, Proof::Proven);
    }

    #[test]
    fn annotations_and_loops_prove() {
        let text = "from concurrent.futures import Future\nfrom typing import Dict\ndef f(jobs: Dict[str, Future]):\n    for key, job in jobs.items():\n        job.result()\n";
        check(text, Kind::Future, Proof::Proven);
        let text = "from concurrent.futures import Future\nfrom typing import Optional\ndef f(job: Optional[Future] = None):\n    job.result()\n";
        check(text, Kind::Future, Proof::Proven);
    }

    #[test]
    fn submit_gives_futures_through_a_helper() {
        let text = "class A:\n    def _go(self, xs):\n        return [self._pool.submit(x) for x in xs]\n    def f(self, xs):\n        for one in self._go(xs):\n            one.result()\n";
        check(text, Kind::Future, Proof::Proven);
    }

    #[test]
    fn isinstance_proves() {
        let text = "from concurrent.futures import Future\ndef f(v):\n    if isinstance(v, Future):\n        return v.result()\n";
        check(text, Kind::Future, Proof::Proven);
        let text = "from concurrent.futures import Future\ndef f(v):\n    return v.result() if isinstance(v, Future) else v\n";
        check(text, Kind::Future, Proof::Proven);
    }

    #[test]
    fn a_name_alone_is_no_proof() {
        check(
            "def f(self):\n    self._state_lock.acquire()\n",
            Kind::ThreadLock,
            Proof::Named,
        );
        let facts = facts_of("def f(clock):\n    clock.acquire()\n");
        let receiver = facts
            .calls()
            .last()
            .and_then(|call| call.receiver())
            .unwrap();
        assert_eq!(facts.type_of(receiver), None);
    }
}
