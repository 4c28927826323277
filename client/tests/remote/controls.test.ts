import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlayedCounts } from '../../src/audio/playedCounts';
import { isTraining, percentOf } from '../../src/parts/practiceSettings';
import { controlsOf, type PageState } from '../../src/remote/controls';
import { FakeServer } from '../sync/support/fake-server';
import { Browser, Tab } from '../sync/support/world';

type Player = Parameters<typeof controlsOf>[0]['player'];

/** A page that loops a part with the trainer on, currently at 75 %. */
async function training() {
  const server = new FakeServer();
  const track = server.newId();
  server.edit('track', track, { title: 'Swan', state: 'ready', lengthFrames: 480_000 });
  const tab = new Tab(new Browser(), server);
  const library = await tab.open();
  await tab.settle();
  const routine = library.create('routine', { title: 'Swan' });
  const part = library.create('part', {
    routine, track, title: 'Chorus', position: 'a', loopMode: 'whole',
    trainerFrom: 70, trainerTo: 100, trainerStep: 5, trainerEvery: 2,
  });
  const player = { snapshot: { percent: 75, problem: null }, position: () => 0 } as Player;
  const stand = { routine: library.get('routine', routine), parts: library.parts(routine), index: 0, run: null };
  const controls = controlsOf({ player, library, counts: new PlayedCounts() }, () => stand as unknown as PageState, () => false);
  const read = () => {
    const found = library.get('part', part);
    assert(found);
    return found;
  };
  return { library, controls, part, read };
}

test('a speed change starts from the trainer’s current speed and switches the trainer off', async () => {
  const { controls, part, read } = await training();
  assert.equal(controls.read()?.percent, 75);
  controls.take({ verb: 'speed', subject: part, percent: 70 });
  assert.deepEqual([isTraining(read()), percentOf(read())], [false, 70]);
  assert.equal(controls.read()?.percent, 70);
});

test('a trainer without a loop stays on', async () => {
  const { library, controls, part, read } = await training();
  library.edit('part', part, { loopMode: 'off' });
  controls.take({ verb: 'speed', subject: part, percent: 70 });
  assert.deepEqual([read().trainerEvery, percentOf(read())], [2, 70]);
});
