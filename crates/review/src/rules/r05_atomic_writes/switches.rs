//! What makes a plain write to the cache right after all.

use crate::facts::{Call, ExprId, ExprKind, Facts, Part, Piece, StmtId, StmtKind, Write, Writing};
use crate::rules::{Context, HitVerdict};

/// Why a plain write is harmless, if it is.
pub(super) fn excuse(cx: &Context<'_>, stmt: StmtId) -> Option<String> {
    switched_off(cx, stmt).then(|| {
        "This branch runs only where the setting for atomic writes is switched off.".to_string()
    })
}

/// Excuses a path outside of the cache that nobody waits for: of tests, scripts, training and preparation of data.
pub(super) fn where_awaited(cx: &Context<'_>, verdict: HitVerdict) -> HitVerdict {
    match cx.facts.idle_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Nobody else waits for this path: {reason}.")),
        None => verdict,
    }
}

/// Whether a statement runs only where the profile's switch for atomic writes is off:
/// in its `else`, or behind an `if` on it that leaves.
fn switched_off(cx: &Context<'_>, stmt: StmtId) -> bool {
    let facts = cx.facts;
    let around = facts.ancestors(stmt).any(|ancestor| {
        let StmtKind::If { test, .. } = facts.stmt(ancestor.stmt).kind else {
            return false;
        };
        match switch(cx, test) {
            Some(true) => ancestor.part == Part::Else,
            Some(false) => ancestor.part == Part::Body,
            None => false,
        }
    });
    let before = || {
        let block = facts.block_of(stmt).iter().take_while(|&&at| at < stmt);
        block.into_iter().any(|&at| match &facts.stmt(at).kind {
            StmtKind::If { test, body, .. } => {
                switch(cx, *test) == Some(true) && facts.always_leaves(body)
            }
            _ => false,
        })
    };
    around || before()
}

/// Whether a test asks for the switch (`true`) or for its absence (`false`).
fn switch(cx: &Context<'_>, test: ExprId) -> Option<bool> {
    let facts = cx.facts;
    if let ExprKind::Not(inner) = facts.expr(test).kind {
        return switch(cx, inner).map(|on| !on);
    }
    facts
        .within(test)
        .any(|id| {
            facts
                .resolved(id)
                .is_some_and(|name| cx.profile.cache.is_atomic_switch(&name))
        })
        .then_some(true)
}

/// Whether nothing but a constant is written: whoever reads the file asks only whether it is there.
pub(super) fn is_marker(cx: &Context<'_>, write: &Write<'_>) -> bool {
    let facts = cx.facts;
    if write.how != Writing::File {
        return false;
    }
    if matches!(write.call.method(), Some("write_text" | "write_bytes")) {
        return write
            .call
            .positional(0)
            .is_some_and(|content| tells_nothing(facts, write, content));
    }
    let parent = facts.expr(write.call.id).parent;
    let closed_at_once = parent
        .and_then(|parent| facts.attribute(parent))
        .is_some_and(|(_, name)| name == "close");
    closed_at_once || writes_constants_only(cx, write)
}

/// `with open(path, "w"): pass`, or a body that writes one literal.
fn writes_constants_only(cx: &Context<'_>, write: &Write<'_>) -> bool {
    let facts = cx.facts;
    let StmtKind::With { items, body, .. } = &facts.stmt(write.call.stmt()).kind else {
        return false;
    };
    let is_opened = items.iter().any(|item| item.context == write.call.id);
    is_opened
        && body.iter().all(|&stmt| match facts.stmt(stmt).kind {
            StmtKind::Pass => true,
            StmtKind::Expr(value) => facts.call(value).is_some_and(|call| {
                call.method() == Some("write")
                    && call
                        .positional(0)
                        .is_some_and(|content| tells_nothing(facts, write, content))
            }),
            _ => false,
        })
}

/// A literal or a constant's name, or the time of writing in a file that nothing shown reads.
fn tells_nothing(facts: &Facts, write: &Write<'_>, content: ExprId) -> bool {
    let mut calls = facts.within(content).filter_map(|id| facts.call(id));
    let is_moment = |call: &Call<'_>| {
        matches!(
            call.name(),
            "str" | "now" | "utcnow" | "today" | "time" | "isoformat" | "strftime"
        )
    };
    let is_time = facts.call(content).is_some() && calls.all(|call| is_moment(&call));
    let is_read = || {
        facts.calls().any(|call| {
            let path = facts.read_path(&call);
            path.is_some_and(|path| facts.is_same_path(path, write.path))
        })
    };
    is_fixed(facts, content, 6) || facts.is_constant_name(content) || (is_time && !is_read())
}

/// A literal, also under a name, and trimmed: `textwrap.dedent("""...""").strip()`.
fn is_fixed(facts: &Facts, content: ExprId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    if let Some(call) = facts.call(content) {
        let trimmed = match call.method() {
            Some("strip" | "lstrip" | "rstrip" | "encode") => call.receiver(),
            _ => call.positional(0).filter(|_| call.is(&["textwrap.dedent"])),
        };
        return trimmed.is_some_and(|inner| is_fixed(facts, inner, depth));
    }
    let values = facts.values(content);
    let mut behind = values.iter().filter(|&&value| value != content).peekable();
    facts.string(content).is_some()
        || (behind.peek().is_some() && behind.all(|&value| is_fixed(facts, value, depth)))
}

/// `save(self, folder)` of an artifact: its caller names the folder of a bundle, and knows when it is complete.
pub(super) fn is_part_of_bundle(facts: &Facts, stmt: StmtId, path: ExprId) -> bool {
    let scope = facts.stmt(stmt).scope;
    let class = facts.class_of(scope).and_then(|of| facts.scope_name(of));
    let function = facts.function_name(stmt);
    let says = |text: &str, word: &str| topic::words(text).any(|of| of.starts_with(word));
    let is_artifact =
        class.is_some_and(|name| says(name, "artifact") || says(&facts.path, "artifact"));
    let of_cache = says(&facts.path, "cache") || says(class.unwrap_or(""), "cache");
    let saves = function.is_none_or(|name| {
        let mut words = topic::words(name.trim_start_matches('_'));
        words.next().is_some_and(|verb| verb == "save")
    });
    saves && is_artifact && !of_cache && is_given_root(facts, path, 6)
}

/// A parameter or a name that hidden lines gave a value, what lies below one, or what a method makes of one.
pub(super) fn is_given_root(facts: &Facts, path: ExprId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let root = |value: ExprId| match facts.pieces(value).unwrap_or_default().first() {
        Some(Piece::Value(root)) => Some(*root),
        _ => facts.call(value)?.positional(0),
    };
    let is_unseen = || {
        let name = facts.name(path).filter(|name| !facts.imports_name(name));
        let is_hidden = name.is_some() && !facts.is_constant_name(path);
        is_hidden && facts.bindings_behind(path).is_empty()
    };
    facts.parameter(path).is_some()
        || is_unseen()
        || facts.values(path).into_iter().any(|value| {
            root(value).is_some_and(|root| root != path && is_given_root(facts, root, depth))
        })
}
