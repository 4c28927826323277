// The system's share sheet for files, where the browser has it.

import { refusal } from '../sync/requests';

/** What kind of file would be shared: browsers refuse some. */
export interface FileKind {
  /** With its extension, as browsers look at both. */
  readonly name: string;
  readonly type: string;
}

/** Whether this is a device to share from, and its browser shares files of a kind. */
export function canShare({ name, type }: FileKind): boolean {
  return matchMedia('(any-pointer: coarse)').matches
    && navigator.canShare?.({ files: [new File([], name, { type })] }) === true;
}

/** Reads the file name of a `Content-Disposition` header, or null. Pure. */
export function fileNameIn(header: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '')?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // An invalid one counts as absent.
    }
  }
  return /filename="([^"]*)"/i.exec(header ?? '')?.[1] ?? null;
}

/** Fetches a download as a file. Throws `ServerError` on a refusal, and `TypeError` without an answer. */
export async function fetchFile(address: string, { name, type }: FileKind): Promise<File> {
  const response = await fetch(address);
  if (!response.ok) throw refusal(response, await response.text());
  return new File([await response.blob()], fileNameIn(response.headers.get('Content-Disposition')) ?? name, { type });
}
