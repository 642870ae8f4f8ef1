//! The stages of a review, each by itself: `cargo bench -p review`.

#![allow(
    clippy::unwrap_used,
    reason = "without a parser there is nothing to measure"
)]

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use review::{FileFacts, Input, Plan};

/// Of the topic, and clean.
const PYTHON: &[&str] = &[
    include_str!("../../../tests/fixtures/python/r01_a_ok.py"),
    include_str!("../../../tests/fixtures/python/r03_a_ok.py"),
    include_str!("../../../tests/fixtures/python/r05_a_ok.py"),
    include_str!("../../../tests/fixtures/python/r07_a_ok.py"),
    include_str!("../../../tests/fixtures/python/r10_a_ok.py"),
    include_str!("../../../tests/fixtures/python/hard_to_cut.py"),
];

/// How much of each file an edit shows.
const SHOWN: usize = 12;

fn main() {
    divan::main();
}

/// The tree of each whole file: parse and walk.
#[divan::bench]
fn tree(bencher: Bencher<'_, '_>) {
    let mut parser = native::Parser::new().unwrap();
    bencher
        .counter(BytesCount::new(bytes(PYTHON)))
        .bench_local(|| {
            PYTHON
                .iter()
                .map(|text| parser.parse(black_box(text)).len())
                .sum::<usize>()
        });
}

/// Documents, trees and facts, of new files and of hunks cut out of them.
#[divan::bench(args = ["new", "hunks"])]
fn facts(bencher: Bencher<'_, '_>, of: &str) {
    let diff = diff(of);
    let plan = plan(&diff);
    bencher
        .counter(BytesCount::of_str(&diff))
        .bench_local(|| all_facts(black_box(&plan)));
}

/// Every check on facts that nobody has asked before, and the report.
#[divan::bench(args = ["new", "hunks"])]
fn rules(bencher: Bencher<'_, '_>, of: &str) {
    let diff = diff(of);
    let plan = plan(&diff);
    bencher
        .counter(BytesCount::of_str(&diff))
        .with_inputs(|| all_facts(&plan))
        .bench_local_refs(|facts| review::conclude(&plan, facts));
}

fn bytes(texts: &[&str]) -> usize {
    texts.iter().map(|text| text.len()).sum()
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

fn all_facts(plan: &Plan) -> Vec<FileFacts> {
    let mut parser = native::Parser::new().unwrap();
    let parse = &mut |text: &str| parser.parse(text);
    (0..plan.len())
        .map(|n| review::file_facts(plan, n, parse))
        .collect()
}

fn diff(of: &str) -> String {
    let files = PYTHON.iter().enumerate();
    files
        .map(|(n, text)| match of {
            "new" => new_file(n, text),
            _ => hunks(n, text),
        })
        .collect()
}

fn new_file(n: usize, text: &str) -> String {
    let count = text.lines().count();
    let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
    format!("--- /dev/null\n+++ b/service/part_{n}.py\n@@ -0,0 +1,{count} @@\n{lines}")
}

/// Every other stretch of lines, the middle one of each added.
fn hunks(n: usize, text: &str) -> String {
    let mut out = format!("--- a/service/part_{n}.py\n+++ b/service/part_{n}.py\n");
    let lines: Vec<&str> = text.lines().collect();
    for (at, shown) in lines.chunks(SHOWN).enumerate().step_by(2) {
        let (new, count) = (at * SHOWN + 1, shown.len());
        let old = new - at / 2;
        out.push_str(&format!("@@ -{old},{} +{new},{count} @@\n", count - 1));
        for (row, line) in shown.iter().enumerate() {
            let sign = if row == count / 2 { '+' } else { ' ' };
            out.push_str(&format!("{sign}{line}\n"));
        }
    }
    out
}
