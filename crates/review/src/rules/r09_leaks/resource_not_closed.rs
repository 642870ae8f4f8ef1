//! A file, capture, connection, process or temporary folder that nothing closes.

use super::{
    figures, kept_pipe_end, never_unsubscribed, opened, overridden_close, overwritten_field,
    transactions, unawaited_close, wrapped_clients,
};
use crate::facts::{Facts, Fault, FaultKind, Holder, Keeper, Kind, Made, Resource};
use crate::rules::{Check, Context, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "resource-not-closed",
    rule: 9,
    severity: Severity::Flag,
    references: &[],
    summary: "A file, capture, connection, child process or temporary folder is never closed by anything shown.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let mut last = None;
    for made in opened::resources(cx.facts) {
        if matches!(made.keeper, Keeper::With) {
            if transactions::report(cx, made, out) {
                continue;
            }
            out.evidence(
                9,
                cx.facts.expr(made.call).span,
                format!("a `with` closes the {}", made.resource.noun()),
            );
            continue;
        }
        let (fault, name) = match cx.facts.field_of(made) {
            Some(field) => (field_fault(cx.facts, made, &field), Some(field.text())),
            None => (
                local_fault(cx.facts, made).or_else(|| wrapped_clients::fault(cx, made)),
                made.holder().map(Holder::text),
            ),
        };
        // A pair of which nothing is closed is one defect.
        if let Some(fault) = fault.filter(|_| last != Some(made.call)) {
            last = Some(made.call);
            report(cx, made, &fault, name, out);
        }
    }
    overridden_close::detect(cx, out);
    overwritten_field::detect(cx, out);
    figures::detect(cx, out);
    unawaited_close::detect(cx, out);
    kept_pipe_end::detect(cx, out);
    never_unsubscribed::detect(cx, out);
}

/// A field of an object that is shown whole and never closes it.
fn field_fault(facts: &Facts, made: &Made, field: &Holder) -> Option<Fault> {
    let mut fault = facts.field_fault(made, field)?;
    let untidy = made.resource.is_memory_like();
    match fault.kind {
        FaultKind::NeverEnded if untidy => {
            let is_file = made.resource.is(Kind::File) || made.resource.is(Kind::Archive);
            let worth = fault.proven && (made.resource.is(Kind::HttpSession) || is_file);
            fault.proven = is_file;
            worth.then_some(fault)
        }
        FaultKind::NeverEnded | FaultKind::OnOwnPath(_) => Some(fault),
        FaultKind::OnlyByCollector(_) if !made.resource.is_memory_like() => {
            fault.proven = false;
            Some(fault)
        }
        _ => None,
    }
}

/// An object of one function; the paths that skip a close are another check's.
fn local_fault(facts: &Facts, made: &Made) -> Option<Fault> {
    if opened::goes_with_session(facts, made) {
        return None;
    }
    let mut fault = facts.local_fault(made)?;
    match fault.kind {
        FaultKind::Skipped(..) | FaultKind::OnlyLast(_) => return None,
        FaultKind::Dropped | FaultKind::Inline if made.resource.is(Kind::Client) => return None,
        FaultKind::Dropped if made.resource == Resource::Hook && !is_of_a_run(facts, made) => {
            return None;
        }
        FaultKind::Dropped => {
            fault.proven = false;
            if opened::is_detached(facts, made) {
                return None;
            }
        }
        FaultKind::NeverEnded if opened::is_detached(facts, made) => return None,
        // The line that waits for the child stands behind the hunk as a rule.
        FaultKind::NeverEnded if made.resource.is(Kind::Subprocess) && !fault.proven => {
            return None;
        }
        _ => {}
    }
    let pooled = made.resource.is(Kind::Redis)
        || made.resource.is(Kind::TempDir)
        || made.resource.is(Kind::OrtSession);
    (!pooled).then_some(fault)
}

/// A hook on a network that was handed in or is kept, in a function that runs it.
fn is_of_a_run(facts: &Facts, made: &Made) -> bool {
    let name = facts.function_name(made.stmt).unwrap_or_default();
    topic::has_word(
        name,
        "predict forward run infer explain extract features compute generate \
         embed process handle",
    )
}

fn report(cx: &Context<'_>, made: &Made, fault: &Fault, name: Option<String>, out: &mut Outcome) {
    let verdict = if is_read_out(cx.facts, made, fault) {
        HitVerdict::Excused(
            "A pipe that is read to its end on the spot is closed with the expression.".to_string(),
        )
    } else {
        HitVerdict::sure_if(fault.proven)
    };
    let words = word(cx.facts, made, fault, name.as_deref());
    let mut hit = opened::hit(cx, &CHECK, made, verdict, words);
    // The lines that are not shown may close it, as they may have before.
    hit.is_unseen =
        matches!(fault.kind, FaultKind::NeverEnded) && !fault.proven && !cx.facts.document.whole;
    if let FaultKind::OnlyByCollector(closing)
    | FaultKind::OnlyAtExit(closing)
    | FaultKind::OnOwnPath(closing) = fault.kind
    {
        hit = hit.with_related(closing.span, "the only close that is shown");
    }
    out.hits.push(hit);
}

/// `os.popen(command).read()`: the child has ended by then, and nobody else has the pipe.
fn is_read_out(facts: &Facts, made: &Made, fault: &Fault) -> bool {
    let reads = match made.keeper {
        Keeper::Inline(call) => {
            let method = facts.call(call).and_then(|call| call.method());
            matches!(method, Some("read" | "readlines"))
        }
        _ => false,
    };
    opens_pipe(facts, made) && reads && matches!(fault.kind, FaultKind::Inline)
}

fn opens_pipe(facts: &Facts, made: &Made) -> bool {
    let made = facts.call(made.call);
    made.is_some_and(|made| made.is(&["os.popen"]))
}

fn word(facts: &Facts, made: &Made, fault: &Fault, name: Option<&str>) -> Words {
    let noun = match opens_pipe(facts, made) {
        true => "pipe",
        false => made.resource.noun(),
    };
    let closes = if made.resource.is_path() {
        "removes"
    } else {
        "closes"
    };
    let message = match (&fault.kind, name) {
        (FaultKind::Inline | FaultKind::ReadBy, _) => {
            format!("The {noun} is opened on the spot, and nobody keeps it to close it.")
        }
        (FaultKind::Dropped, _) => format!("Nobody keeps this {noun}."),
        (FaultKind::OnlyByCollector(_), Some(name)) => {
            format!("Only the collector {closes} the {noun} in `{name}`.")
        }
        (FaultKind::Overwritten, Some(name)) => {
            format!("`{name}` is given a new {noun} while the one before it is still open.")
        }
        (FaultKind::OnOwnPath(_), Some(name)) => {
            format!("Only the end of the work itself {closes} the {noun} in `{name}`.")
        }
        (_, Some(name)) => format!("Nothing shown {closes} the {noun} in `{name}`."),
        (_, None) => format!("Nothing shown {closes} this {noun}."),
    };
    Words::new(message, why(made.resource), ask(made, fault, name))
}

fn why(resource: Resource) -> &'static str {
    match resource {
        Resource::TempFolder | Resource::KeptTempFile => {
            "Each run leaves its files on the disk, and a service that runs for weeks fills it."
        }
        Resource::Hook => {
            "The network keeps the hook and calls it in each later run, once more for each time that this was called, with all that it refers to."
        }
        Resource::Object(Kind::Subprocess) | Resource::Manager => {
            "The child stays behind as a zombie or goes on running, and nobody learns how it ended."
        }
        Resource::Object(Kind::Capture | Kind::VideoWriter | Kind::MediaContainer) => {
            "The device or decoder stays taken until the collector happens to come by; the next open can fail, and a writer can lose its last frames."
        }
        _ => {
            "It stays open until the collector happens to come by, and descriptors or connections run out after days rather than in the test."
        }
    }
}

fn ask(made: &Made, fault: &Fault, name: Option<&str>) -> String {
    let closer = made.resource.closer();
    let name = name.map_or_else(
        || format!("this {}", made.resource.noun()),
        |name| format!("`{name}`"),
    );
    match (&fault.kind, fault.proven) {
        (FaultKind::OnlyByCollector(_), _) => {
            format!("Is there a moment when the owner is done with {name}? Close it there, and keep `__del__` as the fallback.")
        }
        (FaultKind::Overwritten, _) => {
            format!("Is the old one ended before? If not, call `{closer}` on it first.")
        }
        (FaultKind::OnOwnPath(_), _) => {
            format!("What if the work fails, or the caller goes away before its end? Close {name} in the owner's close method as well.")
        }
        (FaultKind::Dropped, _) => "Is it meant to outlive this function? If so, say so where it is started; if not, keep it and wait for it.".to_string(),
        (_, true) if made.resource.is_path() => format!("Remove {name} with `{closer}` in a `finally`, or where its owner closes; or use `TemporaryDirectory` in a `with`."),
        (_, true) => format!("Use a `with`, or call `{closer}` in a `finally` or in the owner's close method."),
        (_, false) => format!("Where is {name} closed? Look for `{closer}` in the lines that are not shown and in what it is given to."),
    }
}
