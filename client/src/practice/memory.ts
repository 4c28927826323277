// Numbers and texts on their way into practice.wasm and out of it.

import type { PracticeExports } from '../generated/practice';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Bytes of a UUID. */
const idBytes = 36;

/** What a handle of the module is for, with a place for texts; `close` gives both back. */
export class PracticeMemory {
  readonly handle: number;
  private room = 0;
  private address = 0;

  constructor(readonly exports: PracticeExports) {
    this.handle = exports.practice_create();
  }

  /** Copies texts into the module, one after the other; returns the address and the bytes of each. */
  texts(...texts: readonly string[]): readonly { readonly address: number; readonly bytes: number }[] {
    const encoded = texts.map((text) => encoder.encode(text));
    this.reserve(encoded.reduce((sum, { length }) => sum + length, 0));
    let at = this.address;
    return encoded.map((data) => {
      new Uint8Array(this.exports.memory.buffer).set(data, at);
      const place = { address: at, bytes: data.length };
      at += data.length;
      return place;
    });
  }

  /** Copies a text; returns its address and its bytes. */
  text(text: string): { readonly address: number; readonly bytes: number } {
    return this.texts(text)[0] ?? { address: 0, bytes: 0 };
  }

  /** Copies an id and returns its address; null of what can't be one, as the module reads 36 bytes. */
  id(id: string): number | null {
    const { address, bytes } = this.text(id);
    return bytes === idBytes ? address : null;
  }

  /** The numbers of the last answer. */
  numbers(): number[] {
    const { exports, handle } = this;
    const count = exports.practice_number_count(handle);
    return count === 0 ? [] : [...new Float64Array(exports.memory.buffer, exports.practice_numbers(handle), count)];
  }

  /** The text of the last answer. */
  answer(): string {
    const { exports, handle } = this;
    const bytes = exports.practice_text_bytes(handle);
    return bytes === 0 ? '' : decoder.decode(new Uint8Array(exports.memory.buffer, exports.practice_text(handle), bytes));
  }

  close(): void {
    if (this.room > 0) this.exports.practice_free(this.address);
    this.room = 0;
    this.exports.practice_destroy(this.handle);
  }

  private reserve(bytes: number): void {
    if (bytes <= this.room) return;
    if (this.room > 0) this.exports.practice_free(this.address);
    this.room = Math.max(2 * bytes, 4_096);
    this.address = this.exports.practice_allocate(this.room);
  }
}

/** Lets `work` use the module, and gives back what it took there. */
export function withPractice<Result>(exports: PracticeExports, work: (memory: PracticeMemory) => Result): Result {
  const memory = new PracticeMemory(exports);
  try {
    return work(memory);
  } finally {
    memory.close();
  }
}
