//! A field that is given a new connection or process while the one before it goes on.

use super::opened;
use super::resource_not_closed::CHECK;
use crate::facts::{
    Call, ExprId, Facts, Holder, Kind, Made, Part, Resource, ScopeId, StmtId, StmtKind,
};
use crate::rules::{Context, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for made in opened::resources(facts).filter(|made| goes_on(made.resource)) {
        let Some(field @ Holder::Attribute { .. }) = facts.field_of(made) else {
            continue;
        };
        let first = first(facts, made, &field);
        if (first.is_some() || says_again(facts, made)) && !is_about_the_old(facts, made, &field) {
            report(cx, made, &field, first, out);
        }
    }
    unseen(cx, out);
}

/// `self._client = self._connect()` in a function that does it again, where neither is shown.
fn unseen(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let opens = |call: &Call<'_>| {
        let mut words = topic::words(call.name());
        let says = words.any(|word| matches!(&*word, "connect" | "open" | "dial"));
        says && facts.callee_scope(call).is_none() && facts.kind_of(call.id).is_none()
    };
    for call in facts.calls().filter(opens) {
        let made = Made {
            call: call.id,
            stmt: call.stmt(),
            resource: Resource::Opened,
            keeper: facts.keeper_of(call.id),
        };
        let Some(field @ Holder::Attribute { class, .. }) = facts.field_of(&made) else {
            continue;
        };
        let hidden = class.is_none_or(|class| !facts.is_visible(class));
        if hidden && says_again(facts, &made) && !is_about_the_old(facts, &made, &field) {
            report(cx, &made, &field, None, out);
        }
    }
}

/// The function is named for what it does once more: `reconnect`, `switch_host`.
fn says_again(facts: &Facts, made: &Made) -> bool {
    let name = facts.function_name(made.stmt).unwrap_or("");
    topic::has_word(
        name,
        "reconnect restart reopen recreate rebuild refresh reload renew rotate \
         switch move failover migrate respawn",
    )
}

/// What the collector does not end at once when its name is given away: it has a thread, a child or a number of its own.
fn goes_on(resource: Resource) -> bool {
    matches!(
        resource,
        Resource::Connection
            | Resource::Descriptor
            | Resource::Manager
            | Resource::Daemon
            | Resource::Object(
                Kind::Client
                    | Kind::Subprocess
                    | Kind::Capture
                    | Kind::VideoWriter
                    | Kind::SharedMemory
            )
    )
}

/// The other place that gives the field an open object, before this one runs: the constructor, or what it calls.
fn first(facts: &Facts, made: &Made, field: &Holder) -> Option<StmtId> {
    let own = facts.function_of(facts.stmt(made.stmt).scope)?;
    if is_start(facts, own) {
        return None;
    }
    let others = facts.made().iter().filter(|other| {
        other.call != made.call
            && other.resource == made.resource
            && facts.field_of(other).as_ref() == Some(field)
    });
    let in_start = |stmt: StmtId| {
        facts
            .function_of(facts.stmt(stmt).scope)
            .is_some_and(|function| function != own && is_start(facts, function))
    };
    others.map(|other| other.stmt).find(|&stmt| in_start(stmt))
}

/// A constructor, or a function that it calls.
fn is_start(facts: &Facts, function: ScopeId) -> bool {
    let makes = |function: ScopeId| {
        matches!(
            facts.scope_name(function),
            Some("__init__" | "__post_init__" | "__enter__" | "__aenter__")
        )
    };
    makes(function)
        || facts
            .calls_to(function)
            .any(|call| facts.function_of(call.scope()).is_some_and(makes))
}

/// The function asks for the old object, ends it, keeps it under another name, or hands it on; or it replaces one that
/// has failed.
fn is_about_the_old(facts: &Facts, made: &Made, field: &Holder) -> bool {
    let scope = facts.stmt(made.stmt).scope;
    let mentions = facts.mentions_of(field).into_iter();
    let mut own =
        mentions.filter(|&id| facts.canonical(facts.expr(id).scope) == facts.canonical(scope));
    let reads = |id: ExprId| !is_target(facts, id) && !is_used_behind(facts, id, made);
    own.any(reads) || calls_an_end(facts, made, field) || in_handler(facts, made.stmt)
}

fn is_target(facts: &Facts, id: ExprId) -> bool {
    match &facts.stmt(facts.expr(id).stmt).kind {
        StmtKind::Assign { targets, .. } => targets.contains(&id),
        _ => false,
    }
}

/// Behind the making the field means the new object.
fn is_used_behind(facts: &Facts, id: ExprId, made: &Made) -> bool {
    let stored = facts.keeper_of(made.call);
    let direct = matches!(
        stored,
        crate::facts::Keeper::Holder(Holder::Attribute { .. })
    );
    direct && facts.expr(id).stmt > made.stmt
}

/// `self.close()`, `self._stop_client()` before the new one is made.
fn calls_an_end(facts: &Facts, made: &Made, field: &Holder) -> bool {
    let scope = facts.stmt(made.stmt).scope;
    let closings = facts.closings(field, made.resource);
    let ends = |function: ScopeId| {
        closings.iter().any(|closing| {
            let of = facts.function_of(facts.stmt(closing.stmt).scope);
            of.map(|of| facts.canonical(of)) == Some(facts.canonical(function))
        })
    };
    let says = |name: &str| {
        topic::has_word(
            name,
            "close stop disconnect shutdown terminate kill cleanup teardown release \
             reset drop end clear destroy",
        )
    };
    facts
        .calls_of(scope)
        .any(|call| says(call.name()) || facts.callee_scope(&call).is_some_and(ends))
}

fn in_handler(facts: &Facts, stmt: StmtId) -> bool {
    facts
        .ancestors(stmt)
        .any(|around| matches!(around.part, Part::Handler(_)))
}

fn report(cx: &Context<'_>, made: &Made, field: &Holder, first: Option<StmtId>, out: &mut Outcome) {
    let facts = cx.facts;
    let shown =
        matches!(field, Holder::Attribute { class: Some(class), .. } if facts.is_visible(*class));
    let verdict = HitVerdict::sure_if(shown && first.is_some() && runs_by_itself(facts, made));
    let words = word(made, &field.text());
    let mut hit = opened::hit(cx, &CHECK, made, verdict, words);
    if let Some(first) = first {
        hit = hit.with_related(facts.stmt(first).head, "the first one is opened here");
    }
    out.hits.push(hit);
}

/// A child process, a descriptor, or a client with a network loop of its own.
fn runs_by_itself(facts: &Facts, made: &Made) -> bool {
    match made.resource {
        Resource::Object(Kind::Client) => facts.calls_named("loop_start").next().is_some(),
        Resource::Object(Kind::Subprocess)
        | Resource::Descriptor
        | Resource::Daemon
        | Resource::Manager => true,
        _ => false,
    }
}

fn word(made: &Made, name: &str) -> Words {
    let (noun, closer) = (made.resource.noun(), made.resource.closer());
    Words::new(
        format!("`{name}` is given a new {noun} while the one before it is still open."),
        format!(
            "Nobody has the old {noun} then: its connection, thread or process goes on beside the new one, once more with each change."
        ),
        format!(
            "Keep the old one in a local name, put the new one in its place, and then call `{closer}` on the old."
        ),
    )
}
