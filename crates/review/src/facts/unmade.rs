//! Files that a function names before a `try`, makes in it, and removes where it fails.

use super::Facts;
use super::bindings::BindingKind;
use super::deletions::Deletion;
use super::hir::*;
use super::temps::TempKind;

/// What a download, a copy, a child process or a full disk raises before there is a file.
const MAKING_ERRORS: &[&str] = &[
    "OSError",
    "IOError",
    "RequestException",
    "HTTPError",
    "URLError",
    "ConnectionError",
    "TimeoutError",
    "CalledProcessError",
];

impl Facts {
    /// The call that makes a removed path, where the removal also runs if that call, or one before it, failed:
    /// in a `finally` or a handler for such errors of the `try` that the call stands in. Then there may be no such file.
    pub(crate) fn may_be_unmade(&self, deletion: &Deletion<'_>) -> Option<ExprId> {
        let name = self.name(deletion.path)?;
        let outer = self.cleaned_try(deletion.call.stmt())?;
        let is_fresh = self.names_nothing_yet(deletion.path)?;
        let first = self.first_use(deletion.path, name)?;
        let stands_in = |stmt: StmtId| {
            let mut around = self.ancestors(stmt);
            around.any(|around| around.stmt == outer && around.part == Part::Body)
        };
        let making = self
            .argument_of(first)
            .filter(|_| stands_in(self.expr(first).stmt))?;
        let can_fail_before = !self.opens_at_once(making, outer);
        (can_fail_before && (is_fresh || self.says_making(making))).then_some(making)
    }

    /// The `try` that a statement cleans up after, where nothing is asked in between.
    fn cleaned_try(&self, stmt: StmtId) -> Option<StmtId> {
        let nearest = self.ancestors(stmt).next()?;
        let cleans = match nearest.part {
            Part::Finally => true,
            Part::Handler(n) => self
                .handlers(nearest.stmt)
                .get(n as usize)
                .is_some_and(|handler| self.catches(handler, MAKING_ERRORS)),
            _ => false,
        };
        (cleans && self.is_try(nearest.stmt)).then_some(nearest.stmt)
    }

    /// Whether a local name holds a path that was only composed; `true` where no such file can be there before.
    fn names_nothing_yet(&self, path: ExprId) -> Option<bool> {
        let bindings = self.bindings_behind(path);
        let [only] = bindings.as_slice() else {
            return None;
        };
        let BindingKind::Value { value, index: None } = only.kind else {
            return None;
        };
        let mktemp = self
            .call(value)
            .is_some_and(|call| call.is(&["tempfile.mktemp"]));
        let unique = self
            .temp(path)
            .is_some_and(|temp| temp.kind == TempKind::Unique);
        let composed = self.pieces(value).is_some()
            || self.call(value).is_some_and(|call| {
                matches!(
                    call.method(),
                    Some("with_suffix" | "with_name" | "joinpath")
                )
            });
        (mktemp || unique || composed).then_some(mktemp || unique)
    }

    /// The first place that the name is read in its function.
    fn first_use(&self, path: ExprId, name: &str) -> Option<ExprId> {
        let scope = self.expr(path).scope;
        let is_bound_there = |id: ExprId| match &self.stmt(self.expr(id).stmt).kind {
            StmtKind::Assign { targets, .. } => targets.contains(&id),
            _ => false,
        };
        self.exprs_named(name)
            .filter(|&id| self.name(id).is_some() && self.expr(id).scope == scope)
            .find(|&id| !is_bound_there(id))
            .filter(|&id| self.expr(id).span.start < self.expr(path).span.start)
    }

    /// The call that an expression is an argument of, through `str(path)` and the like.
    fn argument_of(&self, id: ExprId) -> Option<ExprId> {
        let mut at = id;
        while let Some(parent) = self.expr(at).parent {
            if let Some(call) = self.call(parent) {
                let wraps = call.is(&["str", "pathlib.Path", "os.fspath"]);
                let is_given = call.args.iter().any(|arg| arg.value == at);
                if !wraps && is_given {
                    return Some(parent);
                }
                if !wraps {
                    return (call.receiver() == Some(at) && makes(call.name())).then_some(parent);
                }
            }
            at = parent;
        }
        None
    }

    /// An open as the first thing of the `try`: what fails behind it finds the file made.
    fn opens_at_once(&self, making: ExprId, outer: StmtId) -> bool {
        let Some(call) = self.call(making) else {
            return false;
        };
        let opens = matches!(call.name(), "open" | "touch" | "mkdir" | "makedirs");
        let body = self.blocks(outer).into_iter().next();
        let first = body
            .and_then(|(_, body)| body.first().copied())
            .map(|first| self.stmt(first).span);
        let nothing_before = first.is_some_and(|first| {
            let mut calls = self.calls_within(Span {
                start: first.start,
                end: self.expr(making).span.start,
            });
            calls.next().is_none()
        });
        opens && nothing_before
    }

    fn says_making(&self, making: ExprId) -> bool {
        self.call(making)
            .is_some_and(|call| makes(call.name()) || call.name().starts_with("to_"))
    }
}

/// Verbs of functions that put something on the path that they are given.
fn makes(name: &str) -> bool {
    topic::has_word(
        name,
        "save write export download dump fetch copy copyfile render convert \
         extract generate create urlretrieve build open archive record backup \
         mkdir makedirs",
    )
}
