// Measures what needs a browser, and prints everything as one table. `cargo xtask bench` runs this.

import { writeFileSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { chromium } from 'playwright-core';
import { firstLoad } from './load.mjs';
import { links } from './links.mjs';
import { measurePage } from './page.mjs';
import { table } from './table.mjs';
import { measureWorker } from './worker.mjs';

const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--no-first-run', '--disable-background-networking'];

const from = (name) => process.env[`HUNKWISE_${name}`] ?? '';
const only = from('ONLY');
const isAsked = (part) => only === '' || only === part;

const setting = {
  address: from('ADDRESS'),
  site: from('SITE'),
  rounds: Number(from('ROUNDS')),
  budget: Number(from('BUDGET')) || Infinity,
  inputs: process.argv.slice(2),
};

const results = {
  machine: { cpu: cpus()[0]?.model, cores: cpus().length, load: loadavg()[0], node: process.version },
  rounds: setting.rounds,
  native: JSON.parse(readFileSync(from('NATIVE'), 'utf8')),
};
const browser = await chromium.launch({ executablePath: from('CHROME'), args: FLAGS });
try {
  results.machine.browser = browser.version();
  if (isAsked('load')) results.load = await firstLoad(browser, setting);
  if (isAsked('links')) results.links = links(setting, results.native);
  if (isAsked('worker')) results.worker = await measureWorker(browser, setting);
  if (isAsked('page')) results.page = await measurePage(browser, setting);
} finally {
  await browser.close();
}
writeFileSync(from('RESULTS'), `${JSON.stringify(results, null, 2)}\n`);
console.log(table(results));
if (results.load?.brotli > results.load?.budget) {
  console.error(`The first load takes ${results.load.brotli} bytes, more than its budget of ${results.load.budget}.`);
  process.exitCode = 1;
}
