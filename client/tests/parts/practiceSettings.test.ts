// The practice settings as sentences and short texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingCommand } from '../../src/audio/engineSettings';
import { plainSettings } from '../../src/audio/player';
import {
  countdownText, isNaturalVoice, limitText, naturalVoiceFields, practiceOf, repeatText, spokenRepeats, trainerText, type PracticeSettings,
} from '../../src/parts/practiceSettings';

const repeats = (repeatLimit: number, restSeconds: number): PracticeSettings => (
  { repeatLimit, restSeconds } as PracticeSettings
);

test('a trainer is one sentence', () => {
  assert.equal(trainerText({ from: 70, to: 100, step: 5, every: 2 }), '70 → 100%, +5 every 2 repeats');
  assert.equal(trainerText({ from: 120, to: 90, step: 10, every: 1 }), '120 → 90%, −10 every repeat');
});

test('zero is "off" for a countdown and endless for a loop', () => {
  assert.equal(countdownText(0), 'Off');
  assert.equal(countdownText(5), '5 s');
  assert.equal(limitText(0), '∞');
  assert.equal(limitText(4), '4×');
});

test('limit and pause stand together, also when they are spoken', () => {
  assert.equal(repeatText(repeats(0, 0)), '∞');
  assert.equal(repeatText(repeats(0, 2)), '2 s');
  assert.equal(repeatText(repeats(4, 2)), '4× 2 s');
  assert.equal(spokenRepeats(repeats(0, 0)), 'forever');
  assert.equal(spokenRepeats(repeats(1, 1)), '1 time, 1 second apart');
});

test('a voice is natural from three semitones on, unless chosen otherwise', () => {
  assert.deepEqual([-3, -2, 0, 2, 3].map((semitones) => isNaturalVoice({ semitones })), [true, false, false, false, true]);
  assert.equal(isNaturalVoice({ semitones: 1, naturalVoice: 1 }), true);
  assert.equal(isNaturalVoice({ semitones: 7, naturalVoice: 0 }), false);
  assert.equal(isNaturalVoice({ semitones: 7, naturalVoice: null }), true);
});

test('only a choice that differs from the automatic one is stored', () => {
  assert.deepEqual(naturalVoiceFields({ semitones: 4 }, true), { naturalVoice: null });
  assert.deepEqual(naturalVoiceFields({ semitones: 4 }, false), { naturalVoice: 0 });
  assert.deepEqual(naturalVoiceFields({ semitones: -1 }, true), { naturalVoice: 1 });
  assert.deepEqual(naturalVoiceFields({ semitones: -1, naturalVoice: 1 }, false), { naturalVoice: null });
});

test('the engine is told whether a voice is natural', () => {
  const practice = practiceOf({ semitones: -4 }, { countdownSeconds: 0, countdownRepeats: 'every' });
  assert.deepEqual(
    settingCommand('speed', { ...plainSettings, ...practice }),
    { kind: 'speed', percent: 100, semitones: -4, isNaturalVoice: true });
  assert.deepEqual(
    settingCommand('speed', plainSettings), { kind: 'speed', percent: 100, semitones: 0, isNaturalVoice: false });
});
