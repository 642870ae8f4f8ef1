import { readdirSync, readFileSync, statSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const files = readdirSync('.', { recursive: true }).filter((file) => statSync(file).isFile());
const rows = files.sort().map((file) => {
  const bytes = readFileSync(file);
  return [file, bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
});
const total = [1, 2, 3].map((column) => rows.reduce((sum, row) => sum + row[column], 0));

const print = ([file, ...sizes]) =>
  console.log(file.padEnd(48) + sizes.map((size) => String(size).padStart(12)).join(''));
print(['bytes', 'raw', 'gzip', 'brotli']);
rows.forEach(print);
print(['all', ...total]);
