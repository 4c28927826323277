// Keeps the engine supplied with the audio around the playhead, within the memory allowed.
import { chunkFrames } from '../timeline';
import { PlaybackBounds } from './bounds';
import { ChunkLoader, ChunkSource, loadChunk } from './chunkLoader';
import { chunkLength, planChunks, residentChunks } from './chunkPlan';
import { loadRun } from './run';
import { DecodedChunk, PlayerPart, PlayableStretch } from './types';

/** The way to the engine. Until it is attached, decoded chunks are held here. */
export interface ChunkPort {
  isAttached(): boolean;
  sendChunk(chunk: number, decoded: DecodedChunk): void;
  discard(chunk: number): void;
  discardAll(): void;
}

/** Fetches, hands over and drops the chunks of one track at a time. */
export class ChunkFeed {
  private readonly port: ChunkPort;
  private readonly source: ChunkSource;
  private readonly loader: ChunkLoader;
  private trackId: string | null = null;
  /** Chunks that the engine has, or will have as soon as it is there. */
  private readonly resident = new Set<number>();
  /** How many chunks the engine has memory for, as far as is known. */
  private room = residentChunks;
  /** Decoded chunks that wait for the engine, before the first gesture. */
  private readonly held = new Map<number, DecodedChunk>();

  constructor(
    source: ChunkSource, port: ChunkPort, onChange: () => void, absence: () => string | null = () => null,
  ) {
    this.port = port;
    this.source = source;
    this.loader = new ChunkLoader({
      onChunk: (chunk, decoded) => {
        this.resident.add(chunk);
        if (port.isAttached()) port.sendChunk(chunk, decoded);
        else this.held.set(chunk, decoded);
        onChange();
      },
      onFailure: onChange,
    }, { absence });
  }

  /** Counts the decoded chunks that are kept. */
  get count(): number { return this.resident.size; }

  /** Whether a chunk is there. */
  has(chunk: number): boolean { return this.resident.has(chunk); }

  /**
   * Turns to a part. Its track's chunks stay; another track's are dropped. Without a part nothing
   * more is fetched, and what is there stays for the next one. What failed is tried again.
   */
  open(part: PlayerPart | null): void {
    if (!part) {
      this.loader.want([]);
      return;
    }
    if (part.trackId !== this.trackId) {
      this.forget();
      this.port.discardAll();
    }
    this.trackId = part.trackId;
    this.loader.open(part.trackId, part.run
      ? loadRun(part.run, this.loadTrack)
      : (chunk, signal) => (
        this.loadTrack(part, chunk, chunkLength(chunk, part.trackLengthFrames), signal)));
    this.loader.retry();
  }

  /**
   * Drops and fetches chunks as the plan for this moment says.
   *
   * Returns a sentence when the chunk under the playhead, or the one that the engine waits for, can't
   * be had; of others nobody need know.
   */
  follow(
    part: PlayerPart, bounds: PlaybackBounds, frame: number, awaitedFrame: number | null,
    wantsToPlay: boolean,
  ): string | null {
    const plan = planChunks(part, bounds, frame, wantsToPlay, this.room);
    for (const chunk of this.resident) {
      if (plan.keep.includes(chunk)) continue;
      this.resident.delete(chunk);
      this.held.delete(chunk);
      this.port.discard(chunk);
    }
    this.loader.want(plan.fetch.filter((chunk) => !this.resident.has(chunk)));
    const awaited = Math.floor((awaitedFrame ?? -1) / chunkFrames);
    const failure = this.loader.failure(plan.keep[0] ?? -1) ?? this.loader.failure(awaited);
    return failure?.message ?? null;
  }

  /** The engine is there: gives it what was held. */
  handOver(): void {
    for (const [chunk, decoded] of this.held) this.port.sendChunk(chunk, decoded);
    this.held.clear();
  }

  private readonly loadTrack = (
    { trackId }: PlayableStretch, chunk: number, frames: number, signal: AbortSignal,
  ): Promise<DecodedChunk> => loadChunk(this.source, trackId, chunk, frames, signal);

  /** The engine had no room for a chunk: fewer are planned, or it would be fetched again and again. */
  refused(chunk: number): void {
    // Told for each of its pieces.
    if (this.resident.delete(chunk)) this.room = Math.max(2, this.resident.size);
  }

  /** Drops everything, for instance because the engine is gone with what it had. */
  forget(): void {
    this.loader.close();
    this.resident.clear();
    this.held.clear();
    this.trackId = null;
  }
}
