// Supplies the engine with the audio around the playhead, within the memory limit.
import { chunkFrames } from '../timeline';
import { PlaybackBounds } from './bounds';
import { ChunkLoader, ChunkSource, loadChunk } from './chunkLoader';
import { chunkLength, planChunks, residentChunks } from './chunkPlan';
import { loadRun } from './run';
import { DecodedChunk, PlayerPart, PlayableStretch } from './types';

/** The connection to the engine. Until it is attached, decoded chunks are held here. */
export interface ChunkPort {
  isAttached(): boolean;
  sendChunk(chunk: number, decoded: DecodedChunk): void;
  discard(chunk: number): void;
  discardAll(): void;
}

/** Loads, delivers and drops the chunks of one track at a time. */
export class ChunkFeed {
  private readonly port: ChunkPort;
  private readonly source: ChunkSource;
  private readonly loader: ChunkLoader;
  private trackId: string | null = null;
  /** Chunks that the engine has, or will get as soon as it is attached. */
  private readonly resident = new Set<number>();
  /** The number of chunks that fit into the engine's memory, as far as known. */
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

  /** The number of decoded chunks. */
  get count(): number { return this.resident.size; }

  /** Whether a chunk is loaded. */
  has(chunk: number): boolean { return this.resident.has(chunk); }

  /**
   * Switches to a part. Chunks of the same track stay, others are dropped. Without a part no more
   * chunks are loaded, and existing ones stay for the next part. Failed chunks are tried again.
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
   * Drops and loads chunks according to the plan for this moment.
   *
   * Returns a sentence if the chunk under the playhead, or the one that the engine waits for, has
   * failed; other failures are not reported.
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

  /** The engine is attached: delivers the held chunks. */
  handOver(): void {
    for (const [chunk, decoded] of this.held) this.port.sendChunk(chunk, decoded);
    this.held.clear();
  }

  private readonly loadTrack = (
    { trackId }: PlayableStretch, chunk: number, frames: number, signal: AbortSignal,
  ): Promise<DecodedChunk> => loadChunk(this.source, trackId, chunk, frames, signal);

  /** The engine had no room for a chunk: plan fewer, or it would be loaded again and again. */
  refused(chunk: number): void {
    // Reported for each of its pieces.
    if (this.resident.delete(chunk)) this.room = Math.max(2, this.resident.size);
  }

  /** Drops everything, for instance because the engine and its chunks are gone. */
  forget(): void {
    this.loader.close();
    this.resident.clear();
    this.held.clear();
    this.trackId = null;
  }
}
