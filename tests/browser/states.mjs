// Brings the page into each of its states, for tests that hold in all of them and for pictures.

import { gitHub } from './github.mjs';
import { box, paste, sample, summary } from './reviewing.mjs';

export const DISPATCH = sample('dispatch');
const CACHE = sample('cache');

/** Knows nothing, so that every address is refused as if it did not exist. */
const standIn = gitHub();

/** Python that ends in the middle of a statement: it is told under Not read. */
const CUT = `${CACHE}diff --git a/serving/torn.py b/serving/torn.py
--- a/serving/torn.py
+++ b/serving/torn.py
@@ -1,9 +1,9 @@
 import threading
-lock = None
+lock = threading.Lock()
`;

const HOLDS_A_KEY = `${CACHE}diff --git a/deploy.txt b/deploy.txt
--- a/deploy.txt
+++ b/deploy.txt
@@ -1 +1,2 @@
 region = a
+-----BEGIN RSA ${'PRIVATE'} KEY-----
`;

/**
 * Every state by its name; `open` leads a fresh page there.
 *
 * @type {{ name: string, open: (page: import('playwright-core').Page) => Promise<void>, github?: Function,
 *   complains?: boolean }[]} `github` stands in for it; `complains` where the console has to show an error
 */
export const STATES = [
  { name: 'the first visit', open: (page) => box(page).waitFor() },
  { name: 'a text that is no diff', open: (page) => box(page).fill('Dear colleague, see the attachment.') },
  { name: 'a review under way', open: underWay },
  { name: 'a result', open: reviewed },
  { name: 'an open rule card', open: ruleCard },
  { name: 'the split view', open: splitView },
  { name: 'answers and a dismissal', open: work },
  { name: 'a filter', open: (page) => filtered(page, 'is:block r4') },
  { name: 'a filter that leaves nothing', open: (page) => filtered(page, 'no such words') },
  { name: 'Help', open: help },
  { name: 'Share', open: (page) => share(page, DISPATCH) },
  { name: 'Share of what holds a key', open: (page) => share(page, HOLDS_A_KEY) },
  { name: 'the export menu', open: exportMenu },
  { name: 'the profile', open: profile },
  { name: 'an address that GitHub refuses', open: refused, github: standIn.answer, complains: true },
  { name: 'recent reviews', open: recent },
  { name: 'a shared link with work in it', open: sharedLink },
  { name: 'nothing found', open: nothingFound },
  { name: 'Python that was not read', open: (page) => reviewed(page, CUT, 'Not read') },
  { name: 'an analysis that broke down', open: brokenDown, complains: true },
];

/** Reviews a diff, to its end. Keys are the page's from then on. */
export async function reviewed(page, diff = DISPATCH, region = 'Checklist') {
  await paste(page, diff);
  await done(page);
  await page.getByRole('region', { name: region }).waitFor();
  await box(page).blur();
}

/** Once the review on the page is concluded. */
export async function done(page) {
  await summary(page).getByText('checklist lines').waitFor({ timeout: 60_000 });
}

/** Opens the card of the first finding's rule. */
export async function ruleCard(page) {
  await reviewed(page);
  await page.getByRole('button', { name: 'R4 unbounded-result' }).first().click();
  await page.getByRole('region', { name: 'Rule' }).waitFor();
}

export async function splitView(page) {
  await reviewed(page);
  await page.getByRole('button', { name: 'Split' }).click();
  await page.locator('.pair').first().waitFor();
}

/** One answered line, one accepted finding, and one dismissed with a reason. */
export async function work(page) {
  await reviewed(page);
  const lines = page.getByRole('region', { name: 'Checklist' }).getByRole('listitem');
  const line = lines.filter({ has: page.locator('.rule-id', { hasText: /^R1$/ }) });
  await line.getByRole('radio', { name: 'Checked' }).click();
  await line.getByRole('textbox', { name: 'Note' }).fill('One writer only.');
  const findings = page.getByRole('article', { name: /^R4 .*BLOCK/ });
  await findings.last().getByRole('button', { name: 'Accept' }).click();
  const finding = findings.first();
  await finding.getByRole('button', { name: 'Dismiss' }).click();
  await finding.getByRole('textbox', { name: 'Reason' }).fill('bounded by the caller');
  await finding.getByRole('button', { name: 'Dismiss' }).click();
  await finding.getByRole('button', { name: 'Reopen' }).waitFor();
}

/** The Share dialog, with its link packed. */
export async function share(page, diff = DISPATCH) {
  await reviewed(page, diff);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await dialog.getByText(/fits|holds/).first().waitFor();
}

async function underWay(page) {
  await page.route('**/core_bg.wasm', () => {});
  await box(page).fill(DISPATCH);
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
}

async function filtered(page, words) {
  await reviewed(page);
  await page.getByRole('searchbox', { name: 'Filter' }).fill(words);
  await page.getByRole('status', { name: 'Filtered' }).getByText(/of \d+ finding/).waitFor();
}

async function help(page) {
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('dialog', { name: 'Help' }).waitFor();
}

async function exportMenu(page) {
  await reviewed(page);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menu').waitFor();
}

async function profile(page) {
  await page.getByRole('button', { name: /^Profile/ }).click();
  await page.getByRole('dialog', { name: 'Profile' }).waitFor();
}

async function refused(page) {
  await page.getByRole('textbox', { name: 'Pull request address' }).fill('acme/none#7');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('alert').waitFor();
}

async function recent(page) {
  await work(page);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('region', { name: 'Recent reviews' }).getByRole('listitem').waitFor();
}

async function sharedLink(page) {
  await work(page);
  await page.getByRole('button', { name: 'Share' }).click();
  const link = page.getByRole('dialog', { name: 'Share' }).getByRole('textbox', { name: 'Link' });
  const { hash } = new URL(await link.inputValue());
  await page.getByRole('dialog', { name: 'Share' }).getByRole('button', { name: 'Close' }).click();
  const note = page.getByRole('textbox', { name: 'Note' }).first();
  await note.fill('Mine.');
  await note.blur();
  await page.evaluate((hash) => (location.hash = hash), hash);
  await page.getByRole('region', { name: 'Whose work?' }).waitFor();
}

async function nothingFound(page) {
  await page.getByRole('group', { name: 'Samples' }).getByRole('button', { name: 'Label colours' }).click();
  await page.getByText('Nothing to report.').waitFor();
}

async function brokenDown(page) {
  await page.route('**/core_bg.wasm', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await box(page).fill(DISPATCH);
  await page.getByRole('alert').getByText('Your text is still here').waitFor();
}
