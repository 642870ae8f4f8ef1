//! An `__exit__` whose answer is true without being meant so: the error of the body is gone.

use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, Kind, ScopeId, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "exit-suppresses",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "`__exit__` returns a value that counts as true whatever happened, which drops the error of the `with` body.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.idle_file(cx.profile).is_some() {
        return;
    }
    for stmt in facts.stmt_ids() {
        let StmtKind::Return(Some(value)) = facts.stmt(stmt).kind else {
            continue;
        };
        let Some(exit) = exit_of(facts, stmt) else {
            continue;
        };
        let answer = answer(facts, exit, value).filter(|_| !asks_for_error(facts, exit));
        if let Some(answer) = answer {
            let anchor = Anchor::stmt(facts, stmt);
            let words = word(facts, exit, value, answer);
            out.hits
                .push(Hit::new(&CHECK, anchor, HitVerdict::Violation, words));
        }
    }
}

/// The `__exit__` or `__aexit__` that a statement returns from, in a class that is not there to swallow.
fn exit_of(facts: &Facts, stmt: StmtId) -> Option<ScopeId> {
    let scope = facts.stmt(stmt).scope;
    let is_exit = matches!(facts.scope_name(scope), Some("__exit__" | "__aexit__"));
    let class = facts.class_of(scope).filter(|_| is_exit)?;
    let name = facts.scope_name(class).unwrap_or("");
    let is_meant = SWALLOWERS.iter().any(|word| topic::says(name, word));
    (!is_meant).then_some(scope)
}

/// Words in names of classes that swallow by design.
const SWALLOWERS: &[&str] = &[
    "suppress",
    "suppressor",
    "ignore",
    "ignoring",
    "swallow",
    "catch",
    "catcher",
    "catching",
    "silence",
    "silent",
    "quiet",
    "capture",
    "expect",
    "assert",
    "raises",
    "safe",
    "tolerant",
    "mock",
    "fake",
    "dummy",
    "null",
    "noop",
    "handler",
    "retry",
    "shield",
    "try",
];

/// The method looks at what was raised: it decides.
fn asks_for_error(facts: &Facts, exit: ScopeId) -> bool {
    let entry = facts.scope(exit);
    let given: Vec<&str> = entry
        .params
        .iter()
        .skip(1)
        .map(|param| facts.text(param.name).trim_start_matches('*'))
        .collect();
    facts
        .exprs_within(entry.span)
        .any(|id| facts.name(id).is_some_and(|name| given.contains(&name)))
}

/// What is returned that counts as true.
#[derive(Clone, Copy)]
enum Answer {
    True,
    Itself,
    /// A count, a length, a time.
    Number,
    /// What a method of the class answers.
    Method,
}

fn answer(facts: &Facts, exit: ScopeId, value: ExprId) -> Option<Answer> {
    match facts.expr(value).kind {
        ExprKind::True => Some(Answer::True),
        ExprKind::Name if facts.name(value) == Some("self") => Some(Answer::Itself),
        ExprKind::Number if facts.expr_text(value).trim_matches(['0', '.']).is_empty() => None,
        _ if says_number(facts, exit) => Some(Answer::Number),
        _ if counts(facts, value, 3) => Some(Answer::Number),
        _ => {
            let call = facts.awaited_call(value)?;
            let told = is_told(facts, exit, &call);
            (told && answers(facts, &call)).then_some(Answer::Method)
        }
    }
}

/// `def __exit__(self, *error) -> int`.
fn says_number(facts: &Facts, exit: ScopeId) -> bool {
    let returns = facts.scope(exit).returns;
    returns.is_some_and(|class| matches!(facts.expr_text(class), "int" | "float" | "str"))
}

/// A call of a method of the class itself.
fn is_told(facts: &Facts, exit: ScopeId, call: &Call<'_>) -> bool {
    let of_self = facts.self_attribute(call.function).is_some();
    of_self
        && facts
            .callee_scope(call)
            .is_some_and(|callee| callee != exit)
}

/// The method returns something that can count as true.
fn answers(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(method) = facts.callee_scope(call) else {
        return false;
    };
    let is_something = |value: ExprId| {
        matches!(facts.expr(value).kind, ExprKind::True)
            || facts.name(value) == Some("self")
            || counts(facts, value, 3)
    };
    facts.is_visible(method)
        && !facts.scope(method).is_generator
        && facts.returns_of(method).any(is_something)
}

/// A number or a container: `len(rows)`, `time.time() - start`, `released` that was counted up.
fn counts(facts: &Facts, value: ExprId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    match &facts.expr(value).kind {
        ExprKind::Number => !facts.expr_text(value).trim_matches(['0', '.']).is_empty(),
        ExprKind::Binary { left, right, .. } => {
            counts(facts, *left, depth) || counts(facts, *right, depth)
        }
        ExprKind::Call { .. } => facts.call(value).is_some_and(|call| {
            call.is(&[
                "len",
                "sum",
                "time.time",
                "time.monotonic",
                "time.perf_counter",
            ]) || (call.method() == Some("wait") && waits_for_child(facts, &call))
        }),
        ExprKind::Name => {
            let bound = facts.bindings_behind(value);
            let by_value = |id: ExprId| id != value && counts(facts, id, depth);
            facts.values(value).into_iter().any(by_value)
                || bound
                    .iter()
                    .any(|binding| matches!(binding.kind, BindingKind::Augmented(_)))
        }
        _ => false,
    }
}

/// The code that a child ended with.
fn waits_for_child(facts: &Facts, call: &Call<'_>) -> bool {
    let child = call.receiver();
    child.is_some_and(|child| facts.kind_of(child) == Some(Kind::Subprocess))
}

fn word(facts: &Facts, exit: ScopeId, value: ExprId, answer: Answer) -> Words {
    let name = facts.scope_name(exit).unwrap_or("__exit__");
    let what = facts.expr_text(value).lines().next().unwrap_or_default();
    let says = match answer {
        Answer::True | Answer::Itself => "counts as true",
        Answer::Number => "counts as true unless it is zero",
        Answer::Method => "can count as true",
    };
    Words::new(
        format!("`{name}` returns `{what}`, which {says}, without asking what was raised."),
        "A true answer tells Python to drop the error of the `with` body: the code behind the block goes on as if it had worked, and no log says so.",
        "Return nothing here: do the work as a statement of its own, and keep what it answers in a variable or a log line.",
    )
}
