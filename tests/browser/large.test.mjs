// What a large diff must not change: everything arrives, whatever is read piece by piece or drawn only when it is asked for.

import assert from 'node:assert/strict';
import { onPage } from './page.mjs';
import { added, box, paste, reviewed, summary } from './reviewing.mjs';

/** So many files, each with a finding at its third line and a wait in good order. */
function waits(n) {
  const file = (n) => added(`pool/part_${String(n).padStart(3, '0')}.py`, [
    'from concurrent.futures import ThreadPoolExecutor', 'def wait(pool: ThreadPoolExecutor, job):',
    '    pool.submit(job).result()', '    return pool.submit(job).result(timeout=5)']);
  return Array.from({ length: n }, (_, at) => file(at)).join('');
}

/** The checklist line of R4. */
const line = (page) => page.getByRole('region', { name: 'Checklist' }).getByRole('listitem').filter({ hasText: 'R4' });

onPage('hundreds of files and findings arrive whole and in their order', async (page) => {
  await paste(page, waits(230));
  await reviewed(page);
  await summary(page).getByText('230 files').waitFor();
  await line(page).getByText('230 findings').waitFor();
  await page.getByRole('button', { name: 'Previous finding' }).click();
  await page.getByRole('region', { name: 'pool/part_229.py' }).getByRole('article').waitFor();
  await page.getByText('230 of 230').waitFor();
});

onPage('a diff that comes while a large one is read takes its place', async (page) => {
  await paste(page, waits(400));
  await page.locator('.rail-file').first().waitFor();
  await paste(page, waits(2));
  await summary(page).getByText('2 files').waitFor();
  assert.equal(await page.locator('.rail-file').count(), 2);
});

onPage('many places in good order are drawn once they are asked for', async (page) => {
  await paste(page, waits(20));
  await reviewed(page);
  const places = line(page).getByRole('group').filter({ hasText: 'in good order' }).getByRole('button');
  assert.equal(await places.count(), 0);
  await line(page).getByText('20 places in good order').click();
  await places.nth(19).click();
  await page.getByRole('region', { name: 'pool/part_019.py' }).waitFor();
});

onPage('the worker is loaded as soon as somebody reaches for the box', async (page, watch) => {
  const workers = () => watch.requests.filter((url) => url.endsWith('/worker.js')).length;
  await page.getByText('Nothing to review yet').waitFor();
  assert.equal(workers(), 0);
  const loaded = page.waitForResponse('**/core_bg.wasm');
  await box(page).focus();
  await loaded;
  await paste(page, waits(1));
  await reviewed(page);
  assert.equal(workers(), 1);
});

onPage('what cannot be loaded before it is needed is tried again without a word', async (page, watch) => {
  await page.route('**/core_bg.wasm', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await box(page).focus();
  await page.waitForEvent('console', (message) => message.text().includes('could not be loaded'));
  await page.unroute('**/core_bg.wasm');
  assert.equal(await page.getByRole('alert').count(), 0);
  await paste(page, waits(1));
  await reviewed(page);
  watch.errors.length = 0;
});
