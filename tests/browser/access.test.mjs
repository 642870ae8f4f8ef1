// The page for everyone who stands before it: whatever they see with, and however wide their window is.

import assert from 'node:assert/strict';
import axe from 'axe-core';
import { onPage } from './page.mjs';
import { STATES, reviewed, work } from './states.mjs';

// What a window of 1280 by 800 pixels shows at 200 %.
const DOUBLED = { width: 640, height: 400 };
const NARROW = { width: 320, height: 640 };
const TABS = ['Checklist', 'Changes', 'Input'];

for (const { name, open, github, complains } of STATES) {
  const session = { github, context: { reducedMotion: 'reduce' } };
  onPage(`${name}: no barrier in either scheme or width, nothing reaches out, nothing moves`, async (page, watch) => {
    await open(page);
    assert.deepEqual(await moving(page), [], 'moving');
    for (const colorScheme of ['dark', 'light']) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await barriers(page), [], colorScheme);
    }
    for (const viewport of [DOUBLED, NARROW]) {
      await page.setViewportSize(viewport);
      for (const tab of await tabs(page)) {
        await tab?.click();
        assert.deepEqual(await sideways(page), [], `${viewport.width} ${await tab?.innerText()}`);
      }
    }
    assert.deepEqual(await barriers(page), [], 'narrow');
    if (complains) watch.errors.length = 0;
  }, session);
}

// Rules of the standard and good practice; each violation with the elements that break it.
async function barriers(page) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  return violations.map(({ id, nodes }) => [id, ...nodes.map((node) => `${node.html.slice(0, 120)} ${node.failureSummary.slice(0, 200)}`)]);
}

// The tabs that can be pressed: none while a dialog is open, or where the window is wide.
async function tabs(page) {
  const isModal = (await page.locator('dialog[open]').count()) > 0;
  const all = TABS.map((name) => page.getByRole('tab', { name }));
  return isModal || !(await all[0].isVisible()) ? [null] : all;
}

// What reaches out of the window to the right, unless it scrolls by itself.
function sideways(page) {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const reaches = (element) => element.getBoundingClientRect().right > clientWidth + 1;
    return [...document.querySelectorAll('body *')].filter(reaches).map((element) => element.outerHTML.slice(0, 120));
  });
}

// What is animated, or slides, although less motion was asked for.
function moving(page) {
  return page.evaluate(() => {
    const isAnimated = (element) => ['', '::before', '::after'].some((part) => {
      const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(element, part);
      return animationName !== 'none' || /[1-9]/.test(transitionDuration) || scrollBehavior === 'smooth';
    });
    // The browser's own bar runs to and fro, which no style says.
    const isRunning = (element) => element.matches('progress:indeterminate') && getComputedStyle(element).appearance !== 'none';
    const all = [...document.querySelectorAll('*')].filter((element) => isAnimated(element) || isRunning(element));
    return all.map((element) => element.outerHTML.slice(0, 80));
  });
}

const FORCED = { context: { forcedColors: 'active' } };

onPage('in forced colours what has the focus, is chosen or was jumped to has a line around it', async (page) => {
  await work(page);
  await page.keyboard.press('j');
  const outlined = (locator) => locator.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  });
  assert.ok(await outlined(page.locator('article[aria-current=true]')), 'selected finding');
  assert.ok(await outlined(page.locator('.answers .is-chosen').first()), 'answer');
  assert.ok(!(await outlined(page.locator('.answers label:not(.is-chosen)').first())), 'other answer');
  assert.ok(await outlined(page.locator('.segments [aria-pressed=true]')), 'columns');
  assert.ok(!(await outlined(page.locator('.segments [aria-pressed=false]'))), 'other columns');
  for (const name of ['Share', 'Export', 'Help', 'Next finding']) {
    const button = page.getByRole('button', { name });
    await button.focus();
    await page.keyboard.press('Shift');
    assert.ok(await outlined(button), `focus of ${name}`);
    assert.notEqual(await button.evaluate((element) => getComputedStyle(element).borderStyle), 'none', name);
  }
}, FORCED);

onPage('in forced colours changes and severities are told by signs, lines and words', async (page) => {
  await reviewed(page);
  const style = (selector, pseudo) => page.locator(selector).first().evaluate(
    (element, pseudo) => ({ ...pick(getComputedStyle(element, pseudo)) }),
    pseudo,
  );
  await page.evaluate(() => {
    globalThis.pick = ({ content, borderRightStyle, textDecorationLine, borderLeftStyle }) => ({ content, borderRightStyle, textDecorationLine, borderLeftStyle });
  });
  const [added, deleted] = [await style('.row.added', '::after'), await style('.row.deleted', '::after')];
  assert.notEqual(added.borderRightStyle, deleted.borderRightStyle);
  assert.equal((await style('.row.added code', '::before')).content, '"+"');
  assert.equal((await style('.row.deleted code', '::before')).content, '"\u2212"');
  assert.equal((await style('.row .word')).textDecorationLine, 'underline');
  assert.equal((await style('.row.mark', '::before')).borderLeftStyle, 'solid');
  const severities = await page.locator('.finding .severity').allInnerTexts();
  assert.ok(severities.length > 0 && severities.every((word) => /BLOCK|FLAG|NIT/.test(word)));
}, FORCED);
