//! The diff reader: `cargo bench -p diff`.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};

/// Three hundred small files, and two hundred hunks of one.
const MANY_FILES: &str = include_str!("../../../tests/fixtures/diff/git-300-files.diff");
const MANY_HUNKS: &str = include_str!("../../../tests/fixtures/diff/git-200-hunks.diff");

/// So many times the fixtures make about a megabyte.
const TIMES: usize = 20;

fn main() {
    divan::main();
}

#[divan::bench(args = [("files", MANY_FILES), ("hunks", MANY_HUNKS)])]
fn parse(bencher: Bencher<'_, '_>, (_, fixture): (&str, &str)) {
    let text = fixture.repeat(TIMES);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench_local(|| diff::parse(black_box(&text)));
}

#[divan::bench]
fn decode(bencher: Bencher<'_, '_>) {
    let bytes = MANY_FILES.repeat(TIMES).into_bytes();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench_local(|| diff::decode(black_box(&bytes)));
}
