// The player's settings as the engine's commands. Pure.

import { framesPerSecond } from '../timeline';
import type { Command } from '../worklet/messages';
import type { PlayerSettings } from './types';

/** The engine's settings, by the command that sets them. */
export type SettingCommand =
  'countdown' | 'tickVolume' | 'countIn' | 'click' | 'speaking' | 'voice' | 'caller' | 'musicVolume' | 'levels' | 'repeats' | 'speed'
  | 'trainer' | 'loop';

/** The settings that each of them depends on. */
export const settingKeys: { readonly [C in SettingCommand]: readonly (keyof PlayerSettings)[] } = {
  countdown: ['countdownSeconds', 'countdownRepeats', 'tickSound'],
  tickVolume: ['tickVolume'],
  countIn: ['countIn'],
  click: ['clickVolume'],
  speaking: ['countInSpeaks', 'clickSpeaks'],
  voice: ['voice'],
  caller: ['callerVolume', 'callerDuck'],
  musicVolume: ['musicVolume'],
  levels: ['levels'],
  repeats: ['repeatLimit', 'restSeconds'],
  speed: ['percent', 'semitones', 'isNaturalVoice'],
  trainer: ['trainer'],
  loop: ['loopMode', 'markerA', 'markerB'],
};

/** In the order in which a part is set up: the loop last, since `load` switches it off. */
export const settingCommands = Object.keys(settingKeys) as SettingCommand[];

/** Returns a time in frames. */
export const framesOf = (seconds: number): number => Math.max(0, Math.round(seconds * framesPerSecond));

/** Returns the command that sets one setting; the voice itself comes as samples. */
export function settingCommand(command: Exclude<SettingCommand, 'voice'>, settings: PlayerSettings): Command {
  const { loopMode, markerA, markerB } = settings;
  const isIncomplete = loopMode === 'section' && (markerA === null || markerB === null);
  switch (command) {
    case 'countdown':
      return {
        kind: 'countdown', frames: framesOf(settings.countdownSeconds), sound: settings.tickSound,
        repeats: settings.countdownRepeats,
      };
    case 'tickVolume': return { kind: 'tickVolume', volume: settings.tickVolume / 100 };
    case 'countIn': return { kind: 'countIn', countIn: settings.countIn };
    case 'click': return { kind: 'click', volume: settings.clickVolume / 100 };
    case 'speaking':
      return { kind: 'speaking', countIn: settings.countInSpeaks ?? false, click: settings.clickSpeaks ?? false };
    case 'caller':
      return { kind: 'caller', volume: (settings.callerVolume ?? 0) / 100, duck: (settings.callerDuck ?? 100) / 100 };
    case 'musicVolume': return { kind: 'musicVolume', volume: (settings.musicVolume ?? 100) / 100 };
    case 'levels': return { kind: 'levels', levels: settings.levels ?? [] };
    case 'repeats':
      return { kind: 'repeats', limit: settings.repeatLimit, restFrames: framesOf(settings.restSeconds) };
    case 'speed':
      return {
        kind: 'speed', percent: settings.percent, semitones: settings.semitones, isNaturalVoice: settings.isNaturalVoice ?? false,
      };
    case 'trainer': return { kind: 'trainer', ...settings.trainer };
    case 'loop': return { kind: 'loop', mode: isIncomplete ? 'off' : loopMode, a: markerA ?? 0, b: markerB ?? 0 };
  }
}
