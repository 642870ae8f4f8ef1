// Our links beside those of lz-string: how many characters a diff takes in an address.

import { readFileSync } from 'node:fs';
import lz from 'lz-string';

/** Above this many bytes lz-string is slow, and no address takes the link anyway. */
const LONGEST = 2_000_000;

export function links({ site, inputs }, native) {
  const measured = {};
  for (const name of inputs) {
    const diff = readFileSync(`${site}/bench/inputs/${name}.diff`, 'utf8');
    if (diff.length > LONGEST) continue;
    measured[name] = { bytes: diff.length, ours: native[name].link, lz: lz.compressToEncodedURIComponent(diff).length };
  }
  return measured;
}
