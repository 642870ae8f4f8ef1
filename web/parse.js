// Text in, tree out: web-tree-sitter behind one function, its trees as flat columns.

import { Language, Parser } from './web-tree-sitter.js';

// Flags of a node. The `syntax` crate reads them by the same values.
const NAMED = 1;
const MISSING = 2;

/** Nodes that there is room for at first. */
const ROOM = 4096;

/**
 * Loads the parser and the Python grammar.
 *
 * @param {(file: string) => Promise<Uint8Array>} read gives the bytes of a file of the site.
 * @returns {Promise<{ kinds: string[], fields: string[], parse(text: string): object | null }>} the
 *   grammar's names by id, and the parser. The columns that `parse` gives hold until it is called again.
 */
export async function loadParser(read) {
  const [runtime, grammar] = await Promise.all([
    read('web-tree-sitter.wasm'),
    read('tree-sitter-python.wasm'),
  ]);
  // The library puts its C functions into the object that it is given.
  const library = { wasmBinary: runtime };
  await Parser.init(library);
  const language = await Language.load(grammar);
  const parser = new Parser();
  parser.setLanguage(language);
  const kinds = Array.from(language.types, (name) => name ?? '');
  const walk = walker(library, language, kinds);
  return {
    kinds,
    fields: Array.from(language.fields, (name) => name ?? ''),
    parse: (text) => parseWith(parser, walk, text),
  };
}

// Columns of the text's tree, or null where the parser gave up. Trees live in the parser's own memory,
// which nothing collects, so they are deleted whatever happens.
function parseWith(parser, walk, text) {
  const tree = parser.parse(text);
  if (tree === null) return null;
  try {
    return walk(tree);
  } finally {
    tree.delete();
  }
}

// A function from a tree to its columns: nodes in pre-order, without the tokens that nobody asks for. `start` and
// `end` count UTF-16 units; `subtreeEnd` is the index after a node's last descendant.
//
// A tree has about 18 nodes a line, so what is done for each of them is most of the work. The library's own cursor
// copies its state in and out for every question; called directly, its C functions leave the state in their buffer.
function walker(library, language, kinds) {
  const {
    _ts_tree_root_node_wasm: rootNode,
    _ts_node_has_error_wasm: hasError,
    _ts_node_descendant_count_wasm: descendantCount,
    _ts_tree_cursor_new_wasm: newCursor,
    _ts_tree_cursor_delete_wasm: deleteCursor,
    _ts_tree_cursor_goto_first_child_wasm: gotoFirstChild,
    _ts_tree_cursor_goto_next_sibling_wasm: gotoNextSibling,
    _ts_tree_cursor_goto_parent_wasm: gotoParent,
    _ts_tree_cursor_current_node_type_id_wasm: nodeTypeId,
    _ts_tree_cursor_current_field_id_wasm: fieldId,
    _ts_tree_cursor_start_index_wasm: startIndex,
    _ts_tree_cursor_end_index_wasm: endIndex,
    _ts_tree_cursor_current_node_is_missing_wasm: nodeIsMissing,
  } = library;
  // ERROR has the largest id, which is in no table, and is named.
  const isToken = Uint8Array.from({ length: 65536 }, (_, id) => (id < kinds.length && !language.nodeTypeIsNamed(id) ? 1 : 0));
  const isAsync = kinds.map((name) => name === 'async');
  let nodes = columns(ROOM);

  return (tree) => {
    const address = tree[0];
    rootNode(address);
    const count = descendantCount(address);
    if (count > nodes.kind.length) nodes = columns(2 * count);
    // Nothing is missing in a tree without errors.
    const mayMiss = hasError(address) === 1;
    rootNode(address);
    newCursor(address);
    try {
      return cut(nodes, walk(address, mayMiss));
    } finally {
      deleteCursor(address);
    }
  };

  // The buffer holds the cursor from here on. A token has no children that matter: `not in` is one.
  function walk(address, mayMiss) {
    const { kind, field, start, end, subtreeEnd, flags } = nodes;
    const open = [];
    let index = 0;
    for (;;) {
      const type = nodeTypeId(address);
      const isMissing = mayMiss && nodeIsMissing(address) === 1;
      const own = fieldId(address);
      const token = isToken[type] === 1;
      if (!token || own !== 0 || isMissing || isAsync[type]) {
        kind[index] = type;
        field[index] = own;
        start[index] = startIndex(address);
        end[index] = endIndex(address);
        flags[index] = (token ? 0 : NAMED) | (isMissing ? MISSING : 0);
        subtreeEnd[index] = index + 1;
        index += 1;
        if (!token && gotoFirstChild(address) === 1) {
          open.push(index - 1);
          continue;
        }
      }
      while (gotoNextSibling(address) !== 1) {
        if (gotoParent(address) !== 1) return index;
        subtreeEnd[open.pop()] = index;
      }
    }
  }
}

function columns(room) {
  return {
    kind: new Uint16Array(room),
    field: new Uint16Array(room),
    start: new Uint32Array(room),
    end: new Uint32Array(room),
    subtreeEnd: new Uint32Array(room),
    flags: new Uint8Array(room),
  };
}

function cut({ kind, field, start, end, subtreeEnd, flags }, count) {
  return {
    kind: kind.subarray(0, count),
    field: field.subarray(0, count),
    start: start.subarray(0, count),
    end: end.subarray(0, count),
    subtreeEnd: subtreeEnd.subarray(0, count),
    flags: flags.subarray(0, count),
  };
}
