// Long use of the built page: many diffs twice over, and a user who does anything.

import assert from 'node:assert/strict';
import { manyDiffs } from './diffs.mjs';
import { watchHeaps } from './heaps.mjs';
import { reviewAll } from './review.mjs';
import { useFor } from './user.mjs';

/** Of what is held after one pass, so much more may be held after the next. */
const GROWTH = 0.05;

/** Milliseconds until the page has stored what it was given, and the garbage of that is garbage. */
const REST = 2_000;

/**
 * Reviews diffs, one after another, twice. What the second pass adds was leaked.
 *
 * @param {import('playwright-core').Page} page not opened yet
 * @param {{ address: string, count: number, tell: (name: string, held: object) => void }} options
 */
export async function reviewTwice(page, { address, count, tell }) {
  const diffs = manyDiffs(count);
  const measure = await watchHeaps(page);
  const pass = async (name, diffs) => {
    await reviewAll(page, diffs);
    await page.waitForTimeout(REST);
    const held = await measure();
    tell(name, held);
    return held;
  };
  await page.goto(address);
  // All passes end with the same diff, so that the page shows the same when it is measured.
  await pass('before', diffs.slice(-1));
  const first = await pass('after one pass', diffs);
  const second = await pass('after two passes', diffs);
  assert.ok(second.parses > first.parses, 'the parser was watched');
  assert.deepEqual([second.trees, second.cursors], [0, 0], 'trees and cursors that nobody deleted');
  for (const what of ['pageHeap', 'pageMemory', 'nodes', 'listeners', 'documents', 'workerHeap', 'workerMemory']) {
    const most = first[what] * (1 + GROWTH);
    assert.ok(second[what] <= most, `${what} grew from ${first[what]} to ${second[what]}`);
  }
}

/**
 * Lets a random user loose on the page.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ address: string, seed: number, seconds: number, errors: string[] }} options
 *   `errors` is where whoever watches the page puts what it logged.
 * @returns {Promise<number>} how much the user did
 */
export async function useAtRandom(page, { address, seed, seconds, errors }) {
  const acts = [];
  await page.goto(address);
  const until = Date.now() + 1_000 * seconds;
  await useFor(page, { diffs: manyDiffs(60), seed, until, did: (act) => acts.push(act) });
  const last = acts.slice(-20).join(', ');
  assert.deepEqual(errors, [], `seed ${seed}, the last of ${acts.length} acts: ${last}`);
  return acts.length;
}
