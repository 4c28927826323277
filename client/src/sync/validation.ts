// What fields may hold: the same limits as on the server, with sentences for the user.

import { requiredFields } from './records';
import type { RecordType } from './records';
import type { FieldValues } from './wire';

/** The greatest number of characters (grapheme clusters) in each text. */
export const limits = {
  routine: { title: 60, subtitle: 120 },
  part: { title: 120 },
  move: { title: 60, notes: 1000 },
  moveType: { name: 25, abbreviation: 4 },
  track: { title: 200 },
  video: { title: 200 },
  clip: { title: 120 },
} as const;

type Check = (value: unknown) => string | null;

/** Firefox has it since 125. Without it code points are counted, and the server judges. */
const segmenter = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter() : null;
const utf8 = new TextEncoder();

/** Parts a text into what a person calls characters: an emoji family is one. */
export function characters(text: string): string[] {
  return segmenter ? Array.from(segmenter.segment(text), (part) => part.segment) : Array.from(text);
}

/** Counts them. */
export function characterCount(text: string): number {
  // Plain ASCII needs no segmenting, save that CR LF is one character.
  return /^[\x20-\x7e]*$/.test(text) ? text.length : characters(text).length;
}

/** Bytes in UTF-8 for each character: one can be made of any number of marks. */
const bytesPerCharacter = 16;

/** Says in words that follow "too long:" why a text is, or gives null. */
export function excess(value: string, most: number): string | null {
  if (characterCount(value) > most) return `at most ${most} characters`;
  if (utf8.encode(value).length <= bytesPerCharacter * most) return null;
  return 'some of its characters take more room than others; shorten it a little';
}

/** Characters that steer devices; none in one line, only line feed and tab in several. */
const control = /[\x00-\x1f\x7f-\x9f]/;
const controlInLines = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

const text = (label: string, most: number, least = 0, lines = false): Check => (value) => {
  if (typeof value !== 'string') return `${label} must be text.`;
  if (least > 0 && value.trim() === '') return `${label} is missing.`;
  if (!lines && control.test(value)) return `${label} must be a single line.`;
  if (lines && controlInLines.test(value)) return `${label} must be plain text.`;
  const reason = excess(value, most);
  return reason === null ? null : `${label} is too long: ${reason}.`;
};

const number = (label: string, least: number, most: number, whole: boolean): Check => (value) => {
  const fits = typeof value === 'number' && value >= least && value <= most;
  if (fits && (!whole || Number.isSafeInteger(value))) return null;
  return `${label} must be a ${whole ? 'whole ' : ''}number between ${least} and ${most}.`;
};

/** Twelve hours, the longest track. */
const mostFrames = 12 * 3600 * 48_000;
const frames = (label: string): Check => number(label, 0, mostFrames, true);
const milliseconds = (label: string): Check => number(label, 0, 9_999_999_999_999, true);

const matching = (label: string, pattern: RegExp, shape: string): Check => (value) =>
  typeof value === 'string' && pattern.test(value) ? null : `${label} must be ${shape}.`;

const reference = (label: string): Check =>
  matching(label, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'an id');

const position = matching('The position', /^[0-9A-Za-z]{0,999}[1-9A-Za-z]$/, 'a position');

const checks: { readonly [T in RecordType]: { readonly [field: string]: Check } } = {
  routine: {
    title: text('The title', limits.routine.title, 1),
    subtitle: text('The subtitle', limits.routine.subtitle),
    lastPractisedAt: milliseconds('The time of the last practice'),
  },
  part: {
    routine: reference('The routine'),
    track: reference('The track'),
    startFrame: frames('The start'),
    endFrame: frames('The end'),
    title: text('The name', limits.part.title, 1),
    position,
    video: reference('The video'),
    videoOffset: number('The offset', -mostFrames, mostFrames, true),
    videoMirrored: number('The mirror', 0, 1, true),
    loopMode: matching('The loop', /^(off|whole|section)$/, 'off, whole or section'),
    markerA: frames('Marker A'),
    markerB: frames('Marker B'),
    rate: number('The speed', 0.25, 2, false),
    semitones: number('The transposition', -12, 12, true),
    countdownSeconds: number('The countdown', 0, 600, true),
    countdownRepeats: matching('The countdown', /^(every|first)$/, 'every or first'),
    restSeconds: number('The pause', 0, 600, true),
    repeatLimit: number('The number of repeats', 0, 999, true),
    trainerFrom: number('The first speed', 25, 200, true),
    trainerTo: number('The last speed', 25, 200, true),
    trainerStep: number('The step', 1, 100, true),
    trainerEvery: number('The number of repeats', 0, 99, true),
  },
  move: {
    part: reference('The part'),
    moveType: reference('The move type'),
    title: text('The name', limits.move.title, 1),
    notes: text('The notes', limits.move.notes, 0, true),
    position,
  },
  moveType: {
    name: text('The name', limits.moveType.name, 1),
    abbreviation: text('The abbreviation', limits.moveType.abbreviation),
    colour: matching('The colour', /^#[0-9a-f]{6}$/, 'like #a1b2c3'),
  },
  track: { title: text('The title', limits.track.title, 1) },
  video: { title: text('The title', limits.video.title, 1) },
  clip: {
    track: reference('The track'),
    startFrame: frames('The start'),
    endFrame: frames('The end'),
    title: text('The name', limits.clip.title),
    position,
  },
  setting: {
    value: (value) => {
      if (typeof value === 'string') return text('The setting', 1000, 0, true)(value);
      const fits = typeof value === 'boolean' || Number.isFinite(value);
      return fits ? null : 'A setting must be text, a number, yes or no.';
    },
  },
};

/** Says in a sentence what is wrong with the fields of an edit, or gives null. */
export function validateFields(type: RecordType, fields: FieldValues | object): string | null {
  for (const [name, value] of Object.entries(fields)) {
    const check = checks[type][name];
    if (!check) return `A ${type} has no field "${name}".`;
    if (value === undefined) continue;
    if (value === null && !requiredFields[type].includes(name)) continue;
    const problem = check(value ?? '');
    if (problem) return problem;
  }
  const { startFrame, endFrame } = fields as FieldValues;
  if (typeof startFrame === 'number' && typeof endFrame === 'number' && startFrame >= endFrame) {
    return 'The start must lie before the end.';
  }
  return null;
}

/** Says in a sentence what is wrong with the fields of a new record, missing ones included, or gives null. */
export function validateNew(type: RecordType, fields: FieldValues | object): string | null {
  const given = fields as FieldValues;
  const required = requiredFields[type].map((name) => [name, given[name] ?? null]);
  return validateFields(type, { ...given, ...Object.fromEntries(required) });
}
