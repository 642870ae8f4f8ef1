// One diff after another into the box, as a reviewer pastes them.

/** Replaces what stands in the box. */
export async function paste(page, text) {
  await page.getByRole('textbox', { name: 'Diff', exact: true }).evaluate((box, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    box.focus();
    box.select();
    if (box.dispatchEvent(event)) document.execCommand('insertText', false, text);
  }, text);
}

/** Pastes each diff and waits for its report. */
export async function reviewAll(page, diffs) {
  for (const { mark, text } of diffs) {
    await paste(page, text);
    await page.waitForFunction((mark) => {
      const told = document.querySelector('[aria-label=Summary]')?.innerText.includes('checklist lines');
      const file = document.querySelector(`nav[aria-label=Files] button[title="${mark}"]`);
      // Not the element itself: whoever waits would hold on to it.
      return told && file !== null;
    }, mark);
  }
}
