// A run-through while it is played, through the real arithmetic and a real library.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCovered, parseMisses } from '../../src/practice/misses';
import { RunThroughSession } from '../../src/runThrough/session';
import { Listeners } from '../../src/sync/listeners';
import { FakeServer } from '../sync/support/fake-server';
import { Browser, Tab } from '../sync/support/world';
import { id, part, practice, second } from '../practice/studio';

const parts = [part(1), part(2)];
const run = {
  stretches: parts.map(({ startFrame, endFrame }) => ({ trackId: 'a', trackLengthFrames: 40 * second, startFrame, endFrame })),
  partIds: [id(1), id(2)],
};

/** A run-through on a page, whose player the test moves. */
async function started() {
  const server = new FakeServer();
  const tab = new Tab(new Browser(), server);
  const library = await tab.open();
  await tab.settle();
  const listeners = new Listeners();
  let frame = 0;
  let milliseconds = 0;
  const snapshot = { state: 'loading', percent: 100 };
  const session = new RunThroughSession(id(50), run, {
    player: { snapshot, position: () => frame, subscribe: listeners.add } as never,
    library, practice: Promise.resolve(practice), parts: () => parts,
    now: () => milliseconds, today: () => ({ startedAt: 1_700_000_000_000, utcOffset: 60 }),
  });
  await tab.settle();
  /** Plays on up to a second of the run. */
  const play = (to: number): void => {
    snapshot.state = 'playing';
    listeners.tell();
    while (frame < to * second) {
      frame += second / 10;
      milliseconds += 100;
      listeners.tell();
    }
  };
  const become = (state: string): void => {
    snapshot.state = state;
    listeners.tell();
  };
  const records = () => library.all('runThrough');
  const [covered, missed] = [
    () => parseCovered(practice, records()[0]?.covered ?? '').map(({ partId, startFrame, endFrame }) => [partId, startFrame / second, endFrame / second]),
    () => parseMisses(practice, records()[0]?.misses ?? '').map(({ moveId }) => moveId),
  ];
  return { session, library, play, become, records, covered, missed, snapshot };
}

test('a tap notes the move of that moment, and the first one makes the record', async () => {
  const { session, play, records, covered, missed } = await started();
  play(5.5);
  assert.equal(records().length, 0);
  session.miss();
  assert.deepEqual(missed(), [id(101)]);
  assert.deepEqual(covered(), [[id(1), 10, 15.5]]);
  assert.deepEqual([session.last?.moveId, session.misses.length], [id(101), 1]);
  const [record] = records();
  assert.deepEqual([record?.startedAt, record?.utcOffset, record?.percent, record?.routine], [1_700_000_000_000, 60, 100, id(50)]);
  play(21);
  session.miss();
  assert.deepEqual(missed(), [id(101), id(200)]);
  assert.equal(records().length, 1);
});

test('before the first sound nothing is missed', async () => {
  const { session, become, records } = await started();
  session.miss();
  become('countdown');
  session.miss();
  assert.deepEqual([records().length, session.last], [0, null]);
});

test('ten seconds without a miss are kept, and less is not', async () => {
  const short = await started();
  short.play(9);
  assert.equal(short.session.end(), null);
  assert.equal(short.records().length, 0);
  const long = await started();
  long.play(10.2);
  assert.deepEqual(long.covered().length, 1);
  long.play(14);
  assert.equal(long.session.end(), long.records()[0]?.id);
  assert.deepEqual(long.covered(), [[id(1), 10, 24]]);
});

test('a page that is killed loses no miss and no more than fifteen seconds', async () => {
  const { session, play, covered, missed } = await started();
  play(5.5);
  session.miss();
  play(38);
  assert.deepEqual(missed(), [id(101)]);
  const [, last] = covered();
  assert(last && (last[2] as number) > 10 + 2, JSON.stringify(last));
});

test('the latest miss is taken back, once', async () => {
  const { session, play, missed } = await started();
  play(5.5);
  session.miss();
  play(9.5);
  session.miss();
  session.takeBack();
  assert.deepEqual([missed(), session.last], [[id(101)], null]);
  session.takeBack();
  assert.deepEqual(missed(), [id(101)]);
});

test('what another device takes back stays taken back', async () => {
  const { session, play, library, records, missed } = await started();
  play(5.5);
  session.miss();
  library.edit('runThrough', records()[0]?.id ?? '', { misses: null });
  play(9.5);
  session.miss();
  assert.deepEqual(missed(), [id(102)]);
});

test('the lowest speed counts, and after the end nothing is noted', async () => {
  const { session, play, become, snapshot, records, covered } = await started();
  play(12);
  snapshot.percent = 80;
  play(40);
  become('ended');
  session.end();
  assert.deepEqual(records()[0]?.percent, 80);
  assert.deepEqual(covered(), [[id(1), 10, 30], [id(2), 10, 30]]);
});
