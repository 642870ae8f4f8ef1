//! A switch of the whole process is changed while it serves: every thread runs under the new setting.

use super::put_back::{is_restored, puts_back};
use super::switches::{CONTEXTS, FIELDS, FIELDS_BELOW, MILD, SEEDS, SWITCHES, TABLES};
use super::torchscript::alone;
use crate::facts::{
    Call, ExprId, ExprKind, Facts, Heat, ScopeId, ScopeKind, Span, StmtId, StmtKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "global-runtime-flag",
    rule: 1,
    severity: Severity::Flag,
    references: &[],
    summary: "A process-wide switch (torch defaults and backends, `os.environ`, a module's attribute) is changed at run time.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    super::handlers_by_objects::detect(cx, out);
    for stmt in facts.stmt_ids() {
        if let Some((switch, span)) = switched(facts, stmt)
            && runs_late(facts, stmt)
            && !puts_back(facts, stmt, &switch)
        {
            let anchor = Anchor { stmt, span };
            judge(cx, anchor, &switch, out);
        }
    }
}

/// The switch that a statement changes, and where.
pub(super) fn switched(facts: &Facts, stmt: StmtId) -> Option<(String, Span)> {
    match &facts.stmt(stmt).kind {
        // As a context (`with torch.set_grad_enabled(False):`) it is scoped to a thread; the standard streams are not,
        // nor is the one configuration of Hydra.
        StmtKind::With { .. } => facts
            .calls_in(stmt)
            .find(|call| call.is(CONTEXTS))
            .map(|call| (call.callee().to_string(), call.span())),
        StmtKind::Assign { targets, .. } => targets.iter().find_map(|&target| {
            let name = global_target(facts, target)?;
            Some((name, facts.expr(target).span))
        }),
        _ => facts
            .calls_in(stmt)
            .find(|call| call.is_dropped() && changes_process(facts, call))
            .map(|call| (call.callee().to_string(), call.span())),
    }
}

fn changes_process(facts: &Facts, call: &Call<'_>) -> bool {
    let of_environment = call
        .receiver()
        .is_some_and(|receiver| is_environment(facts, receiver))
        && matches!(
            call.method(),
            Some("update" | "setdefault" | "pop" | "clear")
        );
    // A bare `disable` or `seed` whose import is not shown is anybody's.
    let says_module = call.callee().contains('.');
    (says_module && (call.is(SWITCHES) || call.is(SEEDS) || call.is(MILD)))
        || of_environment
        || updates_table(facts, call)
}

/// `matplotlib.rcParams.update(...)`.
fn updates_table(facts: &Facts, call: &Call<'_>) -> bool {
    let of_table = call
        .receiver()
        .is_some_and(|of| facts.is_one_of(of, TABLES));
    of_table && call.method() == Some("update")
}

/// A bare `environ` whose import is not shown is rather a WSGI request's.
fn is_environment(facts: &Facts, id: ExprId) -> bool {
    facts
        .resolved(id)
        .is_some_and(|resolved| resolved == "os.environ")
}

/// `os.environ[...]`, `torch.backends.cudnn.benchmark`, or an attribute of an imported module.
fn global_target(facts: &Facts, target: ExprId) -> Option<String> {
    match &facts.expr(target).kind {
        ExprKind::Subscript { object, .. } if is_environment(facts, *object) => {
            Some(facts.expr_text(target).to_string())
        }
        ExprKind::Subscript { object, .. } if facts.is_one_of(*object, TABLES) => {
            Some(facts.expr_text(target).to_string())
        }
        ExprKind::Attribute { .. } => {
            let resolved = facts.resolved(target)?;
            let is_known = FIELDS_BELOW.iter().any(|table| resolved.starts_with(table))
                || FIELDS.iter().any(|field| facts.means(&resolved, field));
            (is_known || facts.is_attribute_of_module(target)).then_some(resolved)
        }
        _ => None,
    }
}

/// In a function. Module level, and what is not shown to be a function, is start-up.
fn runs_late(facts: &Facts, stmt: StmtId) -> bool {
    facts.scope(facts.stmt(stmt).scope).kind == ScopeKind::Function
}

fn judge(cx: &Context<'_>, anchor: Anchor, switch: &str, out: &mut Outcome) {
    let facts = cx.facts;
    let is_held = facts.held_at(anchor.stmt).next().is_some();
    if is_held && is_restored(facts, anchor.stmt, switch) {
        out.evidence(
            1,
            anchor.span,
            "changed under a lock and put back in a `finally`",
        );
        return;
    }
    if is_held && is_set_once(facts, anchor.stmt, switch) {
        out.evidence(1, anchor.span, "set once, tested under a lock");
        return;
    }
    let is_one_of = |names: &[&str]| names.iter().any(|name| facts.means(switch, name));
    let (seldom_hurts, is_seed) = (is_one_of(MILD), is_one_of(SEEDS));
    let is_idle = (seldom_hurts && !is_in_route(facts, anchor.stmt))
        || (is_seed && !is_served(cx, anchor.stmt));
    if is_idle {
        return;
    }
    let is_mild = is_held || is_seed || seldom_hurts || switch.ends_with("setdefault");
    let verdict = verdict(cx, anchor.stmt, is_mild);
    let words = word(switch, is_restored(facts, anchor.stmt, switch));
    out.hits.push(Hit::new(&CHECK, anchor, verdict, words));
}

/// A seed is there to be set, but not by one request while another one draws.
fn is_served(cx: &Context<'_>, stmt: StmtId) -> bool {
    let function = cx.facts.function_of(cx.facts.stmt(stmt).scope);
    let is_fixed = cx.facts.calls_in(stmt).any(|call| {
        let seed = call.positional(0);
        seed.is_some_and(|seed| matches!(cx.facts.expr(seed).kind, ExprKind::Number))
    });
    // `run_k_means` begins its numbers anew for itself; a request brings its own seed.
    let counts = |function: ScopeId| !is_fixed || cx.facts.class_of(function).is_some();
    cx.facts.heat(stmt, cx.profile) == Heat::Hot
        && function.is_some_and(|of| cx.facts.says_hot(of, cx.profile) && counts(of))
}

fn is_in_route(facts: &Facts, stmt: StmtId) -> bool {
    let function = facts.function_of(facts.stmt(stmt).scope);
    function.is_some_and(|function| facts.is_route(function))
}

/// Whether a test under the lock leaves where the switch was set before.
fn is_set_once(facts: &Facts, stmt: StmtId, switch: &str) -> bool {
    let before = facts
        .block_of(stmt)
        .iter()
        .take_while(|&&other| other != stmt);
    let around = facts.ancestors(stmt).map(|around| around.stmt);
    let mut tests = before.copied().chain(around);
    tests.any(|test| match &facts.stmt(test).kind {
        StmtKind::If {
            test: asks, body, ..
        } => {
            let under_lock = facts
                .held_at(stmt)
                .any(|held| facts.stmt(test).span.start > facts.stmt(held.stmt).span.start);
            let leaves = facts.always_leaves(body)
                || facts.ancestors(stmt).any(|around| around.stmt == test);
            let mut inside = facts.within(*asks);
            under_lock
                && leaves
                && inside.any(|id| {
                    facts
                        .resolved(id)
                        .is_some_and(|asked| is_beside(&asked, switch))
                })
        }
        _ => false,
    })
}

/// `sys.stdout` beside `sys.stderr`: what is set together is tested by one of them.
fn is_beside(asked: &str, switch: &str) -> bool {
    let object = |name: &str| name.rsplit_once('.').map(|(object, _)| object.to_string());
    asked == switch || (object(asked).is_some() && object(asked) == object(switch))
}

fn verdict(cx: &Context<'_>, stmt: StmtId, is_mild: bool) -> HitVerdict {
    let facts = cx.facts;
    let heat = facts.heat(stmt, cx.profile);
    let function = facts.function_of(facts.stmt(stmt).scope);
    let asks =
        |question: fn(&Facts, ScopeId) -> bool| function.is_some_and(|of| question(facts, of));
    let builds = asks(Facts::builds);
    if (builds || asks(makes_objects)) && sets_constant(facts, stmt) {
        return HitVerdict::Excused(
            "Every object that is made sets the same constant.".to_string(),
        );
    }
    if is_added_where_missing(facts, stmt) {
        return HitVerdict::Excused("What is there already is not added again.".to_string());
    }
    if applies_settings(facts, stmt) {
        return HitVerdict::Excused("It applies what the process is configured with.".to_string());
    }
    if facts.begins_process(stmt) {
        return HitVerdict::Excused(
            "It prepares a process of its own before that takes any work.".to_string(),
        );
    }
    let cold = match heat {
        // A constructor runs once for each object, not once for the process.
        Heat::Cold(reason) if !builds || facts.trains(stmt) => Some(reason),
        // A seed of numbers is set for each job, also where its name is one of a start.
        Heat::Hot if asks(|facts, of| topic::says(facts.scope_name(of).unwrap_or(""), "seed")) => {
            None
        }
        _ if asks(is_preparation_for_others) => {
            Some("it prepares the process, and nothing calls it here")
        }
        Heat::Unknown if asks(makes_environment) => Some("it prepares the process's environment"),
        _ if !builds && asks(|facts, of| facts.begins_with_start(of)) => {
            Some("it runs at start-up or construction")
        }
        _ => None,
    };
    if let Some(reason) = alone(cx, stmt) {
        return HitVerdict::Excused(reason);
    }
    if let Some(reason) = cold {
        return HitVerdict::Excused(format!("No request is served yet: {reason}."));
    }
    let is_proven = function.is_some_and(|of| serves(cx, of));
    match heat {
        Heat::Hot if is_proven && !is_mild && !builds => HitVerdict::Violation,
        _ => HitVerdict::Look,
    }
}

/// `for key, value in self.cfg.env.items(): os.environ[key] = value`.
fn applies_settings(facts: &Facts, stmt: StmtId) -> bool {
    let StmtKind::Assign { targets, .. } = &facts.stmt(stmt).kind else {
        return false;
    };
    let is_any_key = |target: &ExprId| match &facts.expr(*target).kind {
        ExprKind::Subscript { object, index } => {
            is_environment(facts, *object) && index.iter().all(|&key| facts.name(key).is_some())
        }
        _ => false,
    };
    let of_settings = |id: ExprId| {
        facts
            .last_name(id)
            .is_some_and(|name| topic::has_word(name, "cfg config conf settings"))
    };
    targets.iter().any(is_any_key)
        && facts
            .ancestors(stmt)
            .any(|around| match facts.stmt(around.stmt).kind {
                StmtKind::For { iter, .. } => facts.within(iter).any(of_settings),
                _ => false,
            })
}

/// `if folder not in os.environ["PATH"]: os.environ["PATH"] = ...`.
fn is_added_where_missing(facts: &Facts, stmt: StmtId) -> bool {
    let StmtKind::Assign { targets, .. } = &facts.stmt(stmt).kind else {
        return false;
    };
    let is_list = targets.iter().any(|&target| {
        facts
            .expr_text(target)
            .trim_end_matches(['"', '\'', ']'])
            .ends_with("PATH")
    });
    is_list
        && facts
            .ancestors(stmt)
            .any(|around| match facts.stmt(around.stmt).kind {
                StmtKind::If { test, .. } => facts.text(facts.expr(test).span).contains(" not in "),
                _ => false,
            })
}

/// `make_default_env`, `set_environment`.
fn makes_environment(facts: &Facts, function: ScopeId) -> bool {
    let last = topic::words(facts.scope_name(function).unwrap_or("")).last();
    matches!(last.as_deref(), Some("env" | "environ" | "environment"))
        && facts.class_of(function).is_none()
}

/// A class method that makes an object of its class: `from_pretrained`, `load`, `create`.
fn makes_objects(facts: &Facts, function: ScopeId) -> bool {
    let name = facts.scope_name(function).unwrap_or("");
    let mut decorators = facts.decorators(function).iter();
    topic::begins_with_word(name, "from load create make build open")
        && decorators.any(|&decorator| facts.name(decorator) == Some("classmethod"))
}

/// An environment variable that is set to constants alone: the second call changes nothing.
fn sets_constant(facts: &Facts, stmt: StmtId) -> bool {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        ..
    } = &facts.stmt(stmt).kind
    else {
        return false;
    };
    let of_environment = |&target: &ExprId| match facts.expr(target).kind {
        ExprKind::Subscript { object, .. } => is_environment(facts, object),
        _ => false,
    };
    let is_name = |id: &ExprId| facts.name(*id).is_some() || facts.self_attribute(*id).is_some();
    let is_fixed = |id: ExprId| {
        facts.is_constant_name(id)
            || facts.is_class_constant(id)
            || facts.imported_root(id).is_some()
            || is_callee_name(facts, id)
    };
    targets.iter().all(of_environment) && facts.within(*value).filter(is_name).all(is_fixed)
}

/// `str` of `str(CONSTANT)`, `os` of `os.path.join(ROOT, "a")` where the import is not shown.
fn is_callee_name(facts: &Facts, id: ExprId) -> bool {
    let mut at = id;
    while let Some(parent) = facts.expr(at).parent {
        if let Some(call) = facts.call(parent) {
            let is_plain =
                matches!(call.callee(), "str" | "int") || call.callee().starts_with("os.path.");
            return call.function == at && is_plain;
        }
        if facts.attribute(parent).is_none() {
            return false;
        }
        at = parent;
    }
    false
}

/// `patch_all`, `set_backend`: there for a start elsewhere, where nothing shown calls it. So is what only such
/// functions call. Names of which other functions make use need the whole file.
fn is_preparation_for_others(facts: &Facts, function: ScopeId) -> bool {
    prepares(facts, function, 3)
}

fn prepares(facts: &Facts, function: ScopeId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    if facts.class_of(function).is_some() || !facts.calls_from_afar(function).is_empty() {
        return false;
    }
    if facts.is_uncalled(function) {
        let is_sure = facts.document.whole || facts.says_patch(function);
        return is_sure && facts.says_preparation(function);
    }
    let mut callers = facts
        .calls_to(function)
        .map(|call| facts.function_of(call.scope()));
    facts.is_only_called(function)
        && callers.all(|caller| caller.is_some_and(|caller| prepares(facts, caller, depth)))
}

/// A hot path is more than a folder: the function says that it serves, or something shown calls it.
fn serves(cx: &Context<'_>, function: ScopeId) -> bool {
    cx.facts.says_hot(function, cx.profile) || !cx.facts.is_uncalled(function)
}

fn word(switch: &str, is_restored: bool) -> Words {
    if switch == "signal.signal" {
        return Words::new(
            "A request sets a signal's handler, which the whole process has once.",
            "In any thread but the main one the call raises `ValueError`; in the main thread two requests take the handler from each other.",
            "Can this run in a pool's thread? Bound the work by a timeout of the call itself, or set the handler where the process starts.",
        );
    }
    let message = if is_restored {
        format!("`{switch}` is changed for a while, for the whole process, with no lock.")
    } else {
        format!("`{switch}` is changed for the whole process while it serves.")
    };
    Words::new(
        message,
        "Every thread reads this setting: work that runs beside it changes its results, its precision or its speed, depending on who comes first.",
        "Set it once at start-up, pass the setting to the call that needs it, or change it under one lock and put it back in a `finally`.",
    )
}
