// The names of the caller: what is fetched, and what the engine gets when.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NameFeed, type Call } from '../../src/audio/names';
import type { Command } from '../../src/worklet/messages';
import { network, voiceFile } from './voiceFiles';

const call = (frame: number, address: string): Call => ({ frame, calledFrame: frame - 1_000, address });

function feed() {
  const sent: Command[] = [];
  let changes = 0;
  const made = new NameFeed({ send: (command) => sent.push(command), onChange: () => { changes += 1; } });
  /** The commands since the last call. */
  const taken = () => sent.splice(0).map((command) => {
    if (command.kind === 'names') return { recordings: [...command.recordings], samples: command.samples.length };
    if (command.kind === 'calls') return [...command.calls];
    return command.kind;
  });
  return { feed: made, taken, changes: () => changes };
}

test('names are sent once all are there, each once, with the calls that say them', async () => {
  const { answer, asked } = network();
  const { feed: names, taken } = feed();
  names.follow([call(1_000, 'turn'), call(5_000, 'jump'), call(9_000, 'turn')]);
  assert.deepEqual(asked, ['turn', 'jump']);
  await answer(voiceFile([[5, 2]]));
  assert.deepEqual(taken(), []);
  await answer(voiceFile([[7, 3]]));
  assert.deepEqual(taken(), [
    { recordings: [0, 5, 2, 5, 7, 3], samples: 12 }, [1_000, 0, 1, 5_000, 4_000, 2, 9_000, 8_000, 1]]);
});

test('other calls of known names are sent alone, and the same ones not again', async () => {
  const { answer, asked } = network();
  const { feed: names, taken } = feed();
  names.follow([call(1_000, 'turn')]);
  await answer(voiceFile([[5, 2]]));
  taken();
  names.follow([call(1_000, 'turn')]);
  assert.deepEqual(taken(), []);
  names.follow([call(2_000, 'turn'), call(3_000, 'turn')]);
  assert.deepEqual(taken(), [[2_000, 1_000, 1, 3_000, 2_000, 1]]);
  assert.equal(asked.length, 1);
});

test('without calls the engine gets none, and the names are kept for the next part', async () => {
  const { answer, asked } = network();
  const { feed: names, taken } = feed();
  names.follow([call(1_000, 'turn')]);
  await answer(voiceFile([[5, 2]]));
  taken();
  names.follow([]);
  assert.deepEqual(taken(), [[]]);
  names.follow([call(4_000, 'turn')]);
  assert.deepEqual(taken(), [[4_000, 3_000, 1]]);
  assert.equal(asked.length, 1);
});

test('a name that can’t be fetched is left out, counted, and tried again', async () => {
  const { answer, asked } = network();
  const { feed: names, taken, changes } = feed();
  names.follow([call(1_000, 'turn'), call(5_000, 'jump')]);
  await answer(null);
  assert.equal(changes(), 1);
  assert.equal(names.isFetching, true);
  await answer(voiceFile([[7, 3]]));
  assert.deepEqual(taken(), [{ recordings: [0, 7, 3], samples: 7 }, [5_000, 4_000, 1]]);
  assert.equal(names.missing, 1);
  // A start that waits for the names goes on.
  assert.deepEqual([changes(), names.isFetching], [2, false]);
  names.retry();
  assert.deepEqual(asked, ['turn', 'jump', 'turn']);
  await answer(voiceFile([[5, 2]]));
  assert.equal(names.missing, 0);
  assert.deepEqual(taken().slice(-1), [[1_000, 0, 1, 5_000, 4_000, 2]]);
});

test('a file that is no voice counts as missing', async () => {
  const { answer } = network();
  const { feed: names } = feed();
  names.follow([call(1_000, 'turn')]);
  await answer(new ArrayBuffer(50));
  assert.equal(names.missing, 1);
});

test('at most two are fetched at once; what is not needed any more is not fetched', async () => {
  const { answer, asked } = network();
  const { feed: names, taken } = feed();
  names.follow(Array.from({ length: 9 }, (_, index) => call(index * 1_000, `name ${index}`)));
  assert.equal(asked.length, 2);
  await answer(voiceFile([[5, 2]]));
  assert.equal(asked.length, 3);
  names.follow([call(1_000, 'other')]);
  assert.equal(asked.length, 3);
  await answer(voiceFile([[5, 2]]));
  assert.deepEqual(asked.slice(3), ['other']);
  for (let left = 0; left < 2; left += 1) await answer(voiceFile([[5, 2]]));
  assert.deepEqual(taken().slice(-1), [[1_000, 0, 1]]);
});

test('a new engine gets names and calls once more', async () => {
  const { answer } = network();
  const { feed: names, taken } = feed();
  names.follow([call(1_000, 'turn')]);
  await answer(voiceFile([[5, 2]]));
  taken();
  names.handOver();
  assert.deepEqual(taken(), [{ recordings: [0, 5, 2], samples: 5 }, [1_000, 0, 1]]);
});
