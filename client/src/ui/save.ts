// Downloads a file in the browser.

/** Downloads the content of an address. */
export function save(address: string, fileName = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Saves a text as a file. */
export function saveText(fileName: string, text: string): void {
  saveFile(fileName, new Blob([text], { type: 'text/plain;charset=utf-8' }));
}

/** Saves bytes as a file; characters that are invalid in file names become spaces. */
export function saveFile(fileName: string, bytes: Blob): void {
  const address = URL.createObjectURL(bytes);
  save(address, fileName.replace(/[/\\:*?"<>|\x00-\x1f]+/g, ' ').trim());
  // The browser has read the bytes by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
