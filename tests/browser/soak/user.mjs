// A user who does whatever comes into their mind, the same each time that the seed is the same.

import { paste } from './review.mjs';

/** Milliseconds that an act may take; what is not there by then is not done. */
const PATIENCE = 5_000;

/**
 * Uses a page until it is time to stop.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ diffs: { text: string }[], seed: number, until: number, did: (act: string) => void }} options
 *   `until` is in milliseconds since 1970; `did` is told each act before it is tried.
 */
export async function useFor(page, { diffs, seed, until, did }) {
  const dice = diceOf(seed);
  const names = Object.keys(ACTS).flatMap((name) => Array(ACTS[name].often).fill(name));
  page.setDefaultTimeout(PATIENCE);
  page.on('dialog', (dialog) => dialog.dismiss());
  while (Date.now() < until) {
    const name = dice.one(names);
    did(name);
    await ACTS[name].act({ page, dice, diffs }).catch(ignoreWhatIsNotThere);
    if (dice.chance(0.5)) await page.waitForTimeout(dice.upTo(400));
  }
  page.setDefaultTimeout(0);
}

// A random user clicks at what goes away in that moment. Anything else is an error of the test or of the page.
function ignoreWhatIsNotThere(error) {
  if (error.name !== 'TimeoutError' && !/detached|intercepts pointer|navigat|context was destroyed/.test(error.message)) {
    throw error;
  }
}

const ACTS = {
  paste: { often: 6, act: ({ page, dice, diffs }) => paste(page, dice.one(diffs).text) },
  'paste a part': {
    often: 2,
    act: ({ page, dice, diffs }) => paste(page, cut(dice.one(diffs).text, dice)),
  },
  'type into the box': { often: 1, act: typeIntoBox },
  scroll: { often: 8, act: ({ page, dice }) => page.mouse.wheel(0, dice.upTo(6_000) - 3_000) },
  'press a key': { often: 14, act: pressKey },
  answer: { often: 6, act: ({ page, dice }) => click(any(page.getByRole('radio'), dice)) },
  note: { often: 2, act: ({ page, dice }) => fill(any(page.getByRole('textbox', { name: 'Note' }), dice), 'Seen.') },
  decide: { often: 5, act: decide },
  filter: { often: 3, act: filter },
  split: { often: 3, act: ({ page, dice }) => click(button(page, dice.one(['Split', 'Unified']))) },
  'open or close files': { often: 2, act: ({ page, dice }) => click(any(page.locator('.fold'), dice)) },
  'open a rule card': { often: 2, act: ({ page, dice }) => click(any(page.locator('article button'), dice)) },
  jump: { often: 3, act: ({ page, dice }) => click(any(places(page), dice)) },
  theme: { often: 1, act: ({ page }) => click(page.getByTitle('Light, dark, or as the system says')) },
  help: { often: 1, act: help },
  share: { often: 2, act: share },
  export: { often: 2, act: exportOne },
  clear: { often: 2, act: ({ page }) => click(button(page, 'Clear')) },
  'undo clearing': { often: 2, act: ({ page }) => click(button(page, 'Back to the text before')) },
  sample: { often: 1, act: ({ page, dice }) => click(any(samples(page), dice)) },
  'open a recent review': { often: 2, act: ({ page, dice }) => click(any(page.locator('.recent-title'), dice)) },
  resize: { often: 1, act: resize },
  back: { often: 1, act: ({ page }) => page.goBack({ waitUntil: 'load' }).then(() => here(page)) },
  reload: { often: 1, act: ({ page }) => page.reload() },
};

/** Goes back to the page where history led away from it. */
async function here(page) {
  if (page.url() === 'about:blank') await page.goForward();
}

async function typeIntoBox({ page, dice }) {
  await page.getByRole('textbox', { name: 'Diff', exact: true }).focus();
  await page.keyboard.type(dice.one(['+x = 1\n', 'prose', ' ', '@@ -1 +1 @@\n']));
}

async function pressKey({ page, dice }) {
  if (dice.chance(0.3)) await page.locator('h1').click();
  await page.keyboard.press(dice.one(['j', 'j', 'k', 'n', 'p', 'x', 'r', 'Escape', 'Tab', 'Enter', 'End', 'Home']));
}

async function decide({ page, dice }) {
  const card = any(page.getByRole('article'), dice);
  await click((await card).getByRole('button', { name: dice.one(['Accept', 'Dismiss', 'Reopen', 'Raise']) }).first());
  const reason = (await card).getByRole('textbox').first();
  if ((await reason.count()) > 0 && dice.chance(0.7)) {
    await reason.fill('bounded by the caller');
    await reason.press('Enter');
  }
}

async function filter({ page, dice }) {
  const field = page.getByRole('searchbox', { name: 'Filter' });
  await fill(field, dice.one(['is:block', 'R4', 'cache', 'is:open r', 'no such words', '', '']));
}

async function help({ page }) {
  await click(button(page, 'Help'));
  await page.keyboard.press('Escape');
}

// Half of those who share open the link themselves.
async function share({ page, dice }) {
  await click(button(page, 'Share'));
  const link = page.getByRole('dialog', { name: 'Share' }).getByRole('textbox', { name: 'Link' });
  const hash = new URL(await link.inputValue()).hash;
  await page.keyboard.press('Escape');
  if (dice.chance(0.5)) await page.evaluate((hash) => void (location.hash = hash), hash);
}

async function exportOne({ page, dice }) {
  await click(button(page, 'Export'));
  const download = page.waitForEvent('download').catch(() => null);
  await click(any(page.getByRole('menuitem'), dice));
  await (await download)?.delete();
  await page.keyboard.press('Escape');
}

async function resize({ page, dice }) {
  await page.setViewportSize({ width: 360 + dice.upTo(1_200), height: 500 + dice.upTo(600) });
}

function button(page, name) {
  return page.getByRole('button', { name, exact: true }).first();
}

function samples(page) {
  return page.getByRole('group', { name: 'Samples' }).getByRole('button');
}

function places(page) {
  return page.getByRole('group', { name: /^Findings of/ }).getByRole('button');
}

// One of those that are there now; the first one, which is not there, if none is.
async function any(all, dice) {
  return all.nth(dice.upTo(Math.max(1, await all.count())));
}

// What is not there is passed over at once, not waited for.
async function click(target) {
  const found = await target;
  if ((await found.count()) > 0) await found.click();
}

async function fill(target, text) {
  const found = await target;
  if ((await found.count()) > 0) await found.fill(text);
}

function cut(text, dice) {
  const from = dice.upTo(text.length / 2);
  return text.slice(from, from + dice.upTo(text.length));
}

// Mulberry32: numbers that look random, from a seed.
function diceOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    upTo: (limit) => Math.floor(next() * limit),
    chance: (share) => next() < share,
    one: (all) => all[Math.floor(next() * all.length)],
  };
}
