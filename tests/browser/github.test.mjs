// Opening pull requests and commits: what GitHub is asked, what comes of each answer, and what is never lost or sent.

import assert from 'node:assert/strict';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { gitHub, left, pages, pull, refuse } from './github.mjs';
import { ADDRESS, onPage } from './page.mjs';

const REPO = 'acme/serving';
const BASE = 'aaaaaaa000000000000000000000000000000000';
const HEAD = 'bbbbbbb111111111111111111111111111111111';
const PULL = `repos/${REPO}/pulls/7`;
const WEB = `https://github.com/${REPO}/pull/7`;
const LOOK = 'R3 executor-never-shut-down, FLAG, line 11';
const SETTLED = 'R3 executor-without-gc-fallback, FLAG, line 11';

// The diff leaves open whether anybody shuts the executor down; the whole file says who does.
const FILE = `"""Runs models side by side."""

import threading
from concurrent.futures import ThreadPoolExecutor


class ModelPool:
    def __init__(self, workers: int) -> None:
        self._models = {}
        self._lock = threading.Lock()
        self._executor = ThreadPoolExecutor(max_workers=workers)

    def submit(self, model, image):
        return self._executor.submit(model.infer, image)

    def close(self) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)
`;
const PATCH = `@@ -8,6 +8,7 @@ class ModelPool:
     def __init__(self, workers: int) -> None:
         self._models = {}
         self._lock = threading.Lock()
+        self._executor = ThreadPoolExecutor(max_workers=workers)
 
     def submit(self, model, image):
-        return model.infer(image)
+        return self._executor.submit(model.infer, image)`;
const DIFF = `diff --git a/serving/pool.py b/serving/pool.py
index 1111111..2222222 100644
--- a/serving/pool.py
+++ b/serving/pool.py
${PATCH}
`;

// What the stand-in knows unless a test says otherwise.
const KNOWN = {
  json: { [PULL]: pull({ repo: REPO, number: 7, base: BASE, head: HEAD, fork: 'mona/serving' }) },
  diffs: { [PULL]: DIFF },
  files: { [`mona/serving/${HEAD}/serving/pool.py`]: FILE },
};

// A test whose stand-in knows this beside, and may answer in its own way.
function onGitHub(name, body, { known = {}, before, ...options } = {}) {
  const standIn = gitHub({ ...KNOWN, ...known, before });
  onPage(name, (page, watch) => body(page, standIn.asked, watch), { ...options, github: standIn.answer });
}

// A test in which GitHub refuses; the browser logs each refused request, which no page can keep it from.
function onRefusal(name, before, body, options = {}) {
  const refusing = async (page, asked, watch) => {
    await body(page, asked);
    watch.errors.length = 0;
  };
  onGitHub(name, refusing, { ...options, before });
}

onGitHub('a pull request is opened by its address, and whole files settle what its diff leaves open', async (page, asked) => {
  await open(page, WEB);
  await page.getByRole('article', { name: SETTLED }).waitFor();
  const origin = page.getByRole('region', { name: 'Fetched from GitHub' });
  assert.match(await origin.innerText(), /^acme\/serving#7 Dispatch in the background at bbbbbbb, against aaaaaaa/);
  await origin.getByText('1 whole file of the head read: 1 of 1 to look at settled.').waitFor();
  assert.equal(await page.getByRole('article', { name: LOOK }).count(), 0);
  assert.equal(await box(page).inputValue(), DIFF);
  assert.deepEqual(
    asked.map(({ host, path }) => `${host}/${path}`),
    [
      `api.github.com/${PULL}`,
      `api.github.com/${PULL}`,
      `raw.githubusercontent.com/mona/serving/${HEAD}/serving/pool.py`,
    ],
  );
  assert.ok(asked.every(({ authorization }) => authorization === undefined));
});

onGitHub('lines outside of the hunks are shown from the whole file, with the numbers of both sides', async (page) => {
  await open(page, WEB);
  const file = page.getByRole('region', { name: 'serving/pool.py' });
  await file.getByText('3 lines hidden').waitFor();
  await file.getByRole('button', { name: 'Show all' }).last().click();
  const last = file.locator('.row').filter({ hasText: 'self._executor.shutdown(wait=True' });
  await last.waitFor();
  assert.deepEqual(await last.evaluate((row) => ({ ...row.dataset })), { old: '16', new: '17' });
  await file.getByText('7 lines hidden').waitFor();
  await file.getByRole('button', { name: 'Show all' }).click();
  await file.locator('.row[data-old="1"][data-new="1"]').getByText('Runs models side by side').waitFor();
  assert.equal(await file.locator('.hunk-header').count(), 0);
});

onGitHub('nothing is asked of anybody before the user opens an address', async (page, asked) => {
  await field(page).fill(WEB);
  await paste(page, DIFF);
  await page.getByRole('article', { name: LOOK }).waitFor();
  assert.deepEqual(asked, []);
});

onGitHub('an address pasted into the box is opened, and does not replace the text by itself', async (page) => {
  await paste(page, `  ${WEB}/files \n`);
  await page.getByRole('article', { name: SETTLED }).waitFor();
  assert.equal(await field(page).inputValue(), `${WEB}/files`);
});

onGitHub('an address dropped onto the page is opened', async (page) => {
  await field(page).waitFor();
  await page.locator('.page').evaluate((element, address) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('text/plain', address);
    element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, WEB);
  await page.getByRole('article', { name: SETTLED }).waitFor();
});

onGitHub(
  'a commit is opened, too',
  async (page) => {
    await open(page, `https://github.com/${REPO}/commit/${HEAD}`);
    await page.getByRole('article', { name: SETTLED }).waitFor();
    await page.getByText('acme/serving@bbbbbbb').first().waitFor();
    await page.getByText('Dispatch in threads').waitFor();
  },
  {
    known: {
      json: {
        [`repos/${REPO}/commits/${HEAD}`]: {
          sha: HEAD,
          commit: { message: 'Dispatch in threads\n\nThey wait for each other.' },
          parents: [{ sha: BASE }],
          files: [],
        },
      },
      diffs: { [`repos/${REPO}/commits/${HEAD}`]: DIFF },
      files: { [`${REPO}/${HEAD}/serving/pool.py`]: FILE },
    },
  },
);

onGitHub(
  'a link that names a pull request fetches it and stays in the address bar',
  async (page) => {
    await page.getByRole('article', { name: SETTLED }).waitFor();
    assert.equal(page.url(), `${ADDRESS}/#pr=${REPO}/7`);
    await paste(page, DIFF);
    await page.getByRole('article', { name: LOOK }).waitFor();
    assert.equal(page.url(), `${ADDRESS}/`);
  },
  { at: `/#pr=${REPO}/7` },
);

onGitHub(
  'a pull request without lines says so',
  async (page) => {
    await open(page, WEB);
    await trouble(page).getByText('no changed lines').waitFor();
  },
  { known: { diffs: { [PULL]: '' } } },
);

// Too large for one diff

const many = Array.from({ length: 250 }, (_, at) => ({
  filename: `notes/day_${at}.txt`,
  status: 'added',
  additions: 1,
  deletions: 0,
  changes: 1,
  patch: '@@ -0,0 +1 @@\n+done',
}));
many[120] = { filename: 'serving/pool.py', status: 'modified', additions: 2, deletions: 1, changes: 3, patch: PATCH };
many[130] = { filename: 'serving/tables.py', status: 'modified', additions: 9000, deletions: 8000, changes: 17000 };

onRefusal(
  'a change that is too large for one diff is fetched file by file, and what came without lines is not called read',
  undefined,
  async (page, asked) => {
    await open(page, WEB);
    await page.getByRole('button', { name: 'Next finding' }).click();
    await page.getByText('1 whole file of the head read').waitFor();
    await page.getByRole('button', { name: 'Next finding' }).click();
    await page.getByRole('article', { name: SETTLED }).waitFor();
    assert.match(await summary(page).innerText(), /249 files/);
    const unread = page.getByRole('region', { name: 'Not read' });
    await unread.getByText('serving/tables.py').waitFor();
    await page.getByText('GitHub gave 1 file without the changed lines, as too large or not text: tables.py.').waitFor();
    assert.equal(await page.getByRole('listitem').filter({ hasText: /\bclear\b/ }).count(), 0);
    const lists = asked.filter(({ path }) => path.startsWith(`${PULL}/files`));
    assert.deepEqual(lists.map(({ path }) => path.split('&').at(-1)), ['page=1', 'page=2', 'page=3']);
  },
  {
    known: {
      json: {
        [PULL]: pull({ repo: REPO, number: 7, base: BASE, head: HEAD, fork: 'mona/serving', files: 250 }),
        ...pages(`${PULL}/files`, many),
      },
      diffs: {},
    },
  },
);

onGitHub(
  'files beyond those that GitHub lists are told as not read',
  async (page, asked) => {
    await open(page, WEB);
    const unread = page.getByRole('region', { name: 'Not read' });
    await unread.getByText('GitHub lists only 3,000 of the 3,412 files of this change; 412 files were not read.').waitFor();
    assert.ok(!asked.some(({ accept }) => accept.includes('diff')), 'no diff is asked for in vain');
  },
  {
    known: {
      json: {
        [PULL]: pull({ repo: REPO, number: 7, base: BASE, head: HEAD, files: 3412 }),
        ...pages(
          `${PULL}/files`,
          Array.from({ length: 3000 }, (_, at) => ({ ...many[0], filename: `notes/${at}.txt` })),
        ),
      },
      diffs: {},
    },
  },
);

onRefusal(
  'a new file whose lines are not listed is read from the head',
  undefined,
  async (page) => {
    await open(page, WEB);
    await page.getByRole('region', { name: 'serving/pool.py' }).getByText('self._executor.shutdown(wait=True').waitFor();
    await summary(page).getByText('checklist lines').waitFor();
    assert.match(await summary(page).innerText(), /1 file, 1 hunk, \+17 −0/);
    assert.equal(await page.getByRole('region', { name: 'Not read' }).count(), 0);
  },
  {
    known: {
      json: {
        [PULL]: pull({ repo: REPO, number: 7, base: BASE, head: HEAD, fork: 'mona/serving' }),
        ...pages(`${PULL}/files`, [{ filename: 'serving/pool.py', status: 'added', additions: 17, deletions: 0, changes: 17 }]),
      },
      diffs: {},
    },
  },
);

// Refusals

onRefusal(
  'a pull request that is not there may be private: the text stays, and the plain diff is a way on',
  (one, route) => refuse(route, 404, 'Not Found').then(() => true),
  async (page) => {
    await paste(page, DIFF);
    await page.getByRole('article', { name: LOOK }).waitFor();
    await open(page, WEB);
    await trouble(page).getByText('the address is mistyped, or the repository is private').waitFor();
    const link = trouble(page).getByRole('link', { name: 'The plain diff on GitHub' });
    assert.equal(await link.getAttribute('href'), `${WEB}.diff`);
    assert.equal(await box(page).inputValue(), DIFF);
    assert.equal(await field(page).inputValue(), WEB);
    await page.getByRole('article', { name: LOOK }).waitFor();
    await trouble(page).getByRole('button', { name: 'Close' }).click();
    await trouble(page).waitFor({ state: 'detached' });
  },
);

onRefusal(
  'a used-up limit tells when it ends; a token given there goes to the API alone and is kept nowhere',
  async (one, route) => {
    if (one.authorization) return false;
    await refuse(route, 403, 'API rate limit exceeded for 203.0.113.9.', left(0, new Date(Date.now() + 12 * 60_000 - 5_000)));
    return true;
  },
  async (page, asked) => {
    await open(page, WEB);
    await trouble(page).getByText(/It answers again at \d{1,2}:\d{2}.*, in 12 minutes\. Until then, give a token or paste/).waitFor();
    await trouble(page).getByLabel('GitHub token').fill('ghp_secret');
    await trouble(page).getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('article', { name: SETTLED }).waitFor();
    const last = asked.at(-1);
    assert.equal(last.path, `repos/mona/serving/contents/serving/pool.py?ref=${HEAD}`);
    assert.equal(last.authorization, 'Bearer ghp_secret');
    assert.ok(asked.every(({ host, authorization }) => host === 'api.github.com' || !authorization));

    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('textbox', { name: 'Link' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    const kept = await page.evaluate(everythingKept);
    assert.match(kept, /acme\/serving#7/, 'the review is kept, so this looks at the right places');
    assert.doesNotMatch(kept, /ghp_secret/);
    await page.reload();
    await page.getByText('Private repository, bookmark').click();
    assert.equal(await page.getByLabel('GitHub token').inputValue(), '');
  },
);

onRefusal(
  'a secondary limit tells how long to wait',
  (one, route) => refuse(route, 429, 'You have exceeded a secondary rate limit.', { 'retry-after': '60' }).then(() => true),
  async (page) => {
    await open(page, WEB);
    await trouble(page).getByText('in a minute').waitFor();
  },
);

onRefusal(
  'a wrong token is told as such, and asking without it works',
  async (one, route) => {
    if (!one.authorization) return false;
    await refuse(route, 401, 'Bad credentials');
    return true;
  },
  async (page) => {
    await page.getByText('Private repository, bookmark').click();
    await page.getByLabel('GitHub token').fill('ghp_old');
    await open(page, WEB);
    await trouble(page).getByText('GitHub does not accept the token').waitFor();
    await trouble(page).getByLabel('GitHub token').fill('');
    await trouble(page).getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('article', { name: SETTLED }).waitFor();
  },
);

onRefusal(
  'what GitHub forbids is told in its words',
  (one, route) => refuse(route, 403, 'Resource protected by organization SAML enforcement.').then(() => true),
  async (page) => {
    await open(page, WEB);
    await trouble(page).getByText('\u201cResource protected by organization SAML enforcement\u201d').waitFor();
  },
);

let isDown = true;
onRefusal(
  'trouble on GitHub\u2019s side is told, and a retry works once it is over',
  async (one, route) => {
    if (isDown) await refuse(route, 502, 'Server Error');
    return isDown;
  },
  async (page) => {
    await open(page, WEB);
    await trouble(page).getByText('GitHub has trouble of its own (status 502)').waitFor();
    isDown = false;
    await trouble(page).getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('article', { name: SETTLED }).waitFor();
  },
);

onRefusal(
  'no answer at all is told',
  (one, route) => route.abort('connectionrefused').then(() => true),
  async (page) => {
    await open(page, WEB);
    await trouble(page).getByText('No answer came from GitHub').waitFor();
  },
);

onRefusal(
  'an answer that the browser keeps from the page is told like none',
  (one, route) => route.fulfill({ status: 200, headers: { 'access-control-allow-origin': 'https://example.org' }, body: '{}' }).then(() => true),
  async (page) => {
    await open(page, WEB);
    await trouble(page).getByText('a proxy, a firewall or an extension').waitFor();
  },
);

onRefusal(
  'a page of somebody else in between is not taken for a change',
  (one, route) =>
    route.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' }, body: '<html>Log in to this network</html>' }).then(() => true),
  async (page) => {
    await open(page, WEB);
    await trouble(page).getByText('not what its API describes').waitFor();
  },
);

let isOffline = true;
onRefusal(
  'without a network the page says so, and a retry works once there is one',
  // A stand-in is asked even where the browser has no network, so it has none either.
  async (one, route) => {
    if (isOffline) await route.abort('internetdisconnected');
    return isOffline;
  },
  async (page) => {
    await field(page).waitFor();
    await page.context().setOffline(true);
    await open(page, WEB);
    await trouble(page).getByText('This browser is offline').waitFor();
    await page.context().setOffline(false);
    isOffline = false;
    await trouble(page).getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('article', { name: SETTLED }).waitFor();
  },
);

onRefusal('a diff that breaks off in its middle is not reviewed', undefined, async (page) => {
  await page.evaluate(cutDiffs);
  await open(page, WEB);
  await trouble(page).getByText('The connection broke off').waitFor();
  assert.equal(await box(page).inputValue(), '');
});

onGitHub('an address that names no change says what it is instead', async (page, asked) => {
  for (const [address, sentence] of [
    ['the one from yesterday', 'This is not an address of GitHub'],
    ['https://gitlab.com/acme/serving/-/merge_requests/7', 'gitlab.com is another host'],
    [`https://github.com/${REPO}`, 'names no change'],
    [`https://github.com/${REPO}/issues/3`, 'the address of an issue'],
    ['', 'Type the address'],
  ]) {
    await open(page, address);
    await trouble(page).getByText(sentence).waitFor();
    assert.equal(await field(page).inputValue(), address);
  }
  assert.deepEqual(asked, []);
});

// Under way

let release;
const held = new Promise((resolve) => (release = resolve));
onGitHub(
  'a fetch is cancelled and begun again',
  async (page) => {
    await open(page, WEB);
    await page.getByRole('status', { name: 'GitHub' }).getByText('Asking GitHub for acme/serving#7').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await trouble(page).getByText('Cancelled. Nothing was fetched.').waitFor();
    release();
    await trouble(page).getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('article', { name: SETTLED }).waitFor();
  },
  { before: (one, route) => held.then(() => false) },
);

onGitHub(
  'what is pasted while GitHub is asked is what counts',
  async (page) => {
    await open(page, WEB);
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await paste(page, DIFF.replaceAll('pool.py', 'mine.py'));
    await page.getByRole('region', { name: 'serving/mine.py' }).waitFor();
    assert.equal(await page.getByRole('status', { name: 'GitHub' }).count(), 0);
  },
  { before: () => new Promise(() => {}) },
);

onGitHub('the text before a fetched one comes back', async (page) => {
  const mine = DIFF.replaceAll('pool.py', 'mine.py');
  await box(page).fill(mine);
  await page.getByRole('region', { name: 'serving/mine.py' }).waitFor();
  await open(page, WEB);
  await page.getByRole('article', { name: SETTLED }).waitFor();
  await page.getByRole('button', { name: 'Back to the text before' }).click();
  await page.getByRole('region', { name: 'serving/mine.py' }).waitFor();
  assert.equal(await box(page).inputValue(), mine);
});

// Whole files

onRefusal(
  'a whole file that cannot be had leaves the diff alone, and says so',
  undefined,
  async (page) => {
    await open(page, WEB);
    await page.getByText('Not read whole, so the diff alone counts there: pool.py (not there, or not public).').waitFor();
    await page.getByRole('article', { name: LOOK }).waitFor();
  },
  { known: { files: {} } },
);

onGitHub(
  'a whole file that is too long to be reviewed takes nothing away',
  async (page) => {
    await open(page, WEB);
    await page.getByText('pool.py (longer than 2 MB)').waitFor();
    await page.getByRole('article', { name: LOOK }).waitFor();
  },
  { known: { files: { [`mona/serving/${HEAD}/serving/pool.py`]: `${FILE}# more\n${'# long\n'.repeat(400_000)}` } } },
);

const OTHER = DIFF.replaceAll('serving/pool.py', 'serving/names.py').replace('ThreadPoolExecutor(max_workers=workers)', 'workers');
onGitHub(
  'files without anything to look at are read whole by wish',
  async (page, asked) => {
    await open(page, WEB);
    await page.getByRole('article', { name: SETTLED }).waitFor();
    assert.equal(asked.filter(({ host }) => host.startsWith('raw')).length, 1);
    await page.getByRole('button', { name: 'Read the other 1 file whole' }).click();
    await page.getByText('2 whole files of the head read').waitFor();
  },
  {
    known: {
      diffs: { [PULL]: DIFF + OTHER },
      files: {
        [`mona/serving/${HEAD}/serving/pool.py`]: FILE,
        [`mona/serving/${HEAD}/serving/names.py`]: FILE.replace('ThreadPoolExecutor(max_workers=workers)', 'workers'),
      },
    },
  },
);

const NEXT = 'ccccccc222222222222222222222222222222222';
let head = HEAD;
onGitHub(
  'a newer version is fetched by wish, and the same one changes nothing',
  async (page) => {
    await open(page, WEB);
    await page.getByRole('article', { name: SETTLED }).waitFor();
    await page.getByRole('button', { name: 'Ask for a newer version' }).click();
    await trouble(page).getByText('Nothing new: acme/serving#7 is still at bbbbbbb.').waitFor();
    head = NEXT;
    await page.getByRole('button', { name: 'Ask for a newer version' }).click();
    await page.getByText('at ccccccc, against aaaaaaa').waitFor();
    await page.getByRole('article', { name: LOOK }).waitFor();
  },
  {
    before: (one, route) => {
      if (one.path !== PULL || one.accept.includes('diff')) return false;
      const body = JSON.stringify(pull({ repo: REPO, number: 7, base: BASE, head, fork: 'mona/serving' }));
      return route.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' }, body }).then(() => true);
    },
    known: {
      files: {
        [`mona/serving/${HEAD}/serving/pool.py`]: FILE,
        // By then nothing shuts it down.
        [`mona/serving/${NEXT}/serving/pool.py`]: 'another file\n',
      },
    },
  },
);

onGitHub('a selected finding stays where it is while whole files come', async (page) => {
  await open(page, WEB);
  await page.getByRole('article', { name: SETTLED }).waitFor();
  await page.getByRole('button', { name: 'Next finding' }).click();
  await page.locator('article[aria-current=true]').waitFor();
});

// Files from the reader's own disk

onPage('several patches are reviewed together, in the order of their names', async (page) => {
  const patch = (name) => ({ name, mimeType: 'text/x-patch', buffer: Buffer.from(DIFF.replaceAll('pool.py', `${name}.py`)) });
  await page.locator('input[type=file]').setInputFiles([patch('0002-b.patch'), patch('0001-a.patch')]);
  await page.getByText('from 0001-a.patch and 0002-b.patch').waitFor();
  await page.getByRole('region', { name: 'serving/0001-a.patch.py' }).waitFor();
  const text = await box(page).inputValue();
  assert.ok(text.indexOf('0001-a') < text.indexOf('0002-b'));
});

onPage('a packed patch is refused with what to do, and the text stays', async (page) => {
  await paste(page, DIFF);
  const buffer = gzipSync(DIFF);
  await page.locator('input[type=file]').setInputFiles([{ name: 'all.patch.gz', mimeType: 'application/gzip', buffer }]);
  await trouble(page).getByText('all.patch.gz is packed (gzip). Unpack it first').waitFor();
  assert.equal(await box(page).inputValue(), DIFF);
});

// Links

const COMPARE = `repos/${REPO}/compare/${BASE}...${HEAD}`;
onGitHub(
  'a link that only refers to a pull request offers to fetch it',
  async (page, asked) => {
    await trouble(page).getByText('This link names the changes of acme/serving#7, from aaaaaaa to bbbbbbb').waitFor();
    assert.deepEqual(asked, []);
    await trouble(page).getByRole('button', { name: 'Fetch from GitHub' }).click();
    await page.getByRole('article', { name: SETTLED }).waitFor();
    await page.getByText('acme/serving#7 aaaaaaa...bbbbbbb').first().waitFor();
    await page.getByRole('button', { name: 'Ask for a newer version' }).click();
    await trouble(page).getByText('Nothing new: acme/serving#7 is still at bbbbbbb.').waitFor();
  },
  {
    at: `/#${referenceLink()}`,
    known: {
      json: { ...KNOWN.json, [COMPARE]: { merge_base_commit: { sha: BASE }, commits: [{ sha: HEAD }], files: [] } },
      diffs: { ...KNOWN.diffs, [COMPARE]: DIFF },
      files: { [`${REPO}/${HEAD}/serving/pool.py`]: FILE },
    },
  },
);

onPage('the bookmark opens the page on the pull request that is looked at', async (page) => {
  await page.getByText('Private repository, bookmark').click();
  const bookmark = page.getByRole('link', { name: 'Review in Hunkwise' });
  const code = await bookmark.getAttribute('href');
  assert.equal(await page.getByRole('textbox', { name: 'Bookmark address' }).inputValue(), code);
  await bookmark.click();
  await page.getByText('Drag it to the bookmarks bar').waitFor();

  await page.context().route('https://github.com/**', (route) => route.fulfill({ contentType: 'text/html', body: '<p>A pull request' }));
  await page.context().route('https://api.github.com/**', (route) => route.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' }, body: '' }));
  const tab = await page.context().newPage();
  await tab.goto(`${WEB}/files#discussion`);
  const [opened] = await Promise.all([tab.waitForEvent('popup'), tab.evaluate((code) => void eval(code), code.replace('javascript:', ''))]);
  assert.equal(opened.url(), `${ADDRESS}/#pr=${REPO}/7`);
  assert.equal(tab.url(), `${WEB}/files#discussion`);
});

function box(page) {
  return page.getByRole('textbox', { name: 'Diff', exact: true });
}

function field(page) {
  return page.getByRole('textbox', { name: 'Pull request address' });
}

function summary(page) {
  return page.getByRole('status', { name: 'Summary' });
}

function trouble(page) {
  return page.getByRole('alert');
}

async function open(page, address) {
  await field(page).fill(address);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
}

// The browser's own paste event, since the clipboard itself is not to be had in every environment.
async function paste(page, text) {
  await box(page).evaluate((element, text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    element.focus();
    if (element.dispatchEvent(event)) document.execCommand('insertText', false, text);
  }, text);
}

// All that the page has put anywhere.
async function everythingKept() {
  const wait = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const rows = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await wait(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      rows.push(await wait(database.transaction(store).objectStore(store).getAll()));
    }
    database.close();
  }
  return JSON.stringify([rows, { ...localStorage }, { ...sessionStorage }, location.href, document.cookie]);
}

// Answers with a diff break off in their middle from now on. A stand-in behind the network cannot do that.
function cutDiffs() {
  const whole = globalThis.fetch;
  globalThis.fetch = async (request, ...rest) => {
    const response = await whole(request, ...rest);
    if (!request.headers.get('accept')?.includes('diff')) return response;
    const half = (await response.text()).slice(0, 120);
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode(half));
        setTimeout(() => stream.error(new TypeError('network error')), 0);
      },
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

// The fragment of a link that names two commits without holding their diff.
function referenceLink() {
  const document = {
    schema: 'hunkwise.link/1',
    topic: '1',
    profile: 'roboflow/inference',
    reference: { repo: REPO, base: BASE, head: HEAD, pull: 7 },
  };
  const json = Buffer.from(JSON.stringify(document));
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(json));
  return `v1.r.${deflateRawSync(Buffer.concat([checksum, json])).toString('base64url')}`;
}
