// The main path in Firefox, which draws, stores and guards the page in its own way.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';

const ADDRESS = process.env.HUNKWISE_ADDRESS;
const FIREFOX = process.env.HUNKWISE_FIREFOX;
const DISPATCH = readFileSync(new URL('../../static/samples/dispatch.diff', import.meta.url), 'utf8');
const FINDING = 'article[aria-label="R4 unbounded-result, BLOCK, line 27"]';

let browser;
before(async () => {
  if (FIREFOX) browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true });
});
after(() => browser?.close());

// Where there is none, `cargo xtask test` says so; in CI it fails without one.
const options = { skip: FIREFOX ? false : 'no Firefox' };

test('Firefox: a pasted diff is reviewed, a rule card opens, and a line is answered', options, async () => {
  await onPage(async (page) => {
    await paste(page, DISPATCH);
    await reviewed(page);
    assert.equal((await page.$$('[aria-label=Checklist] li.line')).length, 10);
    await (await page.waitForSelector(`${FINDING} .rule-link`)).click();
    await page.waitForSelector('[aria-label=Rule]');
    await answer(page);
    await saying(page, '[aria-label=Progress]', '1 of 10 done');
  });
});

test('Firefox: a shared link opens the same review in another tab', options, async () => {
  await onPage(async (page) => {
    await paste(page, DISPATCH);
    await reviewed(page);
    await answer(page);
    await press(page, 'Share');
    const link = await page.waitForFunction(() => document.querySelector('[aria-label=Link]')?.value);
    await inTab(await link.jsonValue(), async (other) => {
      await reviewed(other);
      const names = () => [...document.querySelectorAll('article')].map((card) => card.ariaLabel);
      assert.deepEqual(await other.evaluate(names), await page.evaluate(names));
    });
  });
});

test('Firefox: a reload keeps the diff and the work on it', options, async () => {
  await onPage(async (page) => {
    await paste(page, DISPATCH);
    await reviewed(page);
    await answer(page);
    await page.reload();
    await saying(page, '[aria-label=Progress]', '1 of 10 done');
    await reviewed(page);
    assert.equal(await page.$eval('[aria-label=Diff]', (box) => box.value), DISPATCH);
  });
});

test('Firefox: keys step through the findings, and the search finds', options, async () => {
  await onPage(async (page) => {
    await paste(page, DISPATCH);
    await reviewed(page);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('j');
    await page.waitForSelector('article[aria-current=true]');
    await page.keyboard.press('f');
    await page.waitForSelector('.search input:focus');
    await page.keyboard.type('future.result');
    await saying(page, '[aria-label=Hits]', '1 of ');
    assert.ok(await page.$('mark.is-current'));
  });
});

// A fresh page with nothing stored. It fails where the page complained, or asked another host.
async function onPage(body) {
  const session = await browser.createBrowserContext();
  try {
    await inTab(ADDRESS, body, session);
  } finally {
    await session.close();
  }
}

async function inTab(address, body, session = browser) {
  const page = await session.newPage();
  page.setDefaultTimeout(60_000);
  await page.setViewport({ width: 1280, height: 800 });
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== ADDRESS) wrong.push(request.url());
  });
  await page.goto(address);
  await page.waitForSelector('[aria-label=Diff]');
  await body(page);
  assert.deepEqual(wrong, []);
  await page.close();
}

// The browser's own paste event, since a page may not write to the clipboard unasked.
async function paste(page, text) {
  await page.$eval('[aria-label=Diff]', (box, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    box.focus();
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    if (box.dispatchEvent(event)) document.execCommand('insertText', false, text);
  }, text);
}

// Findings that come before the review is concluded may go again.
async function reviewed(page) {
  await saying(page, '[aria-label=Summary]', 'checklist lines');
  await page.waitForSelector(FINDING);
}

async function answer(page) {
  const radio = await page.waitForSelector('input[name=answer-R1]:not(:checked)');
  await radio.evaluate((radio) => radio.click());
  await saying(page, '[aria-label=Progress]', '1 of 10 done');
}

async function press(page, name) {
  const button = await page.waitForSelector(`::-p-aria([name="${name}"][role="button"])`);
  await button.click();
}

async function saying(page, selector, words) {
  await page.waitForFunction(
    (selector, words) => document.querySelector(selector)?.textContent.includes(words),
    {},
    selector,
    words,
  );
}
