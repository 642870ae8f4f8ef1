//! A loader answers a failure with `None`, and its caller keeps and uses that as the table it asked for.

use crate::facts::{Call, ExprId, ExprKind, Facts, ScopeId, Span, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "none-after-failure",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "A function returns `None` where it failed and a table otherwise; what it gave is kept and used as a table untested.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.idle_file(cx.profile).is_some() {
        return;
    }
    for call in facts.calls() {
        let Some(kept) = kept_in(facts, &call) else {
            continue;
        };
        let failure = facts
            .callee_scope(&call)
            .filter(|&loader| gives_table(facts, loader))
            .and_then(|loader| none_on_failure(facts, loader));
        let Some(failure) = failure else {
            continue;
        };
        if let Some(used) = used_untested(facts, &call, kept) {
            report(facts, &call, kept, (failure, used), out);
        }
    }
}

/// The field that is given what the call answers: `self._plans = self._load()`, in a class that is shown whole.
fn kept_in(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        ..
    } = &facts.stmt(call.stmt()).kind
    else {
        return None;
    };
    let class = facts.class_of(call.scope())?;
    let given = facts.awaited_call(*value).map(|given| given.id) == Some(call.id);
    let mut fields = targets.iter().copied();
    let field = fields.find(|&target| facts.self_attribute(target).is_some())?;
    (given && facts.is_visible(class)).then_some(field)
}

/// The statement of a handler for a failure that answers with `None`.
fn none_on_failure(facts: &Facts, loader: ScopeId) -> Option<StmtId> {
    let gives_none = |stmt: StmtId| match facts.stmt(stmt).kind {
        StmtKind::Return(None) => true,
        StmtKind::Return(Some(value)) => matches!(facts.expr(value).kind, ExprKind::None),
        _ => false,
    };
    facts
        .statements_of(loader)
        .find(|&stmt| gives_none(stmt) && facts.enclosing_handler(stmt).is_some())
}

/// Some way out of the function gives a dict or list that it made.
fn gives_table(facts: &Facts, loader: ScopeId) -> bool {
    let is_display = |value: ExprId| {
        let display = matches!(
            facts.expr(value).kind,
            ExprKind::Dict(_)
                | ExprKind::List(_)
                | ExprKind::Set(_)
                | ExprKind::Comprehension { .. }
        );
        display
            || facts
                .call(value)
                .is_some_and(|call| matches!(call.callee(), "dict" | "list" | "set"))
    };
    facts
        .returns_of(loader)
        .any(|value| facts.values(value).into_iter().any(is_display))
}

/// The first use as a table, where no test of the class asks whether there is one.
fn used_untested(facts: &Facts, call: &Call<'_>, field: ExprId) -> Option<ExprId> {
    let class = facts.class_of(call.scope())?;
    let name = facts.self_attribute(field)?;
    let span = facts.scope(class).span;
    let is_it = |id: ExprId| facts.self_attribute(id) == Some(name);
    let uses: Vec<ExprId> = facts.exprs_within(span).filter(|&id| is_it(id)).collect();
    let is_tested = uses.iter().any(|&id| is_tested(facts, id));
    let is_replaced = uses
        .iter()
        .any(|&id| follows_with_another(facts, call, field, id));
    let first = uses.into_iter().find(|&id| is_table_use(facts, id))?;
    (!is_tested && !is_replaced).then_some(first)
}

/// `if self._plans:`, `self._plans is None`, `self._plans or {}`, `not self._plans`.
fn is_tested(facts: &Facts, id: ExprId) -> bool {
    let Some(parent) = facts.expr(id).parent else {
        return match facts.stmt(facts.expr(id).stmt).kind {
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => test == id,
            StmtKind::Assert(_) => true,
            _ => false,
        };
    };
    match &facts.expr(parent).kind {
        ExprKind::Bool { .. } | ExprKind::Not(_) => true,
        ExprKind::Conditional { test, .. } => *test == id,
        ExprKind::Compare {
            operands,
            operators,
        } => {
            let first = operands.first() == Some(&id);
            let sign = operators.first().map_or("", |&sign| facts.text(sign));
            first && !sign.ends_with("in")
        }
        ExprKind::Call { args, .. } => {
            let call = facts.call(parent);
            let asks = call.is_some_and(|call| matches!(call.callee(), "isinstance" | "bool"));
            asks && args.iter().any(|arg| arg.value == id)
        }
        _ => false,
    }
}

/// The same function gives the field another value behind the call.
fn follows_with_another(facts: &Facts, call: &Call<'_>, field: ExprId, id: ExprId) -> bool {
    let stmt = facts.expr(id).stmt;
    let binds =
        matches!(&facts.stmt(stmt).kind, StmtKind::Assign { targets, .. } if targets.contains(&id));
    binds && id != field && stmt > call.stmt() && facts.stmt(stmt).scope == call.scope()
}

/// `key in self._plans`, `self._plans[key]`, `self._plans.get(key)`, `for key in self._plans`.
fn is_table_use(facts: &Facts, id: ExprId) -> bool {
    let Some(parent) = facts.expr(id).parent else {
        return matches!(facts.stmt(facts.expr(id).stmt).kind, StmtKind::For { iter, .. } if iter == id);
    };
    match &facts.expr(parent).kind {
        ExprKind::Subscript { object, .. } => *object == id,
        ExprKind::Attribute { object, .. } => {
            *object == id
                && facts
                    .expr(parent)
                    .parent
                    .is_some_and(|call| facts.call(call).is_some())
        }
        ExprKind::Compare {
            operands,
            operators,
        } => {
            let sign = operators.first().map_or("", |&sign| facts.text(sign));
            operands.last() == Some(&id) && sign.ends_with("in")
        }
        ExprKind::Call { args, .. } => {
            let call = facts.call(parent);
            let counts =
                call.is_some_and(|call| matches!(call.callee(), "len" | "iter" | "sorted"));
            counts && args.iter().any(|arg| arg.value == id)
        }
        _ => false,
    }
}

fn report(
    facts: &Facts,
    call: &Call<'_>,
    kept: ExprId,
    (failure, used): (StmtId, ExprId),
    out: &mut Outcome,
) {
    let failed: Span = facts.stmt(failure).head;
    let words = word(facts, call, kept);
    let anchor = Anchor {
        stmt: failure,
        span: failed,
    };
    let mut hit = Hit::new(&CHECK, anchor, HitVerdict::Violation, words)
        .with_related(call.span(), "its answer is kept here")
        .with_related(facts.expr(used).span, "and used as a table here");
    hit.causes.push(call.span());
    out.hits.push(hit);
}

fn word(facts: &Facts, call: &Call<'_>, kept: ExprId) -> Words {
    let field = facts.expr_text(kept);
    Words::new(
        format!(
            "A failure is answered with `None`, which `{field}` then holds in place of its table."
        ),
        format!(
            "`{}` fails quietly, and each later look-up in `{field}` raises `TypeError`: the failure that was made light of takes the whole object with it.",
            call.name()
        ),
        "Return an empty table where the load failed, or test for `None` where the answer is kept.",
    )
}
