//! A cached entry that cannot be read fails its request instead of counting as a miss.

mod databases;
mod drops;
mod look_up;
mod source;

use super::configured::is_configured;
use super::parsers::PARSERS;
use crate::facts::{CacheProof, Call, Facts, Handler, Heat, Kind, Move, StmtId, TempKind};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use look_up::is_look_up;
use report::Severity;
use source::{entry_path, read_from, source_of};

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
    drops::detect(cx, out);
    databases::detect(cx, out);
}

fn is_reader(call: &Call<'_>) -> bool {
    call.is(PARSERS) || call.is(READERS)
}

fn says_read(name: &str) -> bool {
    topic::has_word(name, "read load parse decode")
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
