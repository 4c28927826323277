// The practice settings of a part besides its loop: speed, pitch, countdown, repeats. Pure.

import type { PlayerSettings, Trainer } from '../audio/player';
import type { CountdownRepeats } from '../generated/engine';
import type { EditOf, PartFields } from '../sync/records';
import { naturalVoiceSemitones } from '../timeline';
import { percentText } from '../words/format';
import { words } from '../words/words';

/** A practice setting with its own sheet. */
export type PracticeSetting = 'speed' | 'pitch' | 'countdown' | 'repeat';

/** The stored practice settings: fields of a part, or the clipper's own. */
export type PracticeFields = Pick<PartFields, keyof typeof plainPractice>;

/** Takes a change of these fields. */
export type SetPractice = (fields: EditOf<'part'>) => void;

/** Speeds in percent. */
export const slowest = 25;
export const fastest = 200;
export const lowest = -12;
export const highest = 12;

/** The practice settings of a part, with the defaults for unset fields. */
export type PracticeSettings = Omit<
  PlayerSettings,
  'loopMode' | 'markerA' | 'markerB' | 'tickSound' | 'tickVolume' | 'countIn' | 'clickVolume' | 'musicVolume'
  | 'countInSpeaks' | 'clickSpeaks' | 'voice' | 'levels' | 'startOverSeconds'
>;

/** The app's default settings for unset fields. */
export interface PracticeDefaults {
  readonly countdownSeconds: number;
  readonly countdownRepeats: CountdownRepeats;
}

/** The initial trainer of its sheet, at the part's speed. */
export const firstTrainer: Trainer = { from: 70, to: 100, step: 5, every: 2 };

/** Reads a part's settings. */
export function practiceOf(part: PracticeFields, defaults: PracticeDefaults): PracticeSettings {
  return {
    percent: percentOf(part),
    semitones: part.semitones ?? 0,
    isNaturalVoice: isNaturalVoice(part),
    countdownSeconds: part.countdownSeconds ?? defaults.countdownSeconds,
    countdownRepeats: part.countdownRepeats ?? defaults.countdownRepeats,
    restSeconds: part.restSeconds ?? 0,
    repeatLimit: part.repeatLimit ?? 0,
    trainer: trainerOf(part),
  };
}

/** Whether a part keeps its formants at another pitch: as chosen, else from some semitones on. */
export function isNaturalVoice(part: PracticeFields): boolean {
  return part.naturalVoice === undefined || part.naturalVoice === null
    ? isNaturalByItself(part) : part.naturalVoice === 1;
}

const isNaturalByItself = (part: PracticeFields): boolean => Math.abs(part.semitones ?? 0) >= naturalVoiceSemitones;

/** The fields that switch it; what is so by itself is not stored. */
export function naturalVoiceFields(part: PracticeFields, isNatural: boolean): EditOf<'part'> {
  return { naturalVoice: isNatural === isNaturalByItself(part) ? null : isNatural ? 1 : 0 };
}

/** The part's chosen speed in percent. */
export function percentOf(part: PracticeFields): number {
  return Math.round((part.rate ?? 1) * 100);
}

/** The part's trainer, or the initial one if none was chosen yet. */
export function trainerOf(part: PracticeFields): Trainer {
  return {
    from: part.trainerFrom ?? firstTrainer.from,
    to: part.trainerTo ?? firstTrainer.to,
    step: part.trainerStep ?? firstTrainer.step,
    every: part.trainerEvery ?? 0,
  };
}

/** The fields for a speed, limited to the engine's range; 100 % is the default. */
export function speedFields(percent: number): EditOf<'part'> {
  const within = Math.round(Math.min(fastest, Math.max(slowest, percent)));
  return { rate: within === 100 ? null : within / 100 };
}

/** Whether the speed changes from repeat to repeat. */
export function isTraining(part: PracticeFields): boolean {
  return (part.trainerEvery ?? 0) > 0 && (part.loopMode ?? 'off') !== 'off';
}

/**
 * The chosen speed, which the engine may not have applied yet; during training, the speed that is
 * heard.
 */
export function percentNow(part: PracticeFields, heard: number): number {
  return isTraining(part) ? heard : percentOf(part);
}

/** The fields for a speed that is set while practising; this ends a running trainer. */
export function takenOver(part: PracticeFields, percent: number): EditOf<'part'> {
  return { ...(isTraining(part) && { trainerEvery: 0 }), ...speedFields(percent) };
}

/** The fields for a trainer. */
export function trainerFields(trainer: Trainer): EditOf<'part'> {
  return {
    trainerFrom: trainer.from, trainerTo: trainer.to, trainerStep: trainer.step,
    trainerEvery: trainer.every,
  };
}

/** Every practice field with its default. */
export const plainPractice = {
  loopMode: null, markerA: null, markerB: null, rate: null, semitones: null, naturalVoice: null, countdownSeconds: null,
  countdownRepeats: null, restSeconds: null, repeatLimit: null, trainerFrom: null, trainerTo: null,
  trainerStep: null, trainerEvery: null,
} as const;

/** A part's non-default fields, for an undo; null if there are none. */
export function ownPractice(part: PracticeFields): EditOf<'part'> | null {
  const names = Object.keys(plainPractice) as (keyof typeof plainPractice)[];
  const own = Object.fromEntries(names.map((name) => [name, part[name] ?? null]));
  const isPlain = names.every((name) => own[name] === null || (name === 'loopMode' && own[name] === 'off'));
  return isPlain ? null : own;
}

/** Formats a number of semitones: `+2`, `−1`, `0`. */
export function semitonesText(semitones: number): string {
  return semitones > 0 ? `+${semitones}` : semitones < 0 ? `−${-semitones}` : '0';
}

/** Formats the length of a countdown: `5 s`, `Off`. */
export function countdownText(seconds: number): string {
  return seconds === 0 ? words.parts.off : `${seconds} s`;
}

/** Formats what a trainer does: `70 → 100%, +5 every 2 repeats`. */
export function trainerText({ from, to, step, every }: Trainer): string {
  const sign = to < from ? '−' : '+';
  return `${from} → ${percentText(to)}, ${sign}${step} ${words.parts.everyRepeat(every)}`;
}

/** Formats how often a loop is played: `4×`, `∞`. */
export function limitText(limit: number): string {
  return limit === 0 ? '∞' : `${limit}×`;
}

/** The same for a screen reader. */
export function spokenLimit(limit: number): string {
  return limit === 0 ? words.parts.forever : words.parts.times(limit);
}

/** Formats how a loop repeats: `4×`, `4× 2 s`, `∞`. */
export function repeatText({ repeatLimit, restSeconds }: PracticeSettings): string {
  const rest = restSeconds > 0 ? `${restSeconds} s` : '';
  if (repeatLimit === 0) return rest === '' ? limitText(0) : rest;
  return rest === '' ? limitText(repeatLimit) : `${limitText(repeatLimit)} ${rest}`;
}

/** The same for a screen reader. */
export function spokenRepeats({ repeatLimit, restSeconds }: PracticeSettings): string {
  const times = spokenLimit(repeatLimit);
  return restSeconds > 0 ? words.parts.timesApart(times, restSeconds) : times;
}
