// Text from people who mean harm, by every way in: it stays text, it holds nothing up, and what is wrong is said.
//
// Whether the page is held up is told by turns of its own loop that go by while it works, not by a clock.

import assert from 'node:assert/strict';
import { crc32, deflateRawSync } from 'node:zlib';
import { gitHub, pull } from './github.mjs';
import { ADDRESS, onPage } from './page.mjs';
import { added, box, drop, paste, reviewed, sample, summary } from './reviewing.mjs';

// Each would set `harmed` if it became markup, script or an address that is followed.
const HARM = [
  '<img src=x onerror="harmed=1">',
  '<script>harmed=1</script>',
  '"><svg onload=harmed=1>',
  'javascript:harmed=1',
  '[x](javascript:harmed=1)',
  '`</code><iframe srcdoc="<script>parent.harmed=1</script>">`',
  '{{constructor.constructor("harmed=1")()}}',
];
const WAIT = ['from concurrent.futures import Future', 'def wait(f: Future):', '    return f.result()'];

onPage('names and code that are markup or script stay text', async (page) => {
  for (const harm of HARM) {
    const path = `serving/${harm.replaceAll('/', '')}.py`;
    await paste(page, added(path, [...WAIT, `x = '''${harm}'''`, `# hunkwise: ok unbounded-result ${harm}`, 'y = f.result()']));
    await reviewed(page);
    await page.getByRole('region', { name: path }).getByText(harm).first().waitFor();
    await assertUnharmed(page);
  }
});

onPage('notes, names and reasons that are markup or script stay text', async (page) => {
  const work = {
    schema: 'hunkwise.work/1',
    reviewer: HARM[0],
    lines: { R1: { answer: 'checked', note: HARM.join('\n') }, [HARM[0]]: { answer: 'checked', note: HARM[1] } },
    findings: { [HARM[0]]: { decision: 'dismissed', reason: HARM[1] } },
  };
  await paste(page, added('serving/a.py', WAIT));
  await reviewed(page);
  await drop(page, { 'work.json': JSON.stringify(work) });
  await page.getByRole('region', { name: 'Whose work?' }).getByText(HARM[0]).waitFor();
  await assertUnharmed(page);
});

onPage('documents of other shapes are told, and the text stays', async (page) => {
  const deep = '['.repeat(200_000);
  for (const text of [
    `{"schema": "hunkwise.report/1", "findings": ${deep}`,
    '{"schema": "hunkwise.report/9"}',
    '{"schema": "hunkwise.work/1", "lines": 7}',
    `{"schema": "hunkwise.work/1", "x": ${deep}`,
    '{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{"results": 7}]}',
    '{"__proto__": {"schema": "hunkwise.work/1"}}',
  ]) {
    await drop(page, { 'saved.json': text });
    await page.getByRole('alert').getByText(/./).first().waitFor();
    await assertUnharmed(page);
    await page.reload();
    await box(page).waitFor();
  }
});

onPage('a profile with markup in it, or that is none, is told or named as text', async (page) => {
  await page.getByRole('button', { name: 'Profile' }).click();
  const choose = (text) =>
    page.locator('#profile-file').setInputFiles({ name: `${HARM[0].replaceAll('/', '')}.json`, mimeType: 'application/json', buffer: Buffer.from(text) });
  await choose(JSON.stringify({ name: HARM[0] }));
  await page.getByText(`Reviews use ${HARM[0]}.`).waitFor();
  for (const text of ['['.repeat(100_000), '{"name": 7}', 'x'.repeat(2 << 20), '\u0000\ufffe']) {
    await choose(text);
    await page.getByRole('dialog').getByRole('alert').getByText(/./).first().waitFor();
  }
  await assertUnharmed(page);
});

onPage('a link with any payload is told in a sentence, and what is on the page stays', async (page) => {
  const text = added('serving/a.py', WAIT);
  await paste(page, text);
  await reviewed(page);
  const bomb = deflateRawSync(Buffer.alloc((64 << 20) + 1)).toString('base64url');
  for (const [fragment, sentence] of [
    [`v1.d.${bomb}`, 'more than 64 MB'],
    ['v1.d.AAAA', 'damaged'],
    [`v1.d.${packed('{"schema":"hunkwise.link/1","diff":7}')}`, 'damaged'],
    [`v1.d.${packed(`{"schema":"hunkwise.link/1","diff":${'['.repeat(100_000)}`)}`, 'damaged'],
    [`v1.d.${packed('{"schema":"hunkwise.link/2"}')}`, 'newer version'],
    ['v2.d.AAAA', 'newer version'],
    ['v1.z.AAAA', 'unknown kind'],
    [`<img src=x onerror=harmed=1>`, 'not a Hunkwise link'],
    ['pr=../../evil', 'names no pull request'],
  ]) {
    await page.evaluate((fragment) => (location.hash = fragment), fragment);
    await page.getByRole('alert').getByText(sentence).waitFor();
    assert.equal(await box(page).inputValue(), text);
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  }
  await assertUnharmed(page);
});

onPage('a link that names itself the work of markup stays text', async (page) => {
  const link = {
    schema: 'hunkwise.link/1',
    topic: HARM[0],
    profile: HARM[2],
    diff: added('serving/a.py', WAIT),
    selected: HARM[0],
    work: { schema: 'hunkwise.work/1', reviewer: HARM[1], lines: { R1: { answer: 'checked', note: HARM[0] } }, findings: {} },
  };
  await page.goto(`${ADDRESS}/#v1.d.${packed(JSON.stringify(link))}`);
  await reviewed(page);
  await page.getByRole('region', { name: 'Whose work?' }).getByText(HARM[1]).waitFor();
  await assertUnharmed(page);
});

const PULL = 'repos/acme/serving/pulls/7';
const evil = pull({ repo: 'acme/serving', number: 7, title: HARM.join(' '), base: 'a'.repeat(40), head: 'b'.repeat(40) });
const standIn = gitHub({
  json: {
    [PULL]: { ...evil, html_url: 'javascript:harmed=1', head: { ...evil.head, ref: HARM[0], repo: { full_name: 'javascript:harmed=1//' } } },
  },
  diffs: { [PULL]: added(`serving/${HARM[0].replaceAll('/', '')}.py`, WAIT) },
});

onPage(
  'answers of GitHub that are markup or script stay text, and lead nowhere but to GitHub',
  async (page, watch) => {
    await page.getByRole('textbox', { name: 'Pull request address' }).fill('acme/serving#7');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('region', { name: 'Fetched from GitHub' }).getByText(HARM[0]).waitFor();
    await assertUnharmed(page);
    watch.errors.length = 0;
  },
  { github: standIn.answer },
);

onPage('numbers that no file has, and bytes that are no text, are told', async (page) => {
  const most = '18446744073709551615';
  const hunk = `--- a/a.py\n+++ b/a.py\n@@ -1,${most} +${most},${most}0 @@\n a\n+b\n`;
  await paste(page, hunk + added('serving/a.py', WAIT));
  await reviewed(page);
  await page.getByRole('region', { name: 'Not read' }).getByText('a.py').first().waitFor();
  const bytes = Buffer.concat([Buffer.from(added('serving/b.py', WAIT)), Buffer.from([0xff, 0xc0, 0xaf, 0x80])]);
  await page.locator('input[type=file]').first().setInputFiles({ name: 'b.diff', mimeType: 'text/plain', buffer: bytes });
  await page.getByRole('article', { name: /^R4 unbounded-result/ }).first().waitFor();
});

// Texts that would hold a page up which does its work on the spot.
const HEAVY = {
  'a line of 10 MB': () => added('serving/a.py', [...['from concurrent.futures import Future', 'def wait(f: Future):', '    return f.result()'], `x = '${'a'.repeat(10_000_000)}'`]),
  'a hundred thousand files': () =>
    Array.from({ length: 100_000 }, (_, n) => `--- a/f${n}.txt\n+++ b/f${n}.txt\n@@ -1 +1 @@\n-a\n+b\n`).join(''),
  'a hundred thousand brackets': () => added('serving/a.py', [`x = ${'('.repeat(100_000)}`]),
  'a million beginnings of a link': () => '#v'.repeat(1_000_000),
};

for (const [what, make] of Object.entries(HEAVY)) {
  onPage(`${what}: the page answers while it is read, and comes to an end`, async (page) => {
    await box(page).waitFor();
    await page.evaluate(() => {
      globalThis.turns = 0;
      const turn = () => {
        globalThis.turns += 1;
        setTimeout(turn, 0);
      };
      turn();
    });
    await paste(page, make());
    const before = await page.evaluate(() => globalThis.turns);
    await page.waitForFunction((before) => globalThis.turns > before + 5, before);
    await page.getByRole('button', { name: 'Theme' }).click();
    await Promise.race([reviewed(page), page.getByRole('alert').getByText(/./).first().waitFor()]);
    await assertUnharmed(page);
  });
}

onPage('of a diff with more files than one review takes, the rest is counted', async (page) => {
  await paste(page, HEAVY['a hundred thousand files']());
  await summary(page).getByText('10,000 files, 10,000 hunks').waitFor();
  await page.getByText('the last 90000 were not read').first().waitFor();
});

// A document as it stands in a link.
function packed(json) {
  const body = Buffer.from(json);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(body));
  return deflateRawSync(Buffer.concat([sum, body])).toString('base64url');
}

// Nothing ran, nothing of it became an element, and no link leads elsewhere.
async function assertUnharmed(page) {
  const state = await page.evaluate(() => ({
    harmed: globalThis.harmed,
    elements: document.querySelectorAll('main img, main script, main iframe, main object, main embed, [onerror], [onload], [srcdoc]').length,
    // The bookmark is a script of ours, to be dragged off the page; Trusted Types keep it from running on it.
    links: [...document.querySelectorAll('a[href]')]
      .filter((link) => link.textContent !== 'Review in Hunkwise')
      .map((link) => link.protocol),
  }));
  assert.equal(state.harmed, undefined);
  assert.equal(state.elements, 0);
  assert.ok(state.links.every((protocol) => ['https:', new URL(ADDRESS).protocol].includes(protocol)), String(state.links));
}
