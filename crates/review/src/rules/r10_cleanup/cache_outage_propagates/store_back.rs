//! A result that is made, and lost because the store that was to remember it refuses: the look-up before survives that.

use super::CHECK;
use crate::facts::{Call, ExprId, Facts, Handler, StmtId, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.idle_file(cx.profile).is_some() {
        return;
    }
    for call in facts.calls().filter(|call| stores(facts, call)) {
        let Some(result) = handed_out(facts, &call) else {
            continue;
        };
        let Some(look_up) = look_up(facts, &call, result) else {
            continue;
        };
        let is_sure = facts.sees_enclosure(call.stmt()) && look_up.is_survived;
        let verdict = HitVerdict::sure_if(is_sure);
        let words = match look_up.is_survived {
            true => word(facts, &call, result),
            false => word_of_unseen(facts, &call, result),
        };
        let hit = Hit::new(&CHECK, Anchor::call(&call), verdict, words);
        out.hits
            .push(hit.with_related(facts.stmt(look_up.stmt).head, look_up.note()));
    }
}

/// Puts something into a store by its verb, and nothing catches what that raises. Cache servers are judged beside.
fn stores(facts: &Facts, call: &Call<'_>) -> bool {
    let puts = topic::begins_with_word(
        call.name(),
        "put upload store save set insert write upsert remember replace",
    );
    let goes_out = call.receiver().is_some_and(|receiver| {
        !matches!(facts.name(receiver), Some("self" | "cls")) && !facts.is_in_process(receiver)
    });
    let catches = |handler: &Handler| !facts.reraises(handler);
    puts && goes_out
        && call.is_dropped()
        && facts.redis_call(call).is_none()
        && !facts.handlers_around(call.stmt()).any(catches)
}

/// The argument that the function returns right behind, but for a log line.
fn handed_out(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let is_log = |stmt: StmtId| matches!(facts.stmt(stmt).kind, StmtKind::Expr(_));
    let mut behind = facts.following(call.stmt()).iter().copied();
    let last = behind.find(|&stmt| !is_log(stmt))?;
    let StmtKind::Return(Some(result)) = facts.stmt(last).kind else {
        return None;
    };
    let name = facts.name(result)?;
    let given = |value: ExprId| facts.within(value).any(|id| facts.name(id) == Some(name));
    call.args
        .iter()
        .any(|arg| given(arg.value))
        .then_some(result)
}

/// The look-up before: it gives the same name, which is returned where it was found.
struct LookUp {
    stmt: StmtId,
    /// Its own failure is caught and counts as a miss; else the method that does it is not shown.
    is_survived: bool,
}

impl LookUp {
    fn note(&self) -> &'static str {
        match self.is_survived {
            true => "here an unreachable store counts as a miss",
            false => "does an unreachable store count as a miss here?",
        }
    }
}

fn look_up(facts: &Facts, call: &Call<'_>, result: ExprId) -> Option<LookUp> {
    let name = facts.name(result)?;
    let scope = facts.stmt(call.stmt()).scope;
    let asks = |stmt: StmtId| {
        let StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } = &facts.stmt(stmt).kind
        else {
            return None;
        };
        let binds = targets
            .iter()
            .any(|&target| facts.name(target) == Some(name));
        let asked = facts.awaited_call(*value).filter(|_| binds)?;
        let is_survived = is_survived(facts, stmt, &asked);
        (is_survived || is_unseen(facts, &asked)).then_some(LookUp { stmt, is_survived })
    };
    let mut before = facts
        .statements_of(scope)
        .filter(|&stmt| stmt < call.stmt());
    before
        .find_map(asks)
        .filter(|found| returns_found(facts, found.stmt, name))
}

/// A method of the object that stands in lines that are not shown.
fn is_unseen(facts: &Facts, asked: &Call<'_>) -> bool {
    let of_self = facts.self_attribute(asked.function).is_some();
    of_self && !facts.document.whole && facts.callee_scope(asked).is_none()
}

/// A handler around the look-up goes on, or one within the method that looks up: for more than the entry not being there.
fn is_survived(facts: &Facts, stmt: StmtId, asked: &Call<'_>) -> bool {
    let goes_on = |handler: &Handler| !facts.reraises(handler) && !is_of_misses(facts, handler);
    let inside = || {
        let callee = facts.callee_scope(asked)?;
        let mut stmts = facts.statements_of(callee);
        stmts.find(|&inner| facts.handlers(inner).iter().any(goes_on))
    };
    facts.handlers_around(stmt).any(goes_on) || inside().is_some()
}

/// `except KeyError`, `except client.exceptions.NoSuchKey`, `except NotFound`.
fn is_of_misses(facts: &Facts, handler: &Handler) -> bool {
    let is_miss = |&class: &ExprId| {
        let name = facts.last_name(class).unwrap_or("");
        topic::has_word(name, "no not missing miss key exist")
    };
    !handler.types.is_empty() && handler.types.iter().all(is_miss)
}

/// `if found is not None: return found` behind the look-up.
fn returns_found(facts: &Facts, look_up: StmtId, name: &str) -> bool {
    let returns = |&stmt: &StmtId| matches!(facts.stmt(stmt).kind, StmtKind::Return(Some(value)) if facts.name(value) == Some(name));
    let around = facts.ancestors(look_up).map(|around| around.stmt);
    let mut behind = std::iter::once(look_up)
        .chain(around)
        .flat_map(|stmt| facts.following(stmt).iter().copied());
    behind.any(|stmt| match &facts.stmt(stmt).kind {
        StmtKind::If { test, body, .. } => {
            facts.within(*test).any(|id| facts.name(id) == Some(name)) && body.iter().any(returns)
        }
        _ => false,
    })
}

fn word(facts: &Facts, call: &Call<'_>, result: ExprId) -> Words {
    let (what, made) = (facts.expr_text(call.function), facts.expr_text(result));
    Words::new(
        format!("`{what}` only remembers `{made}`, and its failure takes `{made}` with it."),
        "The look-up before takes an unreachable store for a miss; then the work is done, and the request fails all the same because its result cannot be kept.",
        format!("Catch what the store raises, log it, and return `{made}`."),
    )
}

fn word_of_unseen(facts: &Facts, call: &Call<'_>, result: ExprId) -> Words {
    let (what, made) = (facts.expr_text(call.function), facts.expr_text(result));
    Words::new(
        format!(
            "`{what}` remembers `{made}` for the next time, and nothing here catches its failure."
        ),
        format!(
            "Then the work is done, and the request fails all the same because `{made}` cannot be kept."
        ),
        format!(
            "Can the result be handed out without being kept? Then catch what the store raises, log it, and return `{made}`."
        ),
    )
}
