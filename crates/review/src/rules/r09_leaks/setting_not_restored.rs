//! A setting of the whole process that is changed for a while and put back only when nothing raises.

use super::opened;
use crate::facts::{BindingKind, Call, ExprId, ExprKind, Facts, ScopeKind, Span, StmtId, StmtKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "setting-not-restored",
    rule: 9,
    severity: Severity::Flag,
    references: &[],
    summary: "A process-wide setting (backend flag, seed, locale, environment, warning filter, signal handler) is changed for a while and put back only when nothing raises.",
    detect,
};

/// Calls that change one setting, by the setting.
const SETTINGS: &[(&str, &[&str])] = &[
    (
        "numpy.random",
        &["numpy.random.seed", "numpy.random.set_state"],
    ),
    ("random", &["random.seed", "random.setstate"]),
    (
        "torch's random state",
        &[
            "torch.manual_seed",
            "torch.set_rng_state",
            "torch.random.set_rng_state",
        ],
    ),
    (
        "warnings.filters",
        &[
            "warnings.simplefilter",
            "warnings.filterwarnings",
            "warnings.resetwarnings",
        ],
    ),
    ("signal.signal", &["signal.signal"]),
    ("signal.alarm", &["signal.alarm"]),
    ("signal.setitimer", &["signal.setitimer"]),
    ("locale.setlocale", &["locale.setlocale"]),
    ("os.chdir", &["os.chdir"]),
    ("os.umask", &["os.umask"]),
    ("torch.set_num_threads", &["torch.set_num_threads"]),
    ("torch.set_grad_enabled", &["torch.set_grad_enabled"]),
    ("torch.set_default_dtype", &["torch.set_default_dtype"]),
    ("torch.set_default_device", &["torch.set_default_device"]),
    (
        "torch.use_deterministic_algorithms",
        &["torch.use_deterministic_algorithms"],
    ),
    (
        "torch.set_float32_matmul_precision",
        &["torch.set_float32_matmul_precision"],
    ),
    ("numpy.seterr", &["numpy.seterr"]),
    ("socket.setdefaulttimeout", &["socket.setdefaulttimeout"]),
    ("sys.setrecursionlimit", &["sys.setrecursionlimit"]),
    ("gc", &["gc.disable", "gc.enable"]),
    ("cv2.setNumThreads", &["cv2.setNumThreads"]),
    ("logging.disable", &["logging.disable"]),
];

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let changes: Vec<Change> = facts
        .stmt_ids()
        .filter_map(|stmt| change(facts, stmt))
        .collect();
    for (n, first) in changes.iter().enumerate() {
        let scope = facts.stmt(first.stmt).scope;
        let mut later = changes.iter().skip(n + 1).filter(|other| {
            facts.stmt(other.stmt).scope == scope && other.setting == first.setting
        });
        let earlier = changes
            .iter()
            .take(n)
            .any(|other| facts.stmt(other.stmt).scope == scope && other.setting == first.setting);
        let Some(back) = later
            .find(|other| puts_back(facts, other, first))
            .filter(|_| !earlier)
        else {
            continue;
        };
        judge(cx, first, back, out);
    }
}

/// A statement that changes a setting.
struct Change {
    stmt: StmtId,
    span: Span,
    setting: String,
    /// What it is changed to; none where it is taken away, or set to what it is by default.
    value: Option<ExprId>,
}

fn change(facts: &Facts, stmt: StmtId) -> Option<Change> {
    if facts.scope(facts.stmt(stmt).scope).kind != ScopeKind::Function {
        return None;
    }
    match &facts.stmt(stmt).kind {
        StmtKind::With { .. } => None,
        StmtKind::Assign {
            targets,
            value,
            augmented: false,
            ..
        } => {
            let by_target = targets.iter().find_map(|&target| {
                Some(Change {
                    stmt,
                    span: facts.expr(target).span,
                    setting: assigned_setting(facts, target)?,
                    value: *value,
                })
            });
            by_target.or_else(|| change_by_call(facts, stmt))
        }
        StmtKind::Delete(gone) => gone.iter().find_map(|&target| {
            Some(Change {
                stmt,
                span: facts.expr(target).span,
                setting: assigned_setting(facts, target)?,
                value: None,
            })
        }),
        StmtKind::Expr(_) => change_by_call(facts, stmt),
        _ => None,
    }
}

/// `os.environ[...]`, `torch.backends.cudnn.benchmark`, `sys.stdout`, `warnings.filters`.
fn assigned_setting(facts: &Facts, target: ExprId) -> Option<String> {
    match &facts.expr(target).kind {
        ExprKind::Subscript { object, .. } if facts.is_one_of(*object, &["os.environ"]) => {
            Some(facts.expr_text(target).replace('\'', "\""))
        }
        ExprKind::Subscript { object, .. } if facts.is_one_of(*object, &["warnings.filters"]) => {
            Some("warnings.filters".to_string())
        }
        ExprKind::Attribute { .. } => {
            let resolved = facts.resolved(target)?;
            let is_backend = resolved.starts_with("torch.backends.");
            (is_backend || facts.is_attribute_of_module(target)).then_some(resolved)
        }
        _ => None,
    }
}

/// `numpy.random.seed(0)`, `old = signal.signal(signal.SIGINT, handler)`, `os.environ.pop("KEY", None)`.
fn change_by_call(facts: &Facts, stmt: StmtId) -> Option<Change> {
    let is_scoped = facts
        .with_items(stmt)
        .filter_map(|(_, item)| facts.call(item.context))
        .any(|call| matches!(call.name(), "catch_warnings" | "errstate" | "localcontext"));
    if is_scoped {
        return None;
    }
    facts
        .calls_in(stmt)
        .find_map(|call| {
            let value = call.args.last()?.value;
            let row = SETTINGS.iter().find(|(_, names)| call.is(names));
            let asks = call.name() == "setlocale" && call.args.len() < 2;
            let setting = match row {
                Some(("signal.signal", _)) => {
                    format!("signal.signal({})", facts.expr_text(call.positional(0)?))
                }
                Some((setting, _)) if !asks => setting.to_string(),
                Some(_) => return None,
                None => return change_of_environment(facts, &call),
            };
            Some(Change {
                stmt,
                span: call.span(),
                setting,
                value: Some(value),
            })
        })
        .or_else(|| reset(facts, stmt))
}

/// `warnings.resetwarnings()`, `gc.enable()`: no argument says what it was.
fn reset(facts: &Facts, stmt: StmtId) -> Option<Change> {
    facts.calls_in(stmt).find_map(|call| {
        let (setting, _) = SETTINGS
            .iter()
            .find(|(_, names)| call.args.is_empty() && call.is(names))?;
        Some(Change {
            stmt,
            span: call.span(),
            setting: setting.to_string(),
            value: None,
        })
    })
}

fn change_of_environment(facts: &Facts, call: &Call<'_>) -> Option<Change> {
    let receiver = call
        .receiver()
        .filter(|&of| facts.is_one_of(of, &["os.environ"]))?;
    let pops = matches!(call.method(), Some("pop"));
    let key = call.positional(0).filter(|_| pops)?;
    let text = format!("{}[{}]", facts.expr_text(receiver), facts.expr_text(key));
    Some(Change {
        stmt: call.stmt(),
        span: call.span(),
        setting: text.replace('\'', "\""),
        value: None,
    })
}

/// The later change gives back what was there: a value that was saved before the first one, by it, or no value at all.
fn puts_back(facts: &Facts, back: &Change, first: &Change) -> bool {
    let Some(value) = back.value else {
        return true;
    };
    // `signal.alarm(0)` takes the alarm back.
    let is_timer = matches!(first.setting.as_str(), "signal.alarm" | "signal.setitimer");
    if is_timer && facts.within(value).any(|id| facts.expr_text(id) == "0") {
        return true;
    }
    let saved_in_time = |id: ExprId| {
        facts.bindings_behind(id).into_iter().any(|binding| {
            let is_value = matches!(binding.kind, BindingKind::Value { .. });
            is_value && binding.stmt <= first.stmt && is_saved(facts, binding.stmt, first)
        })
    };
    facts
        .within(value)
        .any(|id| facts.name(id).is_some() && saved_in_time(id))
}

/// `old = torch.backends.cudnn.benchmark`, `state = np.random.get_state()`, `old = signal.signal(...)`.
fn is_saved(facts: &Facts, stmt: StmtId, first: &Change) -> bool {
    let getters = ["get", "is", "current"];
    let asks = facts.calls_in(stmt).any(|call| {
        let word = topic::words(call.name()).next().unwrap_or_default();
        getters.contains(&&*word) || call.name().starts_with("get") || call.name() == "setlocale"
    });
    let reads = facts.exprs_of(stmt).any(|id| {
        facts.resolved(id).as_deref() == Some(first.setting.as_str())
            || facts.expr_text(id).replace('\'', "\"") == first.setting
    });
    stmt == first.stmt || asks || reads
}

fn judge(cx: &Context<'_>, first: &Change, back: &Change, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.in_finally(back.stmt) || is_put_back_on_error(facts, first) {
        out.evidence(9, back.span, "the setting is put back on every path");
        return;
    }
    let Some(step) = step_between(facts, first, back) else {
        return;
    };
    let anchor = Anchor {
        stmt: first.stmt,
        span: first.span,
    };
    let verdict = if facts.sees_enclosure(first.stmt) {
        cx.where_it_matters(first.stmt, HitVerdict::Violation)
    } else {
        cx.where_it_matters(first.stmt, HitVerdict::Look)
    };
    let verdict = opened::unless_cold(cx, verdict);
    let mut hit = Hit::new(&CHECK, anchor, verdict, word(&first.setting))
        .with_related(facts.stmt(step).head, "can leave before it is put back")
        .with_related(back.span, "put back only here");
    hit.causes.push(back.span);
    out.hits.push(hit);
}

/// An `except` of the `try` around the work puts it back as well.
fn is_put_back_on_error(facts: &Facts, first: &Change) -> bool {
    let scope = facts.stmt(first.stmt).scope;
    facts.statements_of(scope).any(|stmt| {
        let cleans = facts.enclosing_handler(stmt).is_some() || facts.in_finally(stmt);
        let same = change(facts, stmt).is_some_and(|other| other.setting == first.setting);
        stmt > first.stmt && cleans && same
    })
}

/// What can leave the function between the two: a call that is no mere reading, or a `return`.
fn step_between(facts: &Facts, first: &Change, back: &Change) -> Option<StmtId> {
    let scope = facts.stmt(first.stmt).scope;
    let is_step = |call: Call<'_>| {
        let calm = matches!(
            call.name(),
            "print" | "len" | "info" | "debug" | "get" | "isinstance"
        );
        !calm && !SETTINGS.iter().any(|(_, names)| call.is(names))
    };
    facts.statements_of(scope).find(|&stmt| {
        let between = stmt > first.stmt && stmt < back.stmt;
        let caught = facts
            .handlers_around(stmt)
            .any(|handler| facts.catches_all(handler) && !facts.always_leaves(&handler.body));
        between
            && !caught
            && (matches!(facts.stmt(stmt).kind, StmtKind::Return(_))
                || facts.calls_in(stmt).any(is_step))
    })
}

fn word(setting: &str) -> Words {
    Words::new(
        format!("`{setting}` is put back only when nothing raises before."),
        "It belongs to the whole process: after one error everything that runs later runs under the setting of this piece of work.",
        "Put it back in a `finally`, or use a context manager that does.",
    )
}
