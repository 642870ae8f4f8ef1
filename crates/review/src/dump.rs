//! What single stages make of a diff, in words for developers.

use crate::plan::is_read;
use crate::sources::{self, DocLine, Document, Scaffold};
use report::Side;
use std::fmt::Write as _;
use syntax::Tree;

/// The documents of each Python file, side by side with where their lines come from, and their trees.
pub fn documents(patch: &diff::Patch, parse: &mut dyn FnMut(&str) -> Tree) -> String {
    let mut out = String::new();
    for file in patch.files.iter().filter(|file| is_read(file)) {
        for (side, name) in [(Side::Old, "old"), (Side::New, "new")] {
            let sourced = sources::document(file, patch, side, None, parse);
            let _ = writeln!(out, "== {} ({name})", file.path());
            for problem in &sourced.problems {
                let _ = writeln!(out, "problem: {}", problem.message);
            }
            out.push_str(&listing(&sourced.document));
            out.push_str(&sourced.tree.outline(&sourced.document.text));
        }
    }
    out
}

/// The lines of a document behind their numbers; `+` marks changed lines, a word scaffold.
pub(crate) fn listing(document: &Document) -> String {
    let mut out = String::new();
    for (text, line) in document.text.lines().zip(&document.lines) {
        let origin = match line {
            DocLine::Diff {
                number, changed, ..
            } => format!("{number}{}", if *changed { "+" } else { " " }),
            DocLine::Scaffold(Scaffold::Heading) => "heading ".to_string(),
            DocLine::Scaffold(Scaffold::Unknown) => "unknown ".to_string(),
            DocLine::Scaffold(Scaffold::Tail) => "tail ".to_string(),
        };
        let _ = writeln!(out, "{origin:>8}|{text}");
    }
    out
}
