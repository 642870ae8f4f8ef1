// What a reviewer does on the page, in the words of a test.

import { readFileSync } from 'node:fs';

/** The text of a sample of the site. */
export function sample(name) {
  return readFileSync(new URL(`../../static/samples/${name}.diff`, import.meta.url), 'utf8');
}

export function box(page) {
  return page.getByRole('textbox', { name: 'Diff', exact: true });
}

export function summary(page) {
  return page.getByRole('status', { name: 'Summary' });
}

/** Pastes with the browser's own event, since the clipboard itself is not to be had in every environment. */
export async function paste(page, text) {
  await box(page).evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    element.focus();
    if (element.dispatchEvent(event)) document.execCommand('insertText', false, text);
  }, text);
}

/** Waits for the end of a review. */
export async function reviewed(page) {
  await summary(page).getByText('checklist lines').waitFor();
}

/** Drops text files onto the page. */
export async function drop(page, files) {
  await page.locator('.page').evaluate((element, files) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of Object.entries(files)) dataTransfer.items.add(new File([text], name));
    element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, files);
}

/** Saves one form of the review and gives its text. */
export async function exported(page, form) {
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: form, exact: true }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}

/** A diff that adds one file of these lines. */
export function added(path, lines) {
  const body = lines.map((line) => `+${line}\n`).join('');
  return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${body}`;
}
