// Effects of changing a part's loop on the player, the record and the screen reader.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeLoop } from '../../src/parts/changeLoop';
import { loopStateOf, pressLoop, setMarker, type LoopState } from '../../src/parts/section';
import type { Services } from '../../src/services/services';
import type { Part } from '../../src/sync/records';

const bounds = { startFrame: 48_000, endFrame: 480_000 };

test('every change reaches the player and the library, and is announced once', () => {
  let part = { id: 'p', routine: 'r', title: 'Intro', position: 'a' } as Part;
  const heard: LoopState[] = [];
  const said: string[] = [];
  const services = {
    player: { update: (next: LoopState) => heard.push(next) },
    library: { edit: (_type: string, _id: string, fields: Partial<Part>) => { part = { ...part, ...fields }; } },
  } as unknown as Pick<Services, 'player' | 'library'>;
  const change = (next: (state: LoopState) => LoopState): void => (
    changeLoop(services, part, bounds, next(loopStateOf(part, bounds)), (sentence) => said.push(sentence))
  );
  change((state) => setMarker(state, 'a', 96_000, bounds));
  change((state) => setMarker(state, 'b', 192_000, bounds));
  change((state) => state);
  change(pressLoop);
  change(pressLoop);
  assert.deepEqual(said, [
    'A is at 0:01.0. Now set B.', 'Looping from A, 0:01.0, to B, 0:03.0', 'Looping the part', 'Loop off',
  ]);
  assert.equal(heard.length, 5);
  assert.deepEqual(loopStateOf(part, bounds), { loopMode: 'off', markerA: 96_000, markerB: 192_000 });
});
