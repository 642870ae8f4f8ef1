// The page's own search: it finds what is not drawn, and goes to it.

import assert from 'node:assert/strict';
import { onPage } from './page.mjs';
import { longDiff } from './long_diff.mjs';
import { DISPATCH, reviewed } from './states.mjs';

// 20,000 lines in 20 files; closed ones among them, which have more rows than are opened by themselves.
const LONG = longDiff({ files: 20, rows: 1_000 });

onPage('hits of a diff of 20,000 lines are counted and gone to, wherever they are', async (page) => {
  await reviewed(page, LONG);
  await open(page);
  await page.keyboard.type('def step_5_3(');
  await told(page, '1 of 20');
  await atHit(page, 'service/part_00.py', 'def step_5_3(');
  await page.keyboard.press('Shift+Enter');
  await told(page, '20 of 20');
  await atHit(page, 'service/part_19.py', 'def step_5_3(');
  await page.keyboard.press('Enter');
  await told(page, '1 of 20');
  await page.getByRole('button', { name: 'Next hit' }).click();
  await told(page, '2 of 20');
  await atHit(page, 'service/part_01.py', 'def step_5_3(');
  await field(page).fill('no such text');
  await told(page, 'No hit');
  assert.equal(await page.locator('mark').count(), 0);
});

onPage('a hit in a closed file opens it', async (page) => {
  await reviewed(page, LONG);
  await page.getByRole('button', { name: 'Close all files' }).click();
  await open(page);
  await page.keyboard.type('DEF STEP_5_3(');
  await atHit(page, 'service/part_00.py', 'def step_5_3(');
  await page.getByRole('region', { name: 'service/part_00.py' }).locator('.fold[aria-expanded=true]').waitFor();
});

onPage('a search begins where the reader is, and ends at the hit', async (page) => {
  await reviewed(page, LONG);
  await page.evaluate(() => document.querySelector('#file-0').scrollIntoView());
  await page.keyboard.press('n');
  await page.keyboard.press('n');
  await page.keyboard.press('n');
  await page.getByRole('region', { name: 'service/part_03.py' }).waitFor();
  await open(page);
  await page.keyboard.type('def step_5_3(');
  await told(page, '4 of 20');
  await atHit(page, 'service/part_03.py', 'def step_5_3(');
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });
  assert.equal(await page.locator('mark').count(), 0);
  assert.match(await page.evaluate(() => document.activeElement.innerText), /def step_5_3/);
});

onPage('both columns show a hit, and the one that was gone to differs', async (page) => {
  await reviewed(page);
  await page.getByRole('button', { name: 'Split' }).click();
  await open(page);
  await page.keyboard.type('import threading');
  await page.locator('mark.is-current').first().waitFor();
  const text = await page.locator('mark.is-current').allInnerTexts();
  assert.ok(text.every((part) => 'import threading'.includes(part)), text.join());
});

onPage('the browser keeps its own search where it finds everything', async (page) => {
  await reviewed(page, DISPATCH);
  assert.equal(await isTaken(page), false);
});

onPage('the browser\u2019s key opens this search where the other would miss something, and once more the other', async (page) => {
  await reviewed(page, LONG);
  assert.equal(await isTaken(page), true);
  await field(page).waitFor();
  assert.equal(await isTaken(page), false);
});

onPage('the next diff is searched for the same', async (page) => {
  await reviewed(page, LONG);
  await open(page);
  await page.keyboard.type('future.result');
  await told(page, 'No hit');
  await reviewed(page, DISPATCH);
  await page.getByRole('status', { name: 'Hits' }).getByText(/^1 of [2-9]$/).waitFor();
});

function field(page) {
  return page.getByRole('searchbox', { name: 'Find in diff' });
}

async function open(page) {
  await page.keyboard.press('f');
  await page.waitForFunction(() => document.activeElement.closest('.search'));
}

async function told(page, words) {
  await page.getByRole('status', { name: 'Hits' }).getByText(words, { exact: true }).waitFor();
}

// The marked hit is the only one, in view, in this file, and the field still has the focus.
async function atHit(page, path, text) {
  await page.waitForFunction(({ path, text }) => {
    const hit = document.querySelector('mark.is-current');
    const row = hit?.closest('.row');
    const rect = row?.getBoundingClientRect();
    const marked = [...(row?.querySelectorAll('mark.is-current') ?? [])].map((mark) => mark.textContent).join('');
    return (
      marked === text && rect.top > 0 && rect.bottom < innerHeight &&
      row.closest('section').getAttribute('aria-label') === path && document.activeElement.closest('.search')
    );
  }, { path, text });
}

// Whether the page takes the browser's key for itself.
function isTaken(page) {
  return page.evaluate(() => {
    const key = new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true, cancelable: true });
    return !(document.activeElement ?? document.body).dispatchEvent(key);
  });
}
