//! Whether an object leaves the function that made it, so that somebody else has to end it.

use super::uses::{HeldUse, HeldUseKind};
use super::{Holder, Keeper, Resource, risk};
use crate::facts::{Call, ExprId, Facts, Kind, StmtKind};

/// Fields of an object that are no methods: who gets one does not get the object.
const PLAIN_FIELDS: &[&str] = &[
    "buf",
    "raw",
    "name",
    "stdin",
    "stdout",
    "stderr",
    "pid",
    "headers",
    "status_code",
    "status",
    "streams",
    "shape",
    "content",
    "text",
    "url",
    "returncode",
];

impl Facts {
    /// Whether an object escapes from the function that made it, so that somebody else ends it:
    /// returned, yielded, stored, or given to a constructor, partial, callback or thread.
    pub(crate) fn escapes(&self, of: &HeldUse, resource: Resource) -> bool {
        match of.kind {
            HeldUseKind::Returned | HeldUseKind::Yielded | HeldUseKind::Stored(_) => true,
            HeldUseKind::Passed(call) => self.call(call).is_some_and(|call| {
                let borrows = resource.is_path() || is_stub(&call);
                takes_over(&call, resource) && !(borrows && self.is_read_by_local(&call, resource))
            }),
            HeldUseKind::Bound(attribute, _) if self.is_plain_field(attribute) => {
                self.hands_out_stream(attribute, resource)
            }
            HeldUseKind::Bound(_, given) => {
                let call = given.and_then(|call| self.call(call));
                let keeps = call.is_some_and(|call| !risk::is_calm(&call));
                keeps && !resource.is_pool() && resource != Resource::Daemon
            }
            _ => false,
        }
    }

    /// `info = PathInfo(path)` of a local that goes nowhere: an object that is given a path reads it. So does a stub that
    /// calls through a channel.
    pub(super) fn is_read_by_local(&self, call: &Call<'_>, resource: Resource) -> bool {
        if matches!(self.keeper_of(call.id), Keeper::Inline(_)) {
            return true;
        }
        let Keeper::Holder(holder @ Holder::Local { .. }) = self.keeper_of(call.id) else {
            return false;
        };
        let uses = self.uses_of(&holder);
        let moves = |of: &HeldUse| match of.kind {
            HeldUseKind::Passed(inner) => inner != call.id && self.escapes_once(of, resource),
            _ => self.escapes_once(of, resource),
        };
        !uses.iter().any(moves)
    }

    fn escapes_once(&self, of: &HeldUse, resource: Resource) -> bool {
        match of.kind {
            HeldUseKind::Returned | HeldUseKind::Yielded | HeldUseKind::Stored(_) => true,
            HeldUseKind::Passed(call) => self
                .call(call)
                .is_some_and(|call| takes_over(&call, resource)),
            _ => false,
        }
    }

    /// `return response.raw`: whoever gets the stream closes it, and the connection with it.
    fn hands_out_stream(&self, attribute: ExprId, resource: Resource) -> bool {
        let is_raw = self.last_name(attribute) == Some("raw");
        let stmt = self.expr(attribute).stmt;
        let is_returned =
            matches!(self.stmt(stmt).kind, StmtKind::Return(Some(value)) if value == attribute);
        resource.is(Kind::StreamedResponse) && is_raw && is_returned
    }

    fn is_plain_field(&self, attribute: ExprId) -> bool {
        let name = self.attribute(attribute).map(|(_, name)| name);
        name.is_some_and(|name| PLAIN_FIELDS.contains(&name))
    }
}

/// `RatingStub(channel)`: generated code that never closes the channel that it is given.
pub(super) fn is_stub(call: &Call<'_>) -> bool {
    call.name().ends_with("Stub")
}

/// Constructors, partials, threads, callbacks and containers keep what they are given;
/// a path is only read by most of them.
fn takes_over(call: &Call<'_>, resource: Resource) -> bool {
    let name = call.name();
    let constructs = name.trim_start_matches('_').starts_with(char::is_uppercase) || name == "cls";
    let keeps = matches!(
        name,
        "partial"
            | "submit"
            | "spawn"
            | "spawn_n"
            | "spawn_raw"
            | "start_soon"
            | "start_new_thread"
            | "append"
            | "add"
            | "put"
            | "put_nowait"
            | "setdefault"
            | "register"
            | "cast"
            | "add_done_callback"
            | "extend"
            | "insert"
            | "setattr"
            | "fdopen"
            | "makefile"
    );
    let reads_path = resource.is_path() && matches!(name, "Path" | "ZipFile" | "TarFile");
    (constructs && !reads_path) || keeps
}
