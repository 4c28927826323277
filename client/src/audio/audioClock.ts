// Relates the audio clock to the page's: which frame of the context is rendered at which time. Pure.

import { framesPerSecond } from '../timeline';

const framesPerMillisecond = framesPerSecond / 1_000;
/** Reads are kept for four spans of this length, so that a context that fell behind is noticed. */
const spanMilliseconds = 300;
const spansKept = 4;

interface Span {
  readonly since: number;
  lead: number;
}

/**
 * The audio clock. The context's time moves on in steps, of a block or of a device's buffer, so that a read of it is
 * late by up to a step: the least late one of the last second is right.
 */
export class AudioClock {
  private spans: Span[] = [];

  /** Notes the context's time in seconds, read at a time of the page in milliseconds. */
  note(contextSeconds: number, milliseconds: number): void {
    const lead = contextSeconds * 1_000 - milliseconds;
    const last = this.spans[this.spans.length - 1];
    if (last && milliseconds - last.since < spanMilliseconds) {
      last.lead = Math.max(last.lead, lead);
      return;
    }
    this.spans = [...this.spans, { since: milliseconds, lead }].slice(-spansKept);
  }

  /** Forgets everything: the context stood still. */
  reset(): void {
    this.spans = [];
  }

  /** Returns the context's frame that is rendered at a time of the page; null if nothing is known. */
  frameAt(milliseconds: number): number | null {
    if (this.spans.length === 0) return null;
    const lead = Math.max(...this.spans.map((span) => span.lead));
    return (milliseconds + lead) * framesPerMillisecond;
  }
}
