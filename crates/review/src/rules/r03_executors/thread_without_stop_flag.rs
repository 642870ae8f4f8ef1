//! A thread whose loop nothing ends.

use super::started::is_never_started;
use super::{daemons, idlers, kept, processes, served_loops};
use crate::facts::{
    Call, Endless, ExprKind, Facts, Keeper, Kind, Made, Resource, ScopeId, ScopeKind, StmtId,
    StmtKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "thread-without-stop-flag",
    rule: 3,
    severity: Severity::Flag,
    references: &[],
    summary: "A thread's target loops for ever, with no flag, event or sentinel that ends it.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let mut seen = Vec::new();
    for made in cx.facts.made().iter().filter(|made| is_thread(made)) {
        if let Some((home, endless)) = endless(cx.facts, made) {
            let of_this_file = std::ptr::eq(home, cx.facts);
            seen.extend(of_this_file.then_some(endless.stmt));
            let may_end = of_this_file && !endless.shown && sets_stop_flag(cx.facts, endless);
            if !is_never_started(cx.facts, made) && !may_end {
                report(cx, made, endless, of_this_file, out);
            }
        }
    }
    for endless in unstarted(cx.facts)
        .into_iter()
        .chain(of_subclasses(cx.facts))
    {
        if !seen.contains(&endless.stmt) {
            report_loop(cx, endless, out);
        }
    }
    processes::detect(cx, out);
    served_loops::detect(cx, out);
    daemons::detect(cx, out);
}

/// A stop method that is shown sets a flag; the loop, of which lines are not shown, most likely asks for it.
fn sets_stop_flag(facts: &Facts, endless: Endless) -> bool {
    let class = facts.class_of(facts.stmt(endless.stmt).scope);
    let stops = |method: ScopeId| {
        let name = facts.scope_name(method).unwrap_or("");
        ["stop", "terminate", "close", "shutdown"]
            .iter()
            .any(|word| topic::says(name, word))
    };
    let is_flag = |stmt: StmtId| match &facts.stmt(stmt).kind {
        StmtKind::Assign {
            targets,
            value: Some(value),
            ..
        } => {
            let is_truth = matches!(facts.expr(*value).kind, ExprKind::True | ExprKind::False);
            is_truth
                && targets
                    .iter()
                    .any(|&target| facts.self_attribute(target).is_some())
        }
        _ => false,
    };
    class.is_some_and(|class| {
        let mut methods = facts.methods(class).filter(|&method| stops(method));
        methods.any(|method| facts.statements_of(method).any(is_flag))
    })
}

/// Loops of thread classes that nobody in the file makes objects of, and that are no daemons.
fn of_subclasses(facts: &Facts) -> Vec<Endless> {
    let classes = facts
        .scope_ids()
        .filter(|&scope| facts.scope(scope).kind == ScopeKind::Class && facts.is_visible(scope));
    classes
        .filter(|&class| facts.class_kind(class) == Some(Kind::Thread))
        .filter(|&class| !is_daemon_class(facts, class) && !is_made_here(facts, class))
        .filter_map(|class| facts.endless_loop(facts.method(class, "run")?))
        .collect()
}

fn is_made_here(facts: &Facts, class: ScopeId) -> bool {
    let name = facts.scope_name(class).unwrap_or_default();
    let mut calls = facts.calls_named(name);
    // A file of the diff that makes one has the hit.
    let mut others = facts.importing_files();
    calls.any(|call| facts.definition(call.function) == Some(class))
        || others.any(|other| other.calls_named(name).next().is_some())
}

/// The class says so somewhere: `super().__init__(daemon=True)`, `self.daemon = True`, `daemon = True`.
fn is_daemon_class(facts: &Facts, class: ScopeId) -> bool {
    let text = facts.text(facts.scope(class).span);
    topic::has_word(text, "daemon")
}

/// Endless loops of methods that most likely run in the thread of their class, where its making is not shown.
fn unstarted(facts: &Facts) -> Vec<Endless> {
    facts
        .scope_ids()
        .filter(|&scope| {
            !facts.document.whole && facts.scope(scope).head_shown && works_by_name(facts, scope)
        })
        .filter(|&scope| facts.calls_to(scope).next().is_none() && keeps_thread(facts, scope))
        .filter_map(|scope| facts.endless_loop(scope))
        .collect()
}

fn works_by_name(facts: &Facts, scope: ScopeId) -> bool {
    let name = facts.scope_name(scope).unwrap_or("");
    !facts.is_async(scope) && topic::has_word(name, "loop run worker work poll consume watch serve")
}

/// Whether the class starts or joins a thread that it keeps.
fn keeps_thread(facts: &Facts, scope: ScopeId) -> bool {
    facts.class_of(scope).is_some_and(|class| {
        facts.calls_of_class(class).any(|call| {
            let on_thread =
                call.receiver().and_then(|receiver| facts.kind_of(receiver)) == Some(Kind::Thread);
            let kept = call
                .receiver()
                .and_then(|receiver| facts.self_attribute(receiver));
            on_thread && kept.is_some() && matches!(call.method(), Some("start" | "join"))
        })
    })
}

fn report_loop(cx: &Context<'_>, endless: Endless, out: &mut Outcome) {
    let verdict = kept::unless_cold(cx, HitVerdict::Look);
    let anchor = Anchor::stmt(cx.facts, endless.stmt);
    out.hits
        .push(Hit::new(&CHECK, anchor, verdict, word(endless.shown)));
}

pub(super) fn is_thread(made: &Made) -> bool {
    made.resource == Resource::Object(Kind::Thread)
}

/// The loop of a thread's target that nothing shown ends, and the file that it stands in.
pub(super) fn endless<'f>(facts: &'f Facts, made: &Made) -> Option<(&'f Facts, Endless)> {
    let call = facts.call(made.call)?;
    let (home, target) = facts.thread_target_across(&call)?;
    Some((home, home.endless_loop(target)?))
}

fn report(cx: &Context<'_>, made: &Made, endless: Endless, of_this_file: bool, out: &mut Outcome) {
    let facts = cx.facts;
    let verdict = if is_of_program(facts, made) {
        HitVerdict::Excused("A thread of the module or of the program's main function lives as long as the process.".to_string())
    } else if of_this_file && idlers::is_idler(facts, made, endless) {
        HitVerdict::Excused("A daemon that only looks up something now and then holds nothing that its end could break.".to_string())
    } else {
        HitVerdict::sure_if(
            endless.shown && made.keeper != Keeper::Returned && !may_be_of_program(facts, made),
        )
    };
    let anchor = Anchor {
        stmt: made.stmt,
        span: facts.expr(made.call).span,
    };
    let verdict = kept::unless_cold(cx, verdict);
    let words = word(verdict == HitVerdict::Violation);
    let mut hit = Hit::new(&CHECK, anchor, verdict, words);
    if of_this_file {
        let head = facts.stmt(endless.stmt).head;
        hit = hit.with_related(head, "the loop that nothing ends");
        hit.causes.push(head);
    }
    out.hits.push(hit);
}

/// Made at import, by `main`, or by a function that takes over the process: it sets signal handlers or serves for ever.
pub(super) fn is_of_program(facts: &Facts, made: &Made) -> bool {
    let Some(function) = facts.function_of(facts.stmt(made.stmt).scope) else {
        return facts.document.whole;
    };
    let takes_over = |call: Call<'_>| call.is(&["signal.signal"]) || call.name() == "serve_forever";
    let span = facts.scope(function).span;
    let is_method = facts.class_of(function).is_some();
    facts.scope_name(function) == Some("main")
        || (!is_method && facts.calls_within(span).any(takes_over))
        || (!is_method && is_run_at_import(facts, function))
}

/// A daemon of a module's function that is shown in part: the rest may take over the process.
fn may_be_of_program(facts: &Facts, made: &Made) -> bool {
    let function = facts.function_of(facts.stmt(made.stmt).scope);
    let is_daemon = facts
        .call(made.call)
        .and_then(|call| call.keyword("daemon"))
        .is_some_and(|value| facts.expr_text(value) == "True");
    is_daemon
        && function.is_some_and(|function| {
            facts.class_of(function).is_none() && !facts.is_visible(function)
        })
}

/// `start_version_check()` on a line of the module, and nowhere else.
fn is_run_at_import(facts: &Facts, function: ScopeId) -> bool {
    let mut calls = facts.calls_to(function).peekable();
    let at_import = |call: Call<'_>| facts.function_of(call.scope()).is_none();
    facts.document.whole && calls.peek().is_some() && calls.all(at_import)
}

fn word(proven: bool) -> Words {
    Words::new(
        "The thread's loop has no way out.",
        "Nothing can ask it to end: shutdown hangs on it, or kills it in the middle of its work, and it keeps using what has been closed around it.",
        if proven {
            "Let the loop watch an `Event` (`while not self._stop.wait(...)`) or end on a sentinel, and set it in the stop method before the join."
        } else {
            "What ends this loop? Look for a flag, event or sentinel in the lines of it that are not shown."
        },
    )
}
