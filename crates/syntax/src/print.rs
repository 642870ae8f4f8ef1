//! A tree in words, for snapshots and dumps.

use crate::{Kind, LineIndex, NodeId, Tree};
use std::fmt::Write as _;

impl Tree {
    /// The named nodes, one a line: indented by depth, with field, kind and the range in lines and columns from 1.
    pub fn outline(&self, text: &str) -> String {
        let index = LineIndex::new(text);
        let mut out = String::new();
        let mut open: Vec<u32> = Vec::new();
        for node in self.nodes() {
            while open.last().is_some_and(|&end| end <= node.0) {
                open.pop();
            }
            if self.is_named(node) || self.is_missing(node) {
                let depth = open.len() * 2;
                let _ = write!(out, "{:depth$}", "");
                self.print(node, text, &index, &mut out);
            }
            open.push(self.subtree_end(node));
        }
        out
    }

    fn print(&self, node: NodeId, text: &str, index: &LineIndex, out: &mut String) {
        let place = |offset: u32| (index.line(offset) + 1, index.column(offset, text));
        let span = self.span(node);
        let (start, end) = (place(span.start), place(span.end));
        let field = self.field(node).name();
        if !field.is_empty() {
            let _ = write!(out, "{field}: ");
        }
        let kind = match self.kind(node) {
            Kind::Other => "other",
            kind => kind.name(),
        };
        let missing = if self.is_missing(node) {
            " missing"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "{kind}{missing} {}:{}-{}:{}",
            start.0, start.1, end.0, end.1
        );
    }
}
