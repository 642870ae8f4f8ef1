//! A lock that is taken again by its holder, or two locks taken in opposite orders.

use crate::facts::{Call, ExprId, Facts, Held, Home, Kind, Proof, ScopeId, Span, Taken, Whose};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "nested-lock",
    rule: 2,
    severity: Severity::Flag,
    references: &[],
    summary: "A non-reentrant lock is taken again while it is held, or two locks are taken in opposite orders.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    super::interrupted_holders::detect(cx, out);
    let nestings = nestings(facts);
    for nesting in &nestings {
        if nesting.inner.lock.is_same(&nesting.outer.lock) {
            if blocks_itself(nesting) && !may_be_reentrant(nesting) {
                out.hits.push(again(nesting));
            }
        } else if let Some(opposite) = nestings.iter().find(|other| is_opposite(nesting, other)) {
            out.hits.push(crossed(cx, nesting, opposite));
        }
    }
}

/// A lock taken while another one, or itself, is held.
struct Nesting<'f> {
    facts: &'f Facts,
    outer: &'f Held,
    inner: &'f Held,
    /// Where the outer region leads to the inner one: the inner lock itself, or what runs a method that takes it.
    at: Anchor,
    /// Whose lock the inner one is, where it is a field.
    whose: Whose,
}

fn nestings(facts: &Facts) -> Vec<Nesting<'_>> {
    let mut found = Vec::new();
    for outer in facts.held() {
        for inner in facts.held().iter().filter(|inner| is_inside(outer, inner)) {
            let at = Anchor {
                stmt: inner.stmt,
                span: inner.span,
            };
            found.push(Nesting {
                facts,
                outer,
                inner,
                at,
                whose: Whose::Own,
            });
        }
        for &stmt in &outer.body {
            let own = steps_of(
                facts,
                facts.stmt(stmt).head,
                facts.stmt(stmt).scope,
                Whose::Own,
            );
            for step in own.into_iter().filter(|step| step.at.stmt == stmt) {
                found.extend(through_step(facts, outer, step));
            }
        }
    }
    found
}

fn is_inside(outer: &Held, inner: &Held) -> bool {
    let later_item = outer.stmt == inner.stmt && outer.span.end <= inner.span.start;
    later_item
        || (outer.stmt != inner.stmt && outer.holds(inner.stmt) && inner.scope == outer.scope)
}

/// A function that a statement runs, by a call or by reading a property.
#[derive(Clone, Copy)]
struct Step {
    function: ScopeId,
    whose: Whose,
    at: Anchor,
}

/// The regions of the functions that a step runs, a few calls deep.
fn through_step<'f>(facts: &'f Facts, outer: &'f Held, first: Step) -> Vec<Nesting<'f>> {
    let mut seen: Vec<(ScopeId, Whose)> = Vec::new();
    let mut todo = vec![(first, 0)];
    let mut found = Vec::new();
    while let Some((step, depth)) = todo.pop() {
        let place = (step.function, step.whose);
        if seen.contains(&place) || depth > 2 {
            continue;
        }
        seen.push(place);
        let regions = facts
            .held()
            .iter()
            .filter(|held| held.scope == step.function);
        found.extend(regions.map(|inner| Nesting {
            facts,
            outer,
            inner,
            at: first.at,
            whose: step.whose,
        }));
        let span = facts.scope(step.function).span;
        let deeper = steps_of(facts, span, step.function, step.whose);
        todo.extend(deeper.into_iter().map(|step| (step, depth + 1)));
    }
    found
}

/// What the code of a scope in a span runs here and now: a coroutine or generator runs only where it is awaited or iterated.
fn steps_of(facts: &Facts, span: Span, scope: ScopeId, whose: Whose) -> Vec<Step> {
    let by_call = facts
        .calls_within(span)
        .filter(|call| call.scope() == scope)
        .filter_map(|call| {
            let (function, whose) = facts.runs_on(&call, whose)?;
            let runs = call.is_awaited() || !facts.is_async(function);
            let at = Anchor::call(&call);
            runs.then_some(Step {
                function,
                whose,
                at,
            })
        });
    let by_read = facts
        .exprs_within(span)
        .filter(|&id| facts.expr(id).scope == scope)
        .filter_map(|id| {
            let function = facts.property_read(id)?;
            let (stmt, span) = (facts.expr(id).stmt, facts.expr(id).span);
            let at = Anchor { stmt, span };
            Some(Step {
                function,
                whose,
                at,
            })
        });
    by_call.chain(by_read).collect()
}

/// A second blocking take of the same plain lock never returns.
fn blocks_itself(nesting: &Nesting<'_>) -> bool {
    let facts = nesting.facts;
    let is_plain = matches!(nesting.inner.lock.kind, Kind::ThreadLock | Kind::AsyncLock)
        && nesting.outer.lock.inner.is_none()
        && nesting.inner.lock.inner.is_none();
    let gives_up = match nesting.inner.taken {
        Taken::Acquire(id) | Taken::Context(id) => facts
            .call(id)
            .is_some_and(|call| call.method() == Some("acquire") && !call.args.is_empty()),
        Taken::With | Taken::Decorator(_) => false,
    };
    let is_reentrant = [nesting.outer, nesting.inner].iter().any(|held| {
        constructed(facts, held.lock.expr).is_some_and(|kind| kind != nesting.inner.lock.kind)
    });
    is_plain && !gives_up && !is_reentrant && same_object(nesting)
}

/// A lock by its name alone, where a class that is not shown makes it, or a test tries out how it nests.
fn may_be_reentrant(nesting: &Nesting<'_>) -> bool {
    let (facts, lock) = (nesting.facts, &nesting.inner.lock);
    let makings = facts.values(lock.expr).into_iter();
    let mut makings = makings.filter_map(|value| facts.call(value));
    let is_class = |call: Call<'_>| {
        call.name().starts_with(char::is_uppercase) && facts.constructs(&call).is_none()
    };
    // A function that calls itself with its own lock held would have stood still the first time.
    let is_recursion = nesting.outer.span == nesting.inner.span;
    lock.proof == Proof::Named && (facts.is_test() || is_recursion || makings.any(is_class))
}

fn constructed(facts: &Facts, lock: ExprId) -> Option<Kind> {
    facts
        .values(lock)
        .into_iter()
        .filter_map(|value| facts.call(value))
        .find_map(|call| facts.constructs(&call))
}

/// Equal keys with different texts of the index, or locals of two calls, are two objects.
fn same_object(nesting: &Nesting<'_>) -> bool {
    let facts = nesting.facts;
    let is_attribute = nesting.whose == Whose::Own
        && facts.self_attribute(nesting.outer.lock.expr).is_some()
        && facts.self_attribute(nesting.inner.lock.expr).is_some();
    let same_scope = nesting.outer.scope == nesting.inner.scope;
    is_attribute
        || same_scope
        || shares_closure(nesting)
        || facts.reach(nesting.outer.lock.expr).is_process_wide()
}

/// A local of the function around both, which makes one for the two of them.
fn shares_closure(nesting: &Nesting<'_>) -> bool {
    let facts = nesting.facts;
    let bound = |held: &Held| {
        facts.name(held.lock.expr)?;
        let binding = facts.lookup(held.lock.expr).first()?;
        let home = facts.canonical(facts.stmt(binding.stmt).scope);
        let is_around = home != facts.canonical(held.scope)
            && facts
                .scope(home)
                .span
                .contains(facts.scope(held.scope).span);
        is_around.then_some(binding.span)
    };
    bound(nesting.outer).is_some() && bound(nesting.outer) == bound(nesting.inner)
}

fn is_opposite(one: &Nesting<'_>, other: &Nesting<'_>) -> bool {
    one.outer.lock.is_same(&other.inner.lock)
        && one.inner.lock.is_same(&other.outer.lock)
        && same_object_kind(one)
}

/// Locks picked by a key have an order of their own that the text does not show.
fn same_object_kind(nesting: &Nesting<'_>) -> bool {
    [nesting.outer, nesting.inner]
        .iter()
        .all(|held| !matches!(held.lock.home, Home::Keyed | Home::Call))
}

fn again(nesting: &Nesting<'_>) -> Hit {
    let facts = nesting.facts;
    let proven =
        nesting.inner.lock.proof == Proof::Proven && nesting.outer.lock.proof == Proof::Proven;
    let verdict = HitVerdict::sure_if(proven);
    let lock = facts.shown(nesting.outer.lock.expr);
    let words = Words::new(
        format!("`{lock}` is taken again while it is held."),
        "A plain lock does not know its holder: the second take waits for the first, which can never end.",
        if proven {
            "Split off a part that expects the lock to be held and call that, or use an RLock."
        } else {
            "Is it an RLock? If it is a plain one, split off a part that expects the lock to be held."
        },
    );
    related(nesting, Hit::new(&CHECK, nesting.at, verdict, words))
}

fn crossed(cx: &Context<'_>, nesting: &Nesting<'_>, opposite: &Nesting<'_>) -> Hit {
    let facts = nesting.facts;
    let (outer, inner) = (&nesting.outer.lock, &nesting.inner.lock);
    let proven = outer.proof == Proof::Proven && inner.proof == Proof::Proven;
    let verdict = match (cx.facts.cold_file(cx.profile), proven) {
        (Some(reason), _) => HitVerdict::Excused(format!("Nobody else takes them: {reason}.")),
        (None, true) => HitVerdict::Violation,
        (None, false) => HitVerdict::Look,
    };
    let words = Words::new(
        format!(
            "`{}` is taken under `{}` here, and the other way round elsewhere in this file.",
            facts.shown(inner.expr),
            facts.shown(outer.expr)
        ),
        "Two threads that hold one each and want the other wait for ever.",
        "Take the two in one order everywhere, or give the first back before taking the second.",
    );
    let hit = related(nesting, Hit::new(&CHECK, nesting.at, verdict, words));
    hit.with_related(opposite.at.span, "the opposite order")
}

fn related(nesting: &Nesting<'_>, hit: Hit) -> Hit {
    let spans: [(Span, &str); 2] = [
        (nesting.outer.span, "held since here"),
        (nesting.inner.span, "taken here"),
    ];
    let mut hit = hit;
    for (span, note) in spans {
        if span != nesting.at.span {
            hit = hit.with_related(span, note);
            hit.causes.push(span);
        }
    }
    hit
}
