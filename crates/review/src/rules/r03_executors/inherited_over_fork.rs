//! Pools and connections that a forked child inherits from its parent.

use super::atexit_only_cleanup::CHECK;
use super::kept;
use crate::facts::{
    Call, Facts, HeldUse, HeldUseKind, Holder, Kind, Made, Resource, ScopeId, StmtId,
};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

/// Reports what one process makes and a function that runs in its forked child uses.
pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if starts_afresh(facts) {
        return;
    }
    for call in facts.calls() {
        let Some(target) = forked_target(facts, &call) else {
            continue;
        };
        let inherited = facts
            .made()
            .iter()
            .filter(|made| does_not_survive(made.resource))
            .find_map(|made| Some((made, inherited_use(facts, made, target)?)));
        if let Some((made, used)) = inherited {
            report(cx, &call, made, used, out);
        }
    }
}

/// The function of this file that `Process(target=...)` runs in a child.
fn forked_target(facts: &Facts, call: &Call<'_>) -> Option<ScopeId> {
    let is_process = facts.constructs(call) == Some(Kind::Process);
    facts.thread_target(call).filter(|_| is_process)
}

/// `spawn` and `forkserver` begin with an empty interpreter, and a fork handler can make things anew.
fn starts_afresh(facts: &Facts) -> bool {
    facts.calls().any(|call| {
        let chooses = matches!(call.name(), "set_start_method" | "get_context");
        let method = call.arg(0, "method").and_then(|given| facts.string(given));
        (chooses && method != Some("fork")) || call.is(&["os.register_at_fork"])
    })
}

/// Threads do not exist in the child, and a connection is one conversation that two would speak in.
fn does_not_survive(resource: Resource) -> bool {
    matches!(
        resource,
        Resource::Object(
            Kind::Executor
                | Kind::Pool
                | Kind::Redis
                | Kind::Client
                | Kind::Socket
                | Kind::HttpSession
        )
    )
}

/// Where the child's function uses what a module or the object itself keeps, unless the child makes its own.
fn inherited_use(facts: &Facts, made: &Made, target: ScopeId) -> Option<StmtId> {
    let holder = facts.field_of(made).or_else(|| made.holder().cloned())?;
    if matches!(holder, Holder::Local { .. }) {
        return None;
    }
    let child = facts.canonical(target);
    let in_child = |stmt: StmtId| {
        let function = facts.function_of(facts.stmt(stmt).scope);
        function.is_some_and(|function| facts.canonical(function) == child)
    };
    if in_child(made.stmt) || is_made_in_child(facts, &holder, in_child) {
        return None;
    }
    let uses = facts.uses_of(&holder);
    if listens(facts, made, &uses) {
        return None;
    }
    uses.into_iter()
        .map(|of| of.stmt)
        .find(|&stmt| in_child(stmt))
}

/// A socket that waits for connections is there to be shared: each child accepts those of its own.
fn listens(facts: &Facts, made: &Made, uses: &[HeldUse]) -> bool {
    let listens = |of: &HeldUse| match of.kind {
        HeldUseKind::Method(call) => {
            let call = facts.call(call);
            call.is_some_and(|call| matches!(call.method(), Some("bind" | "listen" | "accept")))
        }
        _ => false,
    };
    made.resource.is(Kind::Socket) && uses.iter().any(listens)
}

fn is_made_in_child(facts: &Facts, holder: &Holder, in_child: impl Fn(StmtId) -> bool) -> bool {
    facts
        .made()
        .iter()
        .filter(|other| in_child(other.stmt))
        .any(|other| {
            let own = facts.field_of(other).or_else(|| other.holder().cloned());
            own.is_some_and(|own| own.text() == holder.text())
        })
}

fn report(cx: &Context<'_>, fork: &Call<'_>, made: &Made, used: StmtId, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = kept::unless_cold(cx, HitVerdict::Look);
    let mut hit = Hit::new(&CHECK, Anchor::call(fork), verdict, word(made))
        .with_related(facts.expr(made.call).span, "made in the parent")
        .with_related(facts.stmt(used).head, "used in the child");
    hit.causes
        .extend([facts.expr(made.call).span, facts.stmt(used).head]);
    out.hits.push(hit);
}

fn word(made: &Made) -> Words {
    let noun = made.resource.noun();
    let why = if made.resource.is_pool() {
        "A fork copies the pool and not its threads: what the child submits is never run, and locks that a thread held stay taken."
    } else {
        "Parent and child then speak over one connection, and each reads answers that are meant for the other."
    };
    Words::new(
        format!("The child process works with the {noun} that its parent made."),
        why,
        format!(
            "Are children forked here, as on Linux by default before Python 3.14? Make the {noun} in the child, or start children with `spawn`."
        ),
    )
}
