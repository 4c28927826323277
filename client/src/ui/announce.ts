// Says something to a screen reader without showing it.

let region: HTMLElement | null = null;

/** Puts the region that a screen reader listens to into the page. */
export function prepareAnnouncements(): void {
  region = document.createElement('div');
  region.className = 'only-spoken';
  region.setAttribute('role', 'status');
  document.body.append(region);
}

/** Says a sentence. */
export function announce(sentence: string): void {
  if (!region) return;
  // What lies under a modal dialog is not read out: the region stands in the uppermost one.
  const dialogs = document.querySelectorAll('dialog[open]');
  const home = dialogs[dialogs.length - 1] ?? document.body;
  if (region.parentElement !== home) home.append(region);
  // The same sentence twice would not be a change, and not be said again.
  region.textContent = region.textContent === sentence ? `${sentence}\u00a0` : sentence;
}
