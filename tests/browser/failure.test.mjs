// Everything that can fail: each failure is told in a sentence, leaves the text where it is, and has a way on.
//
// What breaks is always outside of our code: an answer of the grammar, a file of the site, a browser without a feature.

import assert from 'node:assert/strict';
import { ADDRESS, onPage } from './page.mjs';
import { added, box, drop, paste, reviewed, sample, summary } from './reviewing.mjs';

const CACHE = sample('cache');

// A file whose tree breaks the analysis down once `breaks` is set, between two that are read as always.
const POISON = 'poison = 1';
const waits = (path) =>
  added(path, ['from concurrent.futures import Future', '', 'def wait(future: Future):', '    return future.result()']);
const THREE = waits('pool/first.py') + added('pool/poison.py', [POISON]) + waits('pool/last.py');

// Answers that no grammar gives: one that runs into a trap of wasm, one that no memory holds, and none for ever.
const TRAP = '0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,120,0,0,10,5,1,3,0,0,11';
const TRAPS = `({ get kind() { new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(${TRAP}))).exports.x() } })`;
const NEEDS_ALL_MEMORY = '({ kind: { length: 0x7fffffff } })';
const NEVER_ENDS = '(() => { for (;;); })()';

onPage('a file that traps the worker is named, and the others keep their results', async (page, watch) => {
  await breaks(page, TRAPS);
  await paste(page, THREE);
  await reviewed(page);
  await assertGoesOnWithoutPoison(page);
  watch.errors.length = 0;
});

onPage('a file that takes more memory than there is is named, and the others keep their results', async (page, watch) => {
  await breaks(page, NEEDS_ALL_MEMORY);
  await paste(page, THREE);
  await reviewed(page);
  await assertGoesOnWithoutPoison(page);
  watch.errors.length = 0;
});

onPage('a file that broke the analysis down is not run again by itself after a reload', async (page, watch) => {
  await breaks(page, TRAPS);
  await paste(page, THREE);
  await reviewed(page);
  assert.equal(workers(watch), 2, 'one was replaced');
  await page.reload();
  await reviewed(page);
  await assertGoesOnWithoutPoison(page);
  assert.equal(workers(watch), 3, 'and none this time');
  await page.unroute('**/parse.js');
  await page.reload();
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await reviewed(page);
  assert.equal(await page.getByRole('region', { name: 'Not read' }).count(), 0);
});

onPage('a file that the analysis never comes back from is named, and the others keep their results', async (page) => {
  await page.clock.install();
  await page.reload();
  await breaks(page, NEVER_ENDS);
  await paste(page, THREE);
  await page.getByText('1 of 3 files').waitFor();
  await page.clock.runFor(31_000);
  await page.clock.resume();
  await reviewed(page);
  await assertGoesOnWithoutPoison(page);
});

onPage('where every file breaks it down the review ends, and a reload begins none', async (page, watch) => {
  await breaks(page, TRAPS);
  const text = [1, 2, 3, 4, 5].map((n) => added(`pool/p${n}.py`, [POISON])).join('');
  await paste(page, text);
  await page.getByRole('alert').getByText('The analysis broke down (Uncaught RuntimeError: unreachable)').waitFor();
  await page.getByRole('button', { name: 'Copy the text' }).waitFor();
  await page.reload();
  await page.getByRole('alert').getByText('was not begun again by itself').waitFor();
  assert.equal(await box(page).inputValue(), text);
  watch.errors.length = 0;
});

onPage('a review that takes too long ends with what was read, and names what was not', async (page) => {
  await page.clock.install();
  await page.reload();
  await breaks(page, '(() => { const end = performance.now() + 200; while (performance.now() < end); return null; })()');
  const paths = Array.from({ length: 40 }, (_, n) => `pool/p${n}.py`);
  await paste(page, waits('pool/first.py') + paths.map((path) => added(path, [POISON])).join(''));
  // Each sign of the worker gives it another half minute; together they may take three.
  await page.getByText('of 41 files').waitFor();
  const progress = () => page.evaluate(() => document.querySelector('progress')?.value);
  for (let done = await progress(); done !== undefined; done = await progress()) {
    // What is shown may have been said before the last half of this time.
    await page.clock.runFor(14_000);
    await page.waitForFunction((done) => document.querySelector('progress')?.value !== done, done);
  }
  await reviewed(page);
  await page.getByRole('alert').getByText('ended after three minutes').waitFor();
  await page.getByRole('region', { name: 'Not read' }).getByText('pool/p39.py').waitFor();
  await page.getByRole('article', { name: 'R4 unbounded-result, BLOCK, line 4' }).waitFor();
});

onPage('a worker that is killed while it works is missed, and a retry starts another', async (page) => {
  await page.clock.install();
  await page.addInitScript(() => {
    const Real = Worker;
    globalThis.Worker = class extends Real {
      constructor(...given) {
        super(...given);
        globalThis.made = this;
      }
    };
  });
  await page.route('**/core_bg.wasm', () => {});
  await page.reload();
  await paste(page, CACHE);
  await page.waitForFunction(() => globalThis.made);
  await page.evaluate(() => globalThis.made.terminate());
  await page.clock.runFor(31_000);
  await page.getByRole('alert').getByText('gave no sign for 30 seconds').waitFor();
  assert.equal(await box(page).inputValue(), CACHE);
  await page.unroute('**/core_bg.wasm');
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
  await reviewed(page);
});

// What is served in place of a file of the site, and what is said.
const BAD_FILES = {
  'the grammar is missing': ['tree-sitter-python.wasm', { status: 404, body: '' }, 'tree-sitter-python.wasm, a part'],
  'the grammar is damaged': ['tree-sitter-python.wasm', { body: 'no wasm' }, 'arrived damaged'],
  'the grammar is cut': ['tree-sitter-python.wasm', { cut: 200_000 }, 'arrived damaged'],
  'the parser is missing': ['web-tree-sitter.wasm', { status: 404, body: '' }, 'web-tree-sitter.wasm, a part'],
  'the rules are missing': ['core_bg.wasm', { status: 404, body: '' }, 'core_bg.wasm, a part'],
  'the rules are damaged': ['core_bg.wasm', { body: 'no wasm' }, 'arrived damaged'],
  'the worker is missing': ['worker.js', { status: 404, body: '' }, 'could not be loaded'],
  'the worker may run no wasm': ['worker.js', { policy: "'wasm-unsafe-eval'" }, 'runs no WebAssembly in the background'],
};

for (const [what, [file, instead, sentence]] of Object.entries(BAD_FILES)) {
  onPage(`${what}: that is told, and a retry with the right file works`, async (page, watch) => {
    await page.route(`**/${file}`, (route) => fulfill(route, instead));
    await paste(page, CACHE);
    const alert = page.getByRole('alert');
    await alert.getByText(sentence).waitFor();
    await alert.getByText('Your text is still here').waitFor();
    assert.equal(await box(page).inputValue(), CACHE);
    await page.unroute(`**/${file}`);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await reviewed(page);
    watch.errors.length = 0;
  });
}

const BAD_PAGES = {
  'a page that is missing': ['page_bg.wasm', { status: 404, body: '' }, 'could not be loaded. Check the connection'],
  'a page that is damaged': ['page_bg.wasm', { body: 'no wasm', type: 'application/wasm' }, 'arrived damaged'],
  'a page that may run no wasm': ['', { policy: "'wasm-unsafe-eval'" }, 'runs no WebAssembly'],
};

for (const [what, [file, instead, sentence]] of Object.entries(BAD_PAGES)) {
  onPage(`${what} says what to do`, async (page, watch) => {
    await page.route(`${ADDRESS}/${file}`, (route) => fulfill(route, instead));
    await page.reload();
    const alert = page.getByRole('alert');
    await alert.getByText(sentence).waitFor();
    await alert.getByText('`hunkwise` command').waitFor();
    watch.errors.length = 0;
  });
}

onPage('where not even a script is loaded the page says so by itself', async (page, watch) => {
  await page.route('**/app.js', (route) => route.abort());
  await page.reload();
  const told = page.getByText('Hunkwise is starting.');
  // Playwright takes what is hidden for absent.
  await told.waitFor();
  assert.match(await told.innerText(), /too old/);
  watch.errors.length = 0;
});

onPage('a page that breaks down says that it takes no more input', async (page, watch) => {
  await paste(page, CACHE);
  await reviewed(page);
  // No allocation can be of this size, so that the page traps when it reads what was typed.
  await page.evaluate(() => {
    const endless = { length: 0xffffffff, charCodeAt: () => 0 };
    Object.defineProperty(HTMLTextAreaElement.prototype, 'value', { get: () => endless });
  });
  await box(page).dispatchEvent('input');
  await page.getByRole('alert').getByText('The page broke down').waitFor();
  await page.reload();
  await reviewed(page);
  assert.equal(await box(page).inputValue(), CACHE);
  watch.errors.length = 0;
});

onPage('offline after it was loaded the page says so, keeps the text, and goes on once online', async (page, watch) => {
  await box(page).waitFor();
  await page.context().setOffline(true);
  await paste(page, CACHE);
  await page.getByRole('alert').getByText('Check the connection').waitFor();
  await page.getByRole('group', { name: 'Samples' }).getByRole('button').first().click();
  await page.getByRole('alert').getByText('could not be loaded').last().waitFor();
  assert.equal(await box(page).inputValue(), CACHE);
  await page.context().setOffline(false);
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
  await reviewed(page);
  await page.context().setOffline(true);
  await paste(page, waits('pool/first.py'));
  await page.getByRole('article', { name: 'R4 unbounded-result, BLOCK, line 4' }).waitFor();
  watch.errors.length = 0;
});

// What an old or a strict browser lacks, and what is then said; nothing where the page does without.
const LACKS = {
  WebAssembly: ['WebAssembly', 'runs no WebAssembly'],
  workers: ['Worker', 'runs no modules in the background'],
  'a store': ['indexedDB', 'does not let the page store anything'],
  'word between tabs': ['BroadcastChannel', 'does not let the page store anything'],
  DecompressionStream: ['DecompressionStream', null],
  CompressionStream: ['CompressionStream', null],
  AbortController: ['AbortController', null],
};

for (const [what, [name, sentence]] of Object.entries(LACKS)) {
  onPage(`a browser without ${what} ${sentence ? 'is told so' : 'reviews all the same'}`, async (page, watch) => {
    await page.addInitScript((name) => Object.defineProperty(globalThis, name, { value: undefined }), name);
    await page.reload();
    if (name !== 'WebAssembly') await paste(page, CACHE);
    if (sentence) await page.getByRole('alert').getByText(sentence).waitFor();
    if (!['WebAssembly', 'Worker'].includes(name)) await reviewed(page);
    watch.errors.length = 0;
  });
}

onPage('a browser that knows workers but no modules in them is told so', async (page, watch) => {
  await page.addInitScript(() => {
    const Real = Worker;
    globalThis.Worker = function (address) {
      return new Real(address);
    };
  });
  await page.reload();
  await paste(page, CACHE);
  await page.getByRole('alert').getByText('runs no modules in the background').waitFor();
  assert.equal(await box(page).inputValue(), CACHE);
  watch.errors.length = 0;
});

onPage('where even the small storages are forbidden everything goes on', async (page) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException('forbidden', 'SecurityError');
        },
      });
    }
  });
  await page.reload();
  await page.getByRole('alert').getByText('does not let the page store anything').waitFor();
  await paste(page, CACHE);
  await reviewed(page);
  await page.getByRole('button', { name: 'Theme' }).click();
  await drop(page, { 'dispatch.diff': sample('dispatch') });
  await summary(page).getByText('4 files').waitFor();
});

onPage('a store that holds nonsense is no reason not to start', async (page) => {
  await paste(page, CACHE);
  await reviewed(page);
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('hunkwise');
        request.onsuccess = () => {
          const transaction = request.result.transaction(['reviews', 'texts'], 'readwrite');
          const rows = transaction.objectStore('reviews');
          rows.put({ id: 'a', revision: 'many', updated: {}, kept: [] });
          rows.put({ id: 'b' });
          rows.put({ id: 'c', revision: 1, updated: 1, kept: { id: 'c', title: '<img src=x>', text: 'c', n_lines: -1, work: 7 } });
          transaction.objectStore('texts').put(new Blob(['x']), 'c');
          transaction.oncomplete = resolve;
          transaction.onabort = reject;
        };
      }),
  );
  await page.evaluate(() => {
    for (const key of ['hunkwise.review', 'hunkwise.unstored', 'hunkwise.ended']) sessionStorage.setItem(key, '{"a":[');
    for (const key of ['hunkwise.remember', 'hunkwise.name', 'hunkwise.theme', 'hunkwise.profile']) localStorage.setItem(key, '{"a":[');
  });
  await page.reload();
  await page.getByRole('button', { name: 'cache' }).first().waitFor();
  await paste(page, CACHE);
  await reviewed(page);
});

async function assertGoesOnWithoutPoison(page) {
  await page.getByRole('alert').getByText('broke down on pool/poison.py and went on without').waitFor();
  await page.getByRole('region', { name: 'Not read' }).getByText('pool/poison.py').waitFor();
  const found = page.getByRole('article', { name: 'R4 unbounded-result, BLOCK, line 4' });
  assert.equal(await found.count(), 2, 'the files before it and after it');
  assert.equal(await box(page).inputValue(), THREE);
}

// How many workers were started.
function workers(watch) {
  return watch.requests.filter((url) => url.endsWith('/worker.js')).length;
}

// From now on the parser gives this for a text with the poison in it.
async function breaks(page, answer) {
  await page.route('**/parse.js', async (route) => {
    const response = await route.fetch();
    const given = 'parse: (text) => ';
    const body = (await response.text()).replace(given, `${given}text.includes('${POISON}') ? ${answer} : `);
    await route.fulfill({ response, body });
  });
}

async function fulfill(route, { status = 200, body, cut, policy, type }) {
  if (body !== undefined) return route.fulfill({ status, body, contentType: type });
  const response = await route.fetch();
  if (cut) return route.fulfill({ response, body: (await response.body()).subarray(0, cut) });
  const headers = response.headers();
  headers['content-security-policy'] = headers['content-security-policy'].replace(policy, '');
  return route.fulfill({ response, headers });
}
