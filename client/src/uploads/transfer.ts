// The transfer of one file to the server: resumable, in pieces of about a second each.

import type { Environment } from '../sync/environment';
import { lateWords } from '../words/lateWords';
import { Problem } from './retryPolicy';
import { NetworkError } from '../sync/requests';
import { appendPiece, createUpload, isGone, uploadedBytes } from './tus';

const firstPieceBytes = 1 << 20;
const leastPieceBytes = 256 << 10;
const mostPieceBytes = 8 << 20;
const pieceTargetMilliseconds = 1_000;

/** A file from the browser. */
export type NamedBlob = Blob & { readonly name?: string };

/** Transfers one file to the server. */
export class Transfer {
  /** The address of the tus upload while it exists on the server. */
  address: string | null = null;
  /** The number of bytes that have arrived. */
  offset = 0;
  private pieceBytes: number;

  /**
   * `fixedPieceBytes` sets the size of the pieces; without it they adapt to the speed of the
   * network.
   */
  constructor(
    private readonly environment: Pick<Environment, 'fetch' | 'timer' | 'clock'>,
    private readonly server: string,
    private readonly file: NamedBlob,
    private readonly fixedPieceBytes: number | undefined,
    private readonly onProgress: (share: number) => void,
  ) {
    this.pieceBytes = fixedPieceBytes ?? firstPieceBytes;
  }

  /**
   * Continues from the server's offset, until all bytes are sent. Throws the errors of the
   * requests.
   */
  async run(signal: AbortSignal): Promise<void> {
    const address = (await this.resume(signal)) ?? (await this.begin());
    while (this.offset < this.file.size) {
      signal.throwIfAborted();
      this.onProgress(this.offset / this.file.size);
      await this.sendPiece(address, signal);
    }
  }

  /** Fetches the offset of an earlier upload; null if it no longer exists. */
  private async resume(signal: AbortSignal): Promise<string | null> {
    if (this.address === null) return null;
    try {
      this.offset = await uploadedBytes(this.environment, this.address, signal);
    } catch (failure) {
      if (!isGone(failure)) throw failure;
      this.address = null;
    }
    return this.address;
  }

  private async begin(): Promise<string> {
    this.offset = 0;
    // Must not be aborted: an upload whose address is lost can't be deleted.
    const { signal } = new AbortController();
    const name = this.file.name ?? 'audio';
    this.address = await createUpload(
      this.environment, this.server, this.file.size, name, signal,
    );
    return this.address;
  }

  private async sendPiece(address: string, signal: AbortSignal): Promise<void> {
    const { environment, file } = this;
    const piece = file.slice(this.offset, this.offset + this.pieceBytes);
    const began = environment.clock();
    try {
      const arrived = await appendPiece(environment, address, this.offset, piece, signal);
      if (arrived <= this.offset) throw new NetworkError('Nothing arrived.');
      this.offset = arrived;
    } catch (failure) {
      signal.throwIfAborted();
      this.fitPiece(this.pieceBytes / 2);
      await this.requireReadable();
      // An upload that no longer exists starts again on the next attempt.
      if (isGone(failure)) throw new NetworkError('The server has forgotten this upload.', failure);
      throw failure;
    }
    const milliseconds = Math.max(1, environment.clock() - began);
    this.fitPiece(Math.min((piece.size / milliseconds) * pieceTargetMilliseconds, piece.size * 4));
  }

  private fitPiece(bytes: number): void {
    if (this.fixedPieceBytes !== undefined) return;
    this.pieceBytes = Math.floor(Math.max(leastPieceBytes, Math.min(bytes, mostPieceBytes)));
  }

  /**
   * A file that was moved or changed on the disk fails like a lost connection, so it is checked
   * separately.
   */
  private async requireReadable(): Promise<void> {
    try {
      await this.file.slice(this.offset, this.offset + 1).arrayBuffer();
    } catch {
      throw new Problem(lateWords.uploads.unreadable);
    }
  }
}
