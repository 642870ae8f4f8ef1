//! Who takes it that a file is there for its being complete: a question for the path whose answer spares the work
//! that makes it.

use super::Facts;
use super::calls::Call;
use super::hir::*;

/// The question that spares the work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spared<'f> {
    /// The file that asks.
    pub(crate) home: &'f Facts,
    pub(crate) stmt: StmtId,
    /// The answer is seen to spare the very work; else another function only asks for the same field.
    pub(crate) decides: bool,
}

/// Callers that are asked for a path which they hand on.
const HOPS: u32 = 3;

/// What asks for more than whether the file is there.
const CHECKS: &[&str] = &[
    "getsize",
    "size",
    "stat",
    "md5",
    "sha1",
    "sha256",
    "hash",
    "checksum",
    "digest",
    "crc32",
    "verify",
    "valid",
    "validate",
    "integrity",
    "complete",
    "corrupted",
    "getmtime",
    "cmp",
    "compare",
    "equal",
    "same",
    "newer",
    "stale",
    "outdated",
    "expired",
    "fresh",
];

impl Facts {
    /// The question for a path whose answer decides whether a statement runs that writes it: in its function, in those
    /// that hand the path on to it, or in another method for a field.
    pub(crate) fn spared(&self, path: ExprId, act: StmtId) -> Option<Spared<'_>> {
        self.spared_within(path, act, HOPS)
            .or_else(|| self.asked_elsewhere(path, act))
    }

    fn spared_within(&self, path: ExprId, act: StmtId, hops: u32) -> Option<Spared<'_>> {
        let hops = hops.checked_sub(1)?;
        if let Some(stmt) = self.asked_here(path, act) {
            let decides = true;
            let home = self;
            return Some(Spared {
                home,
                stmt,
                decides,
            });
        }
        self.handed_paths(path)
            .into_iter()
            .find_map(|(home, value, stmt)| home.spared_within(value, stmt, hops))
    }

    /// Whether a path is a parameter that callers give who are not shown.
    pub(crate) fn is_given_from_afar(&self, path: ExprId) -> bool {
        self.given_within(path, HOPS)
    }

    fn given_within(&self, path: ExprId, hops: u32) -> bool {
        let Some(hops) = hops.checked_sub(1) else {
            return false;
        };
        let is_given = |value| self.parameter(value).is_some();
        let handed = self.handed_paths(path);
        let mut values = self.values(self.bare_path(path)).into_iter();
        match handed.is_empty() {
            true => values.any(is_given),
            false => handed
                .into_iter()
                .any(|(home, value, _)| std::ptr::eq(home, self) && self.given_within(value, hops)),
        }
    }

    /// What the callers give for a path that is a parameter, with the statement that gives it.
    fn handed_paths(&self, path: ExprId) -> Vec<(&Facts, ExprId, StmtId)> {
        let given = self.values(self.bare_path(path)).into_iter();
        let Some((function, param)) = given.filter_map(|value| self.parameter(value)).next() else {
            return Vec::new();
        };
        let name = self.text(param.name);
        let called = self
            .callers(function)
            .into_iter()
            .filter_map(|(home, call)| {
                let value = self.argument_for(&call, function, name)?;
                Some((home, value, call.stmt()))
            });
        let handed = self.arguments_handed(function, name).into_iter();
        let handed = handed.map(|value| (self, value, self.expr(value).stmt));
        called.chain(handed).collect()
    }

    /// The question of the same function.
    fn asked_here(&self, path: ExprId, act: StmtId) -> Option<StmtId> {
        let asks = |call: &Call<'_>| {
            let own = self.stmt(call.stmt()).scope == self.stmt(act).scope;
            own && call.stmt() < act
                && self.questions(call, path)
                && self.spares(call.id, act)
                && !self.asks_more(call, path)
        };
        self.calls_beside(act)
            .take_while(|call| call.stmt() < act)
            .filter(asks)
            .map(|call| call.stmt())
            .last()
    }

    /// Whether a call asks if the path is there, itself or in a helper of the file.
    fn questions(&self, call: &Call<'_>, path: ExprId) -> bool {
        if let Some(asked) = self.asked_path(call) {
            return self.can_be_same_path(asked, path);
        }
        let Some(helper) = self.callee_scope(call) else {
            return false;
        };
        self.scope(helper).params.iter().any(|param| {
            let name = self.text(param.name);
            let given = self.argument_for(call, helper, name);
            given.is_some_and(|given| self.can_be_same_path(given, path))
                && self.answers_for(helper, name)
        })
    }

    /// Whether a helper's answer is whether a parameter's path is there: it returns the question, or under it.
    fn answers_for(&self, helper: ScopeId, param: &str) -> bool {
        let asks = |call: &Call<'_>| {
            let asked = self.asked_path(call);
            asked.is_some_and(|asked| self.name(self.bare_path(asked)) == Some(param))
        };
        self.calls_of(helper).any(|call| {
            asks(&call) && self.gives_answer(&call) && !self.asks_more_of(helper, param)
        })
    }

    fn gives_answer(&self, question: &Call<'_>) -> bool {
        match &self.stmt(question.stmt()).kind {
            StmtKind::Return(_) => true,
            StmtKind::If { body, .. } => self
                .statements_in(body)
                .into_iter()
                .any(|stmt| matches!(self.stmt(stmt).kind, StmtKind::Return(Some(_)))),
            _ => false,
        }
    }

    /// Whether a positive answer to a question keeps a statement of the same function from running.
    fn spares(&self, question: ExprId, act: StmtId) -> bool {
        let stmt = self.expr(question).stmt;
        match &self.stmt(stmt).kind {
            StmtKind::If { test, body, .. } => match self.polarity(question, *test) {
                Some(true) => {
                    self.runs_in(act, stmt, Part::Else)
                        || (self.always_before(stmt, act) && self.is_content(body))
                }
                Some(false) => self.runs_in(act, stmt, Part::Body),
                None => false,
            },
            StmtKind::Assign {
                targets,
                value: Some(value),
                ..
            } => {
                let is_answer = self.polarity(question, *value) == Some(true);
                let mut names = targets.iter().filter_map(|&target| self.name(target));
                is_answer && names.any(|name| self.spares_by_name(name, stmt, act))
            }
            _ => false,
        }
    }

    /// `found = os.path.exists(path)`, asked for later.
    fn spares_by_name(&self, name: &str, asked: StmtId, act: StmtId) -> bool {
        self.exprs_named(name).any(|id| {
            let stmt = self.expr(id).stmt;
            let is_test = matches!(self.stmt(stmt).kind, StmtKind::If { .. });
            is_test
                && stmt > asked
                && stmt < act
                && self.stmt(stmt).scope == self.stmt(act).scope
                && self.spares(id, act)
        })
    }

    fn runs_in(&self, act: StmtId, stmt: StmtId, part: Part) -> bool {
        self.ancestors(act)
            .any(|ancestor| ancestor.stmt == stmt && ancestor.part == part)
    }

    /// Whether a test holds where the question in it does (`true`) or where it does not.
    fn polarity(&self, question: ExprId, test: ExprId) -> Option<bool> {
        let (mut at, mut positive) = (question, true);
        while at != test {
            at = self.expr(at).parent?;
            match self.expr(at).kind {
                ExprKind::Not(_) => positive = !positive,
                ExprKind::Bool { .. } | ExprKind::Await(_) | ExprKind::Walrus { .. } => {}
                _ => return None,
            }
        }
        Some(positive)
    }

    /// Whether a block is content with what is there: it ends by going on elsewhere, and refuses nothing.
    fn is_content(&self, body: &[StmtId]) -> bool {
        let Some(&last) = body.last() else {
            return false;
        };
        match self.stmt(last).kind {
            StmtKind::Continue => true,
            StmtKind::Return(Some(value)) => !self.refuses(value),
            StmtKind::Return(None) => true,
            // `with open(path) as file: return file.read()`.
            StmtKind::With { ref body, .. } => self.is_content(body),
            _ => false,
        }
    }

    /// `return False`, `return error("exists already"), 409`.
    fn refuses(&self, value: ExprId) -> bool {
        let says_no = |text: &str| {
            let text = text.to_ascii_lowercase();
            ["error", "exception", "409", "400", "conflict", "fail"]
                .iter()
                .any(|word| text.contains(word))
        };
        matches!(self.expr(value).kind, ExprKind::False) || says_no(self.expr_text(value))
    }

    /// Whether the function that asks also asks for the size, the digest or the like of what is there.
    fn asks_more(&self, question: &Call<'_>, path: ExprId) -> bool {
        self.calls_of(question.scope())
            .filter(|call| call.id != question.id && says_check(call) && !self.is_only_logged(call))
            .any(|call| {
                let args = call.args.iter().map(|arg| arg.value);
                args.chain(call.receiver())
                    .any(|id| self.can_be_same_path(id, path))
            })
    }

    /// `logger.info("%d bytes", path.stat().st_size)`: told, and not compared with anything.
    fn is_only_logged(&self, call: &Call<'_>) -> bool {
        let StmtKind::Expr(top) = self.stmt(call.stmt()).kind else {
            return false;
        };
        self.call(top)
            .is_some_and(|outer| outer.id != call.id && outer.is_message())
    }

    fn asks_more_of(&self, helper: ScopeId, param: &str) -> bool {
        self.calls_of(helper).filter(says_check).any(|call| {
            let args = call.args.iter().map(|arg| arg.value);
            args.chain(call.receiver())
                .any(|id| self.name(id) == Some(param))
        })
    }

    /// A question of another function for the same field, or for a name of the module.
    fn asked_elsewhere(&self, path: ExprId, act: StmtId) -> Option<Spared<'_>> {
        let path = self.bare_path(path);
        let class = self.class_of(self.stmt(act).scope);
        let is_field = self.self_attribute(path).is_some();
        let is_shared = is_field || (self.is_constant_name(path) && self.name(path).is_some());
        let asks = |call: &Call<'_>| {
            let asked = self.asked_path(call).map(|asked| self.bare_path(asked));
            let same_class = !is_field || self.class_of(call.scope()) == class;
            let apart = self.stmt(call.stmt()).scope != self.stmt(act).scope;
            asked.is_some_and(|asked| self.is_same_path(asked, path))
                && same_class
                && apart
                && self.is_believed(call)
                && !self.asks_more(call, path)
        };
        let found = self.calls().filter(|_| is_shared).find(asks)?;
        Some(Spared {
            home: self,
            stmt: found.stmt(),
            decides: false,
        })
    }

    /// Whether the answer is returned as it is, or a positive one goes on with what is there.
    fn is_believed(&self, question: &Call<'_>) -> bool {
        match &self.stmt(question.stmt()).kind {
            StmtKind::Return(Some(value)) => self.polarity(question.id, *value) == Some(true),
            StmtKind::If { test, body, .. } => match self.polarity(question.id, *test) {
                Some(true) => {
                    !self.asks_to_remove(question)
                        && !matches!(
                            body.last().map(|&last| &self.stmt(last).kind),
                            Some(StmtKind::Raise)
                        )
                }
                Some(false) => body
                    .iter()
                    .any(|&stmt| self.calls_in(stmt).any(|call| says_making(&call))),
                None => false,
            },
            _ => false,
        }
    }
}

fn says_check(call: &Call<'_>) -> bool {
    topic::words(call.name()).any(|word| CHECKS.contains(&&*word))
}

/// A call that says that it makes what is missing.
fn says_making(call: &Call<'_>) -> bool {
    topic::has_word(
        call.name(),
        "download fetch convert export build copy pull save compile",
    )
}
