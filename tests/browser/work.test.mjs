// The reviewer's work: answers, decisions, and that nothing of it is lost.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gitHub, pull } from './github.mjs';
import { ADDRESS, onPage } from './page.mjs';

const DISPATCH = sample('dispatch');
const CACHE = sample('cache');
// The next version of the same change: one wait got its limit, and another one came in.
const NEXT = DISPATCH.replace('+18,44 @@', '+18,45 @@').replace(
  '+        prediction = future.result()\n',
  '+        prediction = future.result(timeout=30)\n+        self._last = self._submit(request).result()\n',
);

// Waits as before, one level deeper.
const INDENTED = `diff --git a/serving/pool.py b/serving/pool.py
--- a/serving/pool.py
+++ b/serving/pool.py
@@ -1,8 +1,9 @@
 from concurrent.futures import ThreadPoolExecutor
 
 pool = ThreadPoolExecutor(4)
 
 
 def handle_request(frame):
     future = pool.submit(work, frame)
-    return future.result()
+    if frame:
+        return future.result()
`;

onPage('each line takes an answer and a note, and the head counts them', async (page) => {
  await paste(page, DISPATCH);
  await answer(page, 'R4', 'Problem raised');
  await answer(page, 'R1', 'Checked');
  await note(page, 'R1').fill('One writer only.');
  await progress(page).getByText('2 of 10 done').waitFor();
  await page.getByRole('button', { name: /^Take over \d+ that do not apply$/ }).click();
  await progress(page).getByText(/^[5-9] of 10 done/).waitFor();
});

onPage('a dismissal needs a reason, folds the finding, and can be taken back', async (page) => {
  await paste(page, DISPATCH);
  const name = 'R4 unbounded-result, BLOCK, line 27';
  const finding = page.getByRole('article', { name, exact: true });
  await finding.getByRole('button', { name: 'Dismiss' }).click();
  await finding.getByRole('button', { name: 'Dismiss' }).click();
  await finding.getByRole('alert').getByText('Write a reason first').waitFor();
  await finding.getByRole('textbox', { name: 'Reason' }).fill('bounded by the caller');
  await finding.getByRole('button', { name: 'Dismiss' }).click();
  const folded = page.getByRole('article', { name: `${name}, excused` });
  await folded.getByText('bounded by the caller').waitFor();
  await summary(page).getByText(/^4 files.*2\s*BLOCK/).waitFor();
  await folded.getByRole('button', { name: 'Reopen' }).click();
  await finding.getByRole('button', { name: 'Accept' }).waitFor();
});

onPage('an accepted finding takes how it is reached, and the export carries the work', async (page) => {
  await paste(page, DISPATCH);
  const finding = page.getByRole('article', { name: 'R4 unbounded-result, BLOCK, line 27' });
  await finding.getByRole('button', { name: 'Accept' }).click();
  await finding.getByRole('textbox', { name: 'How it is reached' }).fill('Every request of a stalled model.');
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'JSON' }).click(),
  ]);
  const document = JSON.parse(readFileSync(await download.path(), 'utf8'));
  const [work] = Object.values(document.work.findings);
  assert.equal(work.decision, 'accepted');
  assert.equal(work.reached, 'Every request of a stalled model.');
  assert.ok(document.findings.every((finding) => finding.verdict !== 'excused' || finding.reason), 'untouched report');
});

onPage('a reload brings text, answers, notes and decisions back', async (page) => {
  await paste(page, DISPATCH);
  await work(page);
  // At once: what was written in the last moment is not lost either.
  await note(page, 'R1').fill('Written in the last moment.');
  await page.reload();
  await reviewed(page);
  assert.equal(await box(page).inputValue(), DISPATCH);
  await progress(page).getByText('1 of 10 done').waitFor();
  assert.equal(await note(page, 'R1').inputValue(), 'Written in the last moment.');
  await page.getByRole('article', { name: /excused/ }).getByText('bounded by the caller').waitFor();
});

onPage('the next version keeps what did not change and marks what did', async (page) => {
  await paste(page, DISPATCH);
  await work(page);
  await answer(page, 'R4', 'Checked');
  await stored(page, '"R4"');
  await page.goto('about:blank');
  await page.goto(ADDRESS);
  await page.getByRole('button', { name: 'Clear' }).click();
  await paste(page, NEXT);
  const told = page.getByRole('region', { name: 'A new version' });
  await told.getByText(/2 answers kept, 1 line to look at again, 1 new finding, \d gone/).waitFor();
  await page.getByText('new in this version').waitFor();
  await line(page, 'R4').getByText('Look again.').waitFor();
  await progress(page).getByText('1 of 10 done, 1 to look at again').waitFor();
  await line(page, 'R4').getByRole('button', { name: /^Still/ }).click();
  await progress(page).getByText('2 of 10 done').waitFor();
  // Two reviews after all: the older one is still there, as it was.
  await told.getByRole('button', { name: 'Start a new review instead' }).click();
  await progress(page).getByText('0 of 10 done').waitFor();
  await paste(page, DISPATCH);
  await progress(page).getByText('2 of 10 done').waitFor();
});

const PULL = 'repos/acme/serving/pulls/7';
const known = { json: {}, diffs: {} };
const standIn = gitHub(known);

onPage(
  'a pull request that is opened again is compared with the head seen last, also after a reload',
  async (page, watch) => {
    push('1111111000000000000000000000000000000000', DISPATCH);
    await open(page, 'acme/serving#7');
    await work(page);
    await answer(page, 'R4', 'Checked');
    await page.reload();
    await progress(page).getByText('2 of 10 done').waitFor();
    push('2222222000000000000000000000000000000000', NEXT);
    await open(page, 'acme/serving#7');
    const told = page.getByRole('region', { name: 'A new version' });
    await told.getByText('You saw 1111111, this is 2222222.').waitFor();
    await line(page, 'R4').getByText('Look again.').waitFor();
    assert.equal(await note(page, 'R1').inputValue(), 'One writer only.');
    // The stand-in has no whole files, which the browser logs.
    watch.errors.length = 0;
  },
  { github: standIn.answer },
);

onPage('an old finding that the change makes worse is raised by hand', async (page) => {
  await paste(page, INDENTED);
  const name = 'R4 unbounded-result, BLOCK, line 9';
  await page.getByRole('button', { name: '1 existing' }).click();
  const folded = page.getByRole('article', { name: `${name}, existing` });
  await folded.getByRole('button', { name: 'Raise' }).click();
  await folded.getByRole('textbox', { name: 'Reason' }).fill('it waits in the server now');
  await folded.getByRole('button', { name: 'Raise' }).click();
  const raised = page.getByRole('article', { name, exact: true });
  await raised.getByText('Raised: it waits in the server now').waitFor();
  await page.getByRole('group', { name: 'Findings of R4' }).getByRole('button', { name: 'line 9' }).waitFor();
});

onPage('where the page cannot know whether it is the same review, it asks', async (page) => {
  await paste(page, DISPATCH);
  await work(page);
  await paste(page, CACHE);
  const asked = page.getByRole('region', { name: 'The same review?' });
  await progress(page).getByText('0 of 10 done').waitFor();
  await asked.getByRole('button', { name: 'Next version' }).click();
  await progress(page).getByText('of 10 done').waitFor();
  assert.equal(await note(page, 'R1').inputValue(), 'One writer only.');
  await asked.waitFor({ state: 'detached' });
});

onPage('a link with answers never replaces local ones without asking', async (page) => {
  await paste(page, DISPATCH);
  await work(page);
  const link = await share(page, 'Ada');
  await answer(page, 'R1', 'Problem raised');
  await note(page, 'R1').fill('Mine.');
  assert.equal(page.url(), `${ADDRESS}/`, 'the address names no older work');
  await answer(page, 'R2', 'Checked');
  await page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
  const asked = page.getByRole('region', { name: 'Whose work?' });
  await asked.getByText('Ada\u2019s answers and notes').waitFor();
  assert.equal(await note(page, 'R1').inputValue(), 'Mine.');
  await asked.getByRole('button', { name: 'Take theirs' }).click();
  assert.equal(await note(page, 'R1').inputValue(), 'One writer only.');
  await line(page, 'R1').getByText('by Ada').waitFor();
});

onPage('a link says whose words the notes are only if a name was written', async (page) => {
  await paste(page, DISPATCH);
  await work(page);
  const anonymous = await share(page, '');
  const named = await share(page, 'Ada');
  for (const [link, words] of [[anonymous, 'Answers and notes came with it.'], [named, 'are Ada\u2019s.']]) {
    const fresh = await page.context().browser().newContext();
    const other = await fresh.newPage();
    await other.goto(link);
    await other.getByRole('region', { name: 'Whose work?' }).getByText(words).waitFor();
    assert.equal(await note(other, 'R1').inputValue(), 'One writer only.');
    await fresh.close();
  }
});

onPage('two tabs on one review see each other\u2019s work and lose none', async (page) => {
  await paste(page, DISPATCH);
  await answer(page, 'R1', 'Checked');
  await stored(page, '"R1"');
  const other = await page.context().newPage();
  await other.goto(ADDRESS);
  await recent(other).getByRole('button', { name: 'serving' }).click();
  await progress(other).getByText('1 of 10 done').waitFor();
  await answer(other, 'R2', 'Problem raised');
  await answer(page, 'R3', 'Checked');
  await progress(page).getByText('3 of 10 done').waitFor();
  await progress(other).getByText('3 of 10 done').waitFor();
  await note(other, 'R5').fill('From the other tab.');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.line textarea')].some((one) => one.value === 'From the other tab.'),
  );
});

onPage('recent reviews are listed, opened and deleted', async (page) => {
  await paste(page, DISPATCH);
  await work(page);
  await paste(page, CACHE);
  await stored(page, 'cache');
  await page.getByRole('button', { name: 'Clear' }).click();
  const items = recent(page).getByRole('listitem');
  assert.equal(await items.count(), 2);
  await items.filter({ hasText: '1 answered' }).getByRole('button', { name: 'serving' }).click();
  await progress(page).getByText('1 of 10 done').waitFor();
  assert.equal(await box(page).inputValue(), DISPATCH);
  await page.getByRole('button', { name: 'Clear' }).click();
  await items.first().getByRole('button', { name: 'Delete' }).click();
  await items.first().getByRole('button', { name: 'Delete for good' }).click();
  assert.equal(await items.count(), 1);
  await recent(page).getByRole('button', { name: 'Delete all' }).click();
  await recent(page).getByRole('button', { name: 'Delete all for good' }).click();
  await items.first().waitFor({ state: 'detached' });
  await until(async () => (await rows(page)) === '[]');
  await page.reload();
  await recent(page).waitFor();
  assert.equal(await items.count(), 0);
});

onPage('nothing is stored once the reviewer says so', async (page) => {
  await recent(page).getByRole('checkbox', { name: 'Remember on this device' }).uncheck();
  await paste(page, DISPATCH);
  await work(page);
  await page.reload();
  await recent(page).getByText('Nothing more is stored').waitFor();
  assert.equal(await box(page).inputValue(), '');
});

onPage('a text whose analysis did not end is not begun again by itself', async (page) => {
  await page.route('**/core_bg.wasm', () => {});
  await paste(page, CACHE, false);
  await page.getByText('Reading the diff').waitFor();
  await stored(page, '"is_running":true');
  await page.unroute('**/core_bg.wasm');
  await page.reload();
  const alert = page.getByRole('alert');
  await alert.getByText('was not begun again by itself').waitFor();
  assert.equal(await box(page).inputValue(), CACHE);
  await alert.getByRole('button', { name: 'Copy the text' }).waitFor();
  await alert.getByRole('button', { name: 'Retry' }).click();
  await reviewed(page);
});

onPage('a full store is told, and everything goes on', async (page) => {
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('no room', 'QuotaExceededError');
    };
  });
  await paste(page, DISPATCH);
  await page.getByRole('alert').getByText('storage is full').waitFor();
  await work(page);
  await progress(page).getByText('1 of 10 done').waitFor();
});

onPage('a text without room is told, and its answers are stored all the same', async (page) => {
  await page.evaluate(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (value, ...key) {
      if (typeof value === 'string') throw new DOMException('no room', 'QuotaExceededError');
      return put.call(this, value, ...key);
    };
  });
  await paste(page, DISPATCH);
  await page.getByRole('alert').getByText('too large').waitFor();
  await work(page);
  await stored(page, 'bounded by the caller');
  await page.reload();
  await page.getByRole('alert').getByText('Paste it again').waitFor();
  await paste(page, DISPATCH);
  await progress(page).getByText('1 of 10 done').waitFor();
});

onPage('where nothing may be stored, that is told and everything goes on', async (page) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('forbidden', 'SecurityError');
    };
  });
  await page.reload();
  await page.getByRole('alert').getByText('does not let the page store anything').waitFor();
  await paste(page, DISPATCH);
  await work(page);
  await paste(page, NEXT);
  await page.getByRole('region', { name: 'A new version' }).waitFor();
  assert.equal(await note(page, 'R1').inputValue(), 'One writer only.');
});

// What the pull request is from now on.
function push(head, diff) {
  const base = 'aaaaaaa000000000000000000000000000000000';
  known.json[PULL] = pull({ repo: 'acme/serving', number: 7, base, head });
  known.diffs[PULL] = diff;
}

async function open(page, address) {
  await page.getByRole('textbox', { name: 'Pull request address' }).fill(address);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await reviewed(page);
}

// One answer with a note, and one dismissal.
async function work(page) {
  await answer(page, 'R1', 'Checked');
  await note(page, 'R1').fill('One writer only.');
  const finding = page.getByRole('article', { name: /^R1 .*BLOCK/ }).first();
  await finding.getByRole('button', { name: 'Dismiss' }).click();
  await finding.getByRole('textbox', { name: 'Reason' }).fill('bounded by the caller');
  await finding.getByRole('button', { name: 'Dismiss' }).click();
  await finding.getByRole('button', { name: 'Reopen' }).waitFor();
}

function line(page, id) {
  const lines = page.getByRole('region', { name: 'Checklist' }).getByRole('listitem');
  return lines.filter({ has: page.locator('.rule-id', { hasText: new RegExp(`^${id}$`) }) });
}

async function answer(page, id, words) {
  const group = line(page, id).getByRole('radiogroup', { name: 'Your answer' });
  await group.getByRole('radio', { name: words, exact: true }).click();
}

function note(page, id) {
  return line(page, id).getByRole('textbox', { name: 'Note' });
}

function progress(page) {
  return page.getByRole('status', { name: 'Progress' });
}

function recent(page) {
  return page.getByRole('region', { name: 'Recent reviews' });
}

// Once what is stored has these words in it.
async function stored(page, words) {
  await until(async () => (await rows(page)).includes(words));
}

// Everything that is stored beside texts.
function rows(page) {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.open('hunkwise');
        request.onsuccess = () => {
          const rows = request.result.transaction('reviews').objectStore('reviews').getAll();
          rows.onsuccess = () => resolve(JSON.stringify(rows.result));
          request.result.close();
        };
      }),
  );
}

async function until(holds) {
  for (let turn = 0; turn < 100; turn += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`It never held: ${holds}`);
}

function box(page) {
  return page.getByRole('textbox', { name: 'Diff', exact: true });
}

function summary(page) {
  return page.getByRole('status', { name: 'Summary' });
}

async function paste(page, text, waits = true) {
  await box(page).evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    element.focus();
    if (element.dispatchEvent(event)) document.execCommand('insertText', false, text);
  }, text);
  if (waits) await reviewed(page);
}

async function reviewed(page) {
  await summary(page).getByText('checklist lines').waitFor();
}

// The link of the review, with this name.
async function share(page, name) {
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  const field = dialog.getByRole('textbox', { name: 'Link' });
  const before = await field.inputValue();
  if (name) {
    await dialog.getByRole('textbox', { name: 'Your name' }).fill(name);
    await dialog.getByRole('textbox', { name: 'Your name' }).blur();
    await page.waitForFunction((before) => {
      const field = document.querySelector('dialog .link-field input');
      return field && field.value !== before;
    }, before);
  }
  const link = await field.inputValue();
  await dialog.getByRole('button', { name: 'Close' }).click();
  return link;
}

function sample(name) {
  return readFileSync(new URL(`../../static/samples/${name}.diff`, import.meta.url), 'utf8');
}
