// Makes a diff of any size, of which some lines are worth a finding.

const FUNCTIONS = 10;
/** Rows of one hunk: its header, and six for each function. */
const ROWS = 1 + 6 * FUNCTIONS;
/** Every so many hunks there is a finding, at the hunk's beginning. */
const FINDING_EACH = 25;

/** So many files of about so many rows each. The first finding of each file stands in its first hunk. */
export function longDiff({ files, rows }) {
  return Array.from({ length: files }, (_, file) => oneFile(file, Math.ceil(rows / ROWS))).join('');
}

function oneFile(file, hunks) {
  const path = `service/part_${String(file).padStart(2, '0')}.py`;
  const text = Array.from({ length: hunks }, (_, n) => oneHunk(n)).join('');
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${text}`;
}

function oneHunk(n) {
  const start = 100 * n + 1;
  const length = 5 * FUNCTIONS;
  const isFound = n % FINDING_EACH === 0;
  const before = 2 * Math.ceil(n / FINDING_EACH);
  const found = isFound ? `+def wait_${n}(pool, job):\n+    return pool.submit(job).result()\n` : '';
  const functions = Array.from({ length: FUNCTIONS }, (_, part) => oneFunction(`step_${n}_${part}`)).join('');
  return `@@ -${start},${length} +${start + before},${length + (isFound ? 2 : 0)} @@\n${found}${functions}`;
}

function oneFunction(name) {
  return ` def ${name}(values, factor=1.5):
     
-    total = sum(values) * factor
+    total = sum(values, start=0) * factor
     return {"name": "${name}", "total": total}  # the sum
 
`;
}
