// Effects of changing a part's loop on the player, the record and the screen reader.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeLoop } from '../../src/parts/changeLoop';
import { clearSection, loopStateOf, pressLoop, pressSection, setMarker, type LoopState } from '../../src/parts/section';
import type { Services } from '../../src/services/services';
import type { Part } from '../../src/sync/records';
import { toasts } from '../../src/ui/toasts';

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

test('cleared markers, and a section pressed too quickly, can be brought back', () => {
  let part = { id: 'p', routine: 'r', title: 'Intro', position: 'a', markerA: 96_000, markerB: 192_000 } as Part;
  const services = {
    player: { update: () => undefined },
    library: { edit: (_type: string, _id: string, fields: Partial<Part>) => { part = { ...part, ...fields }; } },
  } as unknown as Pick<Services, 'player' | 'library'>;
  const change = (next: (state: LoopState) => LoopState): void => (
    changeLoop(services, part, bounds, next(loopStateOf(part, bounds)), () => undefined)
  );
  change(clearSection);
  assert.equal(part.markerA, null);
  assert.equal(toasts.undoNewest(), true);
  assert.deepEqual([part.markerA, part.markerB], [96_000, 192_000]);
  change(clearSection);
  change((state) => pressSection(state, 100_000, bounds));
  const seen = toasts.kept.length;
  change((state) => pressSection(state, 101_000, bounds));
  assert.equal(toasts.kept.length, seen + 1);
  assert.deepEqual([part.markerA, part.markerB], [100_000, 148_000]);
  toasts.undoNewest();
  assert.deepEqual([part.markerA, part.markerB ?? null], [100_000, null]);
  change((state) => pressSection(state, 200_000, bounds));
  assert.equal(toasts.kept.length, seen, 'a section of more than a second needs no message');
  toasts.kept.forEach(({ id }) => toasts.dismiss(id));
});
