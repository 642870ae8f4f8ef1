//! Best-effort work that catches OSError only although its parsing raises ValueError.

use super::parsers::{LOADERS, PARSERS, uncaught_damage};
use crate::facts::{
    BindingKind, Call, ExprId, ExprKind, Facts, Handler, Span, StmtId, StmtKind, WithItem,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "narrow-except",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "Best-effort work catches errors of the file system or network only, but its parsing can raise others.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    if facts.idle_file(cx.profile).is_some() {
        return;
    }
    for stmt in facts.stmt_ids() {
        match &facts.stmt(stmt).kind {
            StmtKind::Try { body, handlers, .. } => tried(facts, stmt, body, handlers, out),
            StmtKind::With { items, body, .. } => suppressed(facts, stmt, items, body, out),
            _ => {}
        }
    }
}

fn tried(facts: &Facts, stmt: StmtId, body: &[StmtId], handlers: &[Handler], out: &mut Outcome) {
    if !of_system_only(facts, stmt, body, handlers, out) {
        half_caught(facts, stmt, body, handlers, out);
    }
}

/// What names a class of damaged data.
const DAMAGE: &[&str] = &[
    "ValueError",
    "JSONDecodeError",
    "UnicodeDecodeError",
    "UnpicklingError",
    "PickleError",
    "EOFError",
    "YAMLError",
];

/// A handler for errors of the file system or the network around a parse, and none for damaged data.
fn of_system_only(
    facts: &Facts,
    stmt: StmtId,
    body: &[StmtId],
    handlers: &[Handler],
    out: &mut Outcome,
) -> bool {
    let narrow = handlers
        .iter()
        .find(|handler| is_best_effort(facts, handler));
    let covered = handlers.iter().any(|other| facts.catches(other, DAMAGE));
    let found = narrow
        .filter(|_| !covered)
        .and_then(|handler| Some((handler, parses(facts, body)?)));
    let Some((handler, parse)) = found else {
        return false;
    };
    let anchor = Anchor {
        stmt,
        span: handler.span,
    };
    let hit = Hit::new(&CHECK, anchor, HitVerdict::Look, word());
    out.hits
        .push(hit.with_related(parse, "this can raise ValueError"));
    true
}

/// `with suppress(OSError):` around a parse.
fn suppressed(facts: &Facts, stmt: StmtId, items: &[WithItem], body: &[StmtId], out: &mut Outcome) {
    let is_narrow = |item: &WithItem| {
        facts.call(item.context).is_some_and(|call| {
            call.name() == "suppress"
                && !call.args.is_empty()
                && call.args.iter().all(|arg| is_of_system(facts, arg.value))
        })
    };
    let Some(item) = items.iter().find(|item| is_narrow(item)) else {
        return;
    };
    if let Some(parse) = parses(facts, body) {
        let span = facts.expr(item.context).span;
        let mut hit = Hit::new(&CHECK, Anchor { stmt, span }, HitVerdict::Look, word());
        hit.causes.push(parse);
        out.hits
            .push(hit.with_related(parse, "this can raise ValueError"));
    }
}

/// A handler that makes a miss of damaged data, and does not name all that the reader raises on it.
fn half_caught<'f>(
    facts: &'f Facts,
    stmt: StmtId,
    body: &[StmtId],
    handlers: &[Handler],
    out: &mut Outcome,
) {
    let Some(handler) = handlers.iter().find(|one| makes_a_miss(facts, stmt, one)) else {
        return;
    };
    let calls = facts
        .statements_in(body)
        .into_iter()
        .flat_map(|stmt| facts.calls_in(stmt));
    let open = |call: Call<'f>| {
        let own = facts.protecting_tries(call.stmt()).next() == Some(stmt);
        let class = uncaught_damage(facts, &call, handlers).filter(|_| own)?;
        let outer = facts.is_caught(call.stmt(), &[class.rsplit('.').next().unwrap_or(class)]);
        (!outer).then_some((call, class))
    };
    if let Some((call, class)) = calls.into_iter().find_map(open) {
        let words = word_of_half(&call, class);
        let mut hit = Hit::new(&CHECK, Anchor::call(&call), HitVerdict::Look, words);
        hit.causes.push(handler.span);
        out.hits
            .push(hit.with_related(handler.span, "this handler does not name it"));
    }
}

/// It names an error of damaged data, and goes on without the data.
fn makes_a_miss(facts: &Facts, stmt: StmtId, handler: &Handler) -> bool {
    let is_damage = |name: &str| DAMAGE.contains(&name) || name == "BadZipFile";
    let names = |&class: &ExprId| facts.last_name(class).is_some_and(is_damage);
    let only_end = handler
        .types
        .iter()
        .all(|&class| facts.last_name(class) == Some("EOFError"));
    // One object behind the other until the file ends.
    let is_the_end = only_end && facts.in_loop(stmt);
    let expects = handler.types.iter().any(names) || is_of_kind_only(facts, handler);
    expects && !is_the_end && !facts.reraises(handler)
}

/// `except TypeError: return item`: what the reader raises on a value of another kind, not on a text that it cannot read.
fn is_of_kind_only(facts: &Facts, handler: &Handler) -> bool {
    let of_kind =
        |&class: &ExprId| matches!(facts.last_name(class), Some("TypeError" | "AttributeError"));
    !handler.types.is_empty() && handler.types.iter().all(of_kind)
}

/// Catches OSError and its kin only, and goes on with a fallback.
fn is_best_effort(facts: &Facts, handler: &Handler) -> bool {
    let narrow = !handler.types.is_empty()
        && handler
            .types
            .iter()
            .all(|&class| is_of_system(facts, class));
    narrow && !facts.reraises(handler)
}

/// A class of errors of the file system or the network.
fn is_of_system(facts: &Facts, class: ExprId) -> bool {
    matches!(
        facts.last_name(class),
        Some(
            "OSError"
                | "IOError"
                | "EnvironmentError"
                | "FileNotFoundError"
                | "PermissionError"
                | "ConnectionError"
                | "TimeoutError"
                | "URLError"
                | "HTTPError"
        )
    )
}

/// The first parse of what a file or a server holds whose damage nothing around it expects.
fn parses(facts: &Facts, body: &[StmtId]) -> Option<Span> {
    let calls = facts
        .statements_in(body)
        .into_iter()
        .flat_map(|stmt| facts.calls_in(stmt).collect::<Vec<Call<'_>>>());
    calls
        .into_iter()
        .filter(|call| !facts.is_caught(call.stmt(), DAMAGE))
        .find(|call| call.is(PARSERS) || call.is(LOADERS) || reads_number(facts, call))
        .map(|call| call.span())
}

/// `int(file.read())`, or of a part of a text that was read before.
fn reads_number(facts: &Facts, call: &Call<'_>) -> bool {
    let is_number = matches!(call.callee(), "int" | "float") && call.args.len() == 1;
    is_number
        && call
            .positional(0)
            .is_some_and(|text| is_read(facts, text, 8))
}

/// Whether a text, or what it is a part of, was read from a file.
fn is_read(facts: &Facts, text: ExprId, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    match &facts.expr(text).kind {
        ExprKind::Name => facts.bindings_behind(text).into_iter().any(|binding| {
            matches!(binding.kind, BindingKind::Value { value, .. } if is_read(facts, value, depth))
        }),
        ExprKind::Subscript { object, .. } => is_read(facts, *object, depth),
        ExprKind::Call { .. } => facts.call(text).is_some_and(|call| {
            let reads = matches!(call.method(), Some("read" | "readline" | "readlines" | "read_text"));
            let cuts = matches!(
                call.method(),
                Some("strip" | "rstrip" | "lstrip" | "split" | "rsplit" | "splitlines" | "decode" | "partition")
            );
            let helper = topic::begins_with_word(call.name(), "read");
            reads
                || (helper && facts.callee_scope(&call).is_some())
                || (cuts && call.receiver().is_some_and(|of| is_read(facts, of, depth)))
        }),
        _ => false,
    }
}

fn word() -> Words {
    Words::new(
        "Only errors of the file system or the network are caught around a parse.",
        "What is there but damaged raises another class (`ValueError` for JSON and numbers, `UnpicklingError` or `EOFError` for pickles), which passes this handler and fails the caller.",
        "Should damaged data count like missing data? Then catch what the parser raises as well.",
    )
}

fn word_of_half(call: &Call<'_>, class: &str) -> Words {
    Words::new(
        format!(
            "`{}` raises `{class}` on data that was cut, which the handler does not name.",
            call.name()
        ),
        "The handler is there to go on without damaged data; this class is none of those that it names, so a half-written entry fails the caller.",
        format!("Can the data be cut or be of another kind? Then name `{class}` there as well."),
    )
}
