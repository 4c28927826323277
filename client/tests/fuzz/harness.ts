// What the fuzzer tries: a parser of the client, where to begin, and what has to hold for any input at all.
//
// The server's parsers are held to such promises under Tests/Fuzz. These are those of the client, for what it reads
// by itself: files that somebody picks, answers and events, the address bar, what is typed and remembered.

/** What comes in: bytes as they are, text as a string that may hold anything a string can. */
export type Input = Uint8Array | string;

/**
 * One parser. `trial` throws when what has to hold does not, and else says in a few words what the parser made of the
 * input: an input with a new outcome becomes a seed. Nothing at all is what it refused.
 */
export interface Harness<I extends Input = Input> {
  readonly name: string;
  /** What has to hold, in one line. */
  readonly promise: string;
  readonly seeds: readonly I[];
  /** Pieces that chance would hardly ever make. */
  readonly words: readonly string[];
  /** Whether values of JSON are changed as such. */
  readonly isJSON?: boolean;
  /** How many changed inputs the short form tries. */
  readonly shortRounds?: number;
  readonly trial: (input: I) => string | Promise<string>;
}

/** Throws unless the condition is true. */
export function holds(condition: boolean, broken: string): asserts condition {
  if (!condition) throw new Error(`Broken promise: ${broken}`);
}

/** Throws unless both read the same. */
export function same(one: unknown, other: unknown, broken: string): void {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
  if (left !== right) throw new Error(`Broken promise: ${broken}: ${left} and ${right}`);
}

/** Gives the lines of a text, `count` of them: missing ones are empty, the last holds all the rest. */
export function lines(text: string, count: number): string[] {
  const all = text.split('\n');
  const first = all.slice(0, count - 1);
  return [...first, ...Array.from({ length: count - 1 - first.length }, () => ''), all.slice(count - 1).join('\n')];
}

/** How many there are, roughly: outcomes shall not be endless. */
export function some(count: number): string {
  return count < 3 ? String(count) : count < 10 ? 'a few' : 'many';
}

/** Writes a broken input so that it can be brought back: JSON for text, base64 for bytes. */
export function written(input: Input): string {
  return typeof input === 'string'
    ? JSON.stringify(input)
    : `base64 ${btoa(Array.from(input, (byte) => String.fromCharCode(byte)).join(''))}`;
}
