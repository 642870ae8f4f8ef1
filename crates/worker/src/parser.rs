//! The parser behind the one seam of the core, text in and tree out. It is web-tree-sitter, run by parse.js.

use syntax::{Grammar, RawTree, Tree, Units};
use wasm_bindgen::prelude::*;

pub(crate) struct PythonParser {
    parser: Parser,
    grammar: Grammar,
}

impl PythonParser {
    pub(crate) fn new(parser: Parser) -> PythonParser {
        let (kinds, fields) = (parser.kinds(), parser.fields());
        let grammar = Grammar::new(
            kinds.iter().map(String::as_str),
            fields.iter().map(String::as_str),
        );
        PythonParser { parser, grammar }
    }

    /// The empty tree where the parser gave up; the core reports that as a problem.
    pub(crate) fn parse(&self, text: &str) -> Tree {
        match self.parser.parse(text) {
            Ok(Some(columns)) => self.grammar.tree(columns.copied(), Units::Utf16, text),
            Ok(None) | Err(_) => Tree::default(),
        }
    }
}

#[wasm_bindgen]
extern "C" {
    /// What `loadParser` of parse.js gives.
    pub type Parser;

    #[wasm_bindgen(method, getter)]
    fn kinds(this: &Parser) -> Vec<String>;

    #[wasm_bindgen(method, getter)]
    fn fields(this: &Parser) -> Vec<String>;

    #[wasm_bindgen(method, catch)]
    fn parse(this: &Parser, text: &str) -> Result<Option<Columns>, JsValue>;

    /// A walk over a tree, as typed arrays that the next parse writes anew.
    type Columns;

    #[wasm_bindgen(method, getter)]
    fn kind(this: &Columns) -> Vec<u16>;

    #[wasm_bindgen(method, getter)]
    fn field(this: &Columns) -> Vec<u16>;

    #[wasm_bindgen(method, getter)]
    fn start(this: &Columns) -> Vec<u32>;

    #[wasm_bindgen(method, getter)]
    fn end(this: &Columns) -> Vec<u32>;

    #[wasm_bindgen(method, getter, js_name = subtreeEnd)]
    fn subtree_end(this: &Columns) -> Vec<u32>;

    #[wasm_bindgen(method, getter)]
    fn flags(this: &Columns) -> Vec<u8>;
}

impl Columns {
    fn copied(&self) -> RawTree {
        RawTree {
            kind: self.kind(),
            field: self.field(),
            start: self.start(),
            end: self.end(),
            subtree_end: self.subtree_end(),
            flags: self.flags(),
        }
    }
}
