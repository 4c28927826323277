// Announces text to screen readers without showing it.

let region: HTMLElement | null = null;

/** Adds the live region for screen readers to the page. */
export function prepareAnnouncements(): void {
  region = document.createElement('div');
  region.className = 'only-spoken';
  region.setAttribute('role', 'status');
  document.body.append(region);
}

/** Announces a sentence. */
export function announce(sentence: string): void {
  if (!region) return;
  // Content below a modal dialog is not read out: the region is moved into the uppermost dialog.
  const dialogs = document.querySelectorAll('dialog[open]');
  const home = dialogs[dialogs.length - 1] ?? document.body;
  if (region.parentElement !== home) home.append(region);
  // The same text twice would not be a change, and would not be read out again.
  region.textContent = region.textContent === sentence ? `${sentence}\u00a0` : sentence;
}
