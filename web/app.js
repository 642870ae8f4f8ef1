// Starts the page. Nothing else is a script of index.html, so that it needs no inline script.

import start from './page.js';

load().catch((error) => {
  console.error(error);
  document.body.replaceChildren();
  say(`Hunkwise could not start: ${reason(error)} The \`hunkwise\` command reviews the same diffs without a browser.`);
});

// A trap ends the page's module for good, and whatever it had not yet written.
addEventListener('error', ({ error }) => {
  if (typeof WebAssembly === 'undefined' || !(error instanceof WebAssembly.RuntimeError)) return;
  say('The page broke down and takes no more input. Nothing was sent anywhere, and what you did up to a moment ago is stored: reload the page.');
});

async function load() {
  const response = await fetch(new URL('page_bg.wasm', import.meta.url));
  if (!response.ok) throw new TypeError(`page_bg.wasm: ${response.status}`);
  await start({ module_or_path: response });
}

// What went wrong, and the way on. The same cases as in worker.js, which cannot share a script with the page.
function reason(error) {
  if (typeof WebAssembly === 'undefined' || /Content.Security.Policy|unsafe-eval/i.test(error)) {
    return 'this browser, or the policy of this host, runs no WebAssembly. Open the page in a current Firefox, Chrome, Edge or Safari.';
  }
  if (error instanceof TypeError) return 'a part of it could not be loaded. Check the connection and reload the page.';
  return 'a part of it arrived damaged or from another version. Reload the page; if that does not help, clear this site\u2019s cache.';
}

// The page itself cannot be used for this any more.
function say(sentence) {
  const alert = document.createElement('p');
  alert.setAttribute('role', 'alert');
  alert.className = 'trouble';
  alert.textContent = sentence;
  document.body.prepend(alert);
}
