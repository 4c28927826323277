// Hands a file to the browser, to be saved.

/** Saves what an address answers. */
export function save(address: string, fileName = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Saves a text as a file; characters that no file name may hold become spaces. */
export function saveText(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  save(address, fileName.replace(/[/\\:*?"<>|\x00-\x1f]+/g, ' ').trim());
  // The browser has taken the bytes by the time it is idle again.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
