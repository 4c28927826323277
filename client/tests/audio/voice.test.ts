// The voices that say counts: their files, and what is fetched when.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVoice, VoiceFeed, voiceLanguage, type Voice } from '../../src/audio/voice';

/** A chunk of a WAV file. */
function chunk(name: string, ...numbers: readonly (readonly [value: number, bytes: 2 | 4])[]): number[] {
  const content = numbers.flatMap(([value, bytes]) => (
    Array.from({ length: bytes }, (_, index) => (value >> (8 * index)) & 255)));
  return [...new TextEncoder().encode(name), ...sized(content.length), ...content];
}

const sized = (size: number): number[] => [size & 255, (size >> 8) & 255, 0, 0];

/** A voice of recordings with so many samples and such attacks. */
function voiceFile(recordings: readonly (readonly [frames: number, attack: number])[]): ArrayBuffer {
  let start = 0;
  const points = recordings.flatMap(([frames, attack]) => {
    const pair = [start, start + attack];
    start += frames;
    return pair;
  });
  const cues = points.flatMap((frame, index) => (
    [index + 1, frame, 0, 0, 0, frame].map((value): [number, 4] => [value, 4])));
  const samples = Array.from({ length: start }, (_, index): [number, 2] => [index - 3, 2]);
  const body = [
    ...chunk('fmt ', [1, 2], [1, 2], [24_000, 4], [48_000, 4], [2, 2], [16, 2]),
    ...chunk('cue ', [points.length, 4], ...cues), ...chunk('data', ...samples)];
  return Uint8Array.from([
    ...new TextEncoder().encode('RIFF'), ...sized(body.length + 4), ...new TextEncoder().encode('WAVE'), ...body]).buffer;
}

/** Answers requests for voices; `answers` are taken in turn, and each request waits for its own. */
function network() {
  const asked: string[] = [];
  const waiting: ((file: ArrayBuffer | null) => void)[] = [];
  globalThis.fetch = (address: RequestInfo | URL) => {
    asked.push(String(address));
    return new Promise((resolve) => {
      waiting.push((file) => resolve(new Response(file, { status: file ? 200 : 503 })));
    });
  };
  const answer = async (file: ArrayBuffer | null): Promise<void> => {
    waiting.shift()?.(file);
    // What waits for the answer runs before the next timer.
    await new Promise((resolve) => { setTimeout(resolve); });
  };
  return { asked, answer };
}

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
