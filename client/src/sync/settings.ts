// The settings: their names, what each may hold, and what holds while it was never set. The server
// stores them without a list of its own; docs/FORMATS.md repeats this one.

import { countdownRepeats, tickSounds } from '../generated/engine';

/** Reads a stored value; one of another kind, or that only another version knows, gives the default. */
type Reader<V> = (stored: unknown) => V;

const oneOf = <V extends string>(initial: V, ...others: readonly V[]): Reader<V> => (
  (stored) => others.find((value) => value === stored) ?? initial
);
const number = (initial: number): Reader<number> => (stored) => (typeof stored === 'number' ? stored : initial);
const truth = (initial: boolean): Reader<boolean> => (stored) => (typeof stored === 'boolean' ? stored : initial);
const text = (initial: string): Reader<string> => (stored) => (typeof stored === 'string' ? stored : initial);

// The first of several choices is the default.
const table = {
  theme: oneOf('system', 'light', 'dark'),
  countdownSound: oneOf(...tickSounds),
  countdownSeconds: number(0),
  countdownRepeats: oneOf(...countdownRepeats),
  seekStepSeconds: number(5),
  routinesLayout: oneOf('list', 'two', 'three'),
  routinesSort: oneOf('title', 'practised'),
  welcomeSeen: truth(false),
  /** Names of tips, with commas between. */
  tipsSeen: text(''),
  /** What borders snap to, with commas between; empty: nothing. */
  clipperSnap: text(''),
  clipperCountdownSeconds: number(0),
};

/** The name of a setting, which is the id of its record. */
export type SettingName = keyof typeof table;

/** What each setting holds. */
export type Settings = { readonly [N in SettingName]: ReturnType<(typeof table)[N]> };

/** Reads what is stored of each setting. */
export const readSetting: { readonly [N in SettingName]: Reader<Settings[N]> } = table;
