//! What a file consists of on the sheet, and what of it is drawn.

use super::*;
use crate::diff_file::DiffFile;
use report::{FileStatus, FileView, Finding, HunkView, Severity, Side, Verdict};
use std::rc::Rc;

/// A file of one hunk of `n_lines` added lines behind `before` others, of `whole` lines in all if that is known.
fn file(index: u32, before: u32, n_lines: u32, whole: Option<u32>) -> DiffFile {
    let view = FileView {
        path: format!("{index}.py"),
        old_path: None,
        status: FileStatus::Modified,
        python: true,
        commit: None,
        added: n_lines,
        removed: 0,
        whole,
        hunks: vec![HunkView {
            old_start: before,
            old_len: 0,
            new_start: before + 1,
            new_len: n_lines,
            section: String::new(),
            n_lines,
            runs: vec![[0, 0, n_lines].into()],
        }],
    };
    let mut file = DiffFile::new(index, view);
    file.set_open(true);
    file
}

fn finding(line: u32) -> Finding {
    Finding {
        id: format!("f{line}"),
        rule: 4,
        check: "unbounded-result".to_owned(),
        severity: Severity::Block,
        verdict: Verdict::Look,
        side: Side::New,
        path: "0.py".to_owned(),
        commit: None,
        line,
        end_line: line,
        column: 1,
        end_column: 2,
        message: String::new(),
        why: String::new(),
        ask: String::new(),
        reason: None,
        related: Vec::new(),
        also: Vec::new(),
        references: Vec::new(),
    }
}

/// The items in short: lines by their number, hidden ones in brackets.
fn items(file: &DiffFile) -> Vec<String> {
    let layout = Layout::new(file, false);
    let short = |item: &Item| match &item.kind {
        Kind::Lines { lines, .. } => format!("lines {}", lines.len()),
        Kind::Whole { lines, growth } => format!("whole {lines:?} {growth}"),
        Kind::Header { hidden, .. } => format!("header [{hidden:?}]"),
        Kind::Gap(hidden) => format!("gap [{hidden:?}]"),
        other => format!("{other:?}"),
    };
    layout.items.iter().map(short).collect()
}

#[test]
fn lines_stand_in_blocks_behind_their_header() {
    let file = file(0, 0, 45, None);
    assert_eq!(
        items(&file),
        ["Head", "header [0..0]", "lines 20", "lines 20", "lines 5"]
    );
}

#[test]
fn what_is_hidden_can_be_shown_from_either_end() {
    let mut file = file(0, 100, 10, Some(200));
    let all = ["Head", "header [1..101]", "lines 10", "gap [111..201]"];
    assert_eq!(items(&file), all);
    file.expand(91..101);
    file.expand(111..121);
    let more = [
        "Head",
        "header [1..91]",
        "whole 91..100 0",
        "whole 100..101 0",
        "lines 10",
        "whole 111..120 10",
        "whole 120..121 10",
        "gap [121..201]",
    ];
    assert_eq!(items(&file), more);
    file.expand(1..91);
    assert!(!items(&file).iter().any(|item| item.starts_with("header")));
}

#[test]
fn only_what_is_near_the_window_is_drawn_and_the_rest_keeps_its_space() {
    let files: Vec<Rc<DiffFile>> = (0..50)
        .map(|index| Rc::new(file(index, 0, 900, None)))
        .collect();
    let mut model = Model::default();
    model.update(&files, false);
    let extent = |drawn: &Drawn| {
        let files = drawn
            .files
            .iter()
            .map(|file| file.above + height(&model, file.index));
        files.sum::<f64>() + drawn.below
    };
    let (first, later) = (
        model.drawn(0.0..100.0, &[]),
        model.drawn(500_000.0..501_000.0, &[]),
    );
    assert_eq!(extent(&first), extent(&later));
    for drawn in [first, later] {
        let pieces = drawn.files.iter().flat_map(|file| &file.pieces);
        let n_items: usize = pieces.map(n_items).sum();
        assert!((2..8).contains(&n_items), "{n_items}");
    }
}

#[test]
fn what_is_pinned_is_drawn_wherever_the_window_is() {
    let files: Vec<Rc<DiffFile>> = (0..50)
        .map(|index| Rc::new(file(index, 0, 900, None)))
        .collect();
    let mut model = Model::default();
    model.update(&files, false);
    let pinned = model
        .line(3, Side::New, 500)
        .and_then(|target| model.key(target));
    let drawn = model.drawn(500_000.0..501_000.0, &[pinned.unwrap()]);
    assert_eq!(drawn.files.first().map(|file| file.index), Some(3));
}

#[test]
fn a_measured_height_moves_all_that_is_below() {
    let files = [Rc::new(file(0, 0, 45, None)), Rc::new(file(1, 0, 45, None))];
    let mut model = Model::default();
    model.update(&files, false);
    let target = Target { file: 1, item: 2 };
    let before = model.top(target).unwrap();
    let first = model.key(Target { file: 0, item: 2 }).unwrap();
    assert!(model.measure([(first, 435.0)]));
    assert_eq!(model.top(target), Some(before + 35.0));
    assert!(!model.measure([(first, 435.0)]));
    assert_eq!(model.at(before + 36.0), Some(target));
}

#[test]
fn on_paper_each_finding_stands_below_its_lines_and_nothing_else_does() {
    let mut found = file(0, 0, 900, None);
    found.take_findings([108, 441].map(|line| Rc::new(finding(line))).into());
    found.set_open(false);
    let files = [Rc::new(found), Rc::new(file(1, 0, 900, None))];
    let mut model = Model::default();
    model.update(&for_paper(&files), false);
    let drawn = model.on_paper();
    assert_eq!(
        drawn
            .files
            .iter()
            .map(|file| file.index)
            .collect::<Vec<_>>(),
        [0]
    );
    let items = &model.layout(0).unwrap().items;
    let printed: Vec<_> = drawn.files[0]
        .pieces
        .iter()
        .map(|piece| match piece {
            Piece::Items(range) => lines(&items[range.clone()]),
            Piece::Space(_) => panic!("a gap on paper"),
        })
        .collect();
    // The second finding stands in the first line of a block, so the block before is there too.
    assert_eq!(
        printed,
        [vec![], vec![(100, 108)], vec![(420, 440), (440, 441)]]
    );
}

fn lines(items: &[Item]) -> Vec<(u32, u32)> {
    let lines = items.iter().filter_map(|item| match &item.kind {
        Kind::Lines { lines, .. } => Some((lines.start, lines.end)),
        _ => None,
    });
    lines.collect()
}

fn n_items(piece: &Piece) -> usize {
    match piece {
        Piece::Items(items) => items.len(),
        Piece::Space(_) => 0,
    }
}

/// The height of a file with its frame and the space behind it.
fn height(model: &Model, file: usize) -> f64 {
    let next = model.top(Target {
        file: file + 1,
        item: 0,
    });
    let own = model.top(Target { file, item: 0 }).unwrap();
    next.map_or(0.0, |next| next - own)
}
