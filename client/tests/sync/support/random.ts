// Reproducible random numbers: the same seed gives the same history.

/** A small generator (mulberry32, Tommy Ettinger). */
export class Random {
  constructor(private state: number) {}

  /** Returns a number from 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<V>(values: readonly V[]): V | undefined {
    return values[this.below(values.length)];
  }

  bytes = (array: Uint8Array): Uint8Array => {
    for (let index = 0; index < array.length; index += 1) array[index] = this.below(256);
    return array;
  };
}
