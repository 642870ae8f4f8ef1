//! Facts of a text, for unit tests of this crate.

use crate::facts::Facts;
use crate::sources::{DocLine, Document};
use report::Side;

/// The facts of a whole new file.
pub(crate) fn facts_of(text: &str) -> Facts {
    let line = |n: usize| DocLine::Diff {
        number: n as u32 + 1,
        changed: true,
        hunk: 0,
    };
    let document = Document {
        side: Side::New,
        text: text.to_string(),
        lines: (0..text.split('\n').count()).map(line).collect(),
        whole: true,
    };
    let tree = native::Parser::new().unwrap().parse(text);
    Facts::new("probe.py", document, &tree)
}
