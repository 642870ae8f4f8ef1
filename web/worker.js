// The worker's entry: feeds messages to the session in Rust, and gives it one turn after another.

import init, { Session } from './core.js';
import { loadParser } from './parse.js';

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
    message: 'The Python parser or the rules could not be loaded. Check the connection and try again.',
  });
  throw error;
}
waiting.forEach((message) => receive(message));

// The function that takes messages from now on.
async function start() {
  const [parser] = await Promise.all([
    loadParser(read),
    init({ module_or_path: new URL('core_bg.wasm', import.meta.url) }),
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

async function read(file) {
  const response = await fetch(new URL(file, import.meta.url));
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
