// Many different diffs, made of the fixtures of the rules.

import { readFileSync, readdirSync } from 'node:fs';

const RULES = new URL('../../fixtures/rules/', import.meta.url);

/** The line between a fixture's expectations and its diff. */
const END_OF_HEAD = '--\n';

/**
 * So many diffs, each another one, of two fixtures and a note that names the diff by its number.
 *
 * @returns {{ mark: string, text: string }[]} `mark` is the path of the note, which no other diff has.
 */
export function manyDiffs(count) {
  const fixtures = files(RULES).map(asDiff);
  return Array.from({ length: count }, (_, n) => {
    const mark = `notes/${String(n).padStart(3, '0')}.txt`;
    // Steps that have no divisor in common with most lengths, so that pairs do not repeat.
    const parts = [fixtures[(n * 2) % fixtures.length], fixtures[(n * 7 + 3) % fixtures.length]];
    return { mark, text: [newFile(mark, `Diff ${n}.\n`), ...parts].join('') };
  });
}

function files(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (entry.isDirectory()) return files(new URL(`${entry.name}/`, folder));
    return /\.(diff|py)$/.test(entry.name) ? [new URL(entry.name, folder)] : [];
  });
}

function asDiff(file) {
  const text = readFileSync(file, 'utf8');
  if (file.pathname.endsWith('.diff')) return text.slice(text.indexOf(END_OF_HEAD) + END_OF_HEAD.length);
  return newFile(`package/${file.pathname.split('/').at(-1)}`, text);
}

function newFile(path, text) {
  const lines = text.replace(/\n$/, '').split('\n');
  const head = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n`;
  return `${head}@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
}
