// The review on paper: everything that was found, with its code, and nothing to press.

import assert from 'node:assert/strict';
import { onPage } from './page.mjs';
import { longDiff } from './long_diff.mjs';
import { DISPATCH, reviewed, work } from './states.mjs';

onPage('every finding of a long diff is printed with its code, drawn or not', async (page) => {
  await reviewed(page, longDiff({ files: 6, rows: 2_400 }));
  const all = parseInt(await page.locator('.stepper .n-done').innerText());
  assert.ok(all > 10, `${all} findings`);
  assert.ok((await page.getByRole('article').count()) < all, 'not all are drawn');
  await page.emulateMedia({ media: 'print' });
  await page.waitForFunction((all) => document.querySelectorAll('.paper article').length === all, all);
  const printed = await page.evaluate(() =>
    [...document.querySelectorAll('.paper article')].map((card) => {
      const rows = [...card.closest('.item').previousElementSibling.querySelectorAll('.row')];
      return rows.some((row) => row.matches('.mark') && row.offsetHeight > 0) && card.offsetHeight > 0;
    }),
  );
  assert.ok(printed.every(Boolean), `${printed.filter(Boolean).length} of ${all} with their lines`);
  await page.emulateMedia({ media: 'screen' });
  await page.locator('.paper').waitFor({ state: 'detached' });
});

onPage('a PDF holds all of it at once', async (page) => {
  await reviewed(page, longDiff({ files: 6, rows: 2_400 }));
  const all = parseInt(await page.locator('.stepper .n-done').innerText());
  // The worker answers in order: with this answer the rows that were asked for before are there too.
  await page.keyboard.press('f');
  await page.keyboard.type('future');
  await page.getByRole('status', { name: 'Hits' }).getByText('No hit').waitFor();
  // What stands on the page when the browser begins to lay it out for paper. Nothing can be waited for then.
  await page.evaluate(() => {
    const look = () => (globalThis.printed = document.querySelectorAll('.paper .item:has(.row.mark) + .item > .finding').length);
    addEventListener('beforeprint', () => queueMicrotask(look));
  });
  const pdf = await page.pdf({ format: 'A4' });
  assert.equal(await page.evaluate(() => globalThis.printed), all);
  assert.ok(pages(pdf) > 3, `${pages(pdf)} pages`);
});

onPage('nothing to press is printed, and nothing is cut', async (page) => {
  await work(page);
  await page.getByRole('button', { name: 'R4 unbounded-result' }).first().click();
  await page.emulateMedia({ media: 'print' });
  const seen = await page.evaluate(() => {
    const controls = 'button, input, select, dialog, [role=menu], textarea:placeholder-shown';
    const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.getBoundingClientRect().height > 1;
    const looksPressable = (element) => !element.matches('.line-title, .place, .rule-link, .fold');
    const pressed = [...document.querySelectorAll(controls)].filter(isSeen).filter(looksPressable);
    const cut = [...document.querySelectorAll('main *')].filter((element) => isSeen(element) && element.scrollHeight > element.clientHeight + 2 && /auto|scroll|hidden/.test(getComputedStyle(element).overflowY));
    return { pressed: pressed.map((element) => element.outerHTML.slice(0, 100)), cut: cut.map((element) => element.className) };
  });
  assert.deepEqual(seen, { pressed: [], cut: [] });
  // The reviewer's words are there.
  assert.match(await page.locator('main').innerText(), /bounded by the caller/);
  await page.getByRole('heading', { name: 'Checklist' }).waitFor();
});

onPage('a closed file is printed with its findings all the same', async (page) => {
  await reviewed(page, DISPATCH);
  const all = await page.locator('.finding:is(.violation, .look)').count();
  await page.getByRole('button', { name: 'Close all files' }).click();
  await page.emulateMedia({ media: 'print' });
  await page.waitForFunction((all) => document.querySelectorAll('.paper .finding:is(.violation, .look)').length === all, all);
});

// Pages of a PDF whose page tree is not compressed.
function pages(pdf) {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}
