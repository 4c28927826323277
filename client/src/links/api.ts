// The requests about links.

import { apiAddress } from '../apiAddress';
import type { OpenLink } from '../services/openLink';
import { ask, fieldsOf, notSegmance } from '../sync/ask';
import { ServerError } from '../sync/requests';
import { drawingOf, type QRDrawing } from '../ui/qrDrawing';

/** A link, as its maker sees it. Times are Unix milliseconds. */
export interface SharedLink extends OpenLink {
  readonly createdAt: number;
  readonly hasPasscode: boolean;
  /** How often it was opened by somebody without access. */
  readonly openings: number;
  readonly lastOpenedAt: number | null;
  /** Null while the network is off. */
  readonly address: string | null;
}

/** What a new link shows. */
export interface NewLink {
  readonly routine: string;
  readonly part?: string;
  readonly startFrame?: number;
  readonly endFrame?: number;
  readonly expiresAt: number;
  readonly passcode?: string;
}

const mostTries = 15;
const tryAgainMilliseconds = 1_000;

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

function asOpenLink(value: unknown): OpenLink {
  const { id, routine, part, startFrame, endFrame, expiresAt } = fieldsOf(value);
  const known = { id: text(id), routine: text(routine), expiresAt: number(expiresAt) };
  if (known.id === null || known.routine === null || known.expiresAt === null) throw notSegmance();
  return {
    id: known.id, routine: known.routine, part: text(part), startFrame: number(startFrame), endFrame: number(endFrame),
    expiresAt: known.expiresAt,
  };
}

function asSharedLink(value: unknown): SharedLink {
  const fields = fieldsOf(value);
  return {
    ...asOpenLink(value), createdAt: number(fields['createdAt']) ?? 0, hasPasscode: fields['hasPasscode'] === true,
    openings: number(fields['openings']) ?? 0, lastOpenedAt: number(fields['lastOpenedAt']), address: text(fields['address']),
  };
}

/** Lists the links to a routine, the newest first. */
export async function fetchLinks(routineId: string): Promise<readonly SharedLink[]> {
  const { links } = fieldsOf((await ask('GET', apiAddress.linksOf(routineId))).value);
  if (!Array.isArray(links)) throw notSegmance();
  return links.map(asSharedLink);
}

/** Makes a link. */
export async function makeLink({ passcode, ...link }: NewLink): Promise<SharedLink> {
  const value = passcode === undefined ? link : { ...link, passcode: typed(passcode) };
  return asSharedLink((await ask('POST', apiAddress.links, { value })).value);
}

/** A passcode in one form: keyboards write the same letters in several. */
const typed = (passcode: string): string => passcode.trim().normalize('NFC');

/** Ends a link. */
export async function revokeLink(id: string): Promise<void> {
  await ask('DELETE', apiAddress.link(id));
}

/** Fetches the code of a link's address; null if it has none. */
export async function fetchLinkCode(id: string): Promise<QRDrawing | null> {
  return drawingOf(fieldsOf((await ask('GET', apiAddress.linkCode(id))).value)['qr']);
}

/** Opens a link in this browser. The refusals of `ServerError`: 403 the passcode, 404 unknown, 410 ended, 429 too many. */
export async function requestOpening(id: string, secret: string, passcode: string | null): Promise<OpenLink> {
  const value = passcode === null ? { secret } : { secret, passcode: typed(passcode) };
  for (let tries = 1; ; tries += 1) {
    try {
      return asOpenLink((await ask('POST', apiAddress.openLink(id), { value })).value);
    } catch (failure) {
      // A whole class opens it at once, and the server checks a few passcodes at a time.
      const isBusy = failure instanceof ServerError && failure.status === 503;
      if (!isBusy || tries === mostTries) throw failure;
      await new Promise((resolve) => { setTimeout(resolve, (0.5 + Math.random()) * tryAgainMilliseconds); });
    }
  }
}
