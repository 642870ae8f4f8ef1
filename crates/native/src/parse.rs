//! tree-sitter's tree into our columns, with one cursor walk.

use syntax::{Grammar, RawTree, Tree, Units};
use tree_sitter::{Node, TreeCursor};

const NAMED: u8 = 1;
const MISSING: u8 = 2;

/// A Python parser with its grammar's name tables.
pub struct Parser {
    parser: tree_sitter::Parser,
    grammar: Grammar,
    /// The id of the one token without a field that is asked for.
    async_id: u16,
}

impl Parser {
    /// Fails only where library and grammar were built for different versions of the tree-sitter ABI.
    pub fn new() -> anyhow::Result<Parser> {
        let language = tree_sitter::Language::from(tree_sitter_python::LANGUAGE);
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&language)?;
        let kinds = (0..language.node_kind_count())
            .map(|id| language.node_kind_for_id(id as u16).unwrap_or(""));
        let fields = (0..=language.field_count())
            .map(|id| language.field_name_for_id(id as u16).unwrap_or(""));
        let grammar = Grammar::new(kinds, fields);
        Ok(Parser {
            parser,
            grammar,
            async_id: language.id_for_node_kind("async", false),
        })
    }

    /// Parses a text; an empty tree where the parser gave up.
    pub fn parse(&mut self, text: &str) -> Tree {
        let Some(tree) = self.parser.parse(text, None) else {
            return Tree::default();
        };
        let root = tree.root_node();
        let mut raw = RawTree::with_capacity(root.descendant_count());
        self.walk(&mut tree.walk(), root.has_error(), &mut raw);
        self.grammar.tree(raw, Units::Utf8, text)
    }

    /// Pre-order without recursion: deep nesting must not exhaust the stack. Tokens that nobody asks for are left out, and
    /// what lies below a token: `not in` is one.
    /// Nothing is missing in a tree without errors.
    fn walk(&self, cursor: &mut TreeCursor<'_>, has_error: bool, raw: &mut RawTree) {
        let mut open: Vec<usize> = Vec::new();
        loop {
            let node = cursor.node();
            let field = cursor.field_id().map_or(0, |id| id.get());
            let is_named = node.is_named();
            let is_missing = has_error && node.is_missing();
            if is_named || field != 0 || is_missing || node.kind_id() == self.async_id {
                let flags = if is_named { NAMED } else { 0 } | if is_missing { MISSING } else { 0 };
                push(node, field, flags, raw);
            }
            if is_named && cursor.goto_first_child() {
                open.push(raw.kind.len() - 1);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                close(&mut open, raw);
            }
        }
    }
}

fn push(node: Node<'_>, field: u16, flags: u8, raw: &mut RawTree) {
    raw.kind.push(node.kind_id());
    raw.field.push(field);
    raw.start.push(node.start_byte() as u32);
    raw.end.push(node.end_byte() as u32);
    raw.subtree_end.push(raw.kind.len() as u32);
    raw.flags.push(flags);
}

/// The innermost open node ends where the walk stands.
fn close(open: &mut Vec<usize>, raw: &mut RawTree) {
    let end = raw.kind.len() as u32;
    if let Some(slot) = open.pop().and_then(|at| raw.subtree_end.get_mut(at)) {
        *slot = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntax::{Field, Kind};

    #[test]
    fn children_and_fields_are_kept() {
        let text = "future.result(timeout=5)\n";
        let tree = Parser::new().unwrap().parse(text);
        let call = tree
            .nodes()
            .find(|&node| tree.kind(node) == Kind::Call)
            .unwrap();
        let function = tree.child(call, Field::Function).unwrap();
        assert_eq!(tree.text(function, text), "future.result");
        let arguments = tree.child(call, Field::Arguments).unwrap();
        let named: Vec<&str> = tree
            .named_children(arguments)
            .map(|node| tree.text(node, text))
            .collect();
        assert_eq!(named, ["timeout=5"]);
    }

    #[test]
    fn deep_nesting_is_walked() {
        let text = "(".repeat(5000) + "1" + &")".repeat(5000);
        let tree = Parser::new().unwrap().parse(&text);
        assert!(tree.len() > 5000);
    }
}
