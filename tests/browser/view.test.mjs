// The diff on the page: drawn by the window whatever its size, in one column or two, with what changed in each line.

import assert from 'node:assert/strict';
import { onPage } from './page.mjs';
import { longDiff } from './long_diff.mjs';

onPage('of a diff of 100,000 lines only what is near the window is drawn', async (page) => {
  await paste(page, longDiff({ files: 40, rows: 2_500 }));
  await page.locator('.row').first().waitFor();
  for (const part of [0, 0.03, 0.5, 0.97, 1]) {
    await page.evaluate((part) => scrollTo(0, part * document.documentElement.scrollHeight), part);
    await page.waitForFunction(() => {
      // Between two files there is nothing to be drawn, so two places are looked at.
      const at = (below) => document.elementFromPoint(innerWidth / 2, innerHeight / 2 + below);
      return [at(0), at(20)].some((here) => here?.closest('.row, .finding, .hunk-header, .file-head'));
    });
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(nodes < 3_000, `${nodes} nodes at ${part}`);
  }
});

onPage('the first and the last finding of a long diff are shown right below their lines', async (page) => {
  await paste(page, longDiff({ files: 20, rows: 500 }));
  await reviewed(page);
  for (const key of ['j', 'k']) {
    await page.locator('h1').click();
    await page.keyboard.press(key);
    const card = page.locator('article[aria-current=true]');
    await page.waitForFunction(() => {
      const card = document.querySelector('article[aria-current=true]')?.getBoundingClientRect();
      return card && card.top > 0 && card.bottom < innerHeight;
    });
    const line = /line (\d+)/.exec(await card.getAttribute('aria-label'))[1];
    const above = await card.evaluate((card) => card.closest('.item').previousElementSibling.lastElementChild.dataset.new);
    assert.equal(above, line);
  }
});

onPage('findings of the files that were read are there before the last file is', async (page) => {
  await paste(page, longDiff({ files: 40, rows: 1_000 }));
  await page.getByText(/\d findings? so far, provisional/).waitFor();
  const card = page.getByRole('article').filter({ hasText: 'provisional' }).first();
  await card.waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await summary(page).getByText('Cancelled').waitFor();
  await card.waitFor();
});

onPage('what has the focus keeps it when its rows are scrolled away', async (page) => {
  await paste(page, longDiff({ files: 40, rows: 500 }));
  await page.locator('.fold').first().focus();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.getByRole('region', { name: 'service/part_39.py' }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.innerText), 'service/part_00.py');
});

onPage('what is read stays in its place when something above it is closed', async (page) => {
  await paste(page, longDiff({ files: 20, rows: 500 }));
  await reviewed(page);
  await page.locator('.fold').first().focus();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  const inWindow = await page.waitForFunction(() => {
    const isSeen = (row) => row.getBoundingClientRect().top > 300;
    return [...document.querySelectorAll('.row[data-new]')].find(isSeen);
  });
  const top = () => inWindow.evaluate((row) => Math.round(row.getBoundingClientRect().top));
  const before = await top();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.ariaExpanded === 'false');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await top(), before);
});

const EDIT = `--- a/pool.py
+++ b/pool.py
@@ -1,5 +1,6 @@
 def wait(future):
-    first = future.result()
-    second = None
+    first = future.result(timeout=30)
 
-    return first
+    log(first)
+    second = first
+    return second
`;

onPage('two columns stand old beside new, and the choice is kept', async (page) => {
  await paste(page, EDIT);
  await reviewed(page);
  await page.getByRole('button', { name: 'Split' }).click();
  const pairs = () => page.locator('.pair').evaluateAll((pairs) => pairs.map((pair) => [...pair.children].map((row) => row.innerText.trim())));
  const expected = [
    ['def wait(future):', 'def wait(future):'],
    ['first = future.result()', 'first = future.result(timeout=30)'],
    ['second = None', ''],
    ['', ''],
    ['return first', 'log(first)'],
    ['', 'second = first'],
    ['', 'return second'],
  ];
  await page.locator('.pair').first().waitFor();
  assert.deepEqual(await pairs(), expected);
  await page.reload();
  await page.locator('.pair').first().waitFor();
  await page.getByRole('button', { name: 'Unified' }).click();
  await page.locator('.pair').first().waitFor({ state: 'detached' });
  assert.equal(await page.locator('.row').count(), 9);
});

onPage('the words that changed inside of a line are marked', async (page) => {
  await paste(page, EDIT);
  await reviewed(page);
  assert.equal((await page.locator('.row.added').first().locator('.word').allInnerTexts()).join(''), 'timeout=30');
  assert.equal(await page.locator('.row.deleted').first().locator('.word').count(), 0);
});

onPage('selected code is copied as code, and in two columns one side of it', async (page) => {
  await paste(page, EDIT);
  await reviewed(page);
  const copied = (from, to) => page.evaluate(([from, to]) => {
    const range = document.createRange();
    range.setStartBefore(document.querySelectorAll(from)[0]);
    range.setEndAfter([...document.querySelectorAll(to)].at(-1));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
    return event.clipboardData.getData('text/plain');
  }, [from, to]);
  assert.equal(
    await copied('.row.added code', '.row.added code'),
    ['    first = future.result(timeout=30)', '', '    return first', '    log(first)', '    second = first', '    return second'].join('\n'),
  );
  await page.getByRole('button', { name: 'Split' }).click();
  await page.locator('.pair .row.added').first().dispatchEvent('pointerdown');
  assert.equal(
    await copied('.pair', '.pair'),
    ['def wait(future):', '    first = future.result(timeout=30)', '', '    log(first)', '    second = first', '    return second'].join('\n'),
  );
});

onPage(
  'the new side of a file is copied by a button',
  async (page) => {
    await paste(page, EDIT);
    await reviewed(page);
    await page.getByRole('button', { name: 'Copy the new side of pool.py' }).click();
    await page.getByText('Copied 6 lines.').waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(text.split('\n').at(1), '    first = future.result(timeout=30)');
  },
  { context: { permissions: ['clipboard-read', 'clipboard-write'] } },
);

onPage('letters that look like others and characters that nobody sees are named', async (page) => {
  await paste(page, '--- a/x.py\n+++ b/x.py\n@@ -1 +1,3 @@\n x = 1\n+p\u0430ssword = "\u200b"\n+ok = 1  # \u043e\u043d \u0430\n');
  await reviewed(page);
  const names = page.locator('.row .control').evaluateAll((all) => all.map((one) => one.dataset.name));
  assert.deepEqual(await names, ['U+0430 Cyrillic', 'U+200B']);
});

onPage('of a line of megabytes only the beginning is drawn', async (page) => {
  await paste(page, `--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n x = 1\n+data = "${'0123456789'.repeat(500_000)}"\n`);
  await page.getByText('The beginning of a line of 5,000,009 characters.').waitFor();
  assert.ok((await page.locator('.row.added code').innerText()).length < 5_000);
});

onPage('excused and existing findings are folded, counted, and shown on request', async (page) => {
  await page.getByRole('group', { name: 'Samples' }).getByRole('button', { name: 'Model dispatch' }).click();
  await reviewed(page);
  const folded = page.getByRole('article', { name: /, excused$/ });
  assert.equal(await folded.count(), 0);
  await page.getByRole('button', { name: /1 excused/ }).click();
  await folded.locator('.reason').waitFor();
});

function summary(page) {
  return page.getByRole('status', { name: 'Summary' });
}

async function paste(page, text) {
  await page.getByRole('textbox', { name: 'Diff', exact: true }).evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    element.focus();
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    if (element.dispatchEvent(event)) document.execCommand('insertText', false, text);
  }, text);
}

async function reviewed(page) {
  await summary(page).getByText('checklist lines').waitFor({ timeout: 120_000 });
}
