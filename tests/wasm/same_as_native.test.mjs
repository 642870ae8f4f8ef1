// The worker's wasm and the native command give the same bytes for every fixture.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SITE = fromTask('HUNKWISE_SITE');
const COMMAND = fromTask('HUNKWISE_COMMAND');
const TESTS = fileURLToPath(new URL('../', import.meta.url));
const SAMPLES = fileURLToPath(new URL('../../static/samples/', import.meta.url));

const review = await worker();
for (const file of [...fixtures(join(TESTS, 'fixtures')), ...fixtures(SAMPLES)]) {
  test(`wasm and native agree on ${relative(TESTS, file)}`, () => {
    // The page gets text from the browser, so both get the same text here.
    const content = new TextDecoder().decode(readFileSync(file));
    const text = file.endsWith('.py') ? asNewFile(content) : content;
    assert.equal(review(text), native(text));
  });
}

// The worker as worker.js runs it, one step after another, on Node.js in place of a browser.
async function worker() {
  const at = (file) => pathToFileURL(join(SITE, file));
  const read = async (file) => new Uint8Array(await readFile(at(file)));
  const { loadParser } = await import(at('parse.js'));
  const { default: init, Session } = await import(at('core.js'));
  await init({ module_or_path: await read('core_bg.wasm') });
  const answers = [];
  const session = new Session(await loadParser(read), (answer) => answers.push(answer));
  return (text) => {
    answers.length = 0;
    let more = session.receive({ type: 'review', id: 1, text });
    while (more) more = session.step();
    return `${JSON.stringify(answers.at(-1).report, null, 2)}\n`;
  };
}

function native(text) {
  const { stdout, stderr } = spawnSync(COMMAND, ['review', '--format', 'json', '-'], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  assert.notEqual(stdout, '', stderr);
  return stdout;
}

function fixtures(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && /\.(diff|patch|mbox|py)$/.test(file.name))
    .map((file) => join(file.parentPath ?? file.path, file.name))
    .sort();
}

function asNewFile(python) {
  const lines = python.trimEnd().split('\n');
  const head = `--- /dev/null\n+++ b/package/module.py\n@@ -0,0 +1,${lines.length} @@\n`;
  return head + lines.map((line) => `+${line}\n`).join('');
}

function fromTask(name) {
  const value = process.env[name];
  assert.ok(value, `${name} is not set; these tests run under \`cargo xtask test\`.`);
  return value;
}
