// The diff on the page: drawn by the window whatever its size, in one column or two, with what changed in each line.

import assert from 'node:assert/strict';
import { onPage } from './page.mjs';
import { longDiff } from './long_diff.mjs';

onPage('of a diff of 100,000 lines only what is near the window is drawn', async (page) => {
  await paste(page, longDiff({ files: 40, rows: 2_500 }));
  await reviewed(page);
  const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
  for (const part of [0, 0.03, 0.5, 0.97, 1]) {
    await page.evaluate((part) => scrollTo(0, part * document.documentElement.scrollHeight), part);
    await page.locator('.row').first().waitFor();
    await page.waitForFunction(() => document.elementFromPoint(500, 400)?.closest('.row, .finding, .hunk-header, .file-head'));
    assert.ok((await nodes()) < 3_000, `${await nodes()} nodes at ${part}`);
  }
});

onPage('the first and the last finding of a long diff are shown where they stand', async (page) => {
  await paste(page, longDiff({ files: 40, rows: 2_500 }));
  await reviewed(page);
  for (const key of ['j', 'k']) {
    await page.locator('h1').click();
    await page.keyboard.press(key);
    const card = page.locator('article[aria-current=true]');
    await card.waitFor();
    await page.waitForFunction(() => {
      const card = document.querySelector('article[aria-current=true]').getBoundingClientRect();
      return card.top > 0 && card.top < innerHeight;
    });
    const line = /line (\d+)/.exec(await card.getAttribute('aria-label'))[1];
    const above = await card.evaluate((card) => card.closest('.item').previousElementSibling.lastElementChild.dataset.new);
    assert.equal(above, line);
  }
});

onPage('what has the focus keeps it when its rows are scrolled away', async (page) => {
  await paste(page, longDiff({ files: 40, rows: 2_500 }));
  await reviewed(page);
  await page.locator('.fold').first().focus();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.getByRole('region', { name: 'service/part_39.py' }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.innerText), 'service/part_00.py');
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
