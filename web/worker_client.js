// Starts the worker for the page. The one place that makes a worker, and the one Trusted Types policy.
//
// A worker is replaced, never repaired: once `onError` was called the worker is gone, and the page
// spawns another.

const WORKER = new URL('worker.js', document.baseURI).href;

const TOO_OLD =
  'This browser is too old for the analysis: it runs no modules in the background. Firefox 114, Chrome 80, Safari 15 and later do, and so does the `hunkwise` command.';

const policy = globalThis.trustedTypes?.createPolicy('hunkwise', {
  createScriptURL(url) {
    if (url !== WORKER) throw new TypeError(`Only the worker is a script of this page, not ${url}.`);
    return url;
  },
});

/**
 * Starts a worker. What is posted before it is ready waits inside it.
 *
 * @param {(message: object) => void} onMessage takes each answer, a `FromWorker` of the report crate.
 * @param {(sentence: string) => void} onError called at most once, when the worker could not start or
 *   broke down. The worker has been terminated by then.
 * @returns {{ post(message: object): void, terminate(): void }} `post` takes a `ToWorker`; both do
 *   nothing once the worker is gone.
 */
export function spawn(onMessage, onError) {
  let worker = start();
  if (worker === null) {
    queueMicrotask(() => onError(TOO_OLD));
    return { post() {}, terminate() {} };
  }

  function terminate() {
    worker?.terminate();
    worker = null;
  }

  function fail(sentence) {
    if (worker === null) return;
    terminate();
    onError(sentence);
  }

  worker.onmessage = ({ data }) => {
    // Messages that were under way when the worker was terminated may still arrive.
    if (worker === null) return;
    if (data.type === 'failed' && data.id === 0) fail(data.message);
    else onMessage(data);
  };
  // A worker that breaks down tells what happened; one whose script could not be loaded does not.
  worker.onerror = (event) => {
    event.preventDefault?.();
    fail(
      event.message
        ? `The analysis broke down (${event.message}).`
        : 'The analysis could not be loaded. Check the connection and try again.',
    );
  };
  worker.onmessageerror = () => fail('An answer of the analysis could not be read.');

  return { post: (message) => worker?.postMessage(message), terminate };
}

// A worker that runs a module, or null where the browser knows none: an old one does not even ask for the type.
function start() {
  let knowsModules = false;
  const options = {
    get type() {
      knowsModules = true;
      return 'module';
    },
  };
  if (typeof Worker === 'undefined') return null;
  const worker = new Worker(policy?.createScriptURL(WORKER) ?? WORKER, options);
  if (knowsModules) return worker;
  worker.terminate();
  return null;
}
