//! The core on one core beside the parser alone, on the same inputs; prints nothing, writes JSON.
//!
//! `cargo xtask bench` runs this and shows what it wrote. Beside each input it leaves the documents that a review parses,
//! so that the browser's part can give the same ones to the parser alone.

use review::{FileFacts, Input, Plan};
use serde_json::{Value, json};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The core recurses by the nesting of code, up to a limit that fits into this many bytes.
const STACK: usize = 64 << 20;

/// What is faster is repeated within a round, so that the clock's steps do not count.
const LEAST: Duration = Duration::from_millis(50);

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let worker = std::thread::Builder::new().stack_size(STACK);
    let worker = worker.spawn(move || run(&arguments))?;
    worker
        .join()
        .unwrap_or_else(|_| anyhow::bail!("the bench panicked"))
}

fn run(arguments: &[String]) -> anyhow::Result<()> {
    let mut arguments = arguments.iter().filter(|argument| *argument != "--bench");
    let (Some(inputs), Some(results)) = (arguments.next(), arguments.next()) else {
        anyhow::bail!(
            "a folder of diffs and a file for the results are needed; run `cargo xtask bench`"
        );
    };
    let rounds = arguments.next().map_or(Ok(1), |rounds| rounds.parse())?;
    let mut measured = serde_json::Map::new();
    for file in diffs(Path::new(inputs))? {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        measured.insert(name.into_owned(), measure(&file, rounds)?);
    }
    Ok(std::fs::write(
        results,
        Value::Object(measured).to_string(),
    )?)
}

fn diffs(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        files.extend(
            path.extension()
                .is_some_and(|it| it == "diff")
                .then_some(path),
        );
    }
    files.sort();
    Ok(files)
}

/// Milliseconds of each contestant in each round, and what the input is.
fn measure(file: &Path, rounds: u32) -> anyhow::Result<Value> {
    let bytes = std::fs::read(file)?;
    let text = diff::decode(&bytes).text;
    let mut parser = native::Parser::new()?;
    let mut bare = bare_parser()?;
    let plan = plan(&text);
    let documents = review::dump::texts(&plan, &mut |text| parser.parse(text));
    let facts = all_facts(&plan, &mut parser);
    std::fs::write(
        file.with_extension("documents.json"),
        json!(documents).to_string(),
    )?;

    let mut times: [Vec<f64>; 7] = Default::default();
    for _ in 0..rounds {
        let round = [
            timed(|| drop(black_box(diff::parse(&diff::decode(&bytes).text)))),
            timed(|| {
                documents
                    .iter()
                    .for_each(|text| drop(black_box(bare.parse(text, None))))
            }),
            timed(|| {
                documents
                    .iter()
                    .for_each(|text| drop(black_box(parser.parse(text))))
            }),
            timed(|| drop(black_box(all_facts(&plan, &mut parser)))),
            timed(|| drop(black_box(review::conclude(&plan, &facts)))),
            timed(|| drop(black_box(whole(&text, &mut parser)))),
            waited(|| drop(black_box(command(file)))),
        ];
        for (times, time) in times.iter_mut().zip(round) {
            times.push(time);
        }
    }
    let [read, parse, tree, facts, conclude, whole, command] = times;
    Ok(json!({
        "bytes": bytes.len(),
        "lines": text.lines().count(),
        "added": text.lines().filter(|line| line.starts_with('+')).count(),
        "documents": documents.len(),
        "link": link(&text),
        "read": read, "parse": parse, "tree": tree, "facts": facts, "conclude": conclude, "whole": whole,
        "command": command,
    }))
}

fn bare_parser() -> anyhow::Result<tree_sitter::Parser> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into())?;
    Ok(parser)
}

fn plan(text: &str) -> Plan {
    review::plan(&Input {
        text,
        decoding: &[],
        files: None,
        profile: &topic::Profile::builtin(),
        dismissals: &[],
        source: &report::Source::default(),
    })
}

fn all_facts(plan: &Plan, parser: &mut native::Parser) -> Vec<FileFacts> {
    let parse = &mut |text: &str| parser.parse(text);
    (0..plan.len())
        .map(|n| review::file_facts(plan, n, parse))
        .collect()
}

fn whole(text: &str, parser: &mut native::Parser) -> report::Report {
    let plan = plan(text);
    let facts = all_facts(&plan, parser);
    review::conclude(&plan, &facts)
}

/// The whole process, on all cores, JSON included.
fn command(file: &Path) -> Option<std::process::Output> {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hunkwise"));
    command
        .arg("review")
        .args(["--format", "json"])
        .arg(file)
        .output()
        .ok()
}

/// How long the fragment of a link that holds this diff is.
fn link(text: &str) -> usize {
    let link = report::permalink::Link {
        content: report::permalink::Content::Diff {
            text: text.to_owned(),
            excerpt: false,
        },
        topic_version: topic::topic().version.to_owned(),
        profile: topic::Profile::builtin().name,
        context: report::Context::Diff,
        work: report::Work::default(),
        selected: None,
    };
    report::permalink::encode(&link).len()
}

/// Milliseconds, the mean of as many runs as fill the least time.
fn timed(mut work: impl FnMut()) -> f64 {
    let (start, spent) = (Instant::now(), processor_time());
    let mut runs = 0;
    while runs == 0 || start.elapsed() < LEAST {
        work();
        runs += 1;
    }
    let time = match (spent, processor_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => start.elapsed(),
    };
    time.as_secs_f64() * 1000.0 / f64::from(runs)
}

/// The same by the clock: for another process, whose work is not this thread's.
fn waited(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1000.0
}

/// How long this thread has run, where the system says it: what other processes do meanwhile is then left out.
fn processor_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = told.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
