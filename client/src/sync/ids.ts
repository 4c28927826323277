// Ids: UUIDv7 (RFC 9562), which sort by creation time.

import type { Environment } from './environment';

/** Makes ids in ascending order, also within one millisecond. */
export class IdMaker {
  private milliseconds = 0;
  private counter = 0;

  constructor(
    private readonly now: () => number,
    private readonly random: Environment['random'],
  ) {}

  /** Returns an id that sorts after the previous ones. */
  next(): string {
    const now = Math.floor(this.now());
    const bytes = this.random(new Uint8Array(16));
    if (now > this.milliseconds) {
      this.milliseconds = now;
      // Half of the 12 bits stay free to count within the millisecond (RFC 9562, 6.2, method 1).
      this.counter = (((bytes[6] ?? 0) << 8) | (bytes[7] ?? 0)) & 0x7ff;
    } else if (this.counter < 0xfff) {
      this.counter += 1;
    } else {
      this.milliseconds += 1;
      this.counter = 0;
    }
    const time = this.milliseconds.toString(16).padStart(12, '0');
    const version = (0x7000 | this.counter).toString(16);
    const tail = Array.from(bytes.subarray(8));
    tail[0] = ((tail[0] ?? 0) & 0x3f) | 0x80;
    const rest = tail.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${rest.slice(0, 4)}-${rest.slice(4)}`;
  }
}
