// Text in, tree out: web-tree-sitter behind one function, its trees as flat columns.

import { Language, Parser } from './web-tree-sitter.js';

// Flags of a node. The `syntax` crate reads them by the same values.
const NAMED = 1;
const MISSING = 2;

/**
 * Loads the parser and the Python grammar.
 *
 * @param {(file: string) => Promise<Uint8Array>} read gives the bytes of a file of the site.
 * @returns {Promise<{ kinds: string[], fields: string[], parse(text: string): object | null }>} the
 *   grammar's names by id, and the parser.
 */
export async function loadParser(read) {
  const [runtime, grammar] = await Promise.all([
    read('web-tree-sitter.wasm'),
    read('tree-sitter-python.wasm'),
  ]);
  await Parser.init({ wasmBinary: runtime });
  const language = await Language.load(grammar);
  const parser = new Parser();
  parser.setLanguage(language);
  return {
    kinds: Array.from(language.types, (name) => name ?? ''),
    fields: Array.from(language.fields, (name) => name ?? ''),
    parse: (text) => parseWith(parser, text),
  };
}

// Columns of the text's tree, or null where the parser gave up. Trees and cursors live in the
// parser's own memory, which nothing collects, so they are deleted whatever happens.
function parseWith(parser, text) {
  const tree = parser.parse(text);
  if (tree === null) return null;
  try {
    return columns(tree);
  } finally {
    tree.delete();
  }
}

// Nodes in pre-order. `start` and `end` count UTF-16 units; `subtreeEnd` is the index after a node's
// last descendant.
function columns(tree) {
  const count = tree.rootNode.descendantCount;
  const nodes = {
    kind: new Uint16Array(count),
    field: new Uint16Array(count),
    start: new Uint32Array(count),
    end: new Uint32Array(count),
    subtreeEnd: new Uint32Array(count),
    flags: new Uint8Array(count),
  };
  const cursor = tree.walk();
  try {
    walk(cursor, nodes);
  } finally {
    cursor.delete();
  }
  return nodes;
}

function walk(cursor, nodes) {
  const open = [];
  let index = 0;
  for (;;) {
    nodes.kind[index] = cursor.nodeTypeId;
    nodes.field[index] = cursor.currentFieldId;
    nodes.start[index] = cursor.startIndex;
    nodes.end[index] = cursor.endIndex;
    nodes.flags[index] = (cursor.nodeIsNamed ? NAMED : 0) | (cursor.nodeIsMissing ? MISSING : 0);
    open.push(index);
    index += 1;
    if (cursor.gotoFirstChild()) continue;
    for (;;) {
      nodes.subtreeEnd[open.pop()] = index;
      if (cursor.gotoNextSibling()) break;
      if (!cursor.gotoParent()) return;
    }
  }
}
