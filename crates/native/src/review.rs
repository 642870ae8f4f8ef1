//! `hunkwise review`: a diff in, a report out.

use crate::cli::{self, Format, Names, Output};
use crate::{FAILED, REFUSED, input, output, root};
use report::{Problem, Report, Source, Work, export};
use review::{FileFacts, Plan};
use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The core recurses by the nesting of code, up to a limit that fits into this many bytes.
const STACK: usize = 64 << 20;

pub(crate) fn run(arguments: &cli::Review) -> anyhow::Result<ExitCode> {
    let decoded = input::diff(&arguments.file)?;
    let files = match &arguments.root {
        Some(folder) => Some(root::files(folder, &decoded.text)?),
        None => None,
    };
    let source = arguments.origin.source();
    let reviewed = review(&decoded, files, &arguments.names, &source)?;
    finish(&reviewed, &Work::default(), &arguments.output)
}

/// A report, and the diff that it is of.
pub(crate) struct Reviewed {
    pub(crate) plan: Plan,
    pub(crate) report: Report,
}

/// Reviews a text.
pub(crate) fn review(
    decoded: &diff::Decoded,
    files: Option<std::collections::BTreeMap<String, String>>,
    names: &Names,
    source: &Source,
) -> anyhow::Result<Reviewed> {
    let input = review::Input {
        text: &decoded.text,
        decoding: &decoded.problems,
        files: files.as_ref(),
        profile: &input::profile(names)?,
        dismissals: &input::dismissals(names)?,
        source,
    };
    let plan = review::plan(&input);
    let facts = in_parallel(&plan)?;
    let report = on_large_stack(|| review::conclude_by(&plan, &facts, &on_all_cores))?;
    Ok(Reviewed { plan, report })
}

/// Prints the report and says how the command ends.
pub(crate) fn finish(reviewed: &Reviewed, work: &Work, how: &Output) -> anyhow::Result<ExitCode> {
    output::print(&formatted(reviewed, work, how))?;
    let report = &reviewed.report;
    if report.is_empty() {
        return Ok(nothing(&report.problems));
    }
    let fails = how.fail_on.severity();
    Ok(
        match fails.is_some_and(|least| report.has_violation(least)) {
            true => ExitCode::from(FAILED),
            false => ExitCode::SUCCESS,
        },
    )
}

fn formatted(reviewed: &Reviewed, work: &Work, how: &Output) -> String {
    let Reviewed { plan, report } = reviewed;
    let wording = topic::topic().wording(how.block_as.gravity());
    let standard = match std::io::stdout().is_terminal() {
        true => Format::Text,
        false => Format::Json,
    };
    match how.format.unwrap_or(standard) {
        Format::Text => export::text(report, work),
        Format::Json => export::json(report, work),
        Format::Markdown => export::markdown(report, work, &wording),
        Format::Sarif => export::sarif(report, work, how.nits),
        Format::Comments => export::comments(report, work, &wording, &review::view(plan)),
    }
}

/// No diff: an empty input is fine, anything else is refused with the reason.
fn nothing(problems: &[Problem]) -> ExitCode {
    if problems.iter().any(|problem| problem.kind == "empty") {
        return ExitCode::SUCCESS;
    }
    let reason = problems
        .iter()
        .find(|problem| problem.kind != "invalid-encoding");
    output::complain(reason.map_or("No diff was found.", |problem| &problem.message));
    ExitCode::from(REFUSED)
}

/// Understands the plan's files on all cores. Each is independent of the others.
fn in_parallel(plan: &Plan) -> anyhow::Result<Vec<FileFacts>> {
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut facts = thread::scope(|scope| {
        let mut workers = Vec::new();
        for _ in 0..cores.min(plan.len()) {
            let work = || take_files(plan, &next);
            workers.push(
                thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, work)?,
            );
        }
        let mut facts = Vec::with_capacity(plan.len());
        for worker in workers {
            facts.extend(joined(worker.join())??);
        }
        anyhow::Ok(facts)
    })?;
    facts.sort_by_key(|(n, _)| *n);
    Ok(facts.into_iter().map(|(_, facts)| facts).collect())
}

fn take_files(plan: &Plan, next: &AtomicUsize) -> anyhow::Result<Vec<(usize, FileFacts)>> {
    let mut parser = native::Parser::new()?;
    let mut facts = Vec::new();
    loop {
        let n = next.fetch_add(1, Ordering::Relaxed);
        if n >= plan.len() {
            return Ok(facts);
        }
        let parse = &mut |text: &str| parser.parse(text);
        facts.push((n, review::file_facts(plan, n, parse)));
    }
}

/// Does a piece of work for each number below `count` on all cores, or alone where no thread can be started.
fn on_all_cores(count: usize, work: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let take = || {
        while let Some(n) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < count) {
            work(n);
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 1..cores.min(count) {
            let _ = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, take);
        }
        take();
    });
}

fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)?;
        joined(worker.join())
    })
}

fn joined<T>(result: thread::Result<T>) -> anyhow::Result<T> {
    result.map_err(|_| {
        anyhow::anyhow!("a thread of the review panicked; this is an error in hunkwise")
    })
}
