//! Entries of a shared folder are listed and then used one by one, while other workers remove or claim them.

use crate::facts::{CacheProof, Call, Deletion, ExprId, ExprKind, Facts, Leads, StmtId};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "gone-since-listed",
    rule: 7,
    severity: Severity::Flag,
    references: &[],
    summary: "An entry of a shared folder is used after its listing, with no tolerance of a worker that removed it meanwhile.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    let facts = cx.facts;
    let mut told: Vec<StmtId> = Vec::new();
    for used in facts.calls().filter_map(|call| used(facts, call)) {
        let stmt = used.call.stmt();
        if told.contains(&stmt) || is_safe(facts, stmt) {
            continue;
        }
        if let Some(verdict) = verdict(cx, &used) {
            told.push(stmt);
            let words = word(facts, &used);
            let hit = Hit::new(
                &CHECK,
                Anchor::call(&used.call),
                cx.where_shared(verdict),
                words,
            );
            out.hits.push(hit);
        }
    }
}

/// A call that fails where the entry is gone.
struct Used<'f> {
    call: Call<'f>,
    entry: ExprId,
    how: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// Asked for its age or size.
    Looked,
    /// Given another name: whoever renames it first has it.
    Claimed,
}

fn used<'f>(facts: &'f Facts, call: Call<'f>) -> Option<Used<'f>> {
    if let Some(entry) = claimed(facts, &call) {
        let how = How::Claimed;
        return Some(Used { call, entry, how });
    }
    let entry = looked(&call).or_else(|| sorted_by_age(facts, &call))?;
    let how = How::Looked;
    Some(Used { call, entry, how })
}

/// A rename to a name with something of this process in it.
fn claimed(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let moved = facts.moves().find(|moved| moved.call.id == call.id);
    let by_method = || {
        let to = call.positional(0)?;
        let renames = call.method() == Some("rename") && call.args.len() == 1;
        renames.then_some((call.receiver()?, to))
    };
    let (from, to) = moved
        .map(|moved| (moved.from, moved.to))
        .or_else(by_method)?;
    let takes = facts.function_name(call.stmt()).is_some_and(|name| {
        topic::has_word(name, "pop take claim acquire dequeue reserve grab next")
    });
    (takes || is_of_this_process(facts, to)).then_some(from)
}

fn is_of_this_process(facts: &Facts, path: ExprId) -> bool {
    let says = |name: &String| {
        topic::has_word(
            name,
            "owner hostname gethostname worker mine claimed processing pid getpid \
             uuid4",
        )
    };
    facts.is_unique(path) || facts.names_behind(path).iter().any(says)
}

fn looked(call: &Call<'_>) -> Option<ExprId> {
    let by_function = call.is(&[
        "os.stat",
        "os.path.getmtime",
        "os.path.getctime",
        "os.path.getatime",
        "os.path.getsize",
    ]);
    if by_function {
        return call.positional(0);
    }
    let by_method = matches!(call.method(), Some("stat" | "lstat")) && call.args.is_empty();
    call.receiver().filter(|_| by_method)
}

/// `sorted(folder.glob("*"), key=os.path.getmtime)`: the listing that is sorted so.
fn sorted_by_age(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let key = call.keyword("key")?;
    let stats = facts.resolved(key).is_some_and(|name| {
        matches!(
            &*name,
            "os.path.getmtime" | "os.path.getctime" | "os.path.getatime" | "os.path.getsize"
        )
    });
    let sorts = matches!(call.name(), "sorted" | "min" | "max" | "sort");
    (sorts && stats).then(|| call.positional(0).or_else(|| call.receiver()))?
}

/// A handler takes it calmly, or a lock keeps the others out.
fn is_safe(facts: &Facts, stmt: StmtId) -> bool {
    facts.is_caught(
        stmt,
        &[
            "FileNotFoundError",
            "OSError",
            "IOError",
            "EnvironmentError",
        ],
    ) || facts.is_file_locked(stmt)
        || !facts.sees_enclosure(stmt)
}

/// How sure it is that others take the entry away; `None` where nothing says so.
fn verdict(cx: &Context<'_>, used: &Used<'_>) -> Option<HitVerdict> {
    let facts = cx.facts;
    let folder = listing(facts, used)?;
    let removal = removal_of_entries(facts, folder);
    if used.how == How::Looked && removal.is_none() {
        return None;
    }
    // Who claims what it lists, or takes it calmly that an entry is gone, has others beside it.
    let says_others = removal.is_none_or(|removal| removal.is_tolerant);
    let is_given = || facts.self_attribute(folder).is_some();
    match facts.leads(folder, cx.profile) {
        Leads::Unknown if facts.common_folder(folder).is_some() => Some(HitVerdict::Violation),
        Leads::Cache(CacheProof::Flows | CacheProof::Says) => Some(HitVerdict::Look),
        _ if used.how == How::Claimed && is_given() => Some(HitVerdict::Look),
        Leads::Unknown | Leads::Cache(_) if says_others && facts.starts_unseen(folder) => {
            Some(HitVerdict::Look)
        }
        _ => None,
    }
}

/// The folder whose listing found the entry.
fn listing(facts: &Facts, used: &Used<'_>) -> Option<ExprId> {
    let folder_of = |id: ExprId| facts.listed_folder(&facts.call(id)?);
    let by_way = facts.roots(used.entry).listed;
    let listed = by_way
        .or_else(|| listed_in(facts, used.entry))
        .or_else(|| key_of(facts, used))?;
    folder_of(listed)
}

/// The listing in an expression or in what its name was given.
fn listed_in(facts: &Facts, id: ExprId) -> Option<ExprId> {
    let values = facts.values(id).into_iter().chain([id]);
    values.flat_map(|value| facts.within(value)).find(|&inner| {
        let call = facts.call(inner);
        call.is_some_and(|call| facts.listed_folder(&call).is_some())
    })
}

/// What the lambda is the key of: `sorted(folder.glob("*"), key=lambda path: path.stat().st_mtime)`.
fn key_of(facts: &Facts, used: &Used<'_>) -> Option<ExprId> {
    let lambda = facts.calls_in(used.call.stmt()).find_map(|call| {
        let key = call.keyword("key")?;
        let is_it = matches!(facts.expr(key).kind, ExprKind::Lambda { .. })
            && facts.expr(key).span.contains(used.call.span());
        is_it.then(|| call.positional(0).or_else(|| call.receiver()))?
    })?;
    listed_in(facts, lambda)
}

/// The class, or the module where it is in none, removes entries of that folder: so do the other workers that run it.
fn removal_of_entries(facts: &Facts, folder: ExprId) -> Option<Deletion<'_>> {
    let roots = facts.roots(folder);
    let class = facts.class_of(facts.expr(folder).scope);
    facts.deletions().find(|deletion| {
        let there = facts.class_of(deletion.call.scope()) == class;
        let way = || facts.roots(deletion.path);
        there && !deletion.is_tree && way().listed.is_some() && way().meet(&roots)
    })
}

fn word(facts: &Facts, used: &Used<'_>) -> Words {
    match used.how {
        How::Claimed => Words::new(
            format!(
                "`{}` is renamed to be claimed, and another worker may have done so first.",
                facts.expr_text(used.entry)
            ),
            "Each worker lists the same entries: the one that renames second fails with `FileNotFoundError`, and that ends its loop. A question before the rename does not help: it is answered too early.",
            "Catch `FileNotFoundError` around the rename alone, and go on with the next entry.",
        ),
        How::Looked => Words::new(
            format!(
                "`{}` fails for an entry that another worker has removed since the listing.",
                facts.shown(used.call.function)
            ),
            "Each worker lists and trims the same folder: the one that comes to a removed entry fails with `FileNotFoundError`, and the rest of its work is left undone.",
            "Look at each entry in a `try`, and treat `FileNotFoundError` as an entry that is gone.",
        ),
    }
}
