//! The tree itself: pre-order columns, addressed by [`NodeId`].

use crate::kind::{Field, Kind};
use std::ops::Range;

/// The id that tree-sitter gives ERROR nodes in every grammar; it stands in no table of names.
const ERROR_ID: u16 = 65535;

const NAMED: u8 = 1;
const MISSING: u8 = 2;

/// Which unit the offsets of a [`RawTree`] count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Native tree-sitter.
    Utf8,
    /// web-tree-sitter.
    Utf16,
}

/// A walk as the host made it: one entry a node, in pre-order. Tokens without a field may be left out. Columns of unequal length are cut to the shortest.
#[derive(Clone, Debug, Default)]
pub struct RawTree {
    /// Grammar symbol ids.
    pub kind: Vec<u16>,
    /// Grammar field ids; 0 for none.
    pub field: Vec<u16>,
    pub start: Vec<u32>,
    pub end: Vec<u32>,
    /// Index behind the last descendant.
    pub subtree_end: Vec<u32>,
    /// Bit 0: named. Bit 1: missing.
    pub flags: Vec<u8>,
}

impl RawTree {
    /// With room for so many nodes.
    pub fn with_capacity(nodes: usize) -> RawTree {
        RawTree {
            kind: Vec::with_capacity(nodes),
            field: Vec::with_capacity(nodes),
            start: Vec::with_capacity(nodes),
            end: Vec::with_capacity(nodes),
            subtree_end: Vec::with_capacity(nodes),
            flags: Vec::with_capacity(nodes),
        }
    }
}

/// The grammar's name tables, mapped once.
#[derive(Clone, Debug, Default)]
pub struct Grammar {
    kinds: Vec<Kind>,
    fields: Vec<Field>,
}

impl Grammar {
    /// Takes the names of symbols and fields in the order of their ids, from id 0.
    pub fn new<'a>(
        kinds: impl IntoIterator<Item = &'a str>,
        fields: impl IntoIterator<Item = &'a str>,
    ) -> Grammar {
        Grammar {
            kinds: kinds.into_iter().map(Kind::from_name).collect(),
            fields: fields.into_iter().map(Field::from_name).collect(),
        }
    }

    /// Makes a tree of a host's walk over `text`.
    pub fn tree(&self, raw: RawTree, units: Units, text: &str) -> Tree {
        let mut tree = Tree {
            kind: raw.kind.iter().map(|&id| self.kind(id)).collect(),
            field: raw.field.iter().map(|&id| self.field(id)).collect(),
            start: raw.start,
            end: raw.end,
            subtree_end: raw.subtree_end,
            flags: raw.flags,
        };
        tree.make_equal();
        if units == Units::Utf16 && !text.is_ascii() {
            tree.convert_to_utf8(text);
        }
        tree
    }

    fn kind(&self, id: u16) -> Kind {
        if id == ERROR_ID {
            return Kind::Error;
        }
        self.kinds
            .get(usize::from(id))
            .copied()
            .unwrap_or(Kind::Other)
    }

    fn field(&self, id: u16) -> Field {
        self.fields
            .get(usize::from(id))
            .copied()
            .unwrap_or(Field::Other)
    }
}

/// A node of one tree; ids ascend in pre-order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A parsed text. An empty tree stands for a parse that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    kind: Vec<Kind>,
    field: Vec<Field>,
    start: Vec<u32>,
    end: Vec<u32>,
    subtree_end: Vec<u32>,
    flags: Vec<u8>,
}

impl Tree {
    pub fn len(&self) -> usize {
        self.kind.len()
    }

    pub fn is_empty(&self) -> bool {
        self.kind.is_empty()
    }

    pub fn root(&self) -> Option<NodeId> {
        (!self.is_empty()).then_some(NodeId(0))
    }

    /// All nodes in pre-order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.kind.len() as u32).map(NodeId)
    }

    pub fn kind(&self, node: NodeId) -> Kind {
        self.kind
            .get(node.0 as usize)
            .copied()
            .unwrap_or(Kind::Other)
    }

    pub fn field(&self, node: NodeId) -> Field {
        self.field
            .get(node.0 as usize)
            .copied()
            .unwrap_or(Field::Other)
    }

    /// UTF-8 byte range in the parsed text.
    pub fn span(&self, node: NodeId) -> Range<u32> {
        let at = node.0 as usize;
        let start = self.start.get(at).copied().unwrap_or(0);
        start..self.end.get(at).copied().unwrap_or(start).max(start)
    }

    /// The node's text; empty where the span does not fit `text`.
    pub fn text<'t>(&self, node: NodeId, text: &'t str) -> &'t str {
        let span = self.span(node);
        text.get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// Named nodes are the grammar's rules; the others are its tokens.
    pub fn is_named(&self, node: NodeId) -> bool {
        self.flag(node, NAMED)
    }

    /// Whether the parser made the node up to go on.
    pub fn is_missing(&self, node: NodeId) -> bool {
        self.flag(node, MISSING)
    }

    /// The node and its descendants.
    pub fn subtree(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        (node.0..self.subtree_end(node)).map(NodeId)
    }

    pub fn children(&self, node: NodeId) -> Children<'_> {
        Children {
            tree: self,
            next: node.0 + 1,
            end: self.subtree_end(node),
        }
    }

    /// Children without tokens and comments.
    pub fn named_children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.children(node)
            .filter(|&child| self.is_named(child) && self.kind(child) != Kind::Comment)
    }

    pub fn child(&self, node: NodeId, field: Field) -> Option<NodeId> {
        self.children(node)
            .find(|&child| self.field(child) == field)
    }

    fn flag(&self, node: NodeId, bit: u8) -> bool {
        self.flags
            .get(node.0 as usize)
            .is_some_and(|flags| flags & bit != 0)
    }

    /// Never before the node's own successor and never behind the end, whatever the host said.
    pub(crate) fn subtree_end(&self, node: NodeId) -> u32 {
        let end = self.subtree_end.get(node.0 as usize).copied().unwrap_or(0);
        end.clamp(
            node.0.saturating_add(1),
            (self.kind.len() as u32).max(node.0.saturating_add(1)),
        )
    }

    fn make_equal(&mut self) {
        let len = [
            self.kind.len(),
            self.field.len(),
            self.start.len(),
            self.end.len(),
            self.subtree_end.len(),
            self.flags.len(),
        ]
        .into_iter()
        .min()
        .unwrap_or(0);
        self.kind.truncate(len);
        self.field.truncate(len);
        self.start.truncate(len);
        self.end.truncate(len);
        self.subtree_end.truncate(len);
        self.flags.truncate(len);
    }

    fn convert_to_utf8(&mut self, text: &str) {
        let bytes = bytes_of_units(text);
        for offset in self.start.iter_mut().chain(self.end.iter_mut()) {
            *offset = bytes
                .get(*offset as usize)
                .copied()
                .unwrap_or(text.len() as u32);
        }
    }
}

/// The children of a node, in order.
pub struct Children<'t> {
    tree: &'t Tree,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let node = NodeId(self.next);
        self.next = self.tree.subtree_end(node);
        Some(node)
    }
}

/// For each UTF-16 offset of the text, its UTF-8 offset; a surrogate pair's second half maps to its first.
fn bytes_of_units(text: &str) -> Vec<u32> {
    let mut bytes = Vec::with_capacity(text.len() + 1);
    for (at, c) in text.char_indices() {
        bytes.extend(std::iter::repeat_n(at as u32, c.len_utf16()));
    }
    bytes.push(text.len() as u32);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(start: Vec<u32>, end: Vec<u32>) -> RawTree {
        let n = start.len();
        RawTree {
            kind: vec![1; n],
            field: vec![0; n],
            start,
            end,
            subtree_end: (1..=n as u32).map(|_| n as u32).collect(),
            flags: vec![NAMED; n],
        }
    }

    #[test]
    fn utf16_offsets_become_bytes() {
        let grammar = Grammar::new(["end", "identifier"], [""]);
        let text = "\u{1F600}é = x";
        let tree = grammar.tree(raw(vec![6], vec![7]), Units::Utf16, text);
        assert_eq!(tree.text(NodeId(0), text), "x");
    }

    #[test]
    fn spans_outside_the_text_read_as_empty() {
        let grammar = Grammar::new(["end", "identifier"], [""]);
        let tree = grammar.tree(raw(vec![5], vec![90]), Units::Utf8, "x");
        assert_eq!(tree.text(NodeId(0), "x"), "");
    }

    #[test]
    fn error_has_its_own_id() {
        let grammar = Grammar::new(["end"], [""]);
        let mut walk = raw(vec![0], vec![1]);
        walk.kind = vec![ERROR_ID];
        assert_eq!(
            grammar.tree(walk, Units::Utf8, "x").kind(NodeId(0)),
            Kind::Error
        );
    }
}
