//! What R9 counts as a resource; pools and threads are R3's.

use crate::facts::{
    BindingKind, Call, ExprId, ExprKind, Facts, Holder, How, Kind, Made, Resource, StmtId,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Words};

/// The resources that a document opens.
pub(super) fn resources(facts: &Facts) -> impl Iterator<Item = &Made> {
    let made = facts.made().iter();
    made.filter(|made| is_resource(made.resource))
}

fn is_resource(resource: Resource) -> bool {
    !matches!(
        resource,
        Resource::Daemon
            | Resource::Object(
                Kind::Executor
                    | Kind::Pool
                    | Kind::Thread
                    | Kind::Timer
                    | Kind::Process
                    | Kind::EventLoop
                    | Kind::ExitStack
            )
    )
}

/// A child process that is started to outlive its parent.
pub(super) fn is_detached(facts: &Facts, made: &Made) -> bool {
    let call = facts.call(made.call);
    let told = call.and_then(|call| {
        call.keyword("start_new_session")
            .or(call.keyword("creationflags"))
    });
    made.resource.is(Kind::Subprocess)
        && told.is_some_and(|value| !matches!(facts.expr(value).kind, ExprKind::False))
}

/// A streamed response of a session that the same function closes: its connection is closed with the session.
pub(super) fn goes_with_session(facts: &Facts, made: &Made) -> bool {
    let receiver = facts.call(made.call).and_then(|call| call.receiver());
    let in_with = |session: ExprId| {
        let bindings = facts.bindings_behind(session);
        let mut kinds = bindings.iter().map(|binding| binding.kind);
        kinds.any(|kind| matches!(kind, BindingKind::With(_)))
    };
    let session = receiver.and_then(|session| facts.holder_of(session));
    let ends = |holder: &Holder| {
        let closings = facts.closings(holder, Resource::Object(Kind::HttpSession));
        let mut all = closings.iter();
        all.any(|closing| closing.how == How::With || facts.in_finally(closing.stmt))
    };
    made.resource.is(Kind::StreamedResponse)
        && (receiver.is_some_and(in_with)
            || session.is_some_and(|of| matches!(of, Holder::Local { .. }) && ends(&of)))
}

/// How a sentence that begins with the object calls it.
pub(super) fn named(made: &Made) -> String {
    match made.holder() {
        Some(holder) => format!("`{}`", holder.text()),
        None => format!("This {}", made.resource.noun()),
    }
}

/// A hit at the call that opens; tests and scripts end before it matters.
pub(super) fn hit(
    cx: &Context<'_>,
    check: &'static Check,
    made: &Made,
    verdict: HitVerdict,
    words: Words,
) -> Hit {
    let anchor = Anchor {
        stmt: made.stmt,
        span: cx.facts.expr(made.call).span,
    };
    let verdict = match verdict {
        HitVerdict::Violation if is_repeated(cx.facts, made.stmt) => {
            // A command line that tries again ends late, and leaves one more with each attempt.
            match unless_cold(cx, verdict) {
                HitVerdict::Excused(_) if !cx.facts.is_test() => HitVerdict::Look,
                verdict => verdict,
            }
        }
        _ if is_of_command(cx.facts, made) => HitVerdict::Excused(
            "The process ends soon and closes it: the function reads the command line.".to_string(),
        ),
        verdict => unless_cold(cx, verdict),
    };
    Hit::new(check, anchor, verdict, words)
}

/// `json.load(open(args.path))` in the function that parses the arguments of a command: its run is the process.
fn is_of_command(facts: &Facts, made: &Made) -> bool {
    let scope = facts.stmt(made.stmt).scope;
    let parses = |call: Call<'_>| matches!(call.name(), "parse_args" | "parse_known_args");
    made.resource.is(Kind::File) && facts.calls_of(scope).any(parses)
}

/// In a function whose decorator calls it again after an error: `@backoff.on_exception(...)`, `@retry`.
fn is_repeated(facts: &Facts, stmt: StmtId) -> bool {
    let decorators = facts.decorators(facts.stmt(stmt).scope).iter();
    decorators
        .filter_map(|&decorator| facts.last_name(decorator))
        .any(|name| {
            let retries = ["retry", "retries", "retrying", "backoff"];
            name == "on_exception" || topic::words(name).any(|word| retries.contains(&&*word))
        })
}

/// Tests, examples and scripts end, and the system closes what they leave open.
pub(super) fn unless_cold(cx: &Context<'_>, verdict: HitVerdict) -> HitVerdict {
    let script = || {
        let runs = cx.facts.runs_once_through();
        runs.then_some("it defines nothing and runs from its first line to its last")
    };
    let idle = cx.facts.idle_file(cx.profile).or_else(script);
    match (idle, verdict) {
        (Some(reason), HitVerdict::Violation | HitVerdict::Look) => {
            HitVerdict::Excused(format!("The process ends soon and closes it: {reason}."))
        }
        (_, verdict) => verdict,
    }
}
