//! Waits that a pool's thread is given to do: `run_in_executor(None, pipe.recv)`, `to_thread(queue.get, timeout=5)`.

use super::ending::is_idling;
use super::unbounded_queue_or_join::{CHECK, is_bounded_outside};
use crate::facts::{Arg, Bound, Call, ExprId, Facts, Heat, Kind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// A method that somebody else calls, with the arguments that it is given.
pub(super) struct Handed<'f> {
    facts: &'f Facts,
    pub(super) receiver: ExprId,
    pub(super) method: &'f str,
    pub(super) positional: Vec<ExprId>,
    named: &'f [Arg],
}

impl<'f> Handed<'f> {
    /// A call that is made on the spot.
    pub(super) fn itself(facts: &'f Facts, call: &Call<'f>) -> Option<Handed<'f>> {
        Some(Handed {
            facts,
            receiver: call.receiver()?,
            method: call.method()?,
            positional: positional(call.args),
            named: call.args,
        })
    }

    pub(super) fn keyword(&self, name: &str) -> Option<ExprId> {
        let is_it = |arg: &&Arg| arg.name.is_some_and(|span| self.facts.text(span) == name);
        self.named.iter().find(is_it).map(|arg| arg.value)
    }

    /// What bounds the wait; `n` is the timeout's place.
    fn bound(&self, n: usize) -> Bound {
        let limit = self
            .keyword("timeout")
            .or_else(|| self.positional.get(n).copied());
        limit.map_or(Bound::Unbounded, |limit| self.facts.bound_of(limit))
    }
}

fn positional(args: &[Arg]) -> Vec<ExprId> {
    let plain = args
        .iter()
        .filter(|arg| arg.name.is_none() && arg.stars == 0);
    plain.map(|arg| arg.value).collect()
}

/// The method that a call hands to a thread of a pool.
pub(super) fn handed<'f>(facts: &'f Facts, call: &Call<'f>) -> Option<Handed<'f>> {
    let place = match call.name() {
        "run_in_executor" => 1,
        "to_thread" | "submit" | "run_in_threadpool" | "run_sync" => 0,
        _ => return None,
    };
    let mut given = positional(call.args).into_iter().skip(place);
    let (receiver, method) = facts.attribute(given.next()?)?;
    Some(Handed {
        facts,
        receiver,
        method,
        positional: given.collect(),
        named: call.args,
    })
}

/// Reports those on hot paths that nothing ends.
pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for call in facts.calls() {
        let Some(wait) = handed(facts, &call).filter(|wait| is_endless(facts, wait)) else {
            continue;
        };
        let is_hot = facts.heat(call.stmt(), cx.profile) == Heat::Hot;
        if is_hot && !is_bounded_outside(facts, &call) && !is_idling(facts, &call) {
            let words = word(facts, &wait);
            let hit = Hit::new(&CHECK, Anchor::call(&call), HitVerdict::Look, words);
            out.hits.push(hit);
        }
    }
}

fn is_endless(facts: &Facts, wait: &Handed<'_>) -> bool {
    let Some(kind) = facts.kind_of(wait.receiver) else {
        return false;
    };
    let bound = match (wait.method, kind) {
        ("get", Kind::Queue) if wait.positional.is_empty() => wait.bound(1),
        ("wait", Kind::Event | Kind::Condition | Kind::Subprocess) => wait.bound(0),
        ("join", Kind::Process | Kind::Thread) => wait.bound(0),
        ("result", Kind::Future) => wait.bound(0),
        ("recv" | "recv_bytes", Kind::PipeEnd) => Bound::Unbounded,
        ("communicate", Kind::Subprocess) => wait.bound(1),
        _ => return false,
    };
    bound == Bound::Unbounded && wait.keyword("block").is_none()
}

fn word(facts: &Facts, wait: &Handed<'_>) -> Words {
    let (what, method) = (facts.shown(wait.receiver), wait.method);
    Words::new(
        format!("`{what}.{method}` keeps a thread of the pool until the other side acts."),
        "If that side has died or hangs, this path never comes back, and its thread is lost to the pool: a few such requests, and nothing runs there any more.",
        "What ends this wait when the other side is gone? Ask with a timeout in the thread (`poll`, `timeout=`) and give up behind it.",
    )
}
