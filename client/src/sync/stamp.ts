// A hybrid logical clock: stamps that sort as text in the order of cause and effect, and stay near
// the wall clock (Kulkarni, Demirbas et al., "Logical Physical Clocks", 2014).

import type { Environment } from './environment';

/** Makes stamps "<13-digit milliseconds>-<4 hex counter>-<8 hex device>". */
export class StampClock {
  private milliseconds = 0;
  private counter = 0;

  /** `device` is 8 hex digits, unique to this page load. */
  constructor(
    private readonly device: string,
    private readonly now: () => number,
  ) {}

  /** Returns a stamp later than every stamp made or observed before. */
  next(): string {
    const now = Math.floor(this.now());
    if (now <= this.milliseconds) return this.following();
    this.milliseconds = now;
    this.counter = 0;
    return this.text;
  }

  /**
   * Drops every stamp except `seen`, and returns stamps right after them, regardless of the wall
   * clock: it is too far ahead, or the server's is behind. Later stamps follow the wall clock
   * again, which may be right by then.
   */
  restart(seen: readonly string[], count: number): string[] {
    this.milliseconds = this.counter = 0;
    for (const stamp of seen) this.observe(stamp);
    return Array.from({ length: count }, () => this.following());
  }

  /** Observes a stamp made elsewhere, so that the next one is later. Ignores invalid stamps. */
  observe(stamp: string): void {
    const seen = read(stamp);
    if (!seen) return;
    if (seen.milliseconds > this.milliseconds) {
      this.milliseconds = seen.milliseconds;
      this.counter = seen.counter;
    } else if (seen.milliseconds === this.milliseconds) {
      this.counter = Math.max(this.counter, seen.counter);
    }
  }

  private following(): string {
    if (this.counter < 0xffff) {
      this.counter += 1;
    } else {
      this.milliseconds += 1;
      this.counter = 0;
    }
    return this.text;
  }

  private get text(): string {
    const time = String(this.milliseconds).padStart(13, '0');
    return `${time}-${this.counter.toString(16).padStart(4, '0')}-${this.device}`;
  }
}

function read(stamp: string): { milliseconds: number; counter: number } | null {
  const match = /^(\d{13})-([0-9a-f]{4})-[0-9a-f]{8}$/.exec(stamp);
  return match && { milliseconds: Number(match[1]), counter: parseInt(match[2] ?? '0', 16) };
}

/** Makes the device part of this page load's stamps: 8 hex digits. */
export function newDevice(random: Environment['random']): string {
  return Array.from(random(new Uint8Array(4)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the milliseconds of a stamp. */
export function stampMilliseconds(stamp: string): number {
  return Number(stamp.slice(0, 13));
}
