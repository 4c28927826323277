// The measured latencies of this device's sound outputs: stored, found again, and doubted. Pure.

/** How a latency was found. */
export type Way = 'taps' | 'microphone' | 'hand';

/** The measured latency of one output. All times are in milliseconds. */
export interface Calibration {
  /** The output's name as the browser tells it; empty where it tells none. */
  readonly output: string;
  readonly milliseconds: number;
  /** The true value is so far off or less in 95 of 100 measurements; 0 if it was set by hand. */
  readonly margin: number;
  readonly isSure: boolean;
  readonly way: Way;
  /** What the browser stated at that time; null if it had not played yet. */
  readonly reported: number | null;
}

/** The range of latencies that can be set. */
export const latencyRange = { least: -50, most: 600, step: 5 } as const;

/** The number of outputs that are remembered. */
const mostOutputs = 20;
/** The browser's figure for one output differs by less than this from one day to the next. */
const sameOutputMilliseconds = 60;

const ways: readonly unknown[] = ['taps', 'microphone', 'hand'];

/** Brings a latency into the range that can be set. */
export function boundedLatency(milliseconds: number): number {
  return Math.min(latencyRange.most, Math.max(latencyRange.least, Math.round(milliseconds)));
}

/** Reads the stored text; what is no calibration is left out. */
export function readCalibrations(text: string | null): Calibration[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isCalibration).slice(0, mostOutputs) : [];
  } catch {
    return [];
  }
}

function isCalibration(value: unknown): value is Calibration {
  if (typeof value !== 'object' || value === null) return false;
  const { output, milliseconds, margin, isSure, way, reported } = value as { readonly [name: string]: unknown };
  return typeof output === 'string' && typeof isSure === 'boolean' && ways.includes(way)
    && isNumber(milliseconds) && boundedLatency(milliseconds) === milliseconds
    && isNumber(margin) && (reported === null || isNumber(reported));
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Whether two figures of the browser, in milliseconds, may be of one output; an unknown one may. */
function isSameFigure(first: number | null, second: number | null): boolean {
  return first === null || second === null || Math.abs(first - second) <= sameOutputMilliseconds;
}

/**
 * Adds the calibration of an output in place of an earlier one, as the newest. Of outputs without a name those are the
 * same for which the browser states about the same.
 */
export function withCalibration(all: readonly Calibration[], added: Calibration): Calibration[] {
  const others = all.filter(({ output, reported }) => (
    output !== added.output || (output === '' && !isSameFigure(reported, added.reported))
  ));
  return [added, ...others].slice(0, mostOutputs);
}

/** The output that plays now, as far as the browser tells. */
export interface Output {
  /** Empty if the browser tells none. */
  readonly name: string;
  /** The latency that the browser states, in milliseconds; null while it does not play. */
  readonly reported: number | null;
}

/** What applies to an output. */
export interface Choice {
  /** Null: the browser's own figure applies. */
  readonly calibration: Calibration | null;
  /** Whether other outputs were calibrated, and none of them is this one. */
  readonly isOther: boolean;
}

/**
 * Finds the calibration of an output: by its name, or else the newest one that may be meant. An output without a
 * name is another one if the browser's figure for it is far from that at the calibration.
 */
export function calibrationOf(all: readonly Calibration[], { name, reported }: Output): Choice {
  if (all.length === 0) return { calibration: null, isOther: false };
  const named = name === '' ? undefined : all.find(({ output }) => output === name);
  if (named) return { calibration: named, isOther: false };
  // Without permission for the microphone a browser tells no names, and with it one.
  const possible = all.filter(({ output }) => name === '' || output === '');
  const calibration = possible.find((each) => isSameFigure(each.reported, reported)) ?? null;
  return { calibration, isOther: calibration === null };
}
