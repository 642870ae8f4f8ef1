// Steps go on from where the reader is, also after they scrolled there themselves.

import assert from 'node:assert/strict';
import { onPage } from './page.mjs';
import { longDiff } from './long_diff.mjs';
import { reviewed } from './states.mjs';

const LONG = longDiff({ files: 7, rows: 1_600 });

onPage('after scrolling, j and k go to the findings nearest to what is read', async (page) => {
  await reviewed(page, LONG);
  await page.keyboard.press('j');
  assert.equal(await fileOfSelected(page), 'service/part_00.py');
  await scrollTo(page, 'service/part_03.py');
  await page.keyboard.press('j');
  assert.equal(await fileOfSelected(page), 'service/part_03.py');
  await scrollTo(page, 'service/part_05.py');
  await page.keyboard.press('k');
  assert.equal(await fileOfSelected(page), 'service/part_04.py');
});

onPage('a step right after another goes on from it, and so it does after a small scroll', async (page) => {
  await reviewed(page, LONG);
  await page.keyboard.press('j');
  assert.equal(await fileOfSelected(page), 'service/part_00.py');
  const first = await page.locator('article[aria-current=true]').getAttribute('id');
  await page.evaluate(() => scrollBy(0, 60));
  // At once: the finding in between may not even be drawn yet.
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await page.waitForFunction((id) => document.activeElement.matches(`article[aria-current=true][id=${id}]`), first);
});

onPage('after scrolling, n and p go to the files around the one that is read', async (page) => {
  await reviewed(page, LONG);
  await page.keyboard.press('n');
  await focused(page, 'service/part_00.py');
  await scrollTo(page, 'service/part_04.py');
  await page.keyboard.press('n');
  await focused(page, 'service/part_05.py');
  await scrollTo(page, 'service/part_02.py');
  await page.keyboard.press('p');
  await focused(page, 'service/part_01.py');
});

onPage('every file is reached with n, the last ones too, which cannot be scrolled to the top', async (page) => {
  await reviewed(page, longDiff({ files: 6, rows: 61 }));
  for (const file of [0, 1, 2, 3, 4, 5, 0]) {
    await page.keyboard.press('n');
    await focused(page, `service/part_0${file}.py`);
  }
});

// Into the middle of a file, as a reader does with the wheel: nothing is jumped to.
async function scrollTo(page, path) {
  const file = Number(/\d+/.exec(path)[0]);
  await page.evaluate(async (file) => {
    for (let turn = 0; turn < 200; turn += 1) {
      const section = document.querySelector(`#file-${file}`)?.getBoundingClientRect();
      const next = [...document.querySelectorAll('section.file')].at(-1);
      if (section && section.top < 0 && section.top > -900 && section.bottom > innerHeight) return;
      const isBehind = next && Number(next.id.slice(5)) < file;
      scrollBy(0, section ? section.top + 600 : isBehind ? 3_000 : -3_000);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
    throw new Error(`file ${file} was never reached`);
  }, file);
}

async function fileOfSelected(page) {
  await page.waitForFunction(() => document.activeElement.matches('article[aria-current=true]'));
  return page.locator('section.file:has(article[aria-current=true])').getAttribute('aria-label');
}

async function focused(page, path) {
  await page.waitForFunction((path) => document.activeElement.closest('section')?.getAttribute('aria-label') === path, path);
}
