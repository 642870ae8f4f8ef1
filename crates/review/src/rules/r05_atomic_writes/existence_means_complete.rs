//! A file is made under its final name, and whoever finds it there takes it for complete.

use super::drawn::{self, is_drawn};
use super::switches::{is_part_of_bundle, where_awaited};
use crate::facts::{
    Call, ExprId, ExprKind, Facts, Leads, Piece, Spared, StmtId, StmtKind, Write, Writing,
};
use crate::rules::{Anchor, Check, Context, Hit, HitVerdict, Outcome, Words};
use report::Severity;

pub(super) const CHECK: Check = Check {
    id: "existence-means-complete",
    rule: 5,
    severity: Severity::Flag,
    references: &[],
    summary: "A download, copy or export goes straight to a name whose existence is taken for its being complete.",
    detect,
};

fn detect(cx: &Context<'_>, out: &mut Outcome) {
    for call in cx.facts.calls() {
        let Some(made) = made(cx.facts, call) else {
            continue;
        };
        if is_settled(cx, &made) {
            continue;
        }
        let spared = cx.facts.spared(made.path, call.stmt());
        match spared.or_else(|| spared_below(cx.facts, &made)) {
            Some(spared) if made.how == How::Bytes && writes_either_way(cx.facts, spared) => {}
            Some(spared) if !is_told_of_folder(cx.facts, spared, out) => {
                out.hits.push(hit(cx, &made, spared));
            }
            None if is_left_to_callers(cx, &made) => out.hits.push(hit_of_helper(cx, &made)),
            _ => {}
        }
    }
}

/// A question for a folder below the one that an archive is unpacked into: `unzip(base)` behind `isdir(base / name)`.
fn spared_below<'f>(facts: &'f Facts, made: &Made<'_>) -> Option<Spared<'f>> {
    let stmt = made.call.stmt();
    let is_below = |asked: ExprId| {
        facts.values(asked).into_iter().any(|value| {
            let pieces = facts.pieces(value).unwrap_or_default();
            matches!(pieces.first(), Some(Piece::Value(root)) if facts.is_same_path(*root, made.path))
        })
    };
    let asked = facts
        .calls_beside(stmt)
        .filter(|_| made.how == How::Extracted)
        .take_while(|call| call.stmt() < stmt)
        .filter_map(|call| facts.asked_path(&call))
        .find(|&asked| is_below(asked))?;
    facts.spared(asked, stmt)
}

/// The question only chooses between two ways to write: neither branch spares it.
fn writes_either_way(facts: &Facts, spared: Spared<'_>) -> bool {
    if !std::ptr::eq(spared.home, facts) {
        return false;
    }
    let StmtKind::If { test, body, .. } = &spared.home.stmt(spared.stmt).kind else {
        return false;
    };
    let positive = !matches!(facts.expr(*test).kind, ExprKind::Not(_));
    let inside = facts.statements_in(body);
    let writes = |stmt: StmtId| facts.calls_in(stmt).any(|call| facts.write(call).is_some());
    positive && inside.into_iter().any(writes)
}

/// Whether the one who asks makes the folder first: then that is the fault, and is said.
fn is_told_of_folder(facts: &Facts, spared: Spared<'_>, out: &Outcome) -> bool {
    let asked = facts.stmt(spared.stmt).head;
    let is_same = |hit: &Hit| {
        hit.check.id == "directory-as-ready-marker"
            && hit.related.iter().any(|place| place.span == asked)
    };
    std::ptr::eq(spared.home, facts) && out.hits.iter().any(is_same)
}

/// Whether a function that downloads is given the final name, and nothing shows who calls it.
fn is_left_to_callers(cx: &Context<'_>, made: &Made<'_>) -> bool {
    let says = |name: &str| topic::has_word(name, "download");
    made.how == How::Downloaded
        && cx.facts.function_name(made.call.stmt()).is_some_and(says)
        // A client's method downloads to where its user wants it.
        && cx.facts.class_of(made.call.scope()).is_none()
        && cx.facts.is_given_from_afar(made.path)
        && !cx.facts.is_removed_on_error(made.path)
}

fn hit_of_helper(cx: &Context<'_>, made: &Made<'_>) -> Hit {
    let path = cx.facts.shown(made.path);
    let words = Words::new(
        format!("A download goes straight to `{path}`, the name that the caller gives."),
        "A transfer that breaks off or a killed process leaves a part of it under that name: a caller who asks only whether the file is there takes it for complete, and never loads it again.",
        format!(
            "Does a caller skip the download where `{path}` exists, or does anyone else open it? Write to a temp name in the same folder and `os.replace` it onto the final one when it is complete."
        ),
    );
    let verdict = where_awaited(cx, HitVerdict::Look);
    Hit::new(&CHECK, Anchor::call(&made.call), verdict, words)
}

/// A call that makes a large file or folder at a path.
struct Made<'f> {
    call: Call<'f>,
    path: ExprId,
    how: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Downloaded,
    Copied,
    Extracted,
    /// A library writes it: arrays, weights, a converted model.
    Saved,
    /// Its bytes are written by hand.
    Bytes,
    /// What it holds is drawn at random: each process that makes it makes another one.
    Drawn,
    /// Only the name of a method says so.
    Named,
}

fn made<'f>(facts: &'f Facts, call: Call<'f>) -> Option<Made<'f>> {
    let Some(write) = facts.write(call) else {
        let named = facts.exported(&call).or_else(|| facts.made_unseen(&call));
        let path = named.filter(|&path| facts.string(path).is_none())?;
        let how = How::Named;
        return Some(Made { call, path, how });
    };
    let how = how(facts, &write)?;
    let path = write.path;
    Some(Made { call, path, how })
}

fn how(facts: &Facts, write: &Write<'_>) -> Option<How> {
    match write.how {
        Writing::Copy => Some(How::Copied),
        Writing::Download => Some(How::Downloaded),
        Writing::Extract => Some(How::Extracted),
        Writing::File if facts.takes_download(&write.call) => Some(How::Downloaded),
        Writing::File if facts.runs_program(&write.call) => Some(How::Saved),
        Writing::File if is_library(&write.call) => Some(How::Saved),
        Writing::File if is_drawn(facts, &write.call) => Some(How::Drawn),
        Writing::File => is_binary(facts, &write.call).then_some(How::Bytes),
    }
}

/// `open(path, "wb")`, `path.write_bytes(plan)`: no setting that is written once with its defaults.
fn is_binary(facts: &Facts, call: &Call<'_>) -> bool {
    let is_mode = |id: ExprId| matches!(facts.string(id), Some("wb" | "bw" | "wb+" | "w+b"));
    let opens = call.name() == "open" && call.args.iter().any(|arg| is_mode(arg.value));
    let constant = call
        .positional(0)
        .is_some_and(|content| facts.string(content).is_some());
    opens || (call.method() == Some("write_bytes") && !constant)
}

/// `torch.save(...)`: a function of a module that writes something large, not a method of some object.
fn is_library(call: &Call<'_>) -> bool {
    let modules = [
        "torch.",
        "numpy.",
        "onnx.",
        "joblib.",
        "safetensors.",
        "faiss.",
        "pyarrow.",
        "scipy.",
        "tensorflow.",
    ];
    let of_module = modules.iter().any(|name| call.callee().starts_with(name));
    of_module || call.method() == Some("save_pretrained")
}

/// Names that are not the final ones, and paths of the cache that have a check of their own.
fn is_settled(cx: &Context<'_>, made: &Made<'_>) -> bool {
    let by_place = match cx.facts.leads(made.path, cx.profile) {
        Leads::Own | Leads::Staged | Leads::Handle => true,
        Leads::Cache(_) => made.how != How::Named,
        Leads::Elsewhere | Leads::Unknown => false,
    };
    by_place
        || cx.facts.is_moved_away(made.path)
        || is_part_of_bundle(cx.facts, made.call.stmt(), made.path)
        || (made.how == How::Copied && is_in_working_folder(cx.facts, made.path))
}

/// `os.path.join(os.getcwd(), "client.py")`: a copy that whoever started the program may read and change.
fn is_in_working_folder(facts: &Facts, path: ExprId) -> bool {
    let is_here = |root: ExprId| {
        let call = facts.call(root);
        call.is_some_and(|call| call.is(&["os.getcwd", "pathlib.Path.cwd"]))
    };
    facts.values(path).into_iter().any(|value| {
        let pieces = facts.pieces(value).unwrap_or_default();
        matches!(pieces.first(), Some(Piece::Value(root)) if is_here(*root))
    })
}

fn hit(cx: &Context<'_>, made: &Made<'_>, spared: Spared<'_>) -> Hit {
    let facts = cx.facts;
    let sure = spared.decides
        && !matches!(made.how, How::Named | How::Bytes | How::Drawn)
        && !facts.is_file_locked(made.call.stmt())
        && !facts.is_removed_on_error(made.path);
    let verdict = HitVerdict::sure_if(sure);
    let words = word(facts, made, spared);
    let verdict = where_shared(cx, made.path, verdict);
    let mut hit = Hit::new(&CHECK, Anchor::call(&made.call), verdict, words);
    if std::ptr::eq(spared.home, facts) {
        let asked = facts.stmt(spared.stmt).head;
        hit.causes.push(asked);
        hit = hit.with_related(asked, "its existence is taken for complete here");
    }
    hit
}

/// What says that it is shared is shared with servers, also where a command line writes it.
fn where_shared(cx: &Context<'_>, path: ExprId, verdict: HitVerdict) -> HitVerdict {
    let facts = cx.facts;
    let says = |name: &str| topic::has_word(name, "shared");
    if is_of_tests(facts, path) {
        return HitVerdict::Excused("It is a file of the tests.".to_string());
    }
    let is_shared = facts.names_behind(path).iter().any(|name| says(name));
    match is_shared && !facts.is_test() {
        true => verdict,
        false => where_awaited(cx, verdict),
    }
}

/// A path below the folder of the tests, wherever the helper that fills it lies.
fn is_of_tests(facts: &Facts, path: ExprId) -> bool {
    let mut values = facts.values(path).into_iter();
    values.any(|value| {
        let first = || facts.pieces(value)?.into_iter().next();
        let text = match facts.string(value) {
            Some(text) => Some(text),
            None => match first() {
                Some(Piece::Text(text)) => Some(facts.text(text)),
                Some(Piece::Value(root)) => facts.string(root),
                None => None,
            },
        };
        text.is_some_and(|text| text.trim_start_matches("./").starts_with("tests/"))
    })
}

fn word(facts: &Facts, made: &Made<'_>, spared: Spared<'_>) -> Words {
    let path = facts.shown(made.path);
    let message = match made.how {
        How::Downloaded => format!(
            "A download goes straight to `{path}`, which counts as complete as soon as it exists."
        ),
        How::Copied => format!(
            "`{path}` is copied under its final name, which counts as complete as soon as it exists."
        ),
        How::Extracted => format!(
            "An archive is unpacked straight into `{path}`, which counts as complete as soon as it exists."
        ),
        How::Drawn => return drawn::word(&path),
        How::Saved | How::Bytes | How::Named => format!(
            "`{path}` is written under its final name, which counts as complete as soon as it exists."
        ),
    };
    let place = place(facts, spared);
    let why = format!(
        "A transfer that breaks off or a killed process leaves a part of it there; the question {place} finds it and never makes it again, and whoever asks meanwhile reads a half."
    );
    let cure = "Write to a temp name in the same folder and `os.replace` it onto the final one when it is complete";
    let ask = match made.how {
        How::Named => format!(
            "Does `{}` write in place? {cure}.",
            facts.shown(made.call.function)
        ),
        _ if !spared.decides => format!("Is a part of it ever left there or read? {cure}."),
        _ => format!("{cure}."),
    };
    Words::new(message, why, ask)
}

/// Where the question stands.
fn place(facts: &Facts, spared: Spared<'_>) -> String {
    let home = spared.home;
    if std::ptr::eq(home, facts) {
        return "for it".to_string();
    }
    match home.function_name(spared.stmt) {
        Some(name) => format!("in `{name}` ({})", home.path),
        None => format!("in `{}`", home.path),
    }
}
