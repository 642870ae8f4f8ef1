//! What R9 counts as a resource; pools and threads are R3's.

use crate::facts::{ExprKind, Facts, Kind, Made, Resource};
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
    Hit::new(check, anchor, unless_cold(cx, verdict), words)
}

/// Tests, examples and scripts end, and the system closes what they leave open.
pub(super) fn unless_cold(cx: &Context<'_>, verdict: HitVerdict) -> HitVerdict {
    match (cx.facts.idle_file(cx.profile), verdict) {
        (Some(reason), HitVerdict::Violation | HitVerdict::Look) => {
            HitVerdict::Excused(format!("The process ends soon and closes it: {reason}."))
        }
        (_, verdict) => verdict,
    }
}
