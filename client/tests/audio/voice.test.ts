// The voices that say counts: their files, and what is fetched when.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVoice, VoiceFeed, voiceLanguage, type Voice } from '../../src/audio/voice';
import { network, voiceFile } from './voiceFiles';

function feed() {
  const given: Voice[] = [];
  let changes = 0;
  const made = new VoiceFeed({ give: (voice) => given.push(voice), onChange: () => { changes += 1; } });
  return { feed: made, given, changes: () => changes };
}

test('a file has a recording for every two cue points', () => {
  const { recordings, samples } = readVoice(voiceFile([[5, 2], [7, 0], [4, 3]]));
  assert.deepEqual([...recordings], [0, 5, 2, 5, 7, 0, 12, 4, 3]);
  assert.deepEqual([...samples], Array.from({ length: 16 }, (_, index) => index - 3));
});

test('a file that is cut off, empty or of something else is refused', () => {
  const file = voiceFile([[5, 2], [7, 0]]);
  for (const length of [0, 3, 11, 12, 40, 60]) assert.throws(() => readVoice(file.slice(0, length)));
  assert.throws(() => readVoice(new TextEncoder().encode('<!doctype html><title>Not here</title>').buffer));
});

test('a voice is fetched once, and given to each new engine', async () => {
  const { asked, answer } = network();
  const { feed: voice, given } = feed();
  voice.handOver();
  voice.follow(null);
  assert.deepEqual([asked.length, given.length], [0, 0]);
  voice.follow('fr');
  voice.follow('fr');
  await answer(voiceFile([[5, 2]]));
  voice.follow(null);
  voice.follow('fr');
  voice.handOver();
  assert.deepEqual(asked, ['/voice-fr.wav']);
  assert.deepEqual(given.map(({ samples }) => samples.length), [5, 5]);
  assert.equal(voice.isMissing, false);
});

test('a voice that fails leaves none, is missing, and is tried again', async () => {
  const { asked, answer } = network();
  const { feed: voice, given, changes } = feed();
  voice.follow('de');
  await answer(null);
  assert.deepEqual([voice.isMissing, given.at(-1)?.samples.length, changes()], [true, 0, 1]);
  voice.follow(null);
  assert.equal(voice.isMissing, false);
  voice.follow('de');
  await answer(voiceFile([[5, 2]]));
  assert.deepEqual([voice.isMissing, given.at(-1)?.samples.length, changes()], [false, 5, 2]);
  assert.equal(asked.length, 2);
});

test('of two voices chosen one after the other, the later is given', async () => {
  const { asked, answer } = network();
  const { feed: voice, given } = feed();
  voice.follow('ja');
  voice.follow('es');
  await answer(voiceFile([[5, 2]]));
  await answer(voiceFile([[6, 2]]));
  assert.deepEqual(asked, ['/voice-ja.wav', '/voice-es.wav']);
  assert.deepEqual(given.map(({ samples }) => samples.length), [6]);
});

test('the voice speaks the chosen language, or that of the interface', () => {
  assert.equal(voiceLanguage('ja'), 'ja');
  assert.equal(voiceLanguage('interface'), 'en');
});
