//! The end of a pipe that is meant for a child process, and that the parent keeps open as well.

use super::resource_not_closed::CHECK;
use crate::facts::{Call, ExprId, ExprKind, Facts, Kind, StmtKind};
use crate::rules::{Anchor, Context, Hit, HitVerdict, Outcome, Words};

pub(super) fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    // A command line waits for its children as well.
    if facts.is_test() {
        return;
    }
    for call in facts.calls().filter(|call| makes_pipe(facts, call)) {
        let ends = ends(facts, &call);
        let kept = ends.iter().find_map(|&end| Some((end, start(facts, end)?)));
        let Some((end, started)) = kept else {
            continue;
        };
        let other = ends.iter().find(|&&other| other != end);
        let reads = other.is_some_and(|&other| is_waited_for(facts, other));
        if reads && facts.sees_enclosure(call.stmt()) {
            let words = word(facts.expr_text(end), other.map(|&id| facts.expr_text(id)));
            let hit = Hit::new(&CHECK, Anchor::call(&call), HitVerdict::Look, words);
            out.hits
                .push(hit.with_related(started.span(), "the child gets its own copy here"));
        }
    }
}

fn makes_pipe(facts: &Facts, call: &Call<'_>) -> bool {
    let in_function = facts.function_of(call.scope()).is_some();
    in_function
        && call.name() == "Pipe"
        && facts
            .kind_of(call.id)
            .is_none_or(|kind| kind == Kind::PipeEnd)
}

/// `ours, theirs = Pipe()`: two local names.
fn ends(facts: &Facts, call: &Call<'_>) -> Vec<ExprId> {
    let StmtKind::Assign {
        targets,
        value: Some(value),
        ..
    } = &facts.stmt(call.stmt()).kind
    else {
        return Vec::new();
    };
    match targets.first().map(|&target| &facts.expr(target).kind) {
        Some(ExprKind::Tuple(items)) if *value == call.id && items.len() == 2 => {
            let names = items.iter().filter(|&&item| facts.name(item).is_some());
            names.copied().collect()
        }
        _ => Vec::new(),
    }
}

/// The making of the process that is given this end, where nothing else is done with the end.
fn start<'f>(facts: &'f Facts, end: ExprId) -> Option<Call<'f>> {
    let holder = facts.holder_of(end)?;
    let mut given = None;
    for mention in facts.mentions_of(&holder) {
        let around = process_around(facts, mention);
        match around {
            Some(process) => given = Some(process),
            None if mention == end => {}
            None => return None,
        }
    }
    given
}

fn process_around(facts: &Facts, mention: ExprId) -> Option<Call<'_>> {
    let mut at = facts.expr(mention).parent;
    while let Some(id) = at {
        let process = facts.call(id).filter(|call| {
            call.name() == "Process" || facts.constructs(call) == Some(Kind::Process)
        });
        if process.is_some() {
            return process;
        }
        at = facts.expr(id).parent;
    }
    None
}

/// Read here, or given to something that reads it: a thread, a list of all children's ends, a field.
fn is_waited_for(facts: &Facts, end: ExprId) -> bool {
    let Some(holder) = facts.holder_of(end) else {
        return false;
    };
    facts
        .mentions_of(&holder)
        .into_iter()
        .any(|mention| mention != end && process_around(facts, mention).is_none())
}

fn word(end: &str, other: Option<&str>) -> Words {
    let other = other.unwrap_or("the other end");
    Words::new(
        format!("The parent keeps its own copy of `{end}` open after the child has got one."),
        format!(
            "As long as anybody has `{end}` open, reading `{other}` does not come to its end: when the child dies nobody raises `EOFError`, and each child that is made leaves one more descriptor."
        ),
        format!(
            "Does anything have to learn that the child is gone? Call `{end}.close()` in the parent right behind the child's `start()`."
        ),
    )
}
