// The analysis in a worker beside the parser alone and other tools. Each contestant has a worker of its own; in every
// round each does its work once, so that whatever else the machine does falls on all of them.

import { readFileSync } from 'node:fs';
import { inputOf } from './drive.mjs';

const CONTESTANTS = ['hunkwise', 'floor', 'walk', 'hunkwiseEdit', 'ruffAll', 'ruffNarrow', 'astGrep'];

export async function measureWorker(browser, { address, site, rounds, inputs }) {
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${address}/bench/bench.html`);
  await page.evaluate(start, CONTESTANTS);
  const measured = {};
  for (const name of inputs) {
    const input = inputOf(site, name, readFileSync);
    const unknown = Object.keys(input.files).length === 0;
    const running = CONTESTANTS.filter((name) => !(unknown && /ruff|astGrep/.test(name)));
    measured[name] = await page.evaluate(measure, { name, running, rounds });
    measured[name].lines = linesOf(input.diff);
    measured[name].bytes = input.diff.length;
  }
  await context.close();
  return measured;
}

function linesOf(diff) {
  const isChanged = (line) => /^[+-]/.test(line) && !/^(\+\+\+|---) /.test(line);
  return diff.split('\n').filter(isChanged).length;
}

// In the page.
async function start(names) {
  const policy = trustedTypes.createPolicy('hunkwise', { createScriptURL: (url) => url });
  const spawn = async (name) => {
    const worker = new Worker(policy.createScriptURL('contestant.js'), { type: 'module' });
    const answer = () =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => (data?.error ? reject(new Error(`${name}: ${data.error}`)) : resolve(data));
        worker.onerror = (event) => reject(new Error(`${name}: ${event.message}`));
      });
    const ask = (message) => {
      const answered = answer();
      worker.postMessage(message);
      return answered;
    };
    await answer();
    await ask({ contestant: name });
    return ask;
  };
  globalThis.contestants = {};
  for (const name of names) globalThis.contestants[name] = await spawn(name);
}

// In the page.
async function measure({ name, running, rounds }) {
  const get = async (ending) => (await fetch(`inputs/${name}.${ending}`)).text();
  const input = {
    diff: await get('diff'),
    files: JSON.parse(await get('files.json')),
    documents: JSON.parse(await get('documents.json')),
  };
  const times = Object.fromEntries(running.map((name) => [name, []]));
  const results = {};
  for (const name of running) {
    await globalThis.contestants[name]({ input });
    // The first run compiles; it does not count.
    results[name] = (await globalThis.contestants[name]({ run: true })).result;
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < running.length; turn += 1) {
      const name = running[(turn + round) % running.length];
      times[name].push((await globalThis.contestants[name]({ run: true })).time);
    }
  }
  return { times, results };
}
