// One contestant of the bench in a worker of its own: it gets an input once, and then does the same work whenever
// it is asked, answering how long that took.

import { loadParser } from '../parse.js';
import { Language, Parser } from '../web-tree-sitter.js';

/** Work that takes less is repeated within a round, so that the clock's steps do not count. In milliseconds. */
const LEAST = 20;

// Each loader gives a function from an input to the work on it.
const CONTESTANTS = {
  hunkwise,
  hunkwiseEdit,
  floor,
  walk,
  ruffAll: () => ruff({ preview: true, lint: { preview: true, select: ['ALL'] } }),
  // What of ruff's rules lies nearest to the topic.
  ruffNarrow: () => ruff({ lint: { select: ['ASYNC', 'B019', 'BLE', 'RUF006', 'S110', 'SIM115', 'S108'] } }),
  astGrep,
};

let work = null;
let load = null;

self.onmessage = async ({ data }) => {
  try {
    if (data.contestant) load = await CONTESTANTS[data.contestant]();
    if (data.input) work = load(data.input);
    self.postMessage(data.run ? await timed() : null);
  } catch (error) {
    self.postMessage({ error: `${error?.stack ?? error}` });
  }
};
self.postMessage('ready');

function timed() {
  const start = performance.now();
  let runs = 0;
  let spent = 0;
  let result;
  while (runs === 0 || performance.now() - start < LEAST) {
    const { prepare, run } = work;
    const prepared = prepare?.();
    const before = performance.now();
    result = run(prepared);
    spent += performance.now() - before;
    runs += 1;
  }
  return { time: spent / runs, result };
}

/** Diff text in, report out, as worker.js drives the session; a session of its own each time. */
async function hunkwise() {
  const { sessionOf } = await core();
  return ({ diff }) => ({
    run() {
      const { session, answers } = sessionOf();
      review(session, diff);
      const { report } = answers.at(-1);
      session.free();
      return { findings: report.findings.length, messages: answers.length };
    },
  });
}

/** The same diff once more, with one line of one hunk edited: what a session does that has just reviewed it. */
async function hunkwiseEdit() {
  const { sessionOf } = await core();
  return ({ diff }) => {
    const { session, answers } = sessionOf();
    review(session, diff);
    let edits = 0;
    return {
      prepare: () => edited(diff, (edits += 1)),
      run(text) {
        answers.length = 0;
        review(session, text);
        return { findings: answers.at(-1).report.findings.length };
      },
    };
  };
}

async function core() {
  const { default: init, Session } = await import('../core.js');
  const [parser] = await Promise.all([
    loadParser(read),
    init({ module_or_path: new URL('../core_bg.wasm', import.meta.url) }),
  ]);
  const sessionOf = () => {
    const answers = [];
    return { session: new Session(parser, (answer) => answers.push(answer)), answers };
  };
  return { sessionOf };
}

let id = 0;
function review(session, text) {
  let more = session.receive({ type: 'review', id: (id += 1), text });
  while (more) more = session.step();
}

/** An added line in the middle of the diff gets another comment. */
function edited(diff, n) {
  const at = diff.indexOf('\n+    ', diff.length / 2);
  const end = diff.indexOf('\n', at + 1);
  return `${diff.slice(0, end)}  # edit ${n}${diff.slice(end)}`;
}

/** What any review must do at least: parse both sides of each file once, as they are parsed in the end. */
async function floor() {
  await Parser.init({ wasmBinary: await read('web-tree-sitter.wasm') });
  const parser = new Parser();
  parser.setLanguage(await Language.load(await read('tree-sitter-python.wasm')));
  return ({ documents }) => ({
    run() {
      for (const text of documents) parser.parse(text).delete();
    },
  });
}

/** The same, with our walk of each tree. */
async function walk() {
  const parser = await loadParser(read);
  return ({ documents }) => ({
    run() {
      for (const text of documents) parser.parse(text);
    },
  });
}

async function ruff(settings) {
  const { default: init, Workspace, PositionEncoding } = await import('./astral-sh-ruff-wasm-web-ruff_wasm.js');
  await init({ module_or_path: new URL('astral-sh-ruff-wasm-web-ruff_wasm_bg.wasm', import.meta.url) });
  const workspace = new Workspace(settings, PositionEncoding.Utf16);
  return ({ files }) => ({
    run() {
      let found = 0;
      for (const text of Object.values(files)) found += workspace.check(text).length;
      return { findings: found };
    },
  });
}

/** What a pattern can say of each rule. */
const PATTERNS = [
  'torch.jit.load($$$)',
  '$LOCK.acquire()',
  'ThreadPoolExecutor($$$)',
  '$FUTURE.result()',
  'open($PATH, "w")',
  'os.path.join($$$, $ID)',
  'shutil.rmtree($PATH)',
  'queue.Queue()',
  '$NAME = open($$$)',
  'os.remove($PATH)',
];

async function astGrep() {
  const glue = await import('./ast-grep-wasm-wasm_bg.js');
  const module = fetch(new URL('ast-grep-wasm-wasm_bg.wasm', import.meta.url));
  const { instance } = await WebAssembly.instantiateStreaming(module, { './wasm_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  await glue.initializeTreeSitter();
  const libraryPath = new URL('../tree-sitter-python.wasm', import.meta.url).href;
  await glue.registerDynamicLanguage({ python: { libraryPath, expandoChar: 'µ' } });
  return ({ files }) => ({
    run() {
      let found = 0;
      for (const text of Object.values(files)) {
        const root = glue.parse('python', text);
        const node = root.root();
        for (const pattern of PATTERNS) found += node.findAll(pattern).length;
        node.free();
        root.free();
      }
      return { findings: found };
    },
  });
}

async function read(file) {
  const response = await fetch(new URL(`../${file}`, import.meta.url));
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
