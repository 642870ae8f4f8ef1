//! A long-lived dict or set that takes keys from outside and never gives one up.

use crate::facts::{
    BindingKind, Container, ExprId, ExprKind, Facts, Heat, Kind, Owner, ScopeId, StmtKind, Use,
    UseKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "unbounded-cache",
    rule: 8,
    severity: Severity::Nit,
    references: &[],
    summary: "A long-lived dict or set is filled by keys from outside and nothing is ever removed.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let containers = cx.facts.containers();
    for container in containers
        .iter()
        .filter(|one| matches!(one.kind, Kind::Dict | Kind::Set))
    {
        let Some(insertion) = insertion(cx.facts, container) else {
            continue;
        };
        if gives_up(cx.facts, container, insertion) || may_be_pruned_elsewhere(cx.facts, container)
        {
            note_bound(container, out);
        } else if lives_long(cx, container, insertion) {
            report(cx, container, insertion, out);
        }
    }
}

/// The insertion that makes it grow: by an open key, or, where the keys are streams and end with them,
/// by an open key of what one stream holds.
fn insertion<'c>(facts: &Facts, container: &'c Container) -> Option<&'c Use> {
    let open = open_insertion(facts, container)?;
    let by_stream = container
        .uses
        .iter()
        .all(|of| !grows_by_key(of) || is_by_stream(facts, of));
    if !by_stream {
        return Some(open);
    }
    container
        .inner_uses
        .iter()
        .find(|of| is_open_insertion(facts, of) && !is_by_stream(facts, of))
}

/// Whether entries go out again: those that the insertion makes, or the ones that hold them.
fn gives_up(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    let removes = |of: &Use| matches!(of.kind, UseKind::Shrink | UseKind::Rebind | UseKind::Size);
    let inner = container
        .inner_uses
        .iter()
        .any(|of| of.span == insertion.span);
    container.is_bounded()
        || (inner && container.inner_uses.iter().any(removes))
        || counts_before(facts, insertion)
}

/// An explicit counter: the inserting function compares something with a constant that says maximum.
fn counts_before(facts: &Facts, insertion: &Use) -> bool {
    let Some(function) = facts.function_of(facts.stmt(insertion.stmt).scope) else {
        return false;
    };
    let says_limit = |id: ExprId| {
        let name = facts.last_name(id).unwrap_or("");
        ["max", "limit", "maximum", "capacity"]
            .iter()
            .any(|word| topic::says(name, word))
    };
    facts
        .statements_of(function)
        .any(|stmt| match facts.stmt(stmt).kind {
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => {
                let compares = matches!(facts.expr(test).kind, ExprKind::Compare { .. });
                compares && facts.within(test).any(says_limit)
            }
            _ => false,
        })
}

fn is_open_insertion(facts: &Facts, of: &Use) -> bool {
    matches!(of.kind, UseKind::Insert(key) if is_open(facts, key))
}

fn grows_by_key(of: &Use) -> bool {
    matches!(of.kind, UseKind::Insert(_) | UseKind::Inner(_))
}

/// Keyed by a video or stream: as many entries as the owner has streams.
fn is_by_stream(facts: &Facts, of: &Use) -> bool {
    let key = match of.kind {
        UseKind::Insert(key) | UseKind::Inner(key) => key,
        _ => return false,
    };
    let says = |id: ExprId| {
        let name = facts.last_name(id).unwrap_or("");
        ["video", "stream", "source", "camera", "pipeline"]
            .iter()
            .any(|word| topic::says(name, word))
    };
    says(key) || facts.values(key).into_iter().any(says)
}

/// The first insertion whose key can take any number of values.
fn open_insertion<'c>(facts: &Facts, container: &'c Container) -> Option<&'c Use> {
    let makes_keys = facts
        .call(container.value)
        .is_some_and(|call| call.name() == "defaultdict");
    container.uses.iter().find(|of| match of.kind {
        UseKind::Insert(_) => is_open_insertion(facts, of),
        UseKind::Inner(key) => makes_keys && is_open(facts, key),
        UseKind::Append => container.kind == Kind::Set && adds_open_value(facts, of),
        _ => false,
    })
}

/// Literals, constants, members of an enum and loop variables over displays are closed sets.
fn is_open(facts: &Facts, key: ExprId) -> bool {
    match &facts.expr(key).kind {
        ExprKind::Str(_) | ExprKind::Number | ExprKind::True | ExprKind::False | ExprKind::None => {
            false
        }
        ExprKind::Name => {
            !is_constant(facts.expr_text(key))
                && !loops_over_display(facts, key)
                && !is_typed_closed(facts, key)
        }
        ExprKind::Attribute { .. } => {
            !facts.last_name(key).is_some_and(is_constant) && !is_type_name(facts, key)
        }
        ExprKind::Tuple(items) => items.iter().any(|&item| is_open(facts, item)),
        ExprKind::Call { .. } => !facts
            .call(key)
            .is_some_and(|call| matches!(call.callee(), "type" | "len")),
        _ => true,
    }
}

/// A parameter of a class of the project's own, an Enum or a Literal most likely: plain values are open.
fn is_typed_closed(facts: &Facts, key: ExprId) -> bool {
    let annotation = facts.parameter(key).and_then(|(_, param)| param.annotation);
    annotation
        .and_then(|kind| facts.last_name(kind))
        .is_some_and(|name| {
            matches!(name, "bool" | "Literal" | "Type" | "type")
                || [
                    "enum", "kind", "type", "mode", "status", "state", "name", "backend",
                    "strategy",
                ]
                .iter()
                .any(|word| {
                    name.starts_with(char::is_uppercase)
                        && topic::words(name).last().as_deref() == Some(word)
                })
        })
}

fn is_constant(name: &str) -> bool {
    name.len() > 1
        && name
            .chars()
            .all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '_')
}

/// `cls.__name__`, `self.name`: one entry for each class or object of a program.
fn is_type_name(facts: &Facts, key: ExprId) -> bool {
    facts.attribute(key).is_some_and(|(_, name)| {
        matches!(
            name,
            "__name__" | "__class__" | "__qualname__" | "__module__"
        )
    })
}

fn loops_over_display(facts: &Facts, key: ExprId) -> bool {
    let displays = |iter: ExprId| {
        matches!(
            facts.expr(iter).kind,
            ExprKind::List(_) | ExprKind::Tuple(_) | ExprKind::Set(_)
        )
    };
    let bindings = facts.bindings_behind(key);
    !bindings.is_empty()
        && bindings.iter().all(|binding| match binding.kind {
            BindingKind::Loop { iter, .. } => {
                displays(iter)
                    || facts
                        .call(iter)
                        .is_some_and(|call| call.callee() == "range")
            }
            _ => false,
        })
}

fn adds_open_value(facts: &Facts, of: &Use) -> bool {
    let call = facts
        .calls_within(of.span)
        .find(|call| call.method() == Some("add"));
    call.and_then(|call| call.positional(0))
        .is_some_and(|value| is_open(facts, value))
}

/// Handed to something whose name says that it prunes, or weak: not ours to judge.
fn may_be_pruned_elsewhere(facts: &Facts, container: &Container) -> bool {
    container.uses.iter().any(|of| match of.kind {
        UseKind::Passed(call) => facts.call(call).is_some_and(|call| {
            [
                "prune", "evict", "trim", "expire", "clean", "cleanup", "shrink", "limit",
            ]
            .iter()
            .any(|word| topic::says(call.name(), word))
        }),
        _ => false,
    })
}

/// A module or class lives as long as the process. An instance does if its class keeps state across calls
/// on a hot path, guards it, or is named for it.
fn lives_long(cx: &Context<'_>, container: &Container, insertion: &Use) -> bool {
    let facts = cx.facts;
    let fills_at_import = facts
        .function_of(facts.stmt(insertion.stmt).scope)
        .is_none();
    if fills_at_import || is_registration(facts, container, insertion) {
        return false;
    }
    match container.owner {
        Owner::Module | Owner::Class(_) => {
            !matches!(facts.heat(insertion.stmt, cx.profile), Heat::Cold(_))
        }
        Owner::Instance(class) => {
            let says = |name: &str| KEEPS.iter().any(|word| topic::says(name, word));
            let hot = facts.heat(insertion.stmt, cx.profile) == Heat::Hot;
            let kept = says(&container.name) || facts.scope_name(class).is_some_and(says);
            let settings = matches!(insertion.kind, UseKind::Insert(key) if is_setting(facts, key));
            !makes_and_fills(facts, container, insertion)
                && !settings
                && hot
                && (kept || has_lock(facts, class))
        }
    }
}

/// Words in the name of what outlives a call.
const KEEPS: &[&str] = &[
    "cache",
    "caches",
    "cached",
    "registry",
    "manager",
    "pool",
    "history",
    "seen",
    "sessions",
    "tracks",
    "tracker",
    "trackers",
    "state",
    "states",
    "block",
    "clients",
    "connections",
    "buffers",
    "memo",
    "last",
    "previous",
    "collector",
];

/// Words in the name of a value that differs from request to request, frame to frame, or user to user.
const INPUT_WORDS: &[&str] = &[
    "id",
    "ids",
    "uid",
    "uuid",
    "key",
    "token",
    "url",
    "uri",
    "path",
    "file",
    "filename",
    "name",
    "text",
    "prompt",
    "query",
    "video",
    "stream",
    "track",
    "tracker",
    "session",
    "request",
    "user",
    "client",
    "host",
    "address",
    "image",
    "frame",
    "zone",
    "shape",
    "size",
    "width",
    "height",
    "resolution",
    "hash",
    "digest",
    "workspace",
    "model",
    "class",
    "label",
    "step",
    "seq",
    "length",
    "index",
    "timestamp",
    "time",
];

/// The key is put together of a few plain parameters that configure the owner: styles, modes, flags.
/// One owner has one configuration, so it has one entry.
fn is_setting(facts: &Facts, key: ExprId) -> bool {
    let composed = facts.values(key);
    let parts: Vec<ExprId> = composed
        .iter()
        .flat_map(|&value| facts.within(value))
        .filter(|&id| {
            matches!(facts.expr(id).kind, ExprKind::Name) && facts.parameter(id).is_some()
        })
        .collect();
    let joined = composed.iter().any(|&value| {
        matches!(
            facts.expr(value).kind,
            ExprKind::Call { .. } | ExprKind::Tuple(_) | ExprKind::FString(_)
        )
    });
    let is_input = |id: &ExprId| {
        let name = facts.expr_text(*id);
        INPUT_WORDS.contains(&name)
            || topic::words(name)
                .last()
                .is_some_and(|last| INPUT_WORDS.contains(&last.as_str()) && last != "size")
    };
    joined && parts.len() >= 3 && !parts.iter().any(is_input)
}

fn has_lock(facts: &Facts, class: ScopeId) -> bool {
    facts.methods(class).any(|method| {
        facts
            .calls_within(facts.scope(method).span)
            .any(|call| facts.constructs(&call).is_some_and(Kind::is_lock))
    })
}

/// Made and filled in one function: the instance only shows the result.
fn makes_and_fills(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    facts.stmt(container.stmt).scope == facts.stmt(insertion.stmt).scope
}

/// A plug-in registry is filled by decorators and modules: as many entries as the program has parts.
fn is_registration(facts: &Facts, container: &Container, insertion: &Use) -> bool {
    let name = facts.function_name(insertion.stmt).unwrap_or("");
    let registers = topic::says(name, "register")
        || topic::says(name, "add")
        || topic::says(&container.name, "registry");
    let of_registry = facts
        .class_of(facts.stmt(insertion.stmt).scope)
        .and_then(|class| facts.scope_name(class))
        .is_some_and(|class| topic::says(class, "registry"));
    let stores_definition = match &facts.stmt(insertion.stmt).kind {
        StmtKind::Assign {
            value: Some(value), ..
        } => facts.last_name(*value).is_some_and(|value| {
            matches!(
                value,
                "cls" | "func" | "fn" | "function" | "wrapper" | "klass" | "handler" | "factory"
            )
        }),
        _ => false,
    };
    stores_definition
        || of_registry
        || (registers && matches!(container.owner, Owner::Module | Owner::Class(_)))
}

fn note_bound(container: &Container, out: &mut Outcome) {
    let removal = container
        .uses
        .iter()
        .find(|of| matches!(of.kind, UseKind::Shrink | UseKind::Size | UseKind::Rebind));
    if let Some(removal) = removal {
        out.evidence(
            8,
            removal.span,
            format!("`{}` gives entries up", container.name),
        );
    }
}

fn report(cx: &Context<'_>, container: &Container, insertion: &Use, out: &mut Outcome) {
    let facts = cx.facts;
    let anchor = Anchor::stmt(facts, container.stmt);
    let verdict = if facts.sees_all_uses(container) {
        HitVerdict::Violation
    } else {
        HitVerdict::Look
    };
    let mut hit = Hit::new(&CHECK, anchor, verdict, word(container));
    hit.causes.push(facts.stmt(insertion.stmt).head);
    out.hits
        .push(hit.with_related(insertion.span, "an entry goes in here"));
}

fn word(container: &Container) -> Words {
    let name = &container.name;
    let lives = match container.owner {
        Owner::Module => "as long as the process",
        Owner::Class(_) => "as long as the process, for all instances together",
        Owner::Instance(_) => "as long as its owner, across calls",
    };
    Words::new(
        format!("`{name}` takes a new entry for every new key and nothing shown removes one."),
        format!("It lives {lives}, so its memory grows with every key that is ever seen."),
        format!(
            "Bound `{name}`: a maximum size with eviction, an expiry, or removal when the key's owner goes away."
        ),
    )
}
