// The page driven as a user would.

export async function paste(page, text) {
  await page.getByRole('textbox', { name: 'Diff', exact: true }).evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    element.focus();
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
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
