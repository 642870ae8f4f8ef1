// How much memory a review takes in the page's worker, over what the idle worker takes.

/** Bytes: of wasm what the instances have grown by, which never shrinks, and of JavaScript what its heap has. */
export async function workerMemory(browser, address, diff) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const debug = await context.newCDPSession(page);
  const attached = new Promise((resolve) => {
    debug.on('Target.attachedToTarget', ({ sessionId }) => resolve(channel(debug, sessionId)));
  });
  const client = await clientOf(page, address);
  await debug.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: false });
  const started = page.evaluate(start, client);
  const send = await attached;
  await send('Runtime.evaluate', { expression: `(${noteMemories})()` });
  await send('Runtime.runIfWaitingForDebugger');
  await started;
  const idle = await memoryOf(send);
  await page.evaluate((text) => globalThis.review(text), diff);
  const after = await memoryOf(send);
  await context.close();
  return { wasm: after.wasm - idle.wasm, heap: after.heap - idle.heap };
}

/** The address of the script that starts workers; part of it is made of the build. */
async function clientOf(page, address) {
  const asked = page.waitForRequest((request) => request.url().endsWith('/worker_client.js'));
  await page.goto(`${address}/`);
  return (await asked).url();
}

// In the page: a worker of the bench's own, so that nothing but the review goes through it.
async function start(client) {
  const { spawn } = await import(client);
  let take;
  const answer = (type) =>
    new Promise((resolve, reject) => {
      take = (message) => message.type === type && resolve();
      take.failed = reject;
    });
  const ready = answer('ready');
  const worker = spawn((message) => take(message), (sentence) => take.failed(new Error(sentence)));
  globalThis.review = (text) => {
    const done = answer('done');
    worker.post({ type: 'review', id: 1, text });
    return done;
  };
  await ready;
}

/** Sends commands of the debugger's protocol to a worker. */
function channel(debug, sessionId) {
  let last = 0;
  const waiting = new Map();
  debug.on('Target.receivedMessageFromTarget', (event) => {
    const { id, result, error } = JSON.parse(event.message);
    if (event.sessionId !== sessionId || !waiting.has(id)) return;
    const { resolve, reject } = waiting.get(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
    waiting.delete(id);
  });
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = (last += 1);
      waiting.set(id, { resolve, reject });
      const message = JSON.stringify({ id, method, params });
      debug.send('Target.sendMessageToTarget', { sessionId, message }).catch(reject);
    });
}

// In the worker, before its script: keeps hold of every memory that an instance exports or is given.
function noteMemories() {
  const memories = new Set();
  globalThis.wasmBytes = () => [...memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
  const note = (result) => {
    const { exports } = result.instance ?? result;
    Object.values(exports).forEach((it) => it instanceof WebAssembly.Memory && memories.add(it));
    return result;
  };
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const original = WebAssembly[name];
    WebAssembly[name] = (...all) => original(...all).then(note);
  }
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    constructor(limits) {
      super(limits);
      memories.add(this);
    }
    static [Symbol.hasInstance](it) {
      return Memory[Symbol.hasInstance].call(Memory, it);
    }
  };
}

async function memoryOf(send) {
  await send('HeapProfiler.collectGarbage');
  const { usedSize } = await send('Runtime.getHeapUsage');
  const { result } = await send('Runtime.evaluate', { expression: 'wasmBytes()' });
  return { wasm: result.value, heap: usedSize };
}
