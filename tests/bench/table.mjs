// The results as one table for people. Every ratio is of medians of one run.

import { median } from './drive.mjs';

export function table(results) {
  const lines = [heading(results)];
  if (results.worker) lines.push('', ...workerTable(results.worker));
  if (results.page) lines.push('', ...pageTable(results));
  lines.push('', ...nativeTable(results.native));
  if (results.links) lines.push('', ...linkTable(results.links));
  if (results.load) lines.push('', ...loadTable(results.load));
  return lines.join('\n');
}

function heading({ machine, rounds }) {
  const { cpu, cores, load, browser, node } = machine;
  return `${cpu}, ${cores} cores, load ${load.toFixed(1)} at the start; Chromium ${browser}, Node.js ${node}; medians of ${rounds} rounds in turn`;
}

function workerTable(worker) {
  const header = ['worker', 'lines', 'ms', 'of floor', 'walk of floor', 'of ruff ALL', 'of ruff narrow', 'of ast-grep', 'edit: times faster'];
  const rows = Object.entries(worker).map(([name, { times, lines }]) => {
    const time = (who) => (times[who] ? median(times[who]) : NaN);
    const ours = time('hunkwise');
    return [
      name, lines, ms(ours), ratio(ours / time('floor')), ratio(time('walk') / time('floor')),
      ratio(ours / time('ruffAll')), ratio(ours / time('ruffNarrow')), ratio(ours / time('astGrep')),
      ratio(ours / time('hunkwiseEdit')),
    ];
  });
  return [...columns([header, ...rows]), ...growth(worker)];
}

/** How time grows with lines: 1.0 is in proportion. */
function growth(worker) {
  const [small, large] = [worker['1000'], worker['100000'] ?? worker['10000']];
  if (!small || !large || small === large) return [];
  const time = median(large.times.hunkwise) / median(small.times.hunkwise);
  const exponent = Math.log(time) / Math.log(large.lines / small.lines);
  return [`growth from ${small.lines} to ${large.lines} lines: exponent ${exponent.toFixed(2)}`];
}

function pageTable({ page, native }) {
  const header = [
    'page', 'diff shown ms', 'diff2html ms', 'first finding ms', 'all ms', 'first of all',
    'longest task: analysing', 'scrolling', 'filtering', 'nodes', 'worker memory of input',
  ];
  const rows = Object.entries(page).map(([name, rounds]) => {
    const of = (what) => median(rounds.map((round) => round[what] ?? NaN));
    return [
      name, ms(of('shown')), ms(of('diff2html')), ms(of('first')), ms(of('done')), percent(of('first') / of('done')),
      ms(of('analysing')), ms(of('scrolling')), ms(of('filtering')), of('nodes'), ratio(of('memory') / native[name].bytes),
    ];
  });
  return columns([header, ...rows]);
}

function nativeTable(native) {
  const header = ['one core', 'lines', 'reader MB/s', 'parse ms', 'tree of parse', 'facts', 'conclude', 'review of parse', 'added lines/s', 'command ms'];
  const rows = Object.entries(native).map(([name, it]) => {
    const parse = median(it.parse);
    const whole = median(it.whole);
    return [
      name, it.lines, (it.bytes / 1000 / median(it.read)).toFixed(0), ms(parse), ratio(median(it.tree) / parse),
      ratio(median(it.facts) / parse), ratio(median(it.conclude) / parse), ratio(whole / parse),
      ((1000 * it.added) / whole).toFixed(0), ms(median(it.command)),
    ];
  });
  return columns([header, ...rows]);
}

function linkTable(links) {
  const header = ['link', 'diff bytes', 'characters', 'lz-string', 'of lz-string'];
  const rows = Object.entries(links).map(([name, { bytes, ours, lz }]) => [name, bytes, ours, lz, ratio(ours / lz)]);
  return columns([header, ...rows]);
}

function loadTable({ files, raw, brotli, budget }) {
  return columns([
    ['first load', 'bytes', 'brotli'],
    ...files,
    ['all', raw, brotli],
    ...(Number.isFinite(budget) ? [['budget', '', budget]] : []),
  ]);
}

/** Text to the left, everything else to the right. */
function columns(rows) {
  const width = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const cell = (value, column) =>
    column === 0 ? String(value).padEnd(width[0]) : String(value).padStart(width[column]);
  return rows.map((row) => row.map(cell).join('  '));
}

const known = (value, text) => (Number.isFinite(value) ? text : '');
const ms = (value) => known(value, value < 10 ? value?.toFixed(1) : value?.toFixed(0));
const ratio = (value) => known(value, value?.toFixed(2));
const percent = (value) => known(value, `${(100 * value).toFixed(0)} %`);
