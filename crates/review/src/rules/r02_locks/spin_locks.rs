//! Locks that are made of an entry or a file which only one can create, and taken in a loop.

use crate::facts::{Call, ExprId, Facts, Kind, StmtKind, says_lock, says_lock_file};

/// What stands for the lock.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SpinLock {
    /// `cache.add(key, owner)`, `redis.setnx(key, owner)`.
    Entry,
    /// `os.open(path, O_CREAT | O_EXCL)`, `os.mkdir(path)`.
    File,
}

/// A call that takes such a lock, again and again until it succeeds, and that gives it no end.
pub(super) fn spin_lock(facts: &Facts, call: &Call<'_>) -> Option<SpinLock> {
    let taken = entry_without_expiry(facts, call).or_else(|| exclusive_file(facts, call))?;
    let is_lock = is_about_lock(facts, call);
    (is_lock && spins(facts, call) && !looks_at_age(facts, call)).then_some(taken)
}

fn entry_without_expiry(facts: &Facts, call: &Call<'_>) -> Option<SpinLock> {
    let receiver = call.receiver()?;
    let of_store = facts.kind_of(receiver) == Some(Kind::Redis)
        || facts
            .last_name(receiver)
            .is_some_and(|name| topic::has_word(name, "cache redis memcache memcached mc"));
    let creates = matches!(
        call.method(),
        Some("add" | "setnx" | "add_if_absent" | "put_if_absent" | "set_if_not_exists")
    );
    let ends = ["expire", "ex", "px", "ttl", "timeout", "time", "expiration"];
    let has_end = call.has_splat()
        || ends.iter().any(|name| call.keyword(name).is_some())
        || call.positional(2).is_some();
    (of_store && creates && !has_end && call.args.len() > 1).then_some(SpinLock::Entry)
}

fn exclusive_file(facts: &Facts, call: &Call<'_>) -> Option<SpinLock> {
    let is_exclusive = |flags: ExprId| facts.expr_text(flags).contains("O_EXCL");
    let opens = call.is(&["os.open"]) && call.arg(1, "flags").is_some_and(is_exclusive);
    opens.then_some(SpinLock::File)
}

/// Function, class or key are about a lock.
fn is_about_lock(facts: &Facts, call: &Call<'_>) -> bool {
    let says = |name: &str| {
        let takes = |word: &str| matches!(word, "acquire" | "semaphore");
        says_lock(name) || says_lock_file(name) || topic::words(name).any(|word| takes(&word))
    };
    let class = facts
        .class_of(call.scope())
        .and_then(|class| facts.scope_name(class));
    facts.function_name(call.stmt()).is_some_and(says)
        || class.is_some_and(says)
        || call
            .positional(0)
            .is_some_and(|key| says(facts.expr_text(key)))
}

/// In a loop that sleeps, or whose head is the attempt.
fn spins(facts: &Facts, call: &Call<'_>) -> bool {
    let stmt = call.stmt();
    if matches!(facts.stmt(stmt).kind, StmtKind::While { .. }) {
        return true;
    }
    let Some(outer) = facts.innermost_loop(stmt) else {
        return false;
    };
    let block = facts.blocks(outer).into_iter().flat_map(|(_, block)| block);
    let inside: Vec<_> = facts.statements_in(&block.copied().collect::<Vec<_>>());
    inside
        .into_iter()
        .any(|stmt| facts.calls_in(stmt).any(|call| call.name() == "sleep"))
}

/// The function asks how old the lock is, or gives the entry an expiry by a second call.
fn looks_at_age(facts: &Facts, call: &Call<'_>) -> bool {
    facts.calls_beside(call.stmt()).any(|other| {
        matches!(
            other.name(),
            "expire"
                | "pexpire"
                | "expireat"
                | "getmtime"
                | "stat"
                | "touch"
                | "kill"
                | "pid_exists"
        )
    })
}
