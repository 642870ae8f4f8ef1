// The worker behind its client, message by message, as the page's module uses it.

import assert from 'node:assert/strict';
import { onPage } from './page.mjs';

const DIFF = `--- a/pool.py
+++ b/pool.py
@@ -1,2 +1,3 @@
 from concurrent.futures import ThreadPoolExecutor
+pool = ThreadPoolExecutor()
 work = []
`;

onPage('a worker says that it is ready, and then reviews', async (page, watch) => {
  const answers = await talk(page, watch, [{ type: 'review', id: 7, text: DIFF }]);
  const types = answers.map((answer) => answer.type);
  assert.equal(types.at(0), 'ready');
  assert.equal(types.at(1), 'view');
  assert.equal(types.at(-1), 'done');
  assert.equal(answers.at(-1).id, 7);
  assert.equal(answers.at(-1).report.schema, 'hunkwise.report/1');
});

onPage('a newer review replaces the one under way', async (page, watch) => {
  const long = DIFF.repeat(500);
  const answers = await talk(page, watch, [
    { type: 'review', id: 1, text: long },
    { type: 'review', id: 2, text: DIFF },
  ]);
  const done = answers.filter((answer) => answer.type === 'done');
  assert.deepEqual(done.map((answer) => answer.id), [2]);
});

onPage('a worker that breaks down is gone, and says so once', async (page, watch) => {
  const answers = await talk(page, watch, [{ type: 'nonsense' }, { type: 'review', id: 1, text: DIFF }]);
  const last = answers.at(-1);
  assert.equal(last.type, 'error');
  assert.match(last.sentence, /^The analysis broke down/);
  assert.equal(answers.filter((answer) => answer.type === 'error').length, 1);
  assert.ok(!answers.some((answer) => answer.type === 'done'));
  watch.errors.length = 0;
});

// Posts all messages to a worker of the test's own, and gives what came back up to the end of the
// last review or the worker's breakdown.
async function talk(page, watch, messages) {
  await page.getByRole('textbox', { name: 'Diff', exact: true }).waitFor();
  const client = watch.requests.find((url) => url.endsWith('/worker_client.js'));
  return page.evaluate(
    async ([client, messages]) => {
      const { spawn } = await import(client);
      const answers = [];
      return new Promise((resolve) => {
        const worker = spawn(
          (answer) => {
            answers.push(answer);
            if (answer.type === 'done' && answer.id === messages.at(-1).id) resolve(answers);
          },
          (sentence) => {
            answers.push({ type: 'error', sentence });
            // Whatever the broken worker had still under way would come now.
            setTimeout(() => resolve(answers), 0);
          },
        );
        messages.forEach((message) => worker.post(message));
      });
    },
    [client, messages],
  );
}
