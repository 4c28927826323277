// Mutations of inputs, determined by the seed.

import { Random } from '../sync/support/random';
import type { Harness, Input } from './harness';

/** The maximum length. Longer inputs cost time without new outcomes. */
const longest = 20_000;
/** The maximum number of inputs that are kept as seeds. */
const mostFound = 500;

const numbers = [
  '0', '-0', '1', '-1', '59', '60', '127', '128', '255', '256', '65535', '65536', '2147483647', '2147483648',
  '4294967295', '4294967296', '9007199254740991', '9007199254740992', '99999999999999999999', '1e999', '1e-9', '0.5',
];
const bytes = [0, 1, 2, 9, 10, 13, 0x20, 0x2c, 0x30, 0x39, 0x40, 0x7f, 0x80, 0xfe, 0xff];
/** Code units for strings: surrogates, combining marks, blanks and control characters. */
const units = [
  ...bytes, 0x22, 0x25, 0x2b, 0x2d, 0x2e, 0x2f, 0x3a, 0x5c, 0x85, 0xa0, 0x300, 0x660, 0x200b, 0x200d, 0x202e, 0x2028,
  0x2212, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfeff, 0xffff,
];
const values = [
  'null', 'true', 'false', '[]', '{}', '""', '"a"', '"0"', '"__proto__"', '"constructor"', '"\\ud800"', '[null]',
  '[[]]', '[{}]', '1.5', ...numbers.filter((number) => number !== '-0'),
];

/** Makes inputs from a harness's seeds and tokens. */
export class Mutator<I extends Input> {
  private readonly random: Random;
  private readonly found: number[][];
  private readonly words: readonly number[][];
  private readonly values: readonly number[][];
  private readonly isText: boolean;
  private readonly outcomes = new Set<string>();

  constructor(private readonly harness: Harness<I>, seed: number) {
    this.random = new Random(seed);
    this.found = harness.seeds.map((each) => codes(each));
    this.words = [...harness.words, ...numbers].map(codes);
    this.values = [...values, ...harness.words].map(codes);
    this.isText = typeof harness.seeds[0] === 'string';
  }

  /** Returns the next input. */
  next(): I {
    let input = [...(this.random.pick(this.found) ?? [])];
    for (let changes = 1 + this.random.below(4); changes > 0; changes -= 1) {
      input = this.harness.isJSON && this.random.chance(0.7) ? this.withValue(input) : this.changed(input);
    }
    input.length = Math.min(input.length, longest);
    return (this.isText ? textOf(input) : Uint8Array.from(input)) as I;
  }

  /** Records the outcome of an input. An input with a new outcome becomes a seed. */
  learn(input: I, outcome: string): void {
    if (this.outcomes.has(outcome) || this.outcomes.size > mostFound) return;
    this.outcomes.add(outcome);
    this.found.push(codes(input));
  }

  private changed(input: number[]): number[] {
    const { random } = this;
    const place = random.below(input.length + 1);
    const until = place + this.length();
    const word = random.pick(this.words) ?? [];
    switch (random.below(8)) {
      case 0: {
        const bit = 1 << random.below(this.isText && random.chance(0.2) ? 16 : 8);
        return input.map((code, index) => (index === place ? (code ^ bit) & (this.isText ? 0xffff : 0xff) : code));
      }
      case 1:
        return put(input, place, place + 1, [random.pick(this.isText ? units : bytes) ?? 0]);
      case 2:
        return put(input, place, until, []);
      case 3:
        return put(input, place, place, input.slice(place, until));
      case 4: {
        // The end of another seed replaces the end of this one.
        const other = random.pick(this.found) ?? [];
        return [...input.slice(0, place), ...other.slice(random.chance(0.5) ? place : random.below(other.length + 1))];
      }
      case 5:
        return this.isText ? put(input, place, place, [random.pick(units) ?? 0]) : this.withInteger(input);
      default:
        return put(input, place, random.chance(0.5) ? place : place + word.length, word);
    }
  }

  /** Writes a limit value into four bytes, little-endian, at a likely offset of a number. */
  private withInteger(input: number[]): number[] {
    const place = 4 * this.random.below(Math.ceil(input.length / 4) + 1);
    const number = Number(this.random.pick(numbers) ?? 0) >>> 0;
    return put(input, place, place + 4, [0, 8, 16, 24].map((shift) => (number >>> shift) & 0xff));
  }

  /** Removes one JSON value, or replaces it by another one. */
  private withValue(input: number[]): number[] {
    const spans = valuesIn(textOf(input));
    const whole: [number, number] = [0, input.length];
    const [start, end] = this.random.pick(spans) ?? whole;
    const chosen = this.random.chance(0.2) ? this.random.pick(spans) : undefined;
    const value = chosen ? input.slice(...chosen) : this.random.pick(this.values) ?? [];
    return put(input, start, end, value);
  }

  private length(): number {
    return 1 + this.random.below(this.random.chance(0.5) ? 4 : 64);
  }
}

function put(input: readonly number[], start: number, end: number, piece: readonly number[]): number[] {
  return [...input.slice(0, start), ...piece, ...input.slice(end)];
}

function codes(input: Input): number[] {
  return typeof input === 'string'
    ? Array.from({ length: input.length }, (_, index) => input.charCodeAt(index))
    : Array.from(input);
}

function textOf(input: readonly number[]): string {
  return input.map((code) => String.fromCharCode(code)).join('');
}

/** Finds the ranges of JSON values whose brackets match. */
function valuesIn(text: string): [start: number, end: number][] {
  const found: [number, number][] = [];
  const open: number[] = [];
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|[\w.+-]+|[[\]{}]/gu)) {
    const { index = 0 } = match;
    const token = match[0] ?? '';
    if (token === '[' || token === '{') open.push(index);
    else if (token === ']' || token === '}') found.push([open.pop() ?? 0, index + 1]);
    else found.push([index, index + token.length]);
  }
  return found;
}
