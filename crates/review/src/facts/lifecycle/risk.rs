//! What can leave a function between an object's making and its end.

use super::closing::{Closing, How};
use super::{Holder, Made, Resource};
use crate::facts::{Call, ExprId, ExprKind, Facts, Handler, Part, StmtId, StmtKind};

/// A way out that passes the closing by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leak {
    pub(crate) stmt: StmtId,
    pub(crate) escape: Escape,
    /// The closing stands in a `finally` or a `with`, but that begins too late.
    pub(crate) guarded_later: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escape {
    /// Something that can raise.
    Raise,
    /// `return`, `break` or `continue`.
    Leave,
    /// The other arm of an `if`.
    Branch,
}

/// Calls that do not raise on what such code gives them.
const CALM: &[&str] = &[
    "len",
    "isinstance",
    "str",
    "int",
    "float",
    "bool",
    "round",
    "min",
    "max",
    "range",
    "enumerate",
    "zip",
    "list",
    "dict",
    "set",
    "tuple",
    "sorted",
    "abs",
    "time",
    "perf_counter",
    "monotonic",
    "now",
    "append",
    "add",
    "items",
    "keys",
    "values",
    "lower",
    "upper",
    "strip",
    "split",
    "format",
    "join",
    "getLogger",
    "getattr",
    "hasattr",
    "id",
    "type",
    "repr",
    "super",
    "Lock",
    "Event",
    "Queue",
    "deque",
    "defaultdict",
    "Path",
    "startswith",
    "endswith",
    "replace",
    "is_set",
    "set_result",
    "Thread",
    "VideoWriter_fourcc",
    "get_logger",
    "sleep",
    "copy",
    "isOpened",
    "cast",
    "Counter",
    "is_alive",
    "VideoCapture",
    "VideoWriter",
    "to_bytes",
];

/// Whether a call neither raises nor keeps what it is given, by its name.
pub(super) fn is_calm(call: &Call<'_>) -> bool {
    call.is_message() || CALM.contains(&call.name())
}

impl Facts {
    /// Whether something in a statement's own expressions can raise in practice: a wait, or a call that is not known to be calm.
    pub(crate) fn can_fail(&self, stmt: StmtId) -> bool {
        let calls = |call: Call<'_>| {
            let on_disk = call.callee().starts_with("os.") && call.name() != "join";
            let is_logged = matches!(
                call.receiver().and_then(|of| self.last_name(of)),
                Some("logger" | "logging" | "log")
            );
            !is_logged && (on_disk || !is_calm(&call))
        };
        let defines = matches!(
            self.stmt(stmt).kind,
            StmtKind::Function { .. } | StmtKind::Class { .. } | StmtKind::Import
        );
        let handles = self.enclosing_handler(stmt).is_some();
        let raises = matches!(self.stmt(stmt).kind, StmtKind::Raise);
        !defines && !handles && (raises || self.awaits(stmt) || self.calls_in(stmt).any(calls))
    }

    /// The first way out between an object's making and its closings that passes them by.
    pub(crate) fn leak(&self, made: &Made, holder: &Holder, closings: &[Closing]) -> Option<Leak> {
        let last = closings.iter().map(|closing| closing.stmt).max()?;
        let guarded_later = closings
            .iter()
            .any(|closing| closing.how == How::With || self.in_finally(closing.stmt));
        let in_handlers = closings
            .iter()
            .filter(|closing| self.enclosing_handler(closing.stmt).is_some())
            .count();
        self.statements_of(self.stmt(made.stmt).scope)
            .filter(|&stmt| stmt > made.stmt && stmt < last)
            .filter(|&stmt| !self.is_covered(stmt, made, closings))
            .find_map(|stmt| {
                let escape = self.escape_at(stmt, made, holder)?;
                // Where each `except` closes, a call between two of the `try` blocks is hardly a leak.
                if in_handlers > 1 && escape == Escape::Raise {
                    return None;
                }
                Some(Leak {
                    stmt,
                    escape,
                    guarded_later,
                })
            })
    }

    /// Whether the object is ended whatever happens at a statement, or does not exist there.
    pub(crate) fn is_covered(&self, stmt: StmtId, made: &Made, closings: &[Closing]) -> bool {
        let ends_here = |closing: &Closing| {
            closing.stmt == stmt
                || self.always_before(closing.stmt, stmt)
                || self.is_tried_before(closing.stmt, stmt, made)
                || self.is_with_around(closing, stmt)
        };
        closings.iter().any(ends_here)
            || self.is_other_branch(made.stmt, stmt)
            || self.handles_failed_making(made.stmt, stmt)
            || self.ancestors(stmt).any(|around| {
                self.is_try(around.stmt)
                    && around.part != Part::Finally
                    && self.try_ends(around.stmt, around.part, closings)
            })
            || self.in_finally(stmt)
    }

    /// The closing stands in a `try` of its own before, and perhaps behind a test of the object: it was tried at least.
    fn is_tried_before(&self, closing: StmtId, stmt: StmtId, made: &Made) -> bool {
        let is_tested = || {
            made.holder()
                .is_some_and(|holder| self.tests_after(closing, made.stmt, holder))
        };
        let passes = |outer: StmtId| match self.stmt(outer).kind {
            StmtKind::Try { .. } => true,
            StmtKind::If { .. } => is_tested(),
            _ => false,
        };
        self.ancestors(closing)
            .take_while(|around| around.part == Part::Body && passes(around.stmt))
            .any(|around| self.is_try(around.stmt) && self.always_before(around.stmt, stmt))
    }

    fn is_with_around(&self, closing: &Closing, stmt: StmtId) -> bool {
        closing.how == How::With && self.stmt(closing.stmt).span.contains(self.stmt(stmt).span)
    }

    /// Whether a `try` ends the object when something in this part of it raises or leaves.
    fn try_ends(&self, outer: StmtId, part: Part, closings: &[Closing]) -> bool {
        let StmtKind::Try {
            handlers, finally, ..
        } = &self.stmt(outer).kind
        else {
            return false;
        };
        let holds = |block: &[StmtId]| {
            let inside = self.statements_in(block);
            closings
                .iter()
                .any(|closing| inside.contains(&closing.stmt))
        };
        let closes_behind = closings
            .iter()
            .any(|closing| self.stmt(closing.stmt).span.start >= self.stmt(outer).span.end);
        let ends = |handler: &Handler| {
            holds(&handler.body) || (closes_behind && !self.always_leaves(&handler.body))
        };
        let handled = part == Part::Body
            && handlers
                .iter()
                .any(|handler| self.catches_all(handler) && ends(handler));
        holds(finally) || handled
    }

    /// In the handler of a `try` whose last step makes the object there is none to end.
    fn handles_failed_making(&self, made: StmtId, stmt: StmtId) -> bool {
        let last = self.following(made).is_empty();
        let outer = self
            .stmt(made)
            .parent
            .filter(|slot| slot.part == Part::Body && last);
        outer.is_some_and(|outer| {
            self.ancestors(stmt)
                .any(|around| around.stmt == outer.stmt && matches!(around.part, Part::Handler(_)))
        })
    }

    /// Whether two statements stand in different branches of one statement.
    pub(crate) fn is_other_branch(&self, a: StmtId, b: StmtId) -> bool {
        self.ancestors(a).any(|of_a| {
            let branches = matches!(
                self.stmt(of_a.stmt).kind,
                StmtKind::If { .. } | StmtKind::Match(_)
            );
            branches
                && self
                    .ancestors(b)
                    .any(|of_b| of_b.stmt == of_a.stmt && of_b.part != of_a.part)
        })
    }

    fn escape_at(&self, stmt: StmtId, made: &Made, holder: &Holder) -> Option<Escape> {
        // In `if not capture.isOpened(): raise` there is nothing to end: the test is about the object itself.
        if self.tests_after(stmt, made.stmt, holder) {
            return None;
        }
        match self.stmt(stmt).kind {
            StmtKind::Raise => Some(Escape::Raise),
            StmtKind::Return(_) => Some(Escape::Leave),
            StmtKind::Break | StmtKind::Continue => {
                let outer = self.innermost_loop(stmt)?;
                let made_inside = self.stmt(outer).span.contains(self.stmt(made.stmt).span);
                made_inside.then_some(Escape::Leave)
            }
            StmtKind::Function { .. } | StmtKind::Class { .. } | StmtKind::Import => None,
            // That a handler's own calls raise as well is too far to ask for.
            _ if self.enclosing_handler(stmt).is_some() => None,
            _ => self
                .calls_what_may_raise(stmt, made, holder)
                .then_some(Escape::Raise),
        }
    }

    /// Assumes that each call raises at times which is not known to be calm, with what was made at hand.
    fn calls_what_may_raise(&self, stmt: StmtId, made: &Made, holder: &Holder) -> bool {
        let scope = self.stmt(stmt).scope;
        self.exprs_of(stmt)
            .filter(|&id| self.expr(id).scope == scope)
            .any(|id| match self.expr(id).kind {
                ExprKind::Await(_) | ExprKind::Yield => true,
                ExprKind::Call { .. } => self
                    .call(id)
                    .is_some_and(|call| !self.is_calm(&call, made, holder)),
                _ => false,
            })
    }

    fn is_calm(&self, call: &Call<'_>, made: &Made, holder: &Holder) -> bool {
        let own = call
            .receiver()
            .is_some_and(|receiver| self.is_held_by(receiver, holder));
        // `copy` and `replace` of a value are calm, those of the file system are not.
        let on_disk = call.callee().starts_with("os.") || call.callee().starts_with("shutil.");
        let calm = is_calm(call) && (!on_disk || call.name() == "join");
        // `decode("utf-8")` of bytes; a container's `decode` takes a stream.
        let text = call.name() == "decode"
            && call
                .positional(0)
                .is_some_and(|arg| self.string(arg).is_some());
        // Another name for the same descriptor.
        let doubles = made.resource == Resource::Descriptor
            && matches!(call.callee(), "os.dup" | "os.dup2" | "os.pipe");
        calm || text || doubles || (own && made.resource.has_calm(call.name()))
    }

    fn is_held_by(&self, id: ExprId, holder: &Holder) -> bool {
        self.holder_of(id).as_ref() == Some(holder)
    }
}
