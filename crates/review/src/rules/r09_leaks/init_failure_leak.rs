//! A resource that a constructor opens before a step that can fail.

use super::{handed_on_late, opened, stack_in_enter};
use crate::facts::{
    Call, ExprId, Facts, Fault, FaultKind, Holder, How, Kind, Made, Part, Resource, ScopeId, Span,
    StmtId, StmtKind,
};
use crate::rules::{Check, Context, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "init-failure-leak",
    rule: 9,
    severity: Severity::Flag,
    references: &[],
    summary: "A constructor opens a resource and then runs a step that can raise, with nothing that closes it then.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for made in opened::resources(facts).filter(|made| is_in_constructor(facts, made)) {
        let Some(field) = facts.field_of(made) else {
            continue;
        };
        // What nothing closes at all is another check's.
        let fault = facts
            .field_fault(made, &field)
            .filter(|fault| !is_closed_unseen(facts, made, fault));
        let at_exit = |fault: &Fault| matches!(fault.kind, FaultKind::OnlyAtExit(_));
        if fault.is_some_and(|fault| !(made.resource.is_path() && at_exit(&fault)))
            || made.resource.is_memory_like()
            || made.resource.is(Kind::Client)
        {
            continue;
        }
        let registered = registrations(facts, made, &field);
        let step = failing_step(facts, made, &field);
        let ended = |step: &Step| {
            registered
                .iter()
                .any(|&stmt| is_in_time(facts, made, stmt, step))
        };
        if let Some(step) = step.filter(|step| !ended(step)) {
            let words = word(made, &step.name, &field.text());
            let hit = opened::hit(cx, &CHECK, made, HitVerdict::Look, words);
            let mut hit = hit.with_related(step.span, "can raise");
            hit.causes.push(step.span);
            out.hits.push(hit);
        }
    }
    stack_in_enter::detect(cx, out);
}

/// The opening stood there before the change, so its close does as well, in lines that are not shown: what the change
/// brought is the step behind it.
fn is_closed_unseen(facts: &Facts, made: &Made, fault: &Fault) -> bool {
    let is_old = !facts.is_changed(facts.stmt(made.stmt).head);
    let never = matches!(fault.kind, FaultKind::NeverEnded);
    is_old && never && !fault.proven && !facts.document.whole
}

fn is_in_constructor(facts: &Facts, made: &Made) -> bool {
    matches!(
        facts.function_name(made.stmt),
        Some("__init__" | "__post_init__" | "__enter__" | "__aenter__")
    )
}

/// Where a finalizer, an exit stack or a callback is told to end it.
fn registrations(facts: &Facts, made: &Made, field: &Holder) -> Vec<StmtId> {
    let by_other = |how| matches!(how, How::Finalizer | How::Callback | How::Atexit);
    let holders = [Some(field), made.holder()].into_iter().flatten();
    let closings = holders.flat_map(|holder| facts.closings(holder, made.resource));
    closings
        .filter(|closing| by_other(closing.how))
        .map(|closing| closing.stmt)
        .collect()
}

/// Registered before the step, or in another function, whose time is not known. What is only a path is not ended by a
/// registration that the step skips; of other objects the collector takes some.
fn is_in_time(facts: &Facts, made: &Made, registered: StmtId, step: &Step) -> bool {
    let same = facts.stmt(registered).scope == facts.stmt(made.stmt).scope;
    !made.resource.is_path() || !same || facts.stmt(registered).span.start < step.span.start
}

/// What can end the constructor early.
struct Step {
    name: String,
    span: Span,
}

/// The first later step of the constructor that can raise while nothing closes what was opened.
fn failing_step(facts: &Facts, made: &Made, field: &Holder) -> Option<Step> {
    let scope = facts.stmt(made.stmt).scope;
    let by_call = facts
        .calls()
        .filter(|call| call.stmt() > made.stmt && call.scope() == scope)
        .find(|call| {
            let guarded = facts.protecting_tries(call.stmt()).next().is_some()
                || facts.finally_blocks(call.stmt()).next().is_some();
            let own = call
                .receiver()
                .is_some_and(|receiver| facts.holder_of(receiver).as_ref() == Some(field));
            let calm = own && made.resource.has_calm(call.name());
            let checks = own && call.name() == "raise_for_status";
            let fails = checks || fails_at_times(call) || fills_folder(made, call);
            !guarded && !calm && (fails || opens_another(facts, made, call))
        })
        .map(|call| Step {
            name: format!("`{}` raises", call.name()),
            span: call.span(),
        });
    let by_raise = || {
        let mut later = facts.statements_of(scope).filter(|&stmt| stmt > made.stmt);
        let stmt = later.find(|&stmt| leaves_open(facts, made, field, stmt))?;
        Some(Step {
            name: "the `raise` further down is reached".to_string(),
            span: facts.stmt(stmt).head,
        })
    };
    by_call.or_else(by_raise)
}

/// A `raise` that is not about a failed opening, with no close before it.
fn leaves_open(facts: &Facts, made: &Made, field: &Holder, stmt: StmtId) -> bool {
    let StmtKind::Raise = facts.stmt(stmt).kind else {
        return false;
    };
    let of_opening = facts.ancestors(stmt).any(|around| {
        matches!(around.part, Part::Handler(_))
            && facts
                .ancestors(made.stmt)
                .any(|outer| outer.stmt == around.stmt)
    });
    let caught = facts
        .protecting_tries(stmt)
        .any(|outer| !facts.handlers(outer).is_empty());
    let block = facts.block_of(stmt).iter().copied();
    let closed = block
        .take_while(|&before| before < stmt)
        .any(|before| closes(facts, made, field, before))
        || facts.finally_blocks(stmt).any(|finally| {
            finally
                .iter()
                .any(|&inner| closes(facts, made, field, inner))
        });
    !of_opening && !caught && !closed && !asks_whether_open(facts, made, field, stmt)
}

/// Whether a statement closes the field, itself or through a method that does.
fn closes(facts: &Facts, made: &Made, field: &Holder, stmt: StmtId) -> bool {
    let closings = facts.closings(field, made.resource);
    let inside = |function: ScopeId| {
        closings.iter().any(|closing| {
            let scope = facts.function_of(facts.stmt(closing.stmt).scope);
            scope.is_some_and(|scope| facts.canonical(scope) == facts.canonical(function))
        })
    };
    closings.iter().any(|closing| closing.stmt == stmt)
        || facts
            .calls_in(stmt)
            .any(|call| facts.callee_scope(&call).is_some_and(inside))
}

/// `if not self._capture.isOpened(): raise`, `if self._child is None: raise`: there is nothing to close.
fn asks_whether_open(facts: &Facts, made: &Made, field: &Holder, stmt: StmtId) -> bool {
    let refuses = made.resource.is(Kind::Capture)
        || made.resource.is(Kind::VideoWriter)
        || made.resource.is(Kind::Subprocess);
    let about_itself = || {
        facts.mentions_of(field).into_iter().any(|mention| {
            let parent = facts.expr(mention).parent;
            let bare = parent.is_none_or(|parent| facts.attribute(parent).is_none());
            bare && facts.expr(mention).stmt < stmt && is_test(facts, stmt, mention)
        })
    };
    (refuses && facts.tests_holder(stmt, field)) || about_itself()
}

fn is_test(facts: &Facts, stmt: StmtId, mention: ExprId) -> bool {
    let asked = facts.expr(mention).stmt;
    let is_if = matches!(facts.stmt(asked).kind, StmtKind::If { .. });
    is_if && facts.ancestors(stmt).any(|around| around.stmt == asked)
}

/// `subprocess.run(["git", "clone", ...])`, `unpack(...)`: what fills a folder fails with its source.
fn fills_folder(made: &Made, call: &Call<'_>) -> bool {
    made.resource.is_path() && handed_on_late::fetches(call)
}

/// A second port, socket or file: what is opened elsewhere can be missing, taken or down.
fn opens_another(facts: &Facts, made: &Made, call: &Call<'_>) -> bool {
    let is_there = |resource: Resource| {
        matches!(
            resource,
            Resource::Connection
                | Resource::Descriptor
                | Resource::Object(
                    Kind::Socket
                        | Kind::File
                        | Kind::Archive
                        | Kind::SharedMemory
                        | Kind::Subprocess
                )
        )
    };
    call.id != made.call && facts.resource_made(call).is_some_and(is_there)
}

pub(super) fn fails_at_times(call: &Call<'_>) -> bool {
    let first = topic::words(call.name()).next().unwrap_or_default();
    let waits = first == "wait" && topic::words(call.name()).nth(1).is_some();
    let opens = matches!(
        &*first,
        "connect"
            | "load"
            | "loads"
            | "open"
            | "parse"
            | "download"
            | "fetch"
            | "login"
            | "bind"
            | "read"
            | "from"
            | "verify"
            | "validate"
            | "handshake"
            | "authenticate"
            | "unpack"
    );
    waits || opens || matches!(call.name(), "InferenceSession" | "result" | "extractall")
}

fn word(made: &Made, step: &str, name: &str) -> Words {
    let noun = made.resource.noun();
    Words::new(
        format!("If {step}, nobody can close the {noun} in `{name}`."),
        "The caller never gets the object, so its close method cannot be called.",
        "Can that step fail in practice? If so, close what is open in an `except` that raises again, or do the failing step first.",
    )
}
