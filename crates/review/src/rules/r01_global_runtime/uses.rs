//! Uses of attributes and libraries that a lock may have to guard.

use crate::facts::{ExprId, ExprKind, Facts, Held, Kind, ScopeId, StmtKind};

/// A change of an attribute or library, or a call into it.
pub(super) struct Use<'f> {
    /// The class and attribute, or the library's name.
    pub(super) of: (Option<ScopeId>, String),
    pub(super) expr: ExprId,
    pub(super) act: Act<'f>,
    pub(super) held: Vec<&'f Held>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Act<'f> {
    Call(&'f str),
    Write,
    /// A call of a function of an imported library.
    Library(&'f str),
}

pub(super) fn uses(facts: &Facts) -> Vec<Use<'_>> {
    let of_attributes = facts.expr_ids().filter_map(|id| {
        let name = facts.self_attribute(id)?;
        let class = facts.class_of(facts.expr(id).scope)?;
        let act = act(facts, id)?;
        Some((id, (Some(class), name.to_string()), act))
    });
    let of_libraries = facts.calls().filter_map(|call| {
        let root = facts.imported_root(call.function)?;
        Some((call.function, (None, root), Act::Library(call.name())))
    });
    of_attributes
        .chain(of_libraries)
        .filter(|(id, _, _)| concerns(facts, *id))
        .map(|(expr, of, act)| Use {
            of,
            expr,
            act,
            held: facts.held_around(expr).collect(),
        })
        .collect()
}

/// Constructors and what they call run before anybody shares the object; `_locked` functions expect the lock to be held.
fn concerns(facts: &Facts, id: ExprId) -> bool {
    let Some(function) = facts.function_of(facts.expr(id).scope) else {
        return false;
    };
    let name = facts.scope_name(function).unwrap_or("");
    let early = matches!(
        name,
        "__init__" | "__new__" | "__post_init__" | "__del__" | "__setstate__" | "__repr__"
    );
    let says_so = topic::has_word(name, "locked unlocked unsafe nolock init reset setup");
    !early && !says_so && !facts.builds(function) && facts.callers_hold(function) != Some(true)
}

/// What is done with `self.x`. Reading it alone is nothing.
fn act<'f>(facts: &'f Facts, id: ExprId) -> Option<Act<'f>> {
    if is_safe_for_threads(facts, id) {
        return None;
    }
    let parent = facts.expr(id).parent;
    if let Some(parent) = parent {
        if let Some((object, method)) = facts.attribute(parent)
            && object == id
        {
            let call = facts.call(facts.expr(parent).parent?)?;
            return (call.function == parent).then(|| of_method(facts, id, method))?;
        }
        if facts.call(parent).is_some_and(|call| call.function == id) {
            let class = facts.class_of(facts.expr(id).scope)?;
            let is_kept = !facts.bindings_of(class, facts.expr_text(id)).is_empty();
            return is_kept.then_some(Act::Call("()"));
        }
    }
    is_written(facts, id).then_some(Act::Write)
}

fn of_method<'f>(facts: &Facts, id: ExprId, method: &'f str) -> Option<Act<'f>> {
    let is_container = facts.type_of(id).is_some_and(|found| {
        found.depth > 0
            || matches!(
                found.kind,
                Kind::Dict | Kind::List | Kind::Set | Kind::Deque
            )
    });
    let changes = matches!(
        method,
        "append"
            | "appendleft"
            | "add"
            | "insert"
            | "extend"
            | "update"
            | "pop"
            | "popitem"
            | "popleft"
            | "remove"
            | "discard"
            | "clear"
            | "setdefault"
    );
    match (is_container || changes, changes) {
        (true, true) => Some(Act::Write),
        (true, false) => None,
        (false, _) => Some(Act::Call(method)),
    }
}

/// Queues, events, executors and the like guard themselves.
fn is_safe_for_threads(facts: &Facts, id: ExprId) -> bool {
    let by_name = facts
        .last_name(id)
        .is_some_and(|name| topic::has_word(name, "logger log local"));
    by_name
        || facts.kind_of(id).is_some_and(|kind| {
            !matches!(
                kind,
                Kind::Dict
                    | Kind::List
                    | Kind::Set
                    | Kind::Deque
                    | Kind::OrtSession
                    | Kind::Capture
                    | Kind::VideoWriter
                    | Kind::MediaContainer
                    | Kind::Socket
                    | Kind::File
                    | Kind::Client
            )
        })
}

/// A target of an assignment or `del`, or an entry of one. A plain constant is a flag, read at any time.
fn is_written(facts: &Facts, id: ExprId) -> bool {
    let stmt = facts.expr(id).stmt;
    let top = match facts.expr(id).parent {
        Some(parent) => match facts.expr(parent).kind {
            ExprKind::Subscript { object, .. } if object == id => parent,
            _ => return false,
        },
        None => id,
    };
    match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            augmented,
            ..
        } => targets.contains(&top) && (*augmented || top != id || !is_constant(facts, *value)),
        StmtKind::Delete(exprs) => exprs.contains(&top),
        _ => false,
    }
}

fn is_constant(facts: &Facts, value: ExprId) -> bool {
    let is_time = facts.call(value).is_some_and(|call| {
        matches!(
            call.name(),
            "monotonic" | "time" | "perf_counter" | "now" | "utcnow"
        )
    });
    is_time
        || matches!(
            facts.expr(value).kind,
            ExprKind::True | ExprKind::False | ExprKind::None | ExprKind::Number | ExprKind::Str(_)
        )
}
