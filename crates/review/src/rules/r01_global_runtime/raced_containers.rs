//! A container that a thread of the file and its other functions change with no lock at all.

use super::iterated_without_lock::{container_of, walked_through};
use super::race_words::{How, word};
use super::thread_sides::Sides;
use super::torchscript::alone;
use crate::facts::{
    Container, ExprId, ExprKind, Facts, Kind, Owner, Span, StmtId, StmtKind, Use, UseKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "shared-without-lock",
    rule: 1,
    severity: Severity::Flag,
    references: &[],
    summary: "A thread of the file and its other functions change one dict, list or counter, and none of them takes a lock.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    super::raced_counters::detect(cx, out);
    super::shared_eviction::detect(cx, out);
    let facts = cx.facts;
    let sides = Sides::new(facts);
    if sides.is_empty() {
        return;
    }
    let containers = facts.containers().iter().filter(|of| is_open(facts, of));
    for container in containers {
        if let Some(race) = race(facts, &sides, container) {
            judge(cx, container, &race, out);
        }
    }
}

/// A plain container that no use takes a lock for: where one does, others checks ask why the rest do not.
fn is_open(facts: &Facts, container: &Container) -> bool {
    let plain = matches!(
        container.kind,
        Kind::Dict | Kind::List | Kind::Set | Kind::Deque
    );
    let mut uses = container.uses.iter();
    plain && !uses.any(|of| is_locked(facts, of.stmt))
}

fn is_locked(facts: &Facts, stmt: StmtId) -> bool {
    let function = facts.function_of(facts.stmt(stmt).scope);
    let by_callers = function.and_then(|function| facts.callers_hold(function));
    facts.held_at(stmt).next().is_some() || by_callers == Some(true)
}

/// What goes wrong, where, and what the other side does to it.
struct Race {
    how: How,
    at: Anchor,
    other: Span,
}

fn race(facts: &Facts, sides: &Sides, container: &Container) -> Option<Race> {
    walked(facts, sides, container)
        .or_else(|| taken_twice(facts, sides, container))
        .or_else(|| emptied(facts, sides, container))
}

/// The first use of these kinds on the other side of a statement.
fn other_side(
    facts: &Facts,
    sides: &Sides,
    container: &Container,
    stmt: StmtId,
    kinds: impl Fn(UseKind) -> bool,
) -> Option<Span> {
    let own = sides.holds(facts, stmt);
    if !own && !sides.is_beside(facts, stmt) {
        return None;
    }
    let is_other = |of: &&Use| match own {
        true => sides.is_beside(facts, of.stmt),
        false => sides.holds(facts, of.stmt),
    };
    let mut uses = container.uses.iter();
    uses.find(|of| kinds(of.kind) && is_other(of))
        .map(|of| of.span)
}

fn puts(kind: UseKind) -> bool {
    matches!(
        kind,
        UseKind::Insert(_) | UseKind::Append | UseKind::Inner(_)
    )
}

fn walked(facts: &Facts, sides: &Sides, container: &Container) -> Option<Race> {
    let is_it = |id: ExprId| {
        container_of(facts, id)
            .is_some_and(|of| of.stmt == container.stmt && of.name == container.name)
    };
    let mut walks = facts.expr_ids().filter_map(|id| walked_through(facts, id));
    walks.find_map(|id| {
        let (stmt, span) = (facts.expr(id).stmt, facts.expr(id).span);
        let resizes = |kind| puts(kind) || kind == UseKind::Shrink;
        let other = is_it(id)
            .then(|| other_side(facts, sides, container, stmt, resizes))
            .flatten()?;
        let is_caught = facts.is_caught(stmt, &["RuntimeError"]);
        let at = Anchor { stmt, span };
        let how = How::Walked;
        (!is_caught).then_some(Race { how, at, other })
    })
}

/// `del table[key]` or `table.pop(key)` in the thread, where others take out, too.
fn taken_twice(facts: &Facts, sides: &Sides, container: &Container) -> Option<Race> {
    let is_keyed = matches!(container.kind, Kind::Dict | Kind::Set);
    let takes = |kind| kind == UseKind::Shrink;
    let mut uses = container.uses.iter();
    uses.find_map(|of| {
        let fails = is_keyed && of.kind == UseKind::Shrink && fails_if_missing(facts, of);
        if !fails || !sides.holds(facts, of.stmt) {
            return None;
        }
        let other = other_side(facts, sides, container, of.stmt, takes)
            .or_else(|| taken_as_parameter(facts, sides, container))?;
        let at = Anchor {
            stmt: of.stmt,
            span: of.span,
        };
        let is_caught = facts.is_caught(of.stmt, &["KeyError", "LookupError"]);
        let how = How::TakenTwice;
        (!is_caught).then_some(Race { how, at, other })
    })
}

/// `del rooms[key]` of a parameter that somewhere gets the container: `partial(Handler, rooms=ROOMS)`.
fn taken_as_parameter(facts: &Facts, sides: &Sides, container: &Container) -> Option<Span> {
    let handed = container.uses.iter().filter_map(|of| match of.kind {
        UseKind::Passed(call) => facts.call(call),
        _ => None,
    });
    let is_it = |value: ExprId| facts.dotted(value).as_deref() == Some(container.name.as_str());
    let mut names = handed.flat_map(|call| {
        let named = call.args.iter().filter(move |arg| is_it(arg.value));
        named.filter_map(|arg| Some(facts.text(arg.name?)))
    });
    names.find_map(|name| {
        let removed = facts
            .stmt_ids()
            .filter_map(|stmt| match &facts.stmt(stmt).kind {
                StmtKind::Delete(gone) => gone.first().copied(),
                _ => None,
            });
        let mut removed = removed.filter(|&id| {
            let of = match facts.expr(id).kind {
                ExprKind::Subscript { object, .. } => object,
                _ => return false,
            };
            let stmt = facts.expr(id).stmt;
            facts.name(of) == Some(name)
                && facts.parameter(of).is_some()
                && !sides.holds(facts, stmt)
                && !is_locked(facts, stmt)
        });
        removed.next().map(|id| facts.expr(id).span)
    })
}

fn fails_if_missing(facts: &Facts, of: &Use) -> bool {
    if matches!(facts.stmt(of.stmt).kind, StmtKind::Delete(_)) {
        return true;
    }
    facts
        .calls_in(of.stmt)
        .filter(|call| of.span.overlaps(call.span()))
        .any(|call| match call.method() {
            Some("pop") => call.args.len() == 1,
            Some("remove") => true,
            _ => false,
        })
}

/// `send(self._rows)` and further down `self._rows = []` or `self._rows.clear()`.
fn emptied(facts: &Facts, sides: &Sides, container: &Container) -> Option<Race> {
    let mut uses = container.uses.iter();
    uses.find_map(|of| {
        let empties = match of.kind {
            UseKind::Rebind => is_made_anew(facts, of.stmt),
            UseKind::Shrink => clears(facts, of),
            _ => false,
        };
        let read = container
            .uses
            .iter()
            .find(|read| is_read_before(facts, read, of))?;
        let other = empties
            .then(|| other_side(facts, sides, container, of.stmt, puts))
            .flatten()?;
        let at = Anchor {
            stmt: of.stmt,
            span: of.span,
        };
        let how = How::Emptied;
        (read.stmt != of.stmt).then_some(Race { how, at, other })
    })
}

fn is_made_anew(facts: &Facts, stmt: StmtId) -> bool {
    match &facts.stmt(stmt).kind {
        // `rows, self._rows = self._rows, []` leaves next to no time in between.
        StmtKind::Assign { targets, .. } => targets
            .iter()
            .all(|&target| facts.name(target).is_some() || facts.attribute(target).is_some()),
        _ => false,
    }
}

fn clears(facts: &Facts, of: &Use) -> bool {
    facts
        .calls_in(of.stmt)
        .any(|call| call.method() == Some("clear") && of.span.overlaps(call.span()))
}

/// Read whole in the same function, earlier, by more than a second name for it right before.
fn is_read_before(facts: &Facts, read: &Use, of: &Use) -> bool {
    let same = facts.stmt(read.stmt).scope == facts.stmt(of.stmt).scope;
    let is_whole = matches!(read.kind, UseKind::Read | UseKind::Passed(_));
    let is_alias = match facts.stmt(read.stmt).kind {
        StmtKind::Assign {
            value: Some(value), ..
        } => facts.expr(value).span == read.span,
        _ => false,
    };
    let is_test = matches!(
        facts.stmt(read.stmt).kind,
        StmtKind::If { .. } | StmtKind::While { .. }
    );
    same && is_whole && !is_alias && !is_test && read.span.start < of.span.start
}

fn judge(cx: &Context<'_>, container: &Container, race: &Race, out: &mut Outcome) {
    let facts = cx.facts;
    let class = match container.owner {
        Owner::Module => None,
        Owner::Class(class) | Owner::Instance(class) => Some(class),
    };
    let is_shown = class.map_or(facts.document.whole, |class| facts.is_visible(class));
    let verdict = match (alone(cx, race.at.stmt), is_shown && race.how == How::Walked) {
        (Some(reason), _) => HitVerdict::Excused(reason),
        (None, true) => HitVerdict::Violation,
        (None, false) => HitVerdict::Look,
    };
    let words = word(container, race.how);
    let mut hit = Hit::new(&CHECK, race.at, verdict, words)
        .with_related(race.other, "changed here, on the other side");
    hit.causes.push(race.other);
    out.hits.push(hit);
}
