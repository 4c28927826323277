// What was heard, from the engine's own reports: pieces of parts and sections without a jump. Pure.
//
// The engine counts the frames that it has played since playback last began at a new position. Their difference
// between two reports is what was heard, through the turns of a loop, whatever time the reports took.

import type { Player, PlayerReport } from '../audio/player';
import { framesPerSecond, type Stretch } from '../timeline';

/** A piece of a section that was heard. All frames are those of the part's track. */
export interface HeardPiece {
  readonly partId: string;
  /** What is practised: the part, or the section between A and B. */
  readonly section: Stretch;
  readonly startFrame: number;
  readonly endFrame: number;
  /** How long it was heard, by the clock. */
  readonly seconds: number;
  /** The speed in percent. */
  readonly percent: number;
  readonly hasMusic: boolean;
  /** Of a piece that ends a whole pass of the section. */
  readonly pass: { readonly percent: number; readonly hasMusic: boolean } | null;
}

/** A jump this short, or a start this late, breaks no pass; a report may be so far behind. */
const toleratedFrames = framesPerSecond / 10;

const tolerance = ({ startFrame, endFrame }: Stretch): number => Math.min(toleratedFrames, (endFrame - startFrame) / 10);

/** A section on the player's timeline, which is that of the track, or of the run. */
interface Section extends Stretch {
  readonly partId: string;
  /** The frame of the track at its start. */
  readonly trackFrame: number;
}

/** Playback without a jump. */
interface Course {
  readonly partKey: string;
  readonly sequence: number;
  readonly runFrames: number;
  readonly repeat: number;
  readonly percent: number;
}

/** Follows the reports of one player. */
export class HeardTracker {
  private course: Course | null = null;
  private sections: readonly Section[] = [];
  private bounds: PlayerReport['bounds'] = { startFrame: 0, endFrame: 0, repeats: false };
  /** Where playback is, and since where it was heard without a jump. */
  private at = 0;
  private since = 0;
  /** The lowest speed and whether there was music, since the section began. */
  private slowest = Infinity;
  private hadMusic = false;
  private hasMusic = true;

  constructor(private readonly onHeard: (piece: HeardPiece) => void) {}

  /** Takes a report. */
  take({ report, part, bounds, hasMusic }: PlayerReport): void {
    const { state, sequence, runFrames, repeat, percent, frame } = report;
    const partKey = `${part.id} ${part.trackId} ${part.startFrame} ${part.endFrame}`;
    const before = this.course?.partKey === partKey ? this.course : null;
    this.course = { partKey, sequence, runFrames, repeat, percent };
    this.hasMusic = hasMusic;
    if (!before || bounds.startFrame !== this.bounds.startFrame || bounds.endFrame !== this.bounds.endFrame) {
      this.enter(part, bounds, before !== null);
    }
    this.bounds = bounds;
    const more = runFrames - (before?.runFrames ?? Infinity);
    if (before && more >= 0) {
      this.advance(more, before.percent, percent);
      this.settle(frame, percent);
      return;
    }
    // Playback has begun at a new position. At another speed a loop also does at its turn.
    if (before && sequence === before.sequence && repeat === before.repeat + 1) {
      if (bounds.endFrame - this.at <= toleratedFrames) this.hear(bounds.endFrame, before.percent);
      this.turn();
    }
    // Only of what sounds are the frames since its beginning known.
    const begun = state === 'playing' ? frame - runFrames : frame;
    const start = begun >= bounds.startFrame ? begun : frame;
    if (!before || Math.abs(start - this.at) > toleratedFrames) this.begin(start);
    this.at = start;
    if (frame > start) this.hear(frame, percent);
  }

  /** Compares where playback is with where its frames have led: it may have slipped a little, or jumped. */
  private settle(frame: number, percent: number): void {
    const { startFrame, endFrame, repeats } = this.bounds;
    const apart = frame - this.at;
    if (Math.abs(apart) <= toleratedFrames) {
      if (apart > 0) this.hear(frame, percent);
      else this.at = frame;
      return;
    }
    const length = endFrame - startFrame;
    if (repeats && apart < 0 && apart + length <= toleratedFrames) {
      // It has turned.
      this.hear(endFrame, percent);
      this.turn();
      if (frame > this.at) this.hear(frame, percent);
    } else if (!repeats || apart < length - toleratedFrames) {
      this.begin(frame);
      this.at = frame;
    }
  }

  private enter(part: PlayerReport['part'], bounds: Stretch, goesOn: boolean): void {
    let start = 0;
    this.sections = part.run
      ? part.run.flatMap(({ partId, startFrame, endFrame }) => {
        const section = { partId: partId ?? '', startFrame: start, endFrame: start + endFrame - startFrame, trackFrame: startFrame };
        start = section.endFrame;
        return partId === undefined ? [] : [section];
      })
      : [{ partId: part.id, ...stretchOf(bounds), trackFrame: bounds.startFrame }];
    // Other borders begin another pass, unless what is heard since the new start is whole.
    if (!goesOn || this.since > bounds.startFrame || this.at >= bounds.endFrame) this.begin(this.at);
  }

  /** Goes on by frames; after a turn at the next speed. */
  private advance(frames: number, percentBefore: number, percentAfter: number): void {
    const { startFrame, endFrame, repeats } = this.bounds;
    const turns = repeats && startFrame < endFrame && this.at + frames > endFrame;
    let left = frames;
    let percent = turns ? percentBefore : percentAfter;
    while (left > 0) {
      if (this.at >= endFrame) {
        if (!turns) return;
        this.turn();
        percent = percentAfter;
      }
      const end = Math.min(this.at + left, endFrame);
      left -= end - this.at;
      this.hear(end, percent);
    }
  }

  private turn(): void {
    this.at = this.bounds.startFrame;
    this.begin(this.at);
  }

  private begin(frame: number): void {
    this.since = frame;
    this.slowest = Infinity;
    this.hadMusic = false;
  }

  /** Tells what is heard up to a frame, a piece for each section. */
  private hear(endFrame: number, percent: number): void {
    for (const section of this.sections) {
      const start = Math.max(this.at, section.startFrame);
      const end = Math.min(endFrame, section.endFrame);
      if (start >= end) continue;
      if (start === section.startFrame) {
        this.slowest = Infinity;
        this.hadMusic = false;
      }
      this.slowest = Math.min(this.slowest, percent);
      this.hadMusic ||= this.hasMusic;
      const isWhole = end === section.endFrame && this.since - section.startFrame <= tolerance(section);
      const offset = section.trackFrame - section.startFrame;
      this.onHeard({
        partId: section.partId,
        section: { startFrame: section.trackFrame, endFrame: section.endFrame + offset },
        startFrame: start + offset, endFrame: end + offset,
        seconds: ((end - start) / framesPerSecond) * (100 / percent),
        percent, hasMusic: this.hasMusic,
        pass: isWhole ? { percent: this.slowest, hasMusic: this.hadMusic } : null,
      });
    }
    this.at = endFrame;
  }
}

const stretchOf = ({ startFrame, endFrame }: Stretch): Stretch => ({ startFrame, endFrame });

/** Calls back with what a player plays, piece by piece; returns a function that stops it. */
export function followHeard(player: Pick<Player, 'onReport'>, onHeard: (piece: HeardPiece) => void): () => void {
  const tracker = new HeardTracker(onHeard);
  return player.onReport((told) => tracker.take(told));
}
