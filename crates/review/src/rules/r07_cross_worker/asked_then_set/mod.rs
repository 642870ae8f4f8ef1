//! Entries of a server that workers share, asked for and then set or deleted in two steps.

mod answers;

use crate::facts::{Call, Facts};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use answers::{changes, claims, releases};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "asked-then-set",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "An entry of a shared cache server is read and then set or deleted by what was read, in two steps.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let acts = facts.calls().filter(|call| {
        let acts = matches!(call.method(), Some("set" | "setex" | "hset" | "delete"));
        acts && is_shared(cx, call) && !is_kept_out(facts, call)
    });
    for act in acts {
        if let Some((read, fault)) = fault(facts, &act) {
            out.hits.push(hit(cx, &act, read, fault));
        }
    }
}

/// What the second step does by the answer of the first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// `store.set(key, n + 1)`, or a list that was added to.
    Changed,
    /// `if store.get(key): return`, then `store.set(key, "1")`.
    Claimed,
    /// `if store.get(key) == token: store.delete(key)`.
    Released,
}

/// A call of a server, or of what the profile or a framework says is one.
fn is_shared(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let facts = cx.facts;
    let by_profile = || {
        let receiver = call.receiver()?;
        let resolved = facts.resolved(receiver)?;
        let is_client = resolved.contains('.') && cx.profile.outage.is_client(&resolved);
        Some(is_client && !facts.is_in_process(receiver))
    };
    facts.redis_call(call).is_some() || by_profile().unwrap_or(false)
}

/// A lock is held, the server is told to refuse (`nx`, `WATCH`), or the commands only wait in a pipeline.
fn is_kept_out(facts: &Facts, act: &Call<'_>) -> bool {
    let refuses = ["nx", "xx", "mode", "cas", "keepttl"]
        .iter()
        .any(|name| act.keyword(name).is_some());
    let watches = facts.calls_of(act.scope()).any(|call| {
        matches!(
            call.method(),
            Some(
                "watch" | "transaction" | "lock" | "acquire" | "setnx" | "eval" | "register_script"
            )
        )
    });
    refuses || watches || facts.held_at(act.stmt()).next().is_some()
}

fn fault<'f>(facts: &'f Facts, act: &Call<'f>) -> Option<(Call<'f>, Fault)> {
    let read = last_read(facts, act)?;
    let fault = match act.method() {
        Some("delete") => releases(facts, &read, act).then_some(Fault::Released),
        _ if claims(facts, &read, act) => Some(Fault::Claimed),
        _ => changes(facts, &read, act).then_some(Fault::Changed),
    }?;
    Some((read, fault))
}

/// The last read of the same entry in the function, before the second step.
fn last_read<'f>(facts: &'f Facts, act: &Call<'f>) -> Option<Call<'f>> {
    let reads = |call: &Call<'_>| {
        let method = matches!(call.method(), Some("get" | "exists" | "hget" | "hexists"));
        method && call.stmt() <= act.stmt() && call.id != act.id && same_entry(facts, call, act)
    };
    facts.calls_of(act.scope()).filter(reads).last()
}

fn same_entry(facts: &Facts, read: &Call<'_>, act: &Call<'_>) -> bool {
    let keys = match act.method() {
        Some("hset") => 2,
        _ => 1,
    };
    let text = |call: &Call<'_>, n: usize| {
        call.positional(n)
            .map(|key| facts.expr_text(key).to_string())
    };
    let of = |call: &Call<'_>| call.receiver().map(|of| facts.expr_text(of).to_string());
    let same = (0..keys).all(|n| text(read, n).is_some() && text(read, n) == text(act, n));
    same && of(read).is_some() && of(read) == of(act)
}

fn hit(cx: &Context<'_>, act: &Call<'_>, read: Call<'_>, fault: Fault) -> Hit {
    let facts = cx.facts;
    let words = word(facts, act, fault);
    let verdict = cx.where_shared(HitVerdict::Look);
    let read = facts.stmt(read.stmt()).head;
    let mut hit = Hit::new(&CHECK, Anchor::call(act), verdict, words);
    hit.causes.push(read);
    hit.with_related(read, "asked for here")
}

fn word(facts: &Facts, act: &Call<'_>, fault: Fault) -> Words {
    let key = act.positional(0).map_or("", |key| facts.expr_text(key));
    match fault {
        Fault::Changed => Words::new(
            format!("`{key}` is read, changed here and written back in two steps."),
            "Workers share the entry: of two that read the same value, the second write undoes the first, and the change is lost.",
            "Can two workers or requests reach this for one key? Let the server change it in one step (`incr`, `hincrby`, `sadd`, `rpush`, a script), or hold a lock.",
        ),
        Fault::Claimed => Words::new(
            format!("`{key}` is asked for and then set, as if that were one step."),
            "Two workers that come at once both find it missing, both set it, and both go on as the only one.",
            "Does it matter that only one goes on? Let the server decide in one step (`set(..., nx=True)`, `cache.add`), and go on only where that answers yes.",
        ),
        Fault::Released => Words::new(
            format!("`{key}` is compared and then deleted in two steps."),
            "Between them the entry can expire and another worker can set its own: then that one is deleted, and a third takes the same lock.",
            "Can the entry expire while it is held? Compare and delete in one step, with a script on the server or the client's own lock.",
        ),
    }
}
