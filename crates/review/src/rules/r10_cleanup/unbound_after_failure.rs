//! A name that only the failed `try` would have bound is used behind it.

use crate::facts::{
    Binding, BindingKind, Call, ExprId, Facts, Handler, ScopeId, ScopeKind, Span, StmtId, StmtKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unbound-after-failure",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "A handler goes on after a failure, and the code behind it uses a name that only the failed `try` binds.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    for stmt in facts.stmt_ids() {
        let StmtKind::Try { body, handlers, .. } = &facts.stmt(stmt).kind else {
            continue;
        };
        let scope = facts.stmt(stmt).scope;
        let judged = facts.scope(scope).kind == ScopeKind::Function;
        let goes_on = |handler: &&Handler| falls_through(facts, handler);
        let Some(handler) = handlers.iter().find(goes_on).filter(|_| judged) else {
            continue;
        };
        let mut names = bound_in(facts, body).into_iter();
        if let Some((name, used)) = names.find_map(|name| {
            let used = used_behind(facts, stmt, body, handler, name)?;
            Some((name, used))
        }) {
            report(cx, stmt, handler, name, used, out);
        }
    }
}

/// The end of the handler is reached in each case: nothing in it leaves, or calls what never comes back.
fn falls_through(facts: &Facts, handler: &Handler) -> bool {
    let leaves = |&stmt: &StmtId| {
        let by_kind = matches!(
            facts.stmt(stmt).kind,
            StmtKind::Return(_)
                | StmtKind::Raise
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Assert(_)
        );
        by_kind || facts.calls_in(stmt).any(|call| ends_program(facts, &call))
    };
    facts.scaffold_at(handler.span.start).is_none()
        && !facts.statements_in(&handler.body).iter().any(leaves)
}

/// `sys.exit(1)`, `parser.error(...)`, `self.fail(...)`, `raise_from(error)`.
fn ends_program(facts: &Facts, call: &Call<'_>) -> bool {
    let words: Vec<_> = topic::words(call.name()).collect();
    let ends = words.iter().any(|word| {
        matches!(
            &**word,
            "exit"
                | "abort"
                | "fail"
                | "skip"
                | "die"
                | "fatal"
                | "quit"
                | "raise"
                | "reraise"
                | "throw"
        )
    });
    let tells_parser = call.method() == Some("error")
        && call
            .receiver()
            .and_then(|of| facts.last_name(of))
            .is_some_and(|name| topic::says(name, "parser"));
    ends || tells_parser || call.name().starts_with("handle") || is_given_error(facts, call)
}

/// `wrap_error(LoadError)`: a helper that is given a class of errors raises it, unless it is a log.
fn is_given_error(facts: &Facts, call: &Call<'_>) -> bool {
    let is_class = |id: ExprId| {
        facts.last_name(id).is_some_and(|name| {
            name.starts_with(char::is_uppercase)
                && (name.ends_with("Error") || name.ends_with("Exception"))
        })
    };
    let mut given = call.args.iter().map(|arg| arg.value);
    call.receiver().is_none()
        && call.is_dropped()
        && given.any(|value| facts.call(value).is_none() && is_class(value))
}

/// Names that the block itself binds by an assignment or a `with`, where something before or in it can fail.
fn bound_in<'f>(facts: &'f Facts, body: &[StmtId]) -> Vec<&'f str> {
    let mut can_fail = false;
    let mut names = Vec::new();
    for stmt in facts.statements_in(body) {
        can_fail |= facts.calls_in(stmt).next().is_some() || facts.awaits(stmt);
        let StmtKind::Assign {
            targets,
            value: Some(_),
            augmented: false,
            ..
        } = &facts.stmt(stmt).kind
        else {
            continue;
        };
        let plain = targets.iter().filter_map(|&target| facts.name(target));
        names.extend(plain.filter(|_| can_fail));
    }
    names
}

/// The first use of the name behind the `try`, if nothing but the `try` binds it before.
fn used_behind(
    facts: &Facts,
    outer: StmtId,
    body: &[StmtId],
    handler: &Handler,
    name: &str,
) -> Option<ExprId> {
    let scope = facts.stmt(outer).scope;
    let inside = facts.statements_in(body);
    let end = facts.stmt(outer).span.end;
    let bound = facts.bindings_of(scope, name);
    let is_early = |binding: &Binding| {
        let in_try =
            inside.contains(&binding.stmt) && matches!(binding.kind, BindingKind::Value { .. });
        !in_try && binding.span.start < end
    };
    if bound.is_empty() || bound.iter().any(is_early) || is_outer(facts, scope, name) {
        return None;
    }
    let rebound = bound
        .iter()
        .map(|binding| binding.span.start)
        .find(|&at| at >= end);
    let used = facts.exprs_named(name).find(|&id| {
        let at = facts.expr(id);
        facts.name(id).is_some()
            && at.scope == scope
            && at.span.start >= end
            && reaches(facts, outer, at.stmt)
    })?;
    let is_first = rebound.is_none_or(|at| facts.expr(used).span.start < at);
    let is_deleted = matches!(facts.stmt(facts.expr(used).stmt).kind, StmtKind::Delete(_));
    let is_seen = is_shown_down_to(facts, scope, used);
    (is_seen
        && is_first
        && !is_deleted
        && !is_asked(facts, outer, handler, (name, facts.expr(used).stmt)))
    .then_some(used)
}

/// Every line from the function's head to the use is shown: nothing binds the name in between.
fn is_shown_down_to(facts: &Facts, scope: ScopeId, used: ExprId) -> bool {
    let entry = facts.scope(scope);
    let span = Span {
        start: entry.span.start,
        end: facts.expr(used).span.end,
    };
    let lines: Vec<u32> = facts.diff_lines(span).map(|(line, _)| line).collect();
    let follows = |pair: &[u32]| matches!(pair, [one, next] if one + 1 == *next);
    facts.is_visible(scope) || (entry.head_shown && lines.windows(2).all(follows))
}

/// `global name` or `nonlocal name`: it has a value from elsewhere.
fn is_outer(facts: &Facts, scope: ScopeId, name: &str) -> bool {
    facts
        .statements_of(scope)
        .any(|stmt| match &facts.stmt(stmt).kind {
            StmtKind::Global(names) => names.iter().any(|&span| facts.text(span) == name),
            _ => false,
        })
}

/// The use stands behind the `try` in its block or one around it, within the same round of the same loop.
fn reaches(facts: &Facts, outer: StmtId, used: StmtId) -> bool {
    let around = facts.ancestors(outer).map(|around| around.stmt);
    let behind = std::iter::once(outer)
        .chain(around.take_while(|&stmt| !is_loop(facts, stmt)))
        .flat_map(|stmt| facts.following(stmt).iter().copied());
    behind
        .into_iter()
        .any(|next| next == used || facts.ancestors(used).any(|around| around.stmt == next))
}

fn is_loop(facts: &Facts, stmt: StmtId) -> bool {
    matches!(
        facts.stmt(stmt).kind,
        StmtKind::For { .. } | StmtKind::While { .. }
    )
}

/// Something between the `try` and the use tests what the `try` or its handler noted, or the use has a `try` of its own.
fn is_asked(facts: &Facts, outer: StmtId, handler: &Handler, (name, used): (&str, StmtId)) -> bool {
    let end = facts.stmt(outer).span.end;
    let StmtKind::Try { body, orelse, .. } = &facts.stmt(outer).kind else {
        return true;
    };
    let blocks = [body, orelse, &handler.body];
    let noted: Vec<String> = blocks
        .into_iter()
        .flat_map(|block| facts.statements_in(block))
        .flat_map(|stmt| noted_by(facts, stmt))
        .filter(|text| text != name)
        .collect();
    let tests = |stmt: StmtId| match facts.stmt(stmt).kind {
        StmtKind::If { test, .. } | StmtKind::While { test, .. } => facts
            .within(test)
            .any(|id| facts.dotted(id).is_some_and(|text| noted.contains(&text))),
        _ => false,
    };
    let scope = facts.stmt(outer).scope;
    let between = facts
        .statements_of(scope)
        .filter(|&stmt| facts.stmt(stmt).span.start >= end && stmt <= used);
    let mut between = between.into_iter();
    between.any(tests) || facts.is_caught(used, &["UnboundLocalError", "NameError"])
}

/// What a statement puts somewhere: names it binds, and what it adds to.
fn noted_by(facts: &Facts, stmt: StmtId) -> Vec<String> {
    let targets = match &facts.stmt(stmt).kind {
        StmtKind::Assign { targets, .. } => targets.as_slice(),
        _ => &[],
    };
    let bound = targets.iter().filter_map(|&target| facts.dotted(target));
    let given = facts
        .calls_in(stmt)
        .filter_map(|call| facts.dotted(call.receiver()?));
    bound.chain(given).collect()
}

fn report(
    cx: &Context<'_>,
    stmt: StmtId,
    handler: &Handler,
    name: &str,
    used: ExprId,
    out: &mut Outcome,
) {
    let facts = cx.facts;
    let verdict = match facts.idle_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Only the error's text is lost: {reason}.")),
        None => HitVerdict::Violation,
    };
    let anchor = Anchor::expr(facts, used);
    let mut hit = Hit::new(&CHECK, anchor, verdict, word(facts, handler, name))
        .with_related(handler.span, "goes on without it");
    hit.causes.push(handler.span);
    hit.causes.push(facts.stmt(stmt).head);
    out.hits.push(hit);
}

fn word(facts: &Facts, handler: &Handler, name: &str) -> Words {
    let line = facts.text(handler.span).trim_end_matches(':').trim();
    Words::new(
        format!(
            "`{name}` is bound in the `try` alone, and used here after `{line}` has gone on without it."
        ),
        "The failure that the handler makes light of comes back as `UnboundLocalError` a few lines later, and fails the work after all.",
        format!(
            "Leave in the handler, or give `{name}` there the value that stands for \"not there\" and test it here."
        ),
    )
}
