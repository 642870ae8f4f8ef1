import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

for (const file of process.argv.slice(1)) {
  console.log(`${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${file}`);
}
