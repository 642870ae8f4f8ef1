// The page as a user sees it: when the diff and the first findings are on the screen, whether the main thread stays free,
// and how much memory the worker takes.

import { readFileSync } from 'node:fs';
import { inputOf, paste, reviewed } from './drive.mjs';
import { workerMemory } from './memory.mjs';

/** The made diffs alone, which are named by their lines: they reach further than real ones. */
export async function measurePage(browser, { address, site, rounds, inputs }) {
  const measured = {};
  for (const name of inputs.filter((name) => /^\d+$/.test(name))) {
    const { diff } = inputOf(site, name, readFileSync);
    const rows = [];
    for (let round = 0; round < rounds; round += 1) {
      const ours = await measureOurs(browser, address, diff);
      const diff2html = await measureDiff2html(browser, address, diff);
      const memory = await workerMemory(browser, address, diff);
      rows.push({ ...ours, diff2html, memory: memory.wasm + memory.heap });
    }
    measured[name] = rows;
  }
  return measured;
}

async function measureOurs(browser, address, diff) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto(`${address}/`);
  await paste(page, diff);
  await reviewed(page);
  const seen = await page.evaluate(() => ({ ...globalThis.seen }));
  const analysing = await longest(page);
  await scroll(page);
  const scrolling = await longest(page);
  await filter(page);
  const filtering = await longest(page);
  const nodes = await page.evaluate(() => globalThis.seen.nodes);
  await context.close();
  return {
    shown: seen.shown - seen.pasted,
    first: seen.first - seen.pasted,
    done: seen.done - seen.pasted,
    analysing,
    scrolling,
    filtering,
    nodes,
  };
}

// In the page, before anything else: notes when what was asked for is first there, and every long task.
function watch() {
  const seen = { nodes: 0, tasks: [] };
  globalThis.seen = seen;
  document.addEventListener('paste', () => (seen.pasted ??= performance.now()), true);
  const note = (name, selector) => {
    if (seen[name] === undefined && document.querySelector(selector)) seen[name] = performance.now();
  };
  const look = () => {
    if (seen.pasted !== undefined) {
      note('shown', '.row');
      note('first', 'article.finding, .finding');
      const summary = document.querySelector('[role=status][aria-label=Summary]');
      if (seen.done === undefined && summary?.textContent.includes('checklist lines')) seen.done = performance.now();
      seen.nodes = Math.max(seen.nodes, document.querySelectorAll('*').length);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  const observer = new PerformanceObserver((list) => {
    for (const task of list.getEntries()) {
      if (seen.pasted !== undefined) seen.tasks.push({ at: task.startTime - seen.pasted, duration: task.duration });
    }
  });
  observer.observe({ type: 'longtask' });
}

/** The longest task since the last look, in milliseconds; what is below 50 does not count as long, and reads 0. */
async function longest(page) {
  // Entries come a moment after the task.
  await page.waitForTimeout(100);
  return page.evaluate(() => {
    const tasks = globalThis.seen.tasks.splice(0);
    globalThis.seen.all = [...(globalThis.seen.all ?? []), ...tasks];
    return Math.max(0, ...tasks.map((task) => task.duration));
  });
}

async function scroll(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const height = document.documentElement.scrollHeight;
    for (let n = 0; n < 60; n += 1) {
      scrollTo(0, n < 30 ? n * 200 : (height * (n - 29)) / 31);
      await frame();
    }
    scrollTo(0, 0);
    await frame();
  });
}

async function filter(page) {
  const box = page.getByRole('searchbox', { name: 'Filter', exact: true });
  for (const text of ['r4', 'module_00', '']) {
    await box.fill(text);
    await page.waitForTimeout(50);
  }
}

async function measureDiff2html(browser, address, diff) {
  // A page of that many rows takes minutes and all memory.
  if (diff.length > 3_000_000) return null;
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${address}/bench/bench.html`);
  const time = await page.evaluate((diff) => {
    const policy = trustedTypes.createPolicy('hunkwise', { createHTML: (html) => html });
    const start = performance.now();
    const html = Diff2Html.html(diff, { drawFileList: false, matching: 'none', outputFormat: 'line-by-line' });
    document.body.innerHTML = policy.createHTML(html);
    document.body.getBoundingClientRect();
    return performance.now() - start;
  }, diff);
  await context.close();
  return time;
}
