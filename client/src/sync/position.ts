// The order of children: fractional positions, strings over 0-9A-Za-z that sort bytewise.
//
// There is always a position between two others, so a reorder changes one record. Keys stay short:
// at the ends they count up or down in a width of 1, 2, 4, 8 … digits, so n appends need about log
// n digits.

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^[0-9A-Za-z]*[1-9A-Za-z]$/;
const base = BigInt(digits.length);

/**
 * Returns a position after `a` and before `b`; null means no neighbour on that side. If `a` does
 * not sort before `b` (two devices chose the same position), the result is only after `a`.
 */
export function positionBetween(a: string | null, b: string | null): string {
  return positionsBetween(a, b, 1)[0] ?? '';
}

/**
 * Returns `count` positions in ascending order, all after `a` and before `b`; an invalid position
 * counts as null.
 */
export function positionsBetween(low: string | null, high: string | null, count: number): string[] {
  // Between invalid positions there may be no room at any width.
  const [a = null, b = null] = [low, high].map((each) => (each !== null && form.test(each) ? each : null));
  if (a !== null && b !== null) return a < b ? spread(a, b, count) : repeat(a, count, after);
  if (a !== null) return repeat(a, count, after);
  if (b !== null) return repeat(b, count, before).reverse();
  return spread('', null, count);
}

/** Compares two records of one parent: by position, then by id. */
export function byPosition(
  a: { readonly position: string; readonly id: string },
  b: { readonly position: string; readonly id: string },
): number {
  if (a.position !== b.position) return a.position < b.position ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function repeat(from: string, count: number, step: (from: string) => string): string[] {
  const made: string[] = [];
  for (let last = from; made.length < count; ) {
    last = step(last);
    made.push(last);
  }
  return made;
}

/** Counts up in the first width that is not full. */
function after(a: string): string {
  for (let width = 1; ; width *= 2) {
    const next = withoutFinalZero(toNumber(a, width) + 1n, 1n);
    if (next < base ** BigInt(width)) return toText(next, width);
  }
}

/** Counts down in the first width with room below. */
function before(b: string): string {
  for (let width = 1; ; width *= 2) {
    const next = withoutFinalZero(toNumber(b, width) - 1n, -1n);
    if (next > 0n) return toText(next, width);
  }
}

/**
 * Distributes positions evenly, in the smallest width with enough room; `b` null means no upper
 * bound.
 */
function spread(a: string, b: string | null, count: number): string[] {
  const parts = BigInt(count) + 1n;
  for (let width = 1; ; width += 1) {
    const low = toNumber(a, width);
    const high = b === null ? base ** BigInt(width) : toNumber(b, width);
    // One position needs one free number; several need two each, to skip a final zero.
    const room = high - low;
    const made: string[] = [];
    for (let index = 1n; index < parts; index += 1n) {
      let value = low + (room * index) / parts;
      if (value % base === 0n) value += 1n;
      if (value > low && value < high) made.push(toText(value, width));
    }
    if (made.length === count && new Set(made).size === count) return made;
  }
}

function withoutFinalZero(value: bigint, step: bigint): bigint {
  return value % base === 0n ? value + step : value;
}

function toNumber(text: string, width: number): bigint {
  let value = 0n;
  for (let index = 0; index < width; index += 1) {
    value = value * base + BigInt(Math.max(digits.indexOf(text.charAt(index) || '0'), 0));
  }
  return value;
}

function toText(value: bigint, width: number): string {
  let text = '';
  for (let rest = value, index = 0; index < width; index += 1, rest /= base) {
    text = digits.charAt(Number(rest % base)) + text;
  }
  return text;
}
