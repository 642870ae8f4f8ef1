// Starts the page. Nothing else is a script of index.html, so that it needs no inline script.

import start from './page.js';

try {
  await start({ module_or_path: new URL('page_bg.wasm', import.meta.url) });
} catch (error) {
  console.error(error);
  sayItFailed();
}

// The page itself could not start, so this cannot use it.
function sayItFailed() {
  const alert = document.createElement('p');
  alert.setAttribute('role', 'alert');
  alert.textContent =
    'Hunkwise could not start: this browser refused or could not load its WebAssembly module. ' +
    'Reload the page, or use the `hunkwise` command.';
  document.body.prepend(alert);
}
