// When to correct a follower's position: seldom, since each correction can be heard, if faintly. Pure.

/** At a pass's border, where a correction is heard least, a smaller difference is enough. */
const borderMilliseconds = 3;
const steadyMilliseconds = 7;
/** So far off, one need not wait for certainty. */
const farMilliseconds = 60;
const samplesWanted = 8;
const farSamples = 2;

/** Decides from how far a player was ahead at several moments. */
export class Correction {
  private samples: readonly number[] = [];
  private pass = 0;

  /** Forgets what was measured: the position has been corrected, or is not comparable. */
  reset(): void {
    this.samples = [];
  }

  /** Takes how far the player is ahead, in milliseconds, in which pass of a loop. Returns whether to correct it now. */
  take(milliseconds: number, pass: number): boolean {
    this.samples = [...this.samples, milliseconds].slice(-samplesWanted);
    const isBorder = pass !== this.pass;
    this.pass = pass;
    const last = this.samples.slice(-farSamples);
    const isFar = last.length === farSamples && last.every((each) => Math.abs(each) > farMilliseconds);
    const isSteady = this.samples.length === samplesWanted
      && Math.abs(median(this.samples)) > (isBorder ? borderMilliseconds : steadyMilliseconds);
    if (isFar || isSteady) this.reset();
    return isFar || isSteady;
  }
}

/** Returns the middle one of some numbers, of an even number of them the mean of both. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
