//! A memo without a maximum: one entry for every combination of arguments, for ever.

use crate::facts::{Call, ExprId, ExprKind, Facts, Param, ScopeId, ScopeKind, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unbounded-memo",
    rule: 8,
    severity: Severity::Nit,
    references: &[],
    summary: "`lru_cache(maxsize=None)` or `cache` stands on a method or a function with many-valued arguments.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for function in cx.facts.scope_ids() {
        for &decorator in cx.facts.decorators(function) {
            let Some(memo) = memo(cx.facts, decorator) else {
                continue;
            };
            judge(cx, function, decorator, memo, out);
        }
    }
    for call in cx.facts.calls() {
        if let Some(function) = memoised(cx.facts, &call) {
            judge(cx, function, call.function, Memo::Unbounded, out);
        }
    }
}

/// `load = lru_cache(maxsize=None)(_load)` of the module; one that a constructor makes goes with its object.
fn memoised(facts: &Facts, call: &Call<'_>) -> Option<ScopeId> {
    let by_maker = memo(facts, call.function) == Some(Memo::Unbounded);
    let given = call
        .positional(0)
        .filter(|_| by_maker && call.args.len() == 1)?;
    let function = facts.definition(given)?;
    let of_module =
        facts.is_module_level(call.stmt()) && facts.scope(function).kind == ScopeKind::Function;
    (of_module && matches!(facts.stmt(call.stmt()).kind, StmtKind::Assign { .. }))
        .then_some(function)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Memo {
    Bounded,
    Unbounded,
}

/// `@cache`, `@lru_cache`, `@lru_cache(maxsize=None)`; without arguments `lru_cache` keeps 128.
fn memo(facts: &Facts, decorator: ExprId) -> Option<Memo> {
    let called = facts.call(decorator);
    let name = called.map_or(decorator, |call| call.function);
    // A bare `cache` is many a library's; `functools.cache` says whose it is.
    let says_module = facts.attribute(name).is_some();
    let is_known = says_module || facts.imports_from("functools");
    if facts.is_one_of(name, &["functools.cache"]) && is_known {
        return Some(Memo::Unbounded);
    }
    if facts.is_one_of(name, ENDLESS) || called.is_some_and(|call| keeps_in_dict(facts, &call)) {
        return Some(Memo::Unbounded);
    }
    // A project's own `compat` module hands it on under its name.
    let is_handed_on = || {
        let resolved = facts.resolved(name);
        resolved.is_some_and(|resolved| resolved.ends_with(".lru_cache"))
    };
    if !facts.is_one_of(name, &["functools.lru_cache", "async_lru.alru_cache"]) && !is_handed_on() {
        return None;
    }
    let size = called.and_then(|call: Call<'_>| call.arg(0, "maxsize"));
    let endless = size.is_some_and(|size| matches!(facts.expr(size).kind, ExprKind::None));
    Some(if endless {
        Memo::Unbounded
    } else {
        Memo::Bounded
    })
}

/// Memos of other libraries that know no maximum.
const ENDLESS: &[&str] = &[
    "funcy.memoize",
    "toolz.memoize",
    "cytoolz.memoize",
    "toolz.functoolz.memoize",
];

/// `@cached(cache={})` of cachetools and its like: a plain dict is the store.
fn keeps_in_dict(facts: &Facts, call: &Call<'_>) -> bool {
    call.is(&["cachetools.cached", "boltons.cacheutils.cached"])
        && call
            .arg(0, "cache")
            .is_some_and(|store| matches!(facts.expr(store).kind, ExprKind::Dict(_)))
}

fn judge(cx: &Context<'_>, function: ScopeId, decorator: ExprId, memo: Memo, out: &mut Outcome) {
    let facts = cx.facts;
    let span = facts.expr(decorator).span;
    if memo == Memo::Bounded {
        out.evidence(8, span, "the memo has a maximum size");
        return;
    }
    let Some(stmt) = facts
        .scope(function)
        .stmt
        .filter(|_| facts.scope(function).kind == ScopeKind::Function)
    else {
        return;
    };
    let open: Vec<&Param> = facts
        .scope(function)
        .params
        .iter()
        .filter(|param| is_open(facts, param))
        .collect();
    let keeps_self = is_method(facts, function) && !is_static(facts, function);
    if !keeps_self && (open.is_empty() || says_once(facts, function)) {
        return;
    }
    let verdict = match facts.idle_file(cx.profile) {
        Some(reason) => HitVerdict::Excused(format!("Short-lived: {reason}.")),
        None if keeps_self => HitVerdict::Violation,
        None if facts.class_of(function).is_none()
            && open.iter().any(|param| is_many_valued(facts, param)) =>
        {
            HitVerdict::Violation
        }
        None => HitVerdict::Look,
    };
    let stmt = match facts.decorators(function).contains(&decorator) {
        true => stmt,
        false => facts.expr(decorator).stmt,
    };
    out.hits.push(Hit::new(
        &CHECK,
        Anchor { stmt, span },
        verdict,
        word(facts, function, keeps_self),
    ));
}

/// A function without a result is memoised to run once for each thing that it has to say: a log line, a warning.
fn says_once(facts: &Facts, function: ScopeId) -> bool {
    facts.is_visible(function) && facts.returns_of(function).next().is_none()
}

/// An argument that can take more than a handful of values.
fn is_open(facts: &Facts, param: &Param) -> bool {
    let name = facts.text(param.name);
    let closed = param.annotation.is_some_and(|kind| {
        let text = facts.expr_text(kind);
        text == "bool"
            || text.starts_with("Literal")
            || text.starts_with("Type[")
            || text.ends_with("Enum")
    });
    !closed && !matches!(name, "self" | "cls")
}

/// Names of what a program has a few of, whatever their type.
const FEW: &[&str] = &[
    "package",
    "module",
    "language",
    "languages",
    "lang",
    "locale",
    "task",
    "multilingual",
    "version",
    "kind",
    "mode",
    "dtype",
    "device",
    "backend",
    "level",
    "encoding",
    "platform",
    "env",
];

fn is_many_valued(facts: &Facts, param: &Param) -> bool {
    let says_few = topic::words(facts.text(param.name))
        .last()
        .is_some_and(|word| FEW.contains(&&*word));
    !says_few
        && param.annotation.is_none_or(|kind| {
            let text = facts.expr_text(kind);
            ["str", "int", "float", "bytes", "Tuple", "tuple"]
                .iter()
                .any(|open| text.contains(open))
        })
}

fn is_method(facts: &Facts, function: ScopeId) -> bool {
    let first = facts
        .scope(function)
        .params
        .first()
        .map(|param| facts.text(param.name));
    facts.class_of(function).is_some() && first == Some("self")
}

fn is_static(facts: &Facts, function: ScopeId) -> bool {
    facts
        .decorators(function)
        .iter()
        .any(|&other| matches!(facts.name(other), Some("staticmethod" | "classmethod")))
}

fn word(facts: &Facts, function: ScopeId, keeps_self: bool) -> Words {
    let name = facts.scope_name(function).unwrap_or("the function");
    let why = match keeps_self {
        true if facts.scope(function).params.len() == 1 => {
            "The memo keeps one entry for each instance, and each entry keeps its instance alive, with all that it holds."
        }
        true => {
            "Every combination of arguments stays in memory, and each entry keeps its instance alive as well."
        }
        false => {
            "Every combination of arguments that is ever seen stays in memory for the life of the process."
        }
    };
    Words::new(
        format!("The memo of `{name}` has no maximum size."),
        why,
        "Set a `maxsize` that fits the values that occur together, or memoise per instance.",
    )
}
