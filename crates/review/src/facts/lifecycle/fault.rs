//! What is wrong with the end of an object, if anything.

use super::escapes::is_stub;
use super::lending::{BODIES, READERS};
use super::{Closing, Escape, HeldUse, HeldUseKind, Holder, How, Keeper, Leak, Made, Resource};
use crate::facts::{Call, ExprId, Facts, Kind};

/// An object that is not ended on every path.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    /// Everything that could end it is shown, and nobody else was given it.
    pub(crate) proven: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum FaultKind {
    /// Nothing shown ends it.
    NeverEnded,
    /// It is ended here, but something before can leave.
    Skipped(Leak, Closing),
    /// A loop makes one after the other, and the close behind the loop ends the last only.
    OnlyLast(Closing),
    /// Its name is given to a new one while it is still open.
    Overwritten,
    /// Only the function that opens it closes it, where its work ends by itself.
    OnOwnPath(Closing),
    /// A method is called on it on the spot, and nobody keeps it.
    Inline,
    /// Given to a call that only reads it.
    ReadBy,
    /// The object is made and nobody has it.
    Dropped,
    /// Only the collector ends it, through `__del__`.
    OnlyByCollector(Closing),
    /// Only the interpreter's end does.
    OnlyAtExit(Closing),
}

impl Facts {
    /// What is wrong with an object that a function makes for itself. What escapes belongs to somebody else.
    pub(crate) fn local_fault(&self, made: &Made) -> Option<Fault> {
        match &made.keeper {
            Keeper::Inline(call) => self.inline_fault(*call, made),
            Keeper::Handed(call) => self.handed_fault(*call, made),
            Keeper::Dropped => Some(proven(FaultKind::Dropped)),
            Keeper::Holder(holder @ Holder::Local { .. }) => self.held_fault(made, holder),
            Keeper::Element(holder @ Holder::Local { .. }) => self.element_fault(made, holder),
            Keeper::Iterated if is_file(made) => Some(proven(FaultKind::Inline)),
            Keeper::Elsewhere => self.peeked_fault(made),
            _ => None,
        }
    }

    fn inline_fault(&self, call: ExprId, made: &Made) -> Option<Fault> {
        let method = self.call(call)?.method()?;
        if made.resource.is(Kind::StreamedResponse) && method == "json" {
            return None;
        }
        let ends = made.resource.closers().contains(&method) || method.starts_with("__");
        (!ends).then_some(proven(FaultKind::Inline))
    }

    /// `av.open(path).duration`: nobody has the container afterwards.
    fn peeked_fault(&self, made: &Made) -> Option<Fault> {
        let parent = self.expr(made.call).parent?;
        let (_, name) = self.attribute(parent)?;
        let peeked = match made.resource {
            Resource::Object(Kind::MediaContainer) => !made.resource.closers().contains(&name),
            Resource::Object(Kind::StreamedResponse) => name == "raw",
            Resource::Object(Kind::Subprocess) => matches!(name, "pid" | "stdout" | "stdin"),
            _ => false,
        };
        peeked.then_some(proven(FaultKind::Inline))
    }

    fn handed_fault(&self, call: ExprId, made: &Made) -> Option<Fault> {
        let found = self.call(call)?;
        let sends = sends_body(&found);
        let transfers = matches!(
            found.method(),
            Some("storbinary" | "storlines" | "retrbinary" | "retrlines")
        );
        let reads = is_file(made) && (found.is(READERS) || sends || transfers)
            || made.resource.is(Kind::StreamedResponse) && found.is(READERS);
        let borrows = made.resource.is_pool() && found.method() == Some("run_in_executor");
        let calls_through = is_stub(&found) && self.is_read_by_local(&found, made.resource);
        (reads || borrows || calls_through).then_some(proven(FaultKind::ReadBy))
    }

    fn held_fault(&self, made: &Made, holder: &Holder) -> Option<Fault> {
        let uses = self.uses_after(made, holder);
        let closings = self.closings_among(&uses, made.resource);
        let escapes = uses.iter().any(|of| {
            self.ends(of, made.resource).is_none()
                && self.escapes(of, made.resource)
                && !self.is_only_below(of, made, holder)
                && !self.is_ended_behind(of, &closings)
        });
        if made.resource.is(Kind::StreamedResponse) && self.is_read_whole(made, &uses) {
            return None;
        }
        let is_others = self.may_be_handed_in(holder) && !self.ends_beside(made, &closings);
        if is_others || self.is_deferred(made, &closings) {
            return None;
        }
        if escapes {
            return self.contained_fault(made, &uses);
        }
        if is_device(made) && self.overwrites(made, holder, &closings) {
            return Some(Fault {
                kind: FaultKind::Overwritten,
                proven: false,
            });
        }
        if let Some(fault) = self.only_last(made, holder, &closings) {
            return Some(fault);
        }
        if closings.is_empty() {
            let ends_unseen = self.is_returned_by_annotation(made)
                || self.leads_into_cut_try(made.stmt)
                || self.is_ended_in_other_hunk(made, holder);
            if ends_unseen {
                return None;
            }
            // A path is only read by most of what gets it, unless its result goes to the caller.
            let lent = uses.iter().any(|of| match made.resource.is_path() {
                true => self.is_lent_to_caller(of),
                false => self.is_lent(of),
            });
            let proven = self.sees_all_of(made.stmt) && !lent;
            return Some(Fault {
                kind: FaultKind::NeverEnded,
                proven,
            });
        }
        let leak = self
            .leak(made, holder, &closings)
            .or_else(|| self.branch_without_end(made, holder, &closings))?;
        let first = *closings.iter().find(|closing| closing.stmt > leak.stmt)?;
        let is_exit = made.resource != Resource::Opened || leak.escape == Escape::Leave;
        let sure = !leak.guarded_later && leak.escape != Escape::Branch && is_exit;
        Some(Fault {
            kind: FaultKind::Skipped(leak, first),
            proven: self.sees_enclosure(made.stmt) && sure,
        })
    }

    /// `rows = self._select(connection)`, and then the connection is closed: the result does not own it.
    fn is_ended_behind(&self, of: &HeldUse, closings: &[Closing]) -> bool {
        let behind = self.following(of.stmt);
        let is_result = matches!(of.kind, HeldUseKind::Bound(..));
        is_result
            && closings
                .iter()
                .any(|closing| behind.contains(&closing.stmt))
    }

    /// Made and closed in one block: whatever else the name can mean, this one is the function's own.
    fn ends_beside(&self, made: &Made, closings: &[Closing]) -> bool {
        let behind = self.following(made.stmt);
        closings
            .iter()
            .any(|closing| behind.contains(&closing.stmt))
    }

    /// An object that goes into one container of this function and nowhere else.
    fn contained_fault(&self, made: &Made, uses: &[HeldUse]) -> Option<Fault> {
        let mut containers = uses
            .iter()
            .filter(|of| self.ends(of, made.resource).is_none() && self.escapes(of, made.resource))
            .map(|of| self.own_container_of(of));
        let first = containers.next()??;
        let alone = containers.all(|other| other.as_ref() == Some(&first));
        alone.then(|| self.element_fault(made, &first)).flatten()
    }

    /// `Document(folder / "page.pdf")` reads what lies in the folder and does not take the folder over.
    fn is_only_below(&self, of: &HeldUse, made: &Made, holder: &Holder) -> bool {
        let is_folder = made.resource == Resource::TempFolder;
        let itself = self.text(of.span) == holder.text();
        is_folder && !itself && matches!(of.kind, HeldUseKind::Passed(_))
    }

    /// The uses of a local name that can mean this object: from its making to the next assignment in the same block.
    fn uses_after(&self, made: &Made, holder: &Holder) -> Vec<HeldUse> {
        let from = self.expr(made.call).span.end;
        let until = self.next_binding(made, holder).unwrap_or(u32::MAX);
        let mut uses = self.uses_of(holder);
        let in_loop = self.in_loop(made.stmt);
        uses.retain(|of| in_loop || (of.span.start >= from && of.span.start < until));
        uses
    }

    fn next_binding(&self, made: &Made, holder: &Holder) -> Option<u32> {
        let Holder::Local { function, name } = holder else {
            return None;
        };
        let block = self.block_of(made.stmt);
        self.bindings_of(*function, name)
            .iter()
            .filter(|binding| binding.stmt > made.stmt && block.contains(&binding.stmt))
            .map(|binding| binding.span.start)
            .next()
    }

    pub(super) fn closings_among(&self, uses: &[HeldUse], resource: Resource) -> Vec<Closing> {
        let ending = |of: &HeldUse| {
            let how = self.ends(of, resource)?;
            Some(Closing {
                how,
                stmt: of.stmt,
                span: of.span,
            })
        };
        uses.iter().filter_map(ending).collect()
    }

    /// Whether an exit stack, a callback or a nested function ends it later.
    pub(super) fn is_deferred(&self, made: &Made, closings: &[Closing]) -> bool {
        let scope = self.canonical(self.stmt(made.stmt).scope);
        closings.iter().any(|closing| {
            matches!(closing.how, How::Callback | How::Finalizer | How::Atexit)
                || self.canonical(self.stmt(closing.stmt).scope) != scope
        })
    }
}

/// A request with a body, an upload to a store: neither closes what it reads.
fn sends_body(call: &Call<'_>) -> bool {
    let has_body = || BODIES.iter().any(|name| call.keyword(name).is_some());
    match call.name() {
        "post" | "put" | "patch" | "request" | "put_object" => has_body(),
        "upload_blob" | "upload_from_file" | "upload_part" | "files_upload_v2" => {
            call.receiver().is_some()
        }
        _ => false,
    }
}

fn is_file(made: &Made) -> bool {
    made.resource.is(Kind::File) || made.resource.is(Kind::Archive)
}

/// A device, process or connection: another open of it can fail, or the other side waits.
pub(super) fn is_device(made: &Made) -> bool {
    matches!(
        made.resource,
        Resource::Connection
            | Resource::Descriptor
            | Resource::Object(
                Kind::Capture
                    | Kind::VideoWriter
                    | Kind::MediaContainer
                    | Kind::Socket
                    | Kind::Client
                    | Kind::Subprocess
                    | Kind::SharedMemory
            )
    )
}

fn proven(kind: FaultKind) -> Fault {
    Fault { kind, proven: true }
}
