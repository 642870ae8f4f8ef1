// A review by keyboard: steps, answers, reasons, the filter, and where the keys are told.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { onPage } from './page.mjs';

const DISPATCH = readFileSync(new URL('../../static/samples/dispatch.diff', import.meta.url), 'utf8');

onPage('n and p go from file to file, round and round', async (page) => {
  await review(page);
  const paths = await page.getByRole('navigation', { name: 'Files' }).getByRole('button').evaluateAll((all) => all.map((one) => one.title));
  await page.keyboard.press('n');
  await here(page, paths[0]);
  await page.keyboard.press('n');
  await here(page, paths[1]);
  await page.keyboard.press('p');
  await page.keyboard.press('p');
  await here(page, paths.at(-1));
});

onPage('x answers the line of the selected finding, and nothing without one', async (page) => {
  await review(page);
  await page.keyboard.press('x');
  const progress = page.getByRole('status', { name: 'Progress' });
  await progress.getByText('0 of 10 done').waitFor();
  await page.keyboard.press('j');
  const rule = (await selected(page).getAttribute('aria-label')).split(' ')[0];
  const line = page.getByRole('region', { name: 'Checklist' }).getByRole('listitem').filter({ hasText: `${rule} ` });
  for (const answer of ['Checked', 'Not applicable', 'Problem raised', 'Open']) {
    await page.keyboard.press('x');
    await until(() => line.getByRole('radio', { name: answer }).isChecked());
  }
});

onPage('r asks for the reason at the selected finding, and keys are letters there', async (page) => {
  await review(page);
  await page.keyboard.press('j');
  const name = await selected(page).getAttribute('aria-label');
  // Out of sight, where the card is not even drawn.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.keyboard.press('r');
  const reason = page.getByRole('article', { name, exact: true }).getByRole('textbox', { name: 'Reason' });
  await until(() => reason.evaluate((field) => field === document.activeElement));
  await page.keyboard.type('jump, never');
  assert.equal(await reason.inputValue(), 'jump, never');
  await page.keyboard.press('Enter');
  await page.getByRole('article', { name: `${name}, excused` }).getByText('jump, never').waitFor();
});

onPage('the filter narrows what is listed and stepped through, until Escape', async (page) => {
  await review(page);
  await page.keyboard.press('/');
  const field = page.getByRole('searchbox', { name: 'Filter' });
  await until(() => field.evaluate((field) => field === document.activeElement));
  const places = page.getByRole('group', { name: /^Findings of/ }).getByRole('button');
  const all = await places.count();
  await page.keyboard.type('is:block r4');
  const left = page.getByRole('status', { name: 'Filtered' });
  await left.getByText(/^2 of 7 findings$/).waitFor();
  assert.ok((await places.count()) < all);
  await page.keyboard.press('Enter');
  for (let step = 0; step < 3; step += 1) {
    assert.match(await selected(page).getAttribute('aria-label'), /^R4 .*BLOCK/);
    await page.keyboard.press('j');
  }
  await page.keyboard.press('/');
  await page.keyboard.type('no such words');
  await left.getByText('None matches').waitFor();
  assert.equal(await places.count(), 0);
  await page.keyboard.press('Escape');
  await until(async () => (await places.count()) === all);
  assert.equal(await field.inputValue(), '');
});

onPage('a decision takes a finding out of what is open', async (page) => {
  await review(page);
  await page.keyboard.press('j');
  await selected(page).getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('searchbox', { name: 'Filter' }).fill('is:open');
  await page.getByRole('status', { name: 'Filtered' }).getByText(/^(\d+) of (\d+) findings$/).waitFor();
  const [open, all] = (await page.getByRole('status', { name: 'Filtered' }).innerText()).match(/\d+/g).map(Number);
  assert.equal(open, all - 1);
});

onPage('Help lists the keys, by key and by button, and while it is open they rest', async (page) => {
  await review(page);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Help' });
  for (const key of ['j', 'k', 'n', 'p', 'x', 'r', '/', '?']) await help.getByText(key, { exact: true }).waitFor();
  await page.keyboard.press('j');
  assert.equal(await selected(page).count(), 0);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Help' }).click();
  await help.getByRole('button', { name: 'Close' }).click();
  await help.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+j');
  assert.equal(await selected(page).count(), 0);
});

async function review(page) {
  await page.getByRole('textbox', { name: 'Diff', exact: true }).fill(DISPATCH);
  await page.getByRole('status', { name: 'Summary' }).getByText('checklist lines').waitFor();
  await page.locator('h1').click();
}

function selected(page) {
  return page.locator('article[aria-current=true]');
}

// The file that was brought into view has the focus.
async function here(page, path) {
  await until(() => page.evaluate((path) => document.activeElement.closest('section')?.getAttribute('aria-label') === path, path));
}

async function until(holds) {
  for (let turn = 0; turn < 100; turn += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`never: ${holds}`);
}
