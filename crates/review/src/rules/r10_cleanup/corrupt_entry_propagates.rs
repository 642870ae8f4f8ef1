//! A cached entry that cannot be read fails its request instead of counting as a miss.

use super::configured::is_configured;
use super::parsers::PARSERS;
use crate::facts::{
    BindingKind, CacheProof, Call, ExprId, Facts, Handler, Heat, Kind, Move, Part, ScopeId, StmtId,
    StmtKind, TempKind,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "corrupt-entry-propagates",
    rule: 10,
    severity: Severity::Flag,
    references: &[],
    summary: "A truncated or unreadable cached artifact raises instead of being fetched again.",
    detect,
};

/// What reading a damaged entry raises.
const PARSE_ERRORS: &[&str] = &[
    "ValueError",
    "JSONDecodeError",
    "UnicodeDecodeError",
    "BadZipFile",
    "UnpicklingError",
    "EOFError",
    "ReadError",
    "YAMLError",
];

/// Readers of arrays, weights, tables and archives: they raise on a cut file as parsers do.
const READERS: &[&str] = &[
    "numpy.load",
    "torch.load",
    "torch.jit.load",
    "safetensors.torch.load_file",
    "pandas.read_parquet",
    "pandas.read_csv",
    "pandas.read_pickle",
    "zipfile.ZipFile",
    "tarfile.open",
    "msgpack.unpackb",
    "gzip.decompress",
    "zlib.decompress",
    "xml.etree.ElementTree.parse",
];

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        if !reads_format(cx.facts, &call) {
            continue;
        }
        let Some(proof) = entry_proof(cx, &call) else {
            continue;
        };
        if is_survived(cx.facts, &call) || is_dropped_after(cx.facts, &call) {
            out.evidence(10, call.span(), "an unreadable entry is caught");
        } else if is_look_up(cx.facts, &call, proof) {
            judge(cx, &call, proof, word(&call), out);
        }
    }
    for deletion in cx.facts.deletions() {
        let proof = cx.facts.cache_proof(deletion.path, cx.profile);
        let is_known = proof.is_some_and(|proof| proof != CacheProof::Place);
        if is_known && !deletion.is_tolerant && drops_unreadable(cx.facts, &deletion.call) {
            judge(
                cx,
                &deletion.call,
                CacheProof::Flows,
                word_of_drop(&deletion.call),
                out,
            );
        }
    }
}

/// A removal in the handler that turns an unreadable entry into a miss: it fails what the handler has saved.
fn drops_unreadable(facts: &Facts, call: &Call<'_>) -> bool {
    let place = facts
        .ancestors(call.stmt())
        .find(|around| matches!(around.part, Part::Handler(_)));
    let Some((outer, handler)) = place
        .zip(facts.enclosing_handler(call.stmt()))
        .map(|(around, handler)| (around.stmt, handler))
    else {
        return false;
    };
    let body = facts.blocks(outer).into_iter().next();
    let body = body.map_or(Vec::new(), |(_, body)| facts.statements_in(body));
    let reads = body
        .into_iter()
        .flat_map(|stmt| facts.calls_in(stmt))
        .any(|read| reads_format(facts, &read) || says_read(read.name()));
    reads && facts.catches(handler, PARSE_ERRORS) && !facts.reraises(handler)
}

fn is_reader(call: &Call<'_>) -> bool {
    call.is(PARSERS) || call.is(READERS)
}

fn says_read(name: &str) -> bool {
    topic::words(name).any(|word| matches!(&*word, "read" | "load" | "parse" | "decode"))
}

/// A known reader, or a function whose name says that it reads a format: `read_json`, `load_pickle`, `deserialize`.
fn reads_format(facts: &Facts, call: &Call<'_>) -> bool {
    let name = call.name();
    // The builtin opens whatever is there; what reads the file afterwards raises.
    if call.callee() == "open" {
        return false;
    }
    let says = |words: &[&str]| words.iter().any(|word| topic::says(name, word));
    let decodes = says(&["deserialize", "deserialise", "unpickle", "loads"]);
    let helper = says(&["read", "load", "parse"])
        && says(&[
            "json", "pickle", "yaml", "toml", "npy", "npz", "parquet", "manifest",
        ])
        && !says(&["safe", "try", "maybe", "tolerant"]);
    let own_reader = || {
        facts.callee_scope(call).is_some_and(|function| {
            let mut inner = facts.calls_of(function).filter(|inner| is_reader(inner));
            inner.any(|inner| !facts.is_caught(inner.stmt(), PARSE_ERRORS))
        })
    };
    match facts.callee_scope(call) {
        Some(_) => own_reader(),
        None => is_reader(call) || decodes || helper,
    }
}

/// Why what is read counts as an entry of the cache: the path itself, or a file or text that came from one.
fn entry_proof(cx: &Context<'_>, call: &Call<'_>) -> Option<CacheProof> {
    let facts = cx.facts;
    let source = source_of(call)?;
    let direct = facts.is_proven(source, Kind::Path) || facts.string(source).is_none();
    let path = read_from(facts, source).or_else(|| direct.then_some(source))?;
    let proof = facts.cache_proof(path, cx.profile)?;
    (!is_configured(facts, path, proof)).then_some(proof)
}

/// What a reader is given: its first argument, or the one that is named as a path.
fn source_of(call: &Call<'_>) -> Option<ExprId> {
    let names = ["path", "file_path", "file", "filename", "f", "fp"];
    call.positional(0)
        .or_else(|| names.iter().find_map(|name| call.keyword(name)))
}

/// The path of the entry that a call reads.
fn entry_path(facts: &Facts, call: &Call<'_>) -> Option<ExprId> {
    let source = source_of(call)?;
    Some(read_from(facts, source).unwrap_or(source))
}

/// The path behind `f`, `f.read()` and `path.read_text()`.
fn read_from(facts: &Facts, source: ExprId) -> Option<ExprId> {
    if let Some(call) = facts.call(source) {
        let receiver = call.receiver()?;
        return match call.method()? {
            "read" => opened_path(facts, receiver),
            "read_text" | "read_bytes" => Some(receiver),
            _ => None,
        };
    }
    opened_path(facts, source).or_else(|| {
        let values = facts.values(source);
        values
            .into_iter()
            .filter(|&value| value != source)
            .find_map(|value| read_from(facts, value))
    })
}

/// The path that a `with open(path) as f` opened.
fn opened_path(facts: &Facts, file: ExprId) -> Option<ExprId> {
    facts.bindings_behind(file).into_iter().find_map(|binding| {
        let opened = match binding.kind {
            BindingKind::With(context)
            | BindingKind::Value {
                value: context,
                index: None,
            } => facts.call(context)?,
            _ => return None,
        };
        let is_open = facts.constructs(&opened) == Some(Kind::File) || opened.name() == "open";
        is_open
            .then(|| opened.positional(0).or_else(|| opened.receiver()))
            .flatten()
    })
}

/// Caught where it is read, or by everybody who calls for it.
fn is_survived(facts: &Facts, call: &Call<'_>) -> bool {
    let by_callers = facts.function_of(call.scope()).is_some_and(|function| {
        let mut callers = facts.calls_to(function).peekable();
        callers.peek().is_some()
            && callers.all(|caller| facts.is_caught(caller.stmt(), PARSE_ERRORS))
    });
    let by_own_class = facts
        .handlers_around(call.stmt())
        .any(|handler| !facts.reraises(handler) && names_damage(facts, handler));
    facts.is_caught(call.stmt(), PARSE_ERRORS)
        || by_own_class
        || by_callers
        || is_put_whole(facts, call)
}

/// The same function writes the entry beside its name and puts it there when it is complete: it is never seen cut.
fn is_put_whole(facts: &Facts, call: &Call<'_>) -> bool {
    let Some(path) = entry_path(facts, call) else {
        return false;
    };
    let puts = |moved: Move<'_>| {
        let own = facts
            .temp(moved.from)
            .is_some_and(|temp| matches!(temp.kind, TempKind::Beside | TempKind::Unique));
        own && moved.call.scope() == call.scope() && facts.is_same_path(moved.to, path)
    };
    facts.moves().any(puts)
}

/// A `finally` around the read removes the entry: the next look-up is a miss.
fn is_dropped_after(facts: &Facts, call: &Call<'_>) -> bool {
    let path = entry_path(facts, call).and_then(|path| facts.dotted(path));
    let blocks: Vec<StmtId> = facts
        .finally_blocks(call.stmt())
        .flat_map(|block| facts.statements_in(block))
        .collect();
    path.is_some()
        && facts.deletions().any(|deletion| {
            blocks.contains(&deletion.call.stmt()) && facts.dotted(deletion.path) == path
        })
}

/// `except CacheCorruptedError`: a helper's own class for what it cannot read.
fn names_damage(facts: &Facts, handler: &Handler) -> bool {
    let damage = [
        "corrupt",
        "corrupted",
        "decode",
        "parse",
        "malformed",
        "damaged",
        "invalid",
    ];
    handler.types.iter().any(|&class| {
        facts
            .last_name(class)
            .is_some_and(|name| damage.iter().any(|word| topic::says(name, word)))
    })
}

/// The function knows a miss: it asks whether the entry exists, or catches that it does not, and has an answer
/// then other than an error.
fn is_look_up(facts: &Facts, call: &Call<'_>, proof: CacheProof) -> bool {
    let Some(function) = facts.function_of(call.scope()) else {
        return false;
    };
    let path = entry_path(facts, call).and_then(|path| facts.dotted(path));
    let same = |asked: Option<ExprId>| {
        path.is_some() && asked.and_then(|asked| facts.dotted(asked)) == path
    };
    let refuses =
        |other: &Call<'_>| same(facts.asked_path(other)) && is_refusal(facts, other.stmt());
    if facts.calls_of(function).any(|other| refuses(&other)) {
        return false;
    }
    // Where only the place says that it is a cache, the entry itself has to be asked for.
    let is_known = proof != CacheProof::Place;
    let asks = facts.calls_within(facts.scope(function).span).any(|other| {
        matches!(other.name(), "exists" | "isfile" | "is_file")
            && other.span().start < call.span().start
            && (same(facts.asked_path(&other))
                || gives_none(facts, function)
                || makes_anew(facts, call))
            && !is_refusal(facts, other.stmt())
    });
    asks || (is_known && misses_by_error(facts, call))
}

/// The read stands in the branch of an entry that exists, and what follows, or the other branch, returns a call's
/// result: the entry is made anew there.
fn makes_anew(facts: &Facts, call: &Call<'_>) -> bool {
    let returns_call = |stmt: &StmtId| {
        let entry = facts.stmt(*stmt);
        matches!(entry.kind, StmtKind::Return(Some(value)) if facts.awaited_call(value).is_some())
    };
    facts.ancestors(call.stmt()).any(|around| {
        let StmtKind::If { test, orelse, .. } = &facts.stmt(around.stmt).kind else {
            return false;
        };
        let asks = facts.within(*test).any(|id| {
            let call = facts.call(id);
            call.is_some_and(|call| matches!(call.name(), "exists" | "isfile" | "is_file"))
        });
        let goes_on = orelse.iter().chain(facts.following(around.stmt));
        asks && around.part == Part::Body && goes_on.into_iter().any(returns_call)
    })
}

/// `if not path.exists(): raise`: a miss is an error here anyway.
fn is_refusal(facts: &Facts, stmt: StmtId) -> bool {
    match &facts.stmt(stmt).kind {
        StmtKind::If { body, orelse, .. } => [body, orelse].into_iter().any(|block| {
            let last = block.last().map(|&last| &facts.stmt(last).kind);
            matches!(last, Some(StmtKind::Raise))
        }),
        StmtKind::Assert(_) => true,
        _ => false,
    }
}

/// `except FileNotFoundError: return None` around the read.
fn misses_by_error(facts: &Facts, call: &Call<'_>) -> bool {
    facts.handlers_around(call.stmt()).any(|handler| {
        let missing = handler.types.iter().any(|&class| {
            matches!(
                facts.last_name(class),
                Some("FileNotFoundError" | "OSError" | "IOError")
            )
        });
        missing && !facts.reraises(handler)
    })
}

fn gives_none(facts: &Facts, function: ScopeId) -> bool {
    facts
        .statements_of(function)
        .any(|stmt| match facts.stmt(stmt).kind {
            StmtKind::Return(None) => true,
            StmtKind::Return(Some(value)) => facts.expr_text(value) == "None",
            _ => false,
        })
}

fn judge(cx: &Context<'_>, call: &Call<'_>, proof: CacheProof, words: Words, out: &mut Outcome) {
    // Where the error is turned into another on purpose, somebody has thought of it.
    let is_turned = cx
        .facts
        .handlers_around(call.stmt())
        .any(|handler| cx.facts.catches(handler, PARSE_ERRORS) && cx.facts.reraises(handler));
    let sure = proof != CacheProof::Place && cx.facts.sees_enclosure(call.stmt()) && !is_turned;
    let verdict = match (
        cx.facts.heat(call.stmt(), cx.profile),
        cx.facts.cold_file(cx.profile),
    ) {
        (Heat::Cold(reason), Some(_)) => {
            HitVerdict::Excused(format!("No request waits for it: {reason}."))
        }
        _ if sure => HitVerdict::Violation,
        _ => HitVerdict::Look,
    };
    out.hits
        .push(Hit::new(&CHECK, Anchor::call(call), verdict, words));
}

fn word(call: &Call<'_>) -> Words {
    Words::new(
        format!(
            "`{}` raises when the cached entry is cut or outdated.",
            call.name()
        ),
        "The look-up knows a miss, but a damaged entry fails every request for its key until somebody deletes it by hand.",
        "Catch what the reader raises, drop the entry, and go on as for a miss.",
    )
}

fn word_of_drop(call: &Call<'_>) -> Words {
    Words::new(
        format!(
            "`{}` can raise where an unreadable entry is dropped.",
            call.name()
        ),
        "Another worker may have dropped the same entry, or the disk refuses; then the request fails although the handler has just made a miss of it.",
        "Tolerate the failed removal with a log line, and fetch the entry again.",
    )
}
