//! tree-sitter's tree into our columns, with one cursor walk.

use syntax::{Grammar, RawTree, Tree, Units};
use tree_sitter::TreeCursor;

const NAMED: u8 = 1;
const MISSING: u8 = 2;

/// A Python parser with its grammar's name tables.
pub struct Parser {
    parser: tree_sitter::Parser,
    grammar: Grammar,
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
        Ok(Parser { parser, grammar })
    }

    /// Parses a text; an empty tree where the parser gave up.
    pub fn parse(&mut self, text: &str) -> Tree {
        let Some(tree) = self.parser.parse(text, None) else {
            return Tree::default();
        };
        let mut raw = RawTree::default();
        let mut cursor = tree.walk();
        walk(&mut cursor, &mut raw);
        self.grammar.tree(&raw, Units::Utf8, text)
    }
}

/// Pre-order without recursion: deep nesting must not exhaust the stack.
fn walk(cursor: &mut TreeCursor<'_>, raw: &mut RawTree) {
    let mut open: Vec<usize> = Vec::new();
    loop {
        open.push(raw.kind.len());
        push(cursor, raw);
        if cursor.goto_first_child() {
            continue;
        }
        loop {
            close(&mut open, raw);
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

fn push(cursor: &TreeCursor<'_>, raw: &mut RawTree) {
    let node = cursor.node();
    raw.kind.push(node.kind_id());
    raw.field.push(cursor.field_id().map_or(0, |id| id.get()));
    raw.start.push(node.start_byte() as u32);
    raw.end.push(node.end_byte() as u32);
    raw.subtree_end.push(0);
    let named = if node.is_named() { NAMED } else { 0 };
    let missing = if node.is_missing() { MISSING } else { 0 };
    raw.flags.push(named | missing);
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
