//! One buffer of the whole process that each call fills anew: two calls at once mix their data.

use super::torchscript::alone;
use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, Heat, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "shared-buffer-overwritten",
    rule: 1,
    severity: Severity::Flag,
    references: &[],
    summary: "A buffer that the whole process shares is overwritten and read by each call, with no lock.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    super::request_state::detect(cx, out);
    for stmt in cx.facts.stmt_ids() {
        for buffer in overwritten(cx.facts, stmt) {
            judge(cx, stmt, buffer, out);
        }
    }
}

/// The shared buffers whose content a statement replaces: `BUFFER[:] = frame`, `BUFFER.copy_(frame)`, `out=BUFFER`.
fn overwritten(facts: &Facts, stmt: StmtId) -> Vec<ExprId> {
    let by_slice = match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            augmented: false,
            ..
        } => targets.iter().filter_map(|&t| sliced(facts, t)).collect(),
        _ => Vec::new(),
    };
    let by_call = facts.calls_in(stmt).filter_map(|call| filled(facts, &call));
    let mut found: Vec<ExprId> = by_slice.into_iter().chain(by_call).collect();
    found.retain(|&buffer| facts.reach(buffer).is_process_wide() && is_buffer(facts, buffer));
    found
}

/// `BUFFER` of `BUFFER[:n]`, `BUFFER[...]` and `BUFFER.numpy()[:]`.
fn sliced(facts: &Facts, target: ExprId) -> Option<ExprId> {
    let ExprKind::Subscript { object, index } = &facts.expr(target).kind else {
        return None;
    };
    let is_slice = |&id: &ExprId| {
        let text = facts.expr_text(id);
        let is_plain = matches!(
            facts.expr(id).kind,
            ExprKind::Str(_) | ExprKind::FString(_) | ExprKind::Name | ExprKind::Call { .. }
        );
        !is_plain && (text.contains(':') || text == "...")
    };
    index.iter().any(is_slice).then(|| viewed(facts, *object))
}

/// What a view is of: `BUFFER` of `BUFFER.numpy()`.
fn viewed(facts: &Facts, id: ExprId) -> ExprId {
    let view = facts.call(id).filter(|call| {
        matches!(
            call.method(),
            Some("numpy" | "view" | "reshape" | "ravel" | "detach")
        )
    });
    let inner = view.and_then(|call| call.receiver());
    inner.map_or(id, |inner| viewed(facts, inner))
}

fn filled(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    if matches!(call.method(), Some("copy_" | "readinto")) {
        let of_method = call.method() == Some("copy_");
        return if of_method {
            call.receiver()
        } else {
            call.positional(0)
        };
    }
    if call.is(&["numpy.copyto"]) {
        return call.arg(0, "dst");
    }
    let target = call.keyword("out").or_else(|| call.keyword("dst"))?;
    Some(viewed(facts, target))
}

/// Made by what allocates memory for numbers.
fn is_buffer(facts: &Facts, id: ExprId) -> bool {
    let makes = |value: ExprId| facts.within(value).any(|part| allocates(facts, part));
    let bound = facts.bindings_behind(id).into_iter().any(
        |binding| matches!(binding.kind, BindingKind::Value { value, index: None } if makes(value)),
    );
    bound || facts.values(id).into_iter().any(makes) || in_class(facts, id).any(makes)
}

/// The values of `Class.attribute`.
fn in_class(facts: &Facts, id: ExprId) -> impl Iterator<Item = ExprId> {
    let field = facts.attribute(id).and_then(|(object, name)| {
        let class = facts.definition(object)?;
        Some(facts.bindings_of(class, name))
    });
    field
        .unwrap_or_default()
        .iter()
        .filter_map(|binding| match binding.kind {
            BindingKind::Value { value, index: None } => Some(value),
            _ => None,
        })
}

fn allocates(facts: &Facts, id: ExprId) -> bool {
    facts.call(id).is_some_and(|call| {
        let of_arrays = call.callee().starts_with("torch.")
            || call.callee().starts_with("numpy.")
            || call.callee().starts_with("cupy.");
        let makes = matches!(
            call.name(),
            "empty" | "zeros" | "ones" | "full" | "empty_like" | "zeros_like" | "empty_pinned"
        );
        (of_arrays && makes) || matches!(call.callee(), "bytearray" | "array.array")
    })
}

fn judge(cx: &Context<'_>, stmt: StmtId, buffer: ExprId, out: &mut Outcome) {
    let facts = cx.facts;
    let Some(function) = facts.function_of(facts.stmt(stmt).scope) else {
        return;
    };
    let is_guarded =
        facts.held_at(stmt).next().is_some() || facts.callers_hold(function) == Some(true);
    if is_guarded || facts.is_async(function) || !is_read_behind(facts, stmt, buffer) {
        return;
    }
    let Some(verdict) = verdict(cx, stmt) else {
        return;
    };
    let overwrite = Anchor {
        stmt,
        span: facts.expr(buffer).span,
    };
    let made = made_beside(facts, stmt, buffer);
    let anchor = made.map_or(overwrite, |made| {
        Anchor::stmt(facts, made).or_where_changed(facts, overwrite)
    });
    let mut hit = Hit::new(&CHECK, anchor, verdict, word(facts, buffer));
    if anchor != overwrite {
        hit = hit.with_related(facts.stmt(stmt).head, "each call overwrites it here");
        hit.causes.push(facts.stmt(stmt).head);
    }
    out.hits.push(hit);
}

/// The call goes on to use what it has put in.
fn is_read_behind(facts: &Facts, stmt: StmtId, buffer: ExprId) -> bool {
    let name = facts.dotted(buffer);
    facts
        .statements_of(facts.stmt(stmt).scope)
        .filter(|&later| later > stmt)
        .any(|later| facts.exprs_of(later).any(|id| facts.dotted(id) == name))
}

/// The statement of the same function that makes the buffer when it is missing or of another size.
fn made_beside(facts: &Facts, stmt: StmtId, buffer: ExprId) -> Option<StmtId> {
    let name = facts.dotted(buffer);
    facts
        .statements_of(facts.stmt(stmt).scope)
        .filter(|&earlier| earlier < stmt)
        .find(|&earlier| match &facts.stmt(earlier).kind {
            StmtKind::Assign {
                targets,
                value: Some(value),
                ..
            } => {
                let mut targets = targets.iter();
                targets.any(|&target| facts.dotted(target) == name)
                    && facts.within(*value).any(|part| allocates(facts, part))
            }
            _ => false,
        })
}

fn verdict(cx: &Context<'_>, stmt: StmtId) -> Option<HitVerdict> {
    let facts = cx.facts;
    if let Some(reason) = alone(cx, stmt) {
        return Some(HitVerdict::Excused(reason));
    }
    match facts.heat(stmt, cx.profile) {
        Heat::Cold(reason) => Some(HitVerdict::Excused(format!(
            "No second call runs beside it: {reason}."
        ))),
        Heat::Hot if facts.has_threads() && facts.sees_enclosure(stmt) => {
            Some(HitVerdict::Violation)
        }
        Heat::Hot => Some(HitVerdict::Look),
        // The imports that would tell are not shown.
        Heat::Unknown => {
            let may_have = facts.has_threads() || !facts.document.whole;
            may_have.then_some(HitVerdict::Look)
        }
    }
}

fn word(facts: &Facts, buffer: ExprId) -> Words {
    let name = facts.expr_text(buffer);
    Words::new(
        format!("`{name}` is one buffer for the whole process, and each call overwrites it."),
        "Two threads that call this at once write into the same memory: each goes on with parts of the other's data, and a copy that is still under way reads what comes next.",
        "Keep the buffer with the caller, with the thread (`threading.local()`), or take it out of a pool; or hold one lock from the first write until nothing reads it any more.",
    )
}
