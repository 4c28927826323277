// Loads and decodes requested chunks: a few at a time, with retries after a network failure, and
// never more than the plan has room for.
import { mediaAddress } from '../apiAddress';
import { framesPerSecond } from '../timeline';
import { chunksInWork } from './chunkPlan';
import { words } from '../words/words';
import { restoreSixteenBit } from './sixteenBit';
import { DecodedChunk } from './types';

/**
 * Fetches the bytes of a chunk; throws a ChunkError, or any other error for a failed network.
 * 'reload' bypasses the copies on this device.
 */
export type FetchChunk =
  (trackId: string, chunk: number, signal: AbortSignal, cache?: 'reload') => Promise<ArrayBuffer>;
/** Decodes the bytes of a chunk that must have this many frames. */
export type DecodeChunk = (bytes: ArrayBuffer, frames: number) => Promise<DecodedChunk>;

/** Why a chunk can't be loaded, as a sentence for the user. */
export class ChunkError extends Error {
  /** Whether a retry may help. */
  readonly isPassing: boolean;

  constructor(sentence: string, isPassing: boolean) {
    super(sentence);
    this.isPassing = isPassing;
  }
}

interface Handlers {
  onChunk(chunk: number, decoded: DecodedChunk): void;
  onFailure(chunk: number, error: ChunkError): void;
}

/** Loads and decodes one chunk of the open source. */
export type LoadChunk = (chunk: number, signal: AbortSignal) => Promise<DecodedChunk>;

interface Options {
  /** Resolves after a time, or at once if the signal is aborted. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
  /** Returns why the open source is not available at present, as far as known; null if it is. */
  absence?: () => string | null;
}

interface Failure {
  readonly error: ChunkError;
  readonly at: number;
}

/** The waits before the second, third … try. */
const retryMilliseconds = [400, 1_000, 2_000, 4_000, 8_000];
/** After this time a temporary failure is tried again. */
const failedMilliseconds = 5_000;

/** Loads the chunks of one track, or of a run through several, at a time. */
export class ChunkLoader {
  private readonly options: Required<Options>;
  private readonly handlers: Handlers;
  /** `hasBegun`: some of it was loaded. */
  private source: { key: string; load: LoadChunk; hasBegun: boolean } | null = null;
  private wanted: number[] = [];
  private readonly running = new Map<number, AbortController>();
  /**
   * Counts the jobs that hold memory: a decoding that is no longer wanted continues until it is
   * done.
   */
  private inWork = 0;
  private readonly failed = new Map<number, Failure>();

  constructor(handlers: Handlers, options: Options = {}) {
    this.options = { wait: waitFor, now: () => performance.now(), absence: () => null, ...options };
    this.handlers = handlers;
  }

  /** Switches to a source, identified by its key; cancels the work for another one. */
  open(key: string, load: LoadChunk): void {
    if (this.source?.key === key) return;
    this.close();
    this.source = { key, load, hasBegun: false };
  }

  close(): void {
    for (const controller of this.running.values()) controller.abort();
    this.running.clear();
    this.failed.clear();
    this.wanted = [];
    this.source = null;
  }

  /** Sets the wanted chunks, the most urgent first; cancels the others. */
  want(chunks: number[]): void {
    this.wanted = chunks;
    for (const [chunk, controller] of this.running) {
      if (chunks.includes(chunk)) continue;
      controller.abort();
      this.running.delete(chunk);
    }
    for (const [chunk, { error, at }] of this.failed) {
      if (error.isPassing && this.options.now() - at >= failedMilliseconds) this.failed.delete(chunk);
    }
    this.startNext();
  }

  /** The reason why a chunk can't be loaded, as far as known. */
  failure(chunk: number): ChunkError | null {
    return this.failed.get(chunk)?.error ?? null;
  }

  /** Clears the failures, so that chunks are tried again. */
  retry(): void {
    this.failed.clear();
    this.startNext();
  }

  private startNext(): void {
    for (const chunk of this.wanted) {
      if (this.inWork >= chunksInWork) return;
      if (!this.running.has(chunk) && !this.failed.has(chunk)) this.start(chunk);
    }
  }

  private start(chunk: number): void {
    const { source } = this;
    if (!source) return;
    const controller = new AbortController();
    this.running.set(chunk, controller);
    this.inWork += 1;
    const finish = (settle: () => void): void => {
      this.inWork -= 1;
      if (!controller.signal.aborted) {
        this.running.delete(chunk);
        this.wanted = this.wanted.filter((other) => other !== chunk);
        settle();
      }
      this.startNext();
    };
    this.load(source.load, chunk, controller.signal).then(
      (decoded) => finish(() => {
        source.hasBegun = true;
        this.handlers.onChunk(chunk, decoded);
      }),
      (error: unknown) => finish(() => {
        const known = error instanceof ChunkError ? error : new ChunkError(words.audio.network, true);
        this.failed.set(chunk, { error: known, at: this.options.now() });
        this.handlers.onFailure(chunk, known);
      }),
    );
  }

  private async load(load: LoadChunk, chunk: number, signal: AbortSignal): Promise<DecodedChunk> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await load(chunk, signal);
      } catch (error) {
        const isFinal = error instanceof ChunkError && !error.isPassing;
        // A source that was already playing waits for the network; one that never started fails at
        // once.
        const absence = isFinal || this.source?.hasBegun ? null : this.options.absence();
        if (absence !== null && !signal.aborted) throw new ChunkError(absence, true);
        const pause = retryMilliseconds[attempt];
        if (isFinal || pause === undefined || signal.aborted) throw error;
        await this.options.wait(pause, signal);
        if (signal.aborted) throw error;
      }
    }
  }
}

/** A request that is not complete after this time is cancelled and tried again. */
const fetchMilliseconds = 30_000;

/** Fetches over HTTP. */
export function fetchFrom(url: (trackId: string, chunk: number) => string): FetchChunk {
  return async (trackId, chunk, signal, cache) => {
    const attempt = new AbortController();
    const abort = (): void => attempt.abort();
    const timer = setTimeout(abort, fetchMilliseconds);
    signal.addEventListener('abort', abort);
    try {
      const response = await fetch(url(trackId, chunk), { signal: attempt.signal, cache });
      // Awaited here, so that the time limit includes the body.
      if (response.ok) return await response.arrayBuffer();
      throw errorFor(response.status);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  };
}

function errorFor(status: number): ChunkError {
  if (status === 404 || status === 410) return new ChunkError(words.audio.missing, false);
  const isPassing = status >= 500 || [408, 425, 429].includes(status);
  return new ChunkError(isPassing ? words.audio.network : words.audio.refused, isPassing);
}

/** A decoder may never answer for invalid bytes; the slowest phone takes far less for a chunk. */
const decodeSeconds = 30;

/** Rejects if the promise takes longer, counting only seconds in which the page was awake. */
function within<V>(seconds: number, promise: Promise<V>): Promise<V> {
  let timer = 0;
  const silence = new Promise<never>((_, reject) => {
    timer = setInterval(() => { if ((seconds -= 1) === 0) reject(); }, 1_000);
  });
  return Promise.race([promise, silence]).finally(() => clearInterval(timer));
}

/**
 * Decodes a chunk with the browser's decoder. Its context runs at the timeline's rate, so that
 * nothing is resampled, whatever the sound card's rate.
 */
export const decodeInBrowser: DecodeChunk = async (bytes, frames) => {
  const context = new OfflineAudioContext(2, 1, framesPerSecond);
  let buffer: AudioBuffer;
  try {
    buffer = await within(decodeSeconds, context.decodeAudioData(bytes));
  } catch {
    throw new ChunkError(words.audio.damaged, false);
  }
  if (buffer.length !== frames || buffer.sampleRate !== framesPerSecond) {
    throw new ChunkError(words.audio.damaged, false);
  }
  const channels = [0, 1].slice(0, buffer.numberOfChannels).map((n) => buffer.getChannelData(n));
  channels.forEach(restoreSixteenBit);
  const [left = new Float32Array(frames), right = left] = channels;
  return { left, right };
};

/** The source of a track's chunks. */
export interface ChunkSource {
  readonly fetchChunk: FetchChunk;
  readonly decodeChunk: DecodeChunk;
}

/** Chunks from the server. */
export const servedChunks: ChunkSource = {
  fetchChunk: fetchFrom(mediaAddress.chunk),
  decodeChunk: decodeInBrowser,
};

/** Loads and decodes one chunk of a track; reloads it once if it can't be decoded. */
export async function loadChunk(
  { fetchChunk, decodeChunk }: ChunkSource,
  trackId: string, chunk: number, frames: number, signal: AbortSignal,
): Promise<DecodedChunk> {
  const bytes = await fetchChunk(trackId, chunk, signal);
  try {
    return await decodeChunk(bytes, frames);
  } catch {
    // The copy on this device is permanent, but the server's may have been repaired.
    return decodeChunk(await fetchChunk(trackId, chunk, signal, 'reload'), frames);
  }
}

/** Waits; ends early when the network is back. */
function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      globalThis.removeEventListener('online', finish);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    globalThis.addEventListener('online', finish);
    signal.addEventListener('abort', finish);
  });
}
