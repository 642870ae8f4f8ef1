// What the first load costs: every file that the page asks for until findings are on the screen.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { paste, reviewed } from './drive.mjs';

/** A small diff with a finding; what it says does not matter for the bytes. */
const DIFF = '--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n def wait(pool, job):\n+    return pool.submit(job).result()\n';

export async function firstLoad(browser, { address, site, budget }) {
  const context = await browser.newContext();
  const asked = new Set();
  context.on('request', (request) => asked.add(new URL(request.url()).pathname));
  const page = await context.newPage();
  await page.goto(`${address}/`);
  await paste(page, DIFF);
  await reviewed(page);
  await context.close();
  const files = [...asked].map((path) => (path === '/' ? '/index.html' : path)).sort();
  const sizes = files.map((file) => [file, ...compressed(readFileSync(join(site, file)))]);
  const sum = (column) => sizes.reduce((sum, row) => sum + row[column], 0);
  return { budget, raw: sum(1), brotli: sum(2), files: sizes };
}

/** As a host may compress ahead of time. */
function compressed(bytes) {
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return [bytes.length, brotliCompressSync(bytes, { params }).length];
}
