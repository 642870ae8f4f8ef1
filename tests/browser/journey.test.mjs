// A reviewer's ten minutes: from a pasted diff to a link that a colleague opens.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ADDRESS, onPage } from './page.mjs';

const DISPATCH = sample('dispatch');
const CACHE = sample('cache');

onPage('a pasted diff is read, its findings stand at their lines', async (page) => {
  await paste(page, DISPATCH);
  await reviewed(page);
  assert.match(await summary(page).innerText(), /4 files, 6 hunks, \+56 −6\. Topic applies/);
  const finding = page.getByRole('article', { name: 'R4 unbounded-result, BLOCK, line 27' });
  await finding.getByText('Why', { exact: true }).waitFor();
  const file = page.getByRole('region', { name: 'serving/dispatch/dispatcher.py' });
  assert.equal(await rowBefore(file, finding), 'prediction = future.result()');
});

onPage('the checklist has a line for each rule, with severity, answer and count', async (page) => {
  await paste(page, DISPATCH);
  await reviewed(page);
  const lines = page.getByRole('region', { name: 'Checklist' }).getByRole('listitem');
  assert.equal(await lines.count(), 10);
  const futures = lines.filter({ hasText: 'R4' });
  assert.match(await futures.innerText(), /^BLOCK\s+found\s+\d+ findings?, \d excused\s+R4 /);
});

onPage('a jump from the checklist selects the finding and shows it', async (page) => {
  await paste(page, DISPATCH);
  await reviewed(page);
  const places = page.getByRole('group', { name: 'Findings of R4' });
  await places.getByRole('button', { name: 'dispatcher.py line 27' }).click();
  await page.locator('article[aria-current=true]').getByText('unbounded-result').waitFor();
});

onPage('findings are stepped through by button and by key', async (page) => {
  await paste(page, DISPATCH);
  await reviewed(page);
  await page.locator('h1').click();
  await page.getByRole('button', { name: 'Next finding' }).click();
  const first = await selected(page);
  await page.keyboard.press('j');
  assert.notEqual(await selected(page), first);
  await page.keyboard.press('k');
  assert.equal(await selected(page), first);
});

onPage('a rule card opens beside a finding and links its pull requests', async (page) => {
  await paste(page, DISPATCH);
  await reviewed(page);
  await page.getByRole('button', { name: 'R4 unbounded-result' }).first().click();
  const card = page.getByRole('region', { name: 'Rule' });
  const link = card.getByRole('link', { name: '#2489', exact: true });
  assert.equal(await link.getAttribute('href'), 'https://github.com/roboflow/inference/pull/2489');
  await card.getByRole('button', { name: 'Close' }).click();
  await card.waitFor({ state: 'detached' });
});

onPage('a shared link opens the same view in a fresh browser', async (page) => {
  await paste(page, CACHE);
  await reviewed(page);
  await page.getByRole('button', { name: 'Next finding' }).click();
  assert.equal(page.url(), `${ADDRESS}/`, 'nothing in the address before sharing');
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  await dialog.getByText('fits chats (2,000)').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const mine = await view(page);

  const fresh = await page.context().browser().newContext();
  const other = await fresh.newPage();
  await other.goto(link);
  await reviewed(other);
  await other.locator('article[aria-current=true]').waitFor();
  assert.deepEqual(await view(other), mine);
  await fresh.close();
});

onPage('a second link in the same tab opens, and typing takes the first out of the address', async (page) => {
  await paste(page, CACHE);
  await reviewed(page);
  const link = await share(page);
  await box(page).fill(DISPATCH);
  await summary(page).getByText('4 files').waitFor();
  assert.equal(page.url(), `${ADDRESS}/`);
  await page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
  await summary(page).getByText('3 files').waitFor();
  assert.equal(await box(page).inputValue(), CACHE);
});

onPage('a damaged link is told in a sentence, and what is on the page stays', async (page) => {
  await paste(page, CACHE);
  await reviewed(page);
  await page.evaluate(() => (location.hash = '#v1.d.bm90IGEgbGluaw'));
  await page.getByRole('alert').getByText('This link is damaged').waitFor();
  assert.equal(await box(page).inputValue(), CACHE);
  await summary(page).getByText('3 files').waitFor();
});

onPage('prose is told in a sentence and kept', async (page) => {
  const prose = 'Dear colleague, the change is in the attachment.';
  await box(page).fill(prose);
  await page.getByRole('alert').getByText(/./).waitFor();
  assert.equal(await box(page).inputValue(), prose);
  await box(page).fill('');
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

onPage('a file is read, and a binary one is refused without losing the text', async (page) => {
  const chooser = page.locator('input[type=file]');
  await chooser.setInputFiles({ name: 'cache.diff', mimeType: 'text/plain', buffer: Buffer.from(utf16(CACHE)) });
  await reviewed(page);
  await page.getByText('from cache.diff').waitFor();
  await chooser.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0, 0, 1]) });
  await page.getByRole('alert').getByText('a.png is a binary file').waitFor();
  assert.equal(await box(page).inputValue(), CACHE);
});

onPage('a large paste stays out of the box and is reviewed', async (page) => {
  const large = CACHE + notes(8_000);
  await paste(page, large);
  await page.getByText('lines pasted').waitFor();
  assert.equal(await box(page).inputValue(), '');
  await reviewed(page);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Back to the text before' }).click();
  await page.getByText('lines pasted').waitFor();
});

onPage('a diff outside of the topic says so, and says what that rests on', async (page) => {
  await page.getByRole('group', { name: 'Samples' }).getByRole('button', { name: 'Label colours' }).click();
  await reviewed(page);
  await summary(page).getByText('Topic does not apply').waitFor();
  await page.getByText('Nothing to report.').waitFor();
  await page.getByText('does not occur in the changed lines').waitFor();
});

onPage('a diff without Python says so once, and calls nothing unread', async (page) => {
  await paste(page, notes(3));
  await reviewed(page);
  await page.getByText('The diff changes no Python file').waitFor();
  assert.equal(await page.getByRole('region', { name: 'Not read' }).count(), 0);
  assert.doesNotMatch(await summary(page).innerText(), /not read/);
});

onPage('a cancelled review keeps its text and can be begun again', async (page) => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route('**/core_bg.wasm', (route) => held.then(() => route.continue()));
  await paste(page, CACHE);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await summary(page).getByText('Cancelled').waitFor();
  assert.equal(await box(page).inputValue(), CACHE);
  release();
  await page.getByRole('button', { name: 'Retry' }).click();
  await reviewed(page);
});

onPage('characters that reorder text are shown by name and change no order', async (page) => {
  const path = 'safe\u202ecod.py';
  await paste(page, `--- a/${path}\n+++ b/${path}\n@@ -1 +1,2 @@\n x = 1\n+y = "\u202eb" # a\n`);
  await reviewed(page);
  const controls = page.locator('.path .control, .row .control');
  assert.deepEqual(await controls.evaluateAll((all) => all.map((one) => one.dataset.name)), ['U+202E', 'U+202E']);
  assert.deepEqual(await controls.evaluateAll((all) => all.map((one) => getComputedStyle(one).unicodeBidi)), [
    'isolate',
    'isolate',
  ]);
});

onPage('markup in names and code stays text', async (page) => {
  const path = '<img src=x onerror=alert(1)>.py';
  await paste(page, `--- a/${path}\n+++ b/${path}\n@@ -1 +1,2 @@\n x = 1\n+y = "<script>alert(1)</script>"\n`);
  await reviewed(page);
  await page.getByRole('region', { name: path }).getByText('<script>alert(1)</script>').waitFor();
  assert.equal(await page.locator('main img, main script').count(), 0);
});

onPage('a fragment that was to name a pull request and does not is told', async (page) => {
  await paste(page, CACHE);
  await reviewed(page);
  await page.evaluate(() => (location.hash = '#pr=roboflow'));
  await page.getByRole('alert').getByText('OWNER/NAME/NUMBER').waitFor();
  assert.equal(await box(page).inputValue(), CACHE);
});

onPage('a report is saved as Markdown', async (page) => {
  await paste(page, DISPATCH);
  await reviewed(page);
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Markdown' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'hunkwise-review.md');
  assert.match(readFileSync(await download.path(), 'utf8'), /unbounded-result/);
});

onPage(
  'a worker that cannot start is told, and a retry with what was missing works',
  async (page, watch) => {
    await page.route('**/core_bg.wasm', (route) => route.fulfill({ status: 404, body: 'gone' }));
    await paste(page, CACHE);
    await page.getByRole('alert').getByText('Your text is still here').waitFor();
    await page.unroute('**/core_bg.wasm');
    await page.getByRole('button', { name: 'Retry' }).click();
    await reviewed(page);
    watch.errors.length = 0;
  },
);

onPage(
  'a narrow screen has three tabs and no sideways scrolling',
  async (page) => {
    await paste(page, DISPATCH);
    await reviewed(page);
    for (const name of ['Checklist', 'Changes', 'Input']) {
      await page.getByRole('tab', { name }).click();
      const [width, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(width <= inner, `${name}: ${width} > ${inner}`);
    }
    await box(page).waitFor();
  },
  { context: { viewport: { width: 320, height: 700 } } },
);

onPage('the theme is kept', async (page) => {
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await page.getByRole('button', { name: 'Theme' }).click();
  assert.equal(await theme(), 'light');
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.reload();
  await box(page).waitFor();
  assert.equal(await theme(), 'dark');
});

function box(page) {
  return page.getByRole('textbox', { name: 'Diff', exact: true });
}

function summary(page) {
  return page.getByRole('status', { name: 'Summary' });
}

// The browser's own paste event, since the clipboard itself is not to be had in every environment.
async function paste(page, text) {
  await box(page).evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    element.focus();
    if (element.dispatchEvent(event)) document.execCommand('insertText', false, text);
  }, text);
}

async function reviewed(page) {
  await summary(page).getByText('checklist lines').waitFor();
}

async function share(page) {
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  await dialog.getByRole('button', { name: 'Close' }).click();
  return link;
}

async function selected(page) {
  return page.locator('article[aria-current=true]').getAttribute('aria-label');
}

// What a reader sees of a review.
async function view(page) {
  const texts = (role, options) => page.getByRole(role, options).allInnerTexts();
  return {
    text: await box(page).inputValue(),
    summary: await summary(page).innerText(),
    checklist: await page.getByRole('region', { name: 'Checklist' }).innerText(),
    findings: await texts('article'),
    selected: await selected(page),
    rows: await page.locator('.row').allInnerTexts(),
  };
}

// The code of the row that a finding's card follows.
async function rowBefore(file, finding) {
  const card = await finding.elementHandle();
  return file.evaluate((file, card) => {
    const rows = [...file.querySelectorAll('.row')];
    const above = rows.filter((row) => row.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING);
    return above.at(-1).innerText.trim();
  }, card);
}

function sample(name) {
  return readFileSync(new URL(`../../static/samples/${name}.diff`, import.meta.url), 'utf8');
}

// A new file that is no Python, of so many lines.
function notes(n) {
  const lines = Array.from({ length: n }, (_, i) => `+What was said on day ${i}, and by whom.\n`).join('');
  return `diff --git a/notes.txt b/notes.txt\nnew file mode 100644\n--- /dev/null\n+++ b/notes.txt\n@@ -0,0 +1,${n} @@\n${lines}`;
}

function utf16(text) {
  return new Uint8Array(new Uint16Array([0xfeff, ...Array.from(text, (unit) => unit.charCodeAt(0))]).buffer);
}
