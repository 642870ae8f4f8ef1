// The page driven as a user would.

export async function paste(page, text) {
  // What it takes to bring the text into the browser is not the page's, and a task of its own.
  const clipboard = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    return data;
  }, text);
  await page.getByRole('textbox', { name: 'Diff', exact: true }).evaluate((element, clipboardData) => {
    element.focus();
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, clipboard);
}

export async function reviewed(page) {
  const summary = page.getByRole('status', { name: 'Summary' });
  await summary.getByText('checklist lines').waitFor({ timeout: 600_000 });
}

export function inputOf(site, name, read) {
  const at = (ending) => read(`${site}/bench/inputs/${name}.${ending}`, 'utf8');
  return { diff: at('diff'), files: JSON.parse(at('files.json')), documents: JSON.parse(at('documents.json')) };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
