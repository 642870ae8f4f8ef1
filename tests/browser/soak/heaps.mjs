// What page and worker hold on to, once everything that can be collected is.

/**
 * @typedef {object} Held bytes, or numbers of things that are alive
 * @property {number} pageHeap JavaScript objects of the page
 * @property {number} pageMemory WebAssembly memory of the page
 * @property {number} nodes DOM nodes
 * @property {number} listeners event listeners
 * @property {number} documents
 * @property {number} workerHeap JavaScript objects of the worker
 * @property {number} workerMemory WebAssembly memories of the worker: the rules' and the parser's
 * @property {number} parses
 * @property {number} trees syntax trees that were made and not deleted
 * @property {number} cursors tree cursors that were made and not deleted
 */

/**
 * Watches a page that has not been opened yet, and the worker that it starts first.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<() => Promise<Held>>} measures
 */
export async function watchHeaps(page) {
  await page.addInitScript(keepMemories);
  const session = await page.context().newCDPSession(page);
  const { worker } = await firstWorkerOf(session);
  return async () => {
    const ofPage = await settled((method, parameters) => session.send(method, parameters));
    const ofWorker = await settled(await worker);
    const { nodes, jsEventListeners, documents } = await session.send('Memory.getDOMCounters');
    return {
      pageHeap: ofPage.heap,
      pageMemory: ofPage.alive.memory,
      nodes,
      listeners: jsEventListeners,
      documents,
      workerHeap: ofWorker.heap,
      workerMemory: ofWorker.alive.memory,
      parses: ofWorker.alive.parses,
      trees: ofWorker.alive.trees,
      cursors: ofWorker.alive.cursors,
    };
  };
}

// Finalizers run between collections and free more.
async function settled(send) {
  for (let turn = 0; turn < 4; turn += 1) {
    await send('HeapProfiler.collectGarbage');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const { usedSize, backingStorageSize } = await send('Runtime.getHeapUsage');
  const { result } = await send('Runtime.evaluate', { expression: 'alive()', returnByValue: true });
  return { heap: usedSize + backingStorageSize, alive: result.value };
}

// Runs before the page's scripts and before the worker's: WebAssembly memory counts to no heap, so each is kept
// where it can be asked. It never shrinks, so it tells the most that was ever needed.
function keepMemories() {
  const memories = new Set();
  const { Memory, instantiate, instantiateStreaming } = WebAssembly;
  const keep = (memory) => memory instanceof Memory && memories.add(memory);
  const keepAll = (result) => {
    Object.values((result.instance ?? result).exports).forEach(keep);
    return result;
  };
  WebAssembly.Memory = class extends Memory {
    constructor(...parameters) {
      super(...parameters);
      keep(this);
    }
  };
  WebAssembly.instantiate = (...parameters) => instantiate(...parameters).then(keepAll);
  WebAssembly.instantiateStreaming = (...parameters) => instantiateStreaming(...parameters).then(keepAll);
  const bytes = () => [...memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
  globalThis.alive = () => ({ memory: bytes(), ...globalThis.counted });
}

// Runs in the worker: counts trees and cursors, since nothing collects them.
async function countTrees() {
  globalThis.counted = { parses: 0, trees: 0, cursors: 0 };
  const { Parser, Tree, TreeCursor } = await import(new URL('web-tree-sitter.js', location.href));
  const count = (what, change, { prototype }, method) => {
    const original = prototype[method];
    prototype[method] = function (...parameters) {
      globalThis.counted[what] += change;
      return original.apply(this, parameters);
    };
  };
  count('parses', 1, Parser, 'parse');
  count('trees', 1, Parser, 'parse');
  count('trees', -1, Tree, 'delete');
  count('cursors', 1, Tree, 'walk');
  count('cursors', -1, TreeCursor, 'delete');
}

// Tells of the first worker, once it runs, what sends commands to it. It is held until it is prepared.
async function firstWorkerOf(session) {
  const worker = new Promise((resolve) => {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (targetInfo.type === 'worker') resolve(prepared(sender(session, sessionId)));
    });
  });
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: false });
  return { worker };
}

async function prepared(send) {
  const run = (body) => send('Runtime.evaluate', { expression: `(${body})()`, awaitPromise: true });
  await run(keepMemories);
  await send('Runtime.runIfWaitingForDebugger');
  await run(countTrees);
  return send;
}

// Commands to a worker travel as messages inside of the page's own session.
function sender(session, sessionId) {
  const waiting = new Map();
  session.on('Target.receivedMessageFromTarget', (event) => {
    if (event.sessionId !== sessionId) return;
    const { id, result, error } = JSON.parse(event.message);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error) reject?.(new Error(error.message));
    else resolve?.(result);
  });
  let last = 0;
  return (method, params = {}) => {
    const id = (last += 1);
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    const message = JSON.stringify({ id, method, params });
    return session.send('Target.sendMessageToTarget', { sessionId, message }).then(() => answer);
  };
}
