// What a page that was opened by a link knows of it.

/** What a link shows, and until when. */
export interface OpenLink {
  readonly id: string;
  readonly routine: string;
  /** The only part; null if the link shows the whole routine. */
  readonly part: string | null;
  /** The frames that loop first, of a link to an eight. */
  readonly startFrame: number | null;
  readonly endFrame: number | null;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}
