// What leaves the page by the reviewer's hand, and comes back: exports, links, saved reviews, profiles.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gitHub, pull } from './github.mjs';
import { ADDRESS, onPage } from './page.mjs';

const DISPATCH = sample('dispatch');
const CACHE = sample('cache');
const HEAD = 'b'.repeat(40);
const CLIPBOARD = { context: { permissions: ['clipboard-read', 'clipboard-write'] } };

onPage(
  'a first visit explains itself in one screen',
  async (page) => {
    for (const text of ['What to paste', 'What comes out', 'What leaves this browser']) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    const samples = await page.getByRole('group', { name: 'Samples' }).boundingBox();
    assert.ok(samples.y + samples.height <= 800, 'the samples are in view');
  },
  { context: { viewport: { width: 1280, height: 800 } } },
);

onPage('a written review grades as the reviewer says and asks three questions at most', async (page) => {
  await review(page, DISPATCH);
  const high = await exported(page, 'Markdown');
  assert.match(high, /#### High\n\n- `serving\//);
  assert.match(high, /\*\*Fails how:\*\* .+\n\s+\*\*Reached:\*\* /);
  assert.match(high, /#### Questions\n/);
  assert.match(high, /\*\*Changes the outcome:\*\* if /);
  assert.match(high, /\nTopic: Concurrency, resources, artifacts and caches\n$/);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitemradio', { name: 'Critical' }).click();
  await page.keyboard.press('Escape');
  assert.match(await exported(page, 'Markdown'), /#### Critical\n/);
  await page.reload();
  await review(page, DISPATCH);
  assert.match(await exported(page, 'Markdown'), /#### Critical\n/, 'the choice is kept');
});

onPage('comments stand at lines of the diff, and approve nothing', async (page) => {
  await review(page, DISPATCH);
  const { event, comments, body } = JSON.parse(await exported(page, 'Review comments'));
  assert.equal(event, 'COMMENT');
  const wait = comments.find(({ body }) => body.includes('unbounded-result'));
  assert.deepEqual([wait.path, wait.line, wait.side], ['serving/dispatch/dispatcher.py', 27, 'RIGHT']);
  assert.doesNotMatch(body, /LGTM|[Aa]pproved/);
});

onPage(
  'a finding is copied as the comment that belongs at its line',
  async (page) => {
    await review(page, DISPATCH);
    const finding = page.getByRole('article', { name: 'R4 unbounded-result, BLOCK, line 27' });
    await finding.getByRole('button', { name: 'Accept' }).click();
    await finding.getByRole('textbox', { name: 'How it is reached' }).fill('from every request');
    await finding.getByRole('button', { name: 'Copy as comment' }).click();
    await finding.getByText('Copied').waitFor();
    const comment = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(comment, /^\*\*High\*\* \(R4 `unbounded-result`\): /);
    assert.match(comment, /\*\*Reached:\*\* from every request\n/);
  },
  CLIPBOARD,
);

onPage('SARIF has NITs only where they are asked for', async (page) => {
  await review(page, DISPATCH);
  const log = JSON.parse(await exported(page, 'SARIF'));
  assert.equal(log.version, '2.1.0');
  await page.getByRole('button', { name: 'Export' }).click();
  const nits = page.getByRole('menuitemcheckbox', { name: 'NITs in SARIF too' });
  assert.equal(await nits.getAttribute('aria-checked'), 'false');
  await nits.click();
  assert.equal(await nits.getAttribute('aria-checked'), 'true');
});

onPage('a saved review opens again with its diff and the work done on it', async (page) => {
  await review(page, CACHE);
  const finding = page.getByRole('article').filter({ hasText: 'violation' }).first();
  const name = await finding.getAttribute('aria-label');
  await finding.getByRole('button', { name: 'Dismiss' }).click();
  await finding.getByRole('textbox', { name: 'Reason' }).fill('one worker only');
  await finding.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('article', { name: `${name}, excused` }).waitFor();
  const json = await exported(page, 'JSON');

  const fresh = await page.context().browser().newContext();
  const other = await fresh.newPage();
  await other.goto(ADDRESS);
  await choose(other, 'saved.json', json);
  await reviewed(other);
  await other.getByText('from a saved review').waitFor();
  assert.equal(await box(other).inputValue(), CACHE);
  await other.getByRole('article', { name: `${name}, excused` }).waitFor();
  await fresh.close();
});

onPage('a report without its diff is shown and says what is missing', async (page) => {
  await review(page, CACHE);
  const saved = JSON.parse(await exported(page, 'JSON'));
  delete saved.diff;
  await paste(page, JSON.stringify(saved, null, 2));
  await page.getByRole('alert').getByText('came without its diff').waitFor();
  const counted = saved.findings.filter(({ verdict }) => ['violation', 'look'].includes(verdict));
  assert.equal(await page.getByRole('article').count(), counted.length);
  assert.ok(await page.getByRole('button', { name: 'Share' }).isDisabled());
});

onPage('dismissals of a team are laid over the review on the page', async (page) => {
  await review(page, CACHE);
  const { findings } = JSON.parse(await exported(page, 'JSON'));
  const first = findings.find(({ verdict }) => verdict === 'violation');
  await choose(page, 'dismissals.json', JSON.stringify({ [first.id]: 'settled last week' }));
  await page.getByText('Dismissed by the reviewer: settled last week').waitFor();
  assert.equal(await box(page).inputValue(), CACHE);
});

onPage('a link that holds only hunks with findings is shorter and says so to whoever opens it', async (page) => {
  await review(page, DISPATCH);
  const dialog = await openShare(page);
  const whole = await link(dialog).inputValue();
  await dialog.getByRole('radio', { name: 'Only hunks with findings' }).click();
  await page.waitForFunction((whole) => location.href !== whole, whole);
  const cut = await link(dialog).inputValue();
  assert.ok(cut.length < whole.length, `${cut.length} < ${whole.length}`);
  assert.ok(await dialog.getByRole('radio', { name: 'A reference' }).isDisabled());
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.goto('about:blank');
  await page.goto(cut);
  await reviewed(page);
  await page.getByText('from a link that carries only the hunks with findings').waitFor();
});

onPage(
  'a change of GitHub is shared by reference, and its head is named',
  async (page) => {
    await reviewed(page);
    const dialog = await openShare(page);
    await dialog.getByRole('radio', { name: 'A reference to acme/serving#7 at bbbbbbb' }).click();
    await page.waitForURL(/#v1\.r\./);
    const short = await link(dialog).inputValue();
    assert.ok(short.length < 500, `${short.length} characters`);
    await dialog.getByRole('button', { name: 'Close' }).click();
    assert.match(await exported(page, 'Markdown'), new RegExp(`\nReviewed at HEAD: ${HEAD}\n$`));
    assert.equal(JSON.parse(await exported(page, 'Review comments')).commit_id, HEAD);
  },
  { at: '/#pr=acme/serving/7', github: onGitHub().answer },
);

onPage('a secret is told before there is a link', async (page) => {
  const token = `ghp_${'q7Zk2mVx9Lp4Rt8Wc3Yb6Nd1Hs5Jf0GgT2uE'}`;
  await review(page, `--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n x = 1\n+TOKEN = "${token}"\n`);
  const dialog = await openShare(page);
  await dialog.getByRole('alert').getByText('line 5 of the diff: a GitHub token').waitFor();
  assert.equal(await link(dialog).count(), 0);
  assert.equal(page.url(), `${ADDRESS}/`, 'nothing in the address either');
  await dialog.getByRole('button', { name: 'Make the link all the same' }).click();
  await link(dialog).waitFor();
  assert.match(page.url(), /#v1\.d\./);
});

onPage('a profile is chosen, named, kept, and given back', async (page) => {
  await review(page, DISPATCH);
  await summary(page).getByText('Profile: roboflow/inference.').waitFor();
  const dialog = await openProfile(page);
  const file = page.locator('#profile-file');
  await file.setInputFiles(json('wrong.json', { name: 'acme', lock: {} }));
  await dialog.getByRole('alert').getByText('unknown field `lock`').waitFor();
  await file.setInputFiles(json('acme.json', { name: 'acme', places: { cold_paths: ['serving/**'] } }));
  await dialog.getByText('Reviews use acme.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await summary(page).getByText('Profile: acme.').waitFor();
  assert.equal(await page.getByRole('article', { name: 'R4 unbounded-result, BLOCK, line 27', exact: true }).count(), 0);

  await page.goto(ADDRESS);
  await review(page, CACHE);
  await summary(page).getByText('Profile: acme.').waitFor();
  await openProfile(page);
  await dialog.getByRole('button', { name: 'Use the built-in one' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await summary(page).getByText('Profile: roboflow/inference.').waitFor();
});

onPage('a link names its profile where the reader has another', async (page) => {
  await openProfile(page);
  await page.locator('#profile-file').setInputFiles(json('acme.json', { name: 'acme' }));
  await page.getByText('Reviews use acme.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await review(page, CACHE);
  const made = await link(await openShare(page)).inputValue();

  const fresh = await page.context().browser().newContext();
  const other = await fresh.newPage();
  await other.goto(made);
  await other.getByRole('alert').getByText('made with the profile acme').waitFor();
  await fresh.close();
});

onPage('a rule card says what the rule rests on here, and links its files', async (page) => {
  await review(page, DISPATCH);
  await page.getByRole('button', { name: 'R4 unbounded-result' }).first().click();
  const card = page.getByRole('region', { name: 'Rule' });
  for (const title of ['What breaks', 'In this diff', 'When it is safe', 'Wrong', 'Right']) {
    await card.getByRole('heading', { name: title, exact: true }).waitFor();
  }
  await card.getByRole('button', { name: 'dispatcher.py line 27' }).click();
  await page.locator('article[aria-current=true]').getByText('unbounded-result').waitFor();
  const files = card.getByRole('link', { name: 'inference/core/workflows' });
  assert.match(await files.getAttribute('href'), /^https:\/\/github\.com\/roboflow\/inference\/blob\/main\/inference\//);
});

// One pull request that changes what the sample changes.
function onGitHub() {
  const at = 'repos/acme/serving/pulls/7';
  const document = pull({ repo: 'acme/serving', number: 7, files: 3, base: 'a'.repeat(40), head: HEAD });
  return gitHub({ json: { [at]: document }, diffs: { [at]: CACHE } });
}

function box(page) {
  return page.getByRole('textbox', { name: 'Diff', exact: true });
}

function summary(page) {
  return page.getByRole('status', { name: 'Summary' });
}

function link(dialog) {
  return dialog.getByRole('textbox', { name: 'Link' });
}

async function openShare(page) {
  await page.getByRole('button', { name: 'Share' }).click();
  return page.getByRole('dialog', { name: 'Share' });
}

async function openProfile(page) {
  await page.getByRole('button', { name: 'Profile' }).click();
  return page.getByRole('dialog', { name: 'Profile' });
}

async function review(page, text) {
  await paste(page, text);
  await reviewed(page);
}

async function reviewed(page) {
  await summary(page).getByText('checklist lines').waitFor();
}

// The browser's own paste event, since the clipboard itself is not to be had in every environment.
async function paste(page, text) {
  await box(page).evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    element.focus();
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

async function choose(page, name, text) {
  const file = { name, mimeType: 'application/json', buffer: Buffer.from(text) };
  await page.locator('.box input[type=file]').setInputFiles(file);
}

function json(name, document) {
  return { name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(document)) };
}

async function exported(page, format) {
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format, exact: true }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}

function sample(name) {
  return readFileSync(new URL(`../../static/samples/${name}.diff`, import.meta.url), 'utf8');
}
