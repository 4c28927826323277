// The settings: their names, allowed values and defaults. The server stores them without its own
// list; docs/FORMATS.md repeats this one.

import { voiceLanguages } from '../builtAssets';
import { countdownRepeats, countIns, tickSounds } from '../generated/engine';
import { speechLanguages } from '../generated/speech';

/**
 * Reads a stored value; a value of another type, or one that only another version knows, gives the
 * default.
 */
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
  /** In percent, 0 to 125. */
  countdownVolume: number(100),
  /** What is counted before the start of a part that has counts. */
  countIn: oneOf(...countIns),
  /** In percent, 0 (off) to 125. */
  clickVolume: number(0),
  countInSound: oneOf('ticks', 'voice'),
  clickSound: oneOf('click', 'voice'),
  /** The language of the voice; that of the interface, which belongs to the device, or English. */
  voiceLanguage: oneOf('interface', ...voiceLanguages),
  /** Whether the names of moves are said ahead of them. */
  caller: truth(false),
  /** How many counts ahead, 1 to 16. */
  callerCounts: number(4),
  /** In percent, 5 to 125. */
  callerVolume: number(100),
  /** The volume of the music while a name is said, in percent. */
  callerDuck: number(40),
  /** The language in which names are said; that of the interface, or English. */
  callerLanguage: oneOf('interface', ...speechLanguages),
  seekStepSeconds: number(5),
  /** What back and forward move by in a song that has counts. */
  seekUnit: oneOf('seconds', 'eight'),
  /** Whether A and B snap to the counts of a song that has some. */
  markerSnap: truth(false),
  /** Whether what is practised is written into the practice log. */
  practiceLog: truth(true),
  routinesLayout: oneOf('list', 'two', 'three'),
  welcomeSeen: truth(false),
  /** Names of tips, separated by commas. */
  tipsSeen: text(''),
  /** What borders snap to, separated by commas; empty for nothing. A track without counts has none to snap to. */
  clipperSnap: text('counts'),
  clipperCountdownSeconds: number(0),
};

/** The name of a setting, which is the id of its record. */
export type SettingName = keyof typeof table;

/** The type of each setting. */
export type Settings = { readonly [N in SettingName]: ReturnType<(typeof table)[N]> };

/** Reads the stored value of each setting. */
export const readSetting: { readonly [N in SettingName]: Reader<Settings[N]> } = table;
