// Opens the built page in a browser for one test, and watches what a user would not see.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

/** Where the site is served; `cargo xtask test` says it. */
export const ADDRESS = fromTask('HUNKWISE_ADDRESS');

const OUTPUT = new URL('output/', import.meta.url);

// Keeps the browser from asking its maker's hosts for anything, and runs as root in a container.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: fromTask('HUNKWISE_CHROME'), args: FLAGS });
});
after(() => browser?.close());

/**
 * Declares a test that gets a fresh page: nothing stored, nothing cached.
 *
 * It fails like any other test, and also where the page logged an error or asked another host for
 * anything. A picture of the page is left in tests/browser/output when it fails.
 *
 * @param {string} name a behaviour
 * @param {(page: import('playwright-core').Page, watch: Watch) => Promise<void>} body
 * @param {{ at?: string, context?: object, github?: (route) => Promise<void> }} options
 *   `at` is the path and fragment to open, or null where the test opens the page itself; `context` goes to `browser.newContext`; `github` answers
 *   what the page asks of GitHub, which is otherwise forbidden like every other host.
 */
export function onPage(name, body, { at = '/', context = {}, github } = {}) {
  test(name, async () => {
    const session = await browser.newContext(context);
    try {
      const watch = await watchAll(session, github);
      const page = await session.newPage();
      if (at !== null) await page.goto(ADDRESS + at);
      try {
        await body(page, watch);
      } catch (error) {
        await picture(page, name);
        // What the page complained about is most often the cause.
        error.message = [error.message, ...watch.foreign, ...watch.errors].join('\n');
        throw error;
      }
      assert.deepEqual(watch.foreign, [], 'requests that left the origin');
      assert.deepEqual(watch.errors, [], 'errors on the console');
    } finally {
      await session.close();
    }
  });
}

/**
 * @typedef {object} Watch
 * @property {string[]} requests every address asked for
 * @property {string[]} foreign those outside of the origin that no test allowed
 * @property {string[]} errors console errors and uncaught exceptions; a test that provokes one empties it
 */

/** @returns {Promise<Watch>} */
async function watchAll(session, github) {
  const watch = { requests: [], foreign: [], errors: [] };
  session.on('request', (request) => watch.requests.push(request.url()));
  session.on('console', (message) => {
    if (message.type() === 'error') watch.errors.push(message.text());
  });
  session.on('weberror', (error) => watch.errors.push(String(error.error())));
  await session.route(
    (url) => url.origin !== ADDRESS && /^https?:$/.test(url.protocol),
    (route) => {
      if (github && isGitHub(route.request().url())) return github(route);
      watch.foreign.push(route.request().url());
      return route.abort();
    },
  );
  return watch;
}

function isGitHub(url) {
  return ['api.github.com', 'raw.githubusercontent.com'].includes(new URL(url).hostname);
}

async function picture(page, name) {
  mkdirSync(OUTPUT, { recursive: true });
  const file = `${name.replace(/[^A-Za-z0-9]+/g, '-')}.png`;
  // The page may be gone, and the test's own error says more than this one would.
  await page.screenshot({ path: new URL(file, OUTPUT).pathname, fullPage: true }).catch(() => {});
}

function fromTask(name) {
  const value = process.env[name];
  assert.ok(value, `${name} is not set; these tests run under \`cargo xtask test\`.`);
  return value;
}
