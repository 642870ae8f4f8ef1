//! Child processes that a request waits for without a limit, from their start to their end.

use super::unbounded_queue_or_join::{CHECK, is_limited_around};
use crate::facts::{Arg, Bound, Call, ExprId, Facts, Heat, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx
        .facts
        .calls()
        .filter(|call| runs_child(call) && !installs(cx.facts, call))
    {
        let is_hot = cx.facts.heat(call.stmt(), cx.profile) == Heat::Hot && is_served(cx, &call);
        match cx.facts.bound(&call, usize::MAX, "timeout") {
            Bound::Unbounded if is_hot => {
                let words = word(cx.facts, &call);
                let hit = Hit::new(&CHECK, Anchor::call(&call), HitVerdict::Look, words);
                out.hits.push(hit);
            }
            Bound::Given | Bound::Literal(_) if call.keyword("timeout").is_some() => {
                out.evidence(4, call.span(), "waits for the child with a timeout");
            }
            _ => {}
        }
    }
}

/// The function says itself that it serves, or one that calls it does: what a manager installs may take its time.
fn is_served(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let Some(function) = cx.facts.function_of(call.scope()) else {
        return false;
    };
    let says = |function| cx.facts.says_hot(function, cx.profile);
    let callers = cx.facts.calls_to(function);
    let mut callers = callers.filter_map(|call| cx.facts.function_of(call.scope()));
    // `run_tool` of a script, which only its `__main__` block leads to, or which ends the process itself.
    let ends = |call: Call<'_>| call.is(&["sys.exit", "SystemExit"]);
    let is_script = || {
        (cx.facts.document.whole && cx.facts.starts_program(function))
            || cx.facts.calls_of(function).any(ends)
    };
    (says(function) || callers.any(says)) && !is_script()
}

/// By its module's name: a bare `run` whose import is not shown is anybody's.
fn runs_child(call: &Call<'_>) -> bool {
    let says_module = call.callee().contains('.');
    let runs = call.is(&[
        "subprocess.run",
        "subprocess.call",
        "subprocess.check_call",
        "subprocess.check_output",
    ]);
    says_module && runs
}

/// A package manager or a build takes as long as its downloads and compilers do.
fn installs(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(command) = call.arg(0, "args") else {
        return false;
    };
    let values = facts.values(command).into_iter();
    let texts: Vec<&str> = values
        .flat_map(|value| facts.within(value))
        .filter_map(|part| facts.string(part))
        .collect();
    texts
        .into_iter()
        .flat_map(str::split_whitespace)
        .take(6)
        .any(|word| {
            matches!(
                word,
                "pip" | "pip3" | "conda" | "npm" | "install" | "build" | "buildx" | "apt-get"
            )
        })
}

/// The child that a call waits for does so.
pub(super) fn is_installer(facts: &Facts, child: ExprId) -> bool {
    let made = facts.values(child).into_iter();
    made.filter_map(|value| facts.call(value))
        .any(|made| installs(facts, &made))
}

/// `await process.communicate()` of a child of asyncio, with no limit around it.
pub(super) fn awaited(facts: &Facts, call: &Call<'_>, child: ExprId) -> Option<Bound> {
    let waits = matches!(call.method(), Some("communicate" | "wait"));
    let is_child = |value: ExprId| {
        facts.awaited_call(value).is_some_and(|made| {
            made.is(&[
                "asyncio.create_subprocess_exec",
                "asyncio.create_subprocess_shell",
            ])
        })
    };
    let is_bounded = || is_limited_around(facts, call.stmt()) || was_killed(facts, call, child);
    let found = waits && facts.values(child).into_iter().any(is_child) && !is_bounded();
    found.then_some(Bound::Unbounded)
}

/// `await process.communicate()` of a child that was given a URL: it waits for another host, which may not answer.
pub(super) fn reaches_out(facts: &Facts, call: &Call<'_>) -> bool {
    let says = |id: ExprId| {
        facts
            .last_name(id)
            .is_some_and(|name| topic::has_word(name, "url uri rtsp host"))
    };
    let is_given = |made: Call<'_>| {
        let values = made.args.iter().flat_map(|arg| facts.values(arg.value));
        values
            .into_iter()
            .any(|value| facts.within(value).any(says))
    };
    let child = call.receiver().filter(|_| call.is_awaited());
    child.is_some_and(|child| {
        let made = facts.values(child).into_iter();
        made.filter_map(|value| facts.awaited_call(value))
            .filter(|made| made.name().starts_with("create_subprocess_"))
            .any(is_given)
    })
}

/// `process.kill()` before: it ends at once.
fn was_killed(facts: &Facts, call: &Call<'_>, child: ExprId) -> bool {
    facts.calls_of(call.scope()).any(|other| {
        let same = other.receiver().and_then(|of| facts.dotted(of)) == facts.dotted(child);
        let kills = matches!(other.method(), Some("kill" | "terminate" | "send_signal"));
        same && kills && other.span().start < call.span().start
    })
}

/// `process.kill()`, or a call that is given `SIGKILL`, shortly before: no child survives that, so the wait collects it.
pub(super) fn is_collected(facts: &Facts, call: &Call<'_>, child: ExprId) -> bool {
    let block = facts.block_of(call.stmt()).iter();
    let before = block.take_while(|&&stmt| stmt != call.stmt());
    let mut calls = before.flat_map(|&stmt| facts.calls_in(stmt));
    calls.any(|other| {
        let same = other.receiver().and_then(|of| facts.dotted(of)) == facts.dotted(child);
        let by_signal = |arg: &Arg| facts.last_name(arg.value) == Some("SIGKILL");
        (same && other.method() == Some("kill")) || other.args.iter().any(by_signal)
    })
}

/// `for line in process.stdout:` and the like stand before the wait: who has closed its output has as good as ended.
pub(super) fn was_read_out(facts: &Facts, call: &Call<'_>, child: ExprId) -> bool {
    let Some(output) = facts.dotted(child).map(|child| format!("{child}.stdout")) else {
        return false;
    };
    let is_output = |id: ExprId| facts.dotted(id).as_ref() == Some(&output);
    let reads = |stmt: StmtId| match facts.stmt(stmt).kind {
        StmtKind::For { iter, .. } => facts.within(iter).any(is_output),
        _ => facts.calls_in(stmt).any(|read| {
            let whole = matches!(read.method(), Some("read" | "readlines")) && read.args.is_empty();
            let by_line = read.method() == Some("readline") && facts.in_loop(stmt);
            (whole || by_line) && read.receiver().is_some_and(is_output)
        }),
    };
    let mut before = facts
        .statements_of(call.scope())
        .take_while(|&stmt| stmt < call.stmt());
    before.any(reads)
}

fn word(facts: &Facts, call: &Call<'_>) -> Words {
    let what = facts.shown(call.function);
    Words::new(
        format!("`{what}` waits for its child process for as long as that takes."),
        "A child that hangs, on a broken input, a lock or a dead device, keeps the request and its thread, and nothing ends either of them.",
        "Can the child hang? Give the call a `timeout`, and say what the request answers then: the child is killed when it runs out.",
    )
}
