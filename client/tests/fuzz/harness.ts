// A fuzz harness: a parser of the client, its seeds, and invariants that hold for every input.
//
// Tests/Fuzz has the same for the server's parsers. The client's parsers read picked files, responses, events, the
// address bar, typed texts and stored values.

/** An input: bytes, or a string with any code units. */
export type Input = Uint8Array | string;

/**
 * One parser. `trial` throws if an invariant is violated. Otherwise it returns a short description of the outcome, or
 * an empty string if the input was refused. An input with a new outcome becomes a seed.
 */
export interface Harness<I extends Input = Input> {
  readonly name: string;
  /** The invariants, in one line. */
  readonly promise: string;
  readonly seeds: readonly I[];
  /** Tokens that random changes would rarely produce. */
  readonly words: readonly string[];
  /** Whether inputs are mutated as JSON values. */
  readonly isJSON?: boolean;
  /** The number of mutated inputs in the short form. */
  readonly shortRounds?: number;
  readonly trial: (input: I) => string | Promise<string>;
}

/** Throws unless the condition is true. */
export function holds(condition: boolean, broken: string): asserts condition {
  if (!condition) throw new Error(`Broken promise: ${broken}`);
}

/** Throws unless both have the same JSON. */
export function same(one: unknown, other: unknown, broken: string): void {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
  if (left !== right) throw new Error(`Broken promise: ${broken}: ${left} and ${right}`);
}

/** Returns `count` lines of a text. Missing lines are empty, and the last one contains the rest. */
export function lines(text: string, count: number): string[] {
  const all = text.split('\n');
  const first = all.slice(0, count - 1);
  return [...first, ...Array.from({ length: count - 1 - first.length }, () => ''), all.slice(count - 1).join('\n')];
}

/** Rounds a count, so that the number of different outcomes is limited. */
export function some(count: number): string {
  return count < 3 ? String(count) : count < 10 ? 'a few' : 'many';
}

/** Formats a failing input so that it can be reproduced: JSON for text, base64 for bytes. */
export function written(input: Input): string {
  return typeof input === 'string'
    ? JSON.stringify(input)
    : `base64 ${btoa(Array.from(input, (byte) => String.fromCharCode(byte)).join(''))}`;
}
