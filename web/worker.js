// The worker's entry: feeds messages to the session in Rust, and gives it one turn after another.

import init, { Session } from './core.js';
import { loadParser } from './parse.js';

class NotLoaded extends Error {
  constructor(file, status) {
    super(`\`${file}\`, a part of the analysis, could not be loaded${status ? ` (${status})` : ''}.`);
  }
}

// Set before anything is awaited: a message that finds no listener is lost.
const waiting = [];
let receive = (message) => waiting.push(message);
self.onmessage = ({ data }) => receive(data);

try {
  receive = await start();
} catch (error) {
  console.error(error);
  self.postMessage({
    type: 'failed',
    id: 0,
    message: reason(error),
  });
  throw error;
}
waiting.forEach((message) => receive(message));

// The function that takes messages from now on.
async function start() {
  const [parser] = await Promise.all([
    loadParser(async (file) => new Uint8Array(await (await load(file)).arrayBuffer())),
    load('core_bg.wasm').then((response) => init({ module_or_path: response })),
  ]);
  const session = new Session(parser, (message) => self.postMessage(message));

  // Work is cut into turns, so that a newer message is heard between two of them. Nothing here is
  // caught: a trap must reach the page, which replaces the worker.
  const { port1: turn, port2: next } = new MessageChannel();
  let underWay = false;
  const schedule = (more) => {
    underWay = more;
    if (more) next.postMessage(null);
  };
  turn.onmessage = () => schedule(session.step());
  return (message) => {
    const more = session.receive(message);
    if (!underWay) schedule(more);
  };
}

async function load(file) {
  const response = await fetch(new URL(file, import.meta.url)).catch(() => null);
  if (!response?.ok) throw new NotLoaded(file, response?.status);
  return response;
}

// What went wrong, and the way on.
function reason(error) {
  if (error instanceof NotLoaded) return `${error.message} Check the connection and try again.`;
  if (typeof WebAssembly === 'undefined' || /Content.Security.Policy|unsafe-eval/i.test(error)) {
    return 'This browser, or the policy of this host, runs no WebAssembly in the background, which the analysis is made of. Another browser does, and so does the `hunkwise` command.';
  }
  return 'The Python parser or the rules arrived damaged or from another version. Try again; if that does not help, reload the page.';
}
