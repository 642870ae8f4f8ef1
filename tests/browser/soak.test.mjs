// Whether long use leaves anything behind. Among the other tests it is short; `cargo xtask soak` takes long.

import assert from 'node:assert/strict';
import { ADDRESS, onPage } from './page.mjs';
import { reviewTwice, useAtRandom } from './soak/passes.mjs';

const IS_LONG = process.env.HUNKWISE_SOAK === 'long';
const SEED = Number(process.env.HUNKWISE_SEED ?? 1);

onPage(
  'a second round of the same diffs holds on to nothing more',
  async (page) => {
    const tell = (name, held) => IS_LONG && console.log(name, JSON.stringify(held));
    await reviewTwice(page, { address: ADDRESS, count: IS_LONG ? 300 : 12, tell });
  },
  { at: null },
);

onPage(
  'whatever a user does, nothing is logged',
  async (page, { errors }) => {
    const seconds = IS_LONG ? 600 : 15;
    const acts = await useAtRandom(page, { address: ADDRESS, seed: SEED, seconds, errors });
    console.log(`${acts} acts from seed ${SEED}`);
    assert.ok(acts > seconds / 5, `only ${acts} acts`);
  },
  { at: null },
);
