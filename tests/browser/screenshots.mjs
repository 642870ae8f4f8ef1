// Draws the page's main states into the folder that is the argument: `node screenshots.mjs FOLDER`.
// `cargo xtask screenshots` calls it.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { box, paste } from './reviewing.mjs';
import { DISPATCH, done, reviewed, ruleCard, share, splitView } from './states.mjs';

const FOLDER = process.argv[2];
const WIDE = { width: 1360, height: 800 };
const NARROW = { width: 390, height: 780 };

const PICTURES = [
  { file: 'first-visit', open: (page) => box(page).waitFor() },
  { file: 'result', open: result },
  { file: 'rule-card', open: ruleCard },
  { file: 'split-view', open: split },
  { file: 'share', open: (page) => share(page) },
  { file: 'narrow', open: narrow, viewport: NARROW },
  { file: 'dark', open: result, colorScheme: 'dark' },
];

const browser = await chromium.launch({ executablePath: process.env.HUNKWISE_CHROME, args: ['--no-sandbox', '--disable-gpu'] });
mkdirSync(FOLDER, { recursive: true });
for (const { file, open, viewport = WIDE, colorScheme = 'light' } of PICTURES) {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(process.env.HUNKWISE_ADDRESS);
  await open(page);
  // Nothing is to look as if it was pointed at.
  await page.mouse.move(-10, -10);
  await page.screenshot({ path: join(FOLDER, `${file}.png`), caret: 'hide' });
  await context.close();
}
await browser.close();

// A finding of the reviewed diff is selected, with its line in view.
async function result(page) {
  await reviewed(page);
  await page.keyboard.press('j');
  await page.locator('article[aria-current=true]').waitFor();
}

async function split(page) {
  await splitView(page);
  await page.keyboard.press('n');
  await page.locator('.is-here').waitFor();
}

async function narrow(page) {
  await paste(page, DISPATCH);
  await done(page);
  await page.getByRole('tab', { name: 'Changes' }).click();
  await page.keyboard.press('j');
  await page.locator('article[aria-current=true]').waitFor();
}
