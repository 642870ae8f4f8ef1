//! Resources that somebody else will end, but who gets them only after a step that can raise: a temporary folder
//! registered for clean-up after the download into it, a streamed response returned after its status check.

use super::closed_only_on_success::CHECK;
use super::opened;
use crate::facts::{
    Call, Closing, ExprId, Facts, HeldUse, HeldUseKind, Holder, How, Keeper, Kind, Made, Resource,
    StmtId, StmtKind,
};
use crate::rules::{Context, HitVerdict, Outcome, Words};

/// Reports an object that a failing step leaves with nobody; says whether it did.
pub(super) fn report(cx: &Context<'_>, made: &Made, out: &mut Outcome) -> bool {
    let Some(late) = late(cx.facts, made) else {
        return false;
    };
    let sure = cx.facts.sees_enclosure(made.stmt) && !late.by_caller;
    let verdict = HitVerdict::sure_if(sure);
    let step = cx.facts.stmt(late.step).head;
    let handover = cx.facts.stmt(late.handover).head;
    let mut hit = opened::hit(cx, &CHECK, made, verdict, word(made, &late))
        .with_related(step, "can leave before the handover")
        .with_related(handover, "the handover");
    hit.causes.extend([step, handover]);
    out.hits.push(hit);
    true
}

/// A step that can raise between an object's making and the moment that somebody else has it.
struct Late {
    step: StmtId,
    handover: StmtId,
    /// The caller of the function gets a folder: that it also cleans up after a failure cannot be. Or the collector
    /// closes it once the error is handled.
    by_caller: bool,
    registers: bool,
    /// The step is an early `return`.
    leaves: bool,
}

fn late(facts: &Facts, made: &Made) -> Option<Late> {
    let holder = made
        .holder()
        .filter(|holder| matches!(holder, Holder::Local { .. }))?;
    let is_ours = made.resource.is_path()
        || made.resource.is(Kind::StreamedResponse)
        || is_raw(made.resource);
    if !is_ours || facts.may_be_handed_in(holder) {
        return None;
    }
    let uses = facts.uses_of(holder);
    let scope = facts.stmt(made.stmt).scope;
    let own = |of: &&HeldUse| facts.stmt(of.stmt).scope == scope && of.stmt > made.stmt;
    let (handover, registers) = uses
        .iter()
        .filter(own)
        .find_map(|of| Some((of.stmt, is_handover(facts, of, made)?)))?;
    let closings = facts.closings(holder, made.resource);
    let step = facts
        .statements_of(scope)
        .filter(|&stmt| stmt > made.stmt && stmt < handover)
        .filter(|&stmt| !facts.is_covered(stmt, made, &closings) && !ends_process(facts, stmt))
        .find(|&stmt| fails_with_its_source(facts, stmt, made, holder, &closings))?;
    let returned = matches!(facts.stmt(handover).kind, StmtKind::Return(_));
    Some(Late {
        step,
        handover,
        by_caller: returned && made.resource.is_path() || made.resource.is(Kind::Socket),
        registers,
        leaves: matches!(facts.stmt(step).kind, StmtKind::Return(_)),
    })
}

/// Every error of the step ends the process, and with it all that it holds.
fn ends_process(facts: &Facts, step: StmtId) -> bool {
    let exits = |stmt: StmtId| {
        let mut calls = facts.calls_in(stmt);
        calls.any(|call| call.ends_process())
    };
    facts.handlers_around(step).any(|handler| {
        let inside = facts.statements_in(&handler.body);
        inside.into_iter().any(exits)
    })
}

/// Whether somebody else has the object from here on; true where it is registered to be ended later.
fn is_handover(facts: &Facts, of: &HeldUse, made: &Made) -> Option<bool> {
    let deferred = facts
        .ends(of, made.resource)
        .filter(|how| matches!(how, How::Callback | How::Finalizer | How::Atexit));
    if deferred.is_some() {
        return Some(true);
    }
    match of.kind {
        HeldUseKind::Returned => Some(false),
        HeldUseKind::Stored(_) => Some(!is_raw(made.resource)),
        HeldUseKind::Passed(call) if !made.resource.is_path() => {
            is_wrapped(facts, call).then_some(false)
        }
        HeldUseKind::Passed(call) if made.resource.is_path() => {
            is_noted(facts, call).then_some(true)
        }
        _ => None,
    }
}

/// `return Download(response)`: the caller gets it inside of another object.
fn is_wrapped(facts: &Facts, call: ExprId) -> bool {
    let constructs = facts
        .call(call)
        .is_some_and(|call| call.name().starts_with(char::is_uppercase));
    constructs && matches!(facts.keeper_of(call), Keeper::Returned)
}

/// `_FOLDERS.append(folder)`: a list that something else works off.
fn is_noted(facts: &Facts, call: ExprId) -> bool {
    let Some(call) = facts.call(call) else {
        return false;
    };
    let adds = matches!(call.method(), Some("append" | "add"));
    let holder = call.receiver().and_then(|list| facts.holder_of(list));
    adds && matches!(
        holder,
        Some(Holder::Global { .. } | Holder::Attribute { .. } | Holder::ClassName { .. })
    )
}

/// A response's own status check; a download, clone or extraction into a folder.
fn fails_with_its_source(
    facts: &Facts,
    stmt: StmtId,
    made: &Made,
    holder: &Holder,
    closings: &[Closing],
) -> bool {
    if made.resource.is_path() {
        let name = holder.text();
        let mentions = |call: &Call<'_>| {
            let mut inside = call.args.iter().flat_map(|arg| facts.within(arg.value));
            inside.any(|id| facts.name(id) == Some(name.as_str()))
        };
        let fills = |call: &Call<'_>| {
            fetches(call) || (made.resource == Resource::KeptTempFile && writes_to(call))
        };
        return facts
            .calls_in(stmt)
            .any(|call| fills(&call) && mentions(&call));
    }
    if is_raw(made.resource) {
        let closes = closings
            .iter()
            .any(|closing| facts.enclosing_handler(closing.stmt).is_some());
        return !closes
            && facts
                .calls_in(stmt)
                .any(|call| refuses(facts, &call, holder));
    }
    let checks = |call: Call<'_>| {
        let own = call.receiver().and_then(|of| facts.holder_of(of));
        call.method() == Some("raise_for_status") && own.as_ref() == Some(holder)
    };
    // A handler that closes knows what its step raises.
    let closes = |closing: &Closing| facts.enclosing_handler(closing.stmt).is_some();
    let handled = facts.handlers_around(stmt).next().is_some() && closings.iter().any(closes);
    let leaves = matches!(facts.stmt(stmt).kind, StmtKind::Raise | StmtKind::Return(_));
    !handled && (leaves || facts.calls_in(stmt).any(checks))
}

/// What the system numbers itself.
fn is_raw(resource: Resource) -> bool {
    resource.is(Kind::Socket) || resource == Resource::Descriptor
}

/// A step that fails as a matter of course: nobody listens, an address or a lock is taken, a disk is full.
fn refuses(facts: &Facts, call: &Call<'_>, holder: &Holder) -> bool {
    let is_own = |id: ExprId| facts.holder_of(id).as_ref() == Some(holder);
    let by_method = matches!(call.method(), Some("connect" | "bind" | "do_handshake"));
    let by_number = call.is(&[
        "fcntl.flock",
        "fcntl.lockf",
        "os.write",
        "os.ftruncate",
        "os.lockf",
    ]);
    by_method && call.receiver().is_some_and(is_own)
        || by_number && call.positional(0).is_some_and(is_own)
}

/// Whether a call that is given a path puts something there, which fails with its source or on a full disk.
fn writes_to(call: &Call<'_>) -> bool {
    let verb = topic::begins_with_word(
        call.name(),
        "save write dump export render encode convert zip compress copy copyfile \
         imwrite serialize archive transcode",
    );
    verb || matches!(
        call.name(),
        "ZipFile" | "make_archive" | "to_csv" | "to_json" | "to_parquet"
    )
}

/// Whether a call brings something from elsewhere, and raises when it cannot.
pub(super) fn fetches(call: &Call<'_>) -> bool {
    let checked = call.is(&["subprocess.check_call", "subprocess.check_output"])
        || (call.is(&["subprocess.run"]) && call.keyword("check").is_some());
    let verbs = [
        "clone",
        "download",
        "fetch",
        "extract",
        "extractall",
        "unpack",
        "urlretrieve",
        "checkout",
        "pull",
        "copytree",
    ];
    checked || verbs.iter().any(|verb| topic::says(call.name(), verb))
}

fn word(made: &Made, late: &Late) -> Words {
    let noun = made.resource.noun();
    let name = opened::named(made);
    let closer = made.resource.closer();
    let message = if late.registers {
        format!("{name} is registered for its clean-up only after a step that can raise.")
    } else if late.leaves {
        format!("{name} is handed to the caller on one way out, and left open on another.")
    } else if is_raw(made.resource) {
        format!("{name} is handed on only if the step before does not raise.")
    } else {
        format!("{name} is handed to the caller only if the step before does not raise.")
    };
    Words::new(
        message,
        format!(
            "When that step fails nobody has the {noun}: each failure leaves another behind, and failures come in rows."
        ),
        if late.registers {
            format!(
                "Register the clean-up right after the {noun} is made, or `{closer}` it in an `except` that raises again."
            )
        } else {
            format!(
                "`{closer}` it in an `except` that raises again, around the steps before the handover."
            )
        },
    )
}
