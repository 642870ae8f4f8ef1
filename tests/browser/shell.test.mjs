// The page opens, guarded as it has to be.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADDRESS, onPage } from './page.mjs';

onPage('the page opens with an empty box, and nothing leaves the origin', async (page) => {
  const box = page.getByRole('textbox', { name: 'Diff', exact: true });
  await box.waitFor();
  assert.equal(await box.inputValue(), '');
  assert.equal(await page.title(), 'Hunkwise');
});

onPage('a page that cannot start says so', async (page, watch) => {
  await page.route('**/page_bg.wasm', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.reload();
  await page.getByRole('alert').getByText('Hunkwise could not start').waitFor();
  watch.errors.length = 0;
});

test('every file comes with the security headers, the worker and wasm too', async () => {
  for (const file of ['', 'worker.js', 'core_bg.wasm', 'no-such-file']) {
    const { headers } = await fetch(`${ADDRESS}/${file}`);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/, file);
    assert.match(policy, /require-trusted-types-for 'script'/, file);
    assert.match(policy, /frame-ancestors 'none'/, file);
    assert.equal(headers.get('referrer-policy'), 'no-referrer', file);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', file);
  }
});
