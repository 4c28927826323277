// When the practice log is written, and into how many entries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlayerPart, PlayerReport } from '../../src/audio/player';
import { heardSections } from '../../src/practiceLog/entry';
import { PracticeRecorder, type LogLibrary } from '../../src/practiceLog/recorder';
import { limits } from '../../src/sync/validation';
import { Browser, Tab } from '../sync/support/world';
import { FakeServer } from '../sync/support/fake-server';
import type { LocalLibrary } from '../../src/sync/library';

const second = 48_000;
const minute = 60_000;
const routine = '0190a000-0000-7000-8000-00000000000a';
const part: PlayerPart = { id: 'p', trackId: 't', trackLengthFrames: 60 * second, startFrame: 0, endFrame: 10 * second };

/** A player that loops, and a clock; both are moved by the test. */
class Practice {
  now = 1_790_000_000_000;
  readonly snapshot = { wantsToPlay: true } as never as { wantsToPlay: boolean };
  recorder: PracticeRecorder;
  private tell: (told: PlayerReport) => void = () => undefined;
  private change: () => void = () => undefined;
  private frames = 0;

  constructor(readonly library: LocalLibrary, readonly part = { id: 'p' }) {
    this.recorder = this.open(library);
    this.change();
  }

  open(library: LogLibrary): PracticeRecorder {
    const player = {
      onReport: (listener: (told: PlayerReport) => void) => { this.tell = listener; return () => { this.tell = () => undefined; }; },
      subscribe: (listener: () => void) => { this.change = listener; return () => { this.change = () => undefined; }; },
      snapshot: this.snapshot as never,
    };
    return new PracticeRecorder(library, player, routine, { now: () => this.now, utcOffset: () => 120 });
  }

  /** Plays for so many seconds, with a report each second. */
  play(seconds: number): void {
    this.snapshot.wantsToPlay = true;
    this.change();
    this.report();
    for (let done = 0; done < seconds; done += 1) {
      this.frames += second;
      this.now += 1_000;
      this.report();
    }
  }

  pause(): void {
    this.snapshot.wantsToPlay = false;
    this.change();
  }

  private report(): void {
    const report = {
      kind: 'report', sequence: 1, state: 'playing', frame: this.frames % (10 * second), awaitedFrame: 0, runFrames: this.frames,
      countdownFramesLeft: 0, countdownFrames: 0, countInNumber: 0, repeat: Math.floor(this.frames / (10 * second)), restFramesLeft: 0,
      percent: 100, turnsWithoutGap: true, contextFrame: 0,
    } as const;
    this.tell({ report, part: { ...part, ...this.part }, bounds: { startFrame: 0, endFrame: 10 * second, repeats: true }, hasMusic: true });
  }

  get entries() {
    return this.library.all('practiceEntry').map(({ startedAt, utcOffset, heard, routine: of }) => ({
      startedAt, utcOffset, of, seconds: heardSections(heard).map(({ seconds }) => seconds), passes: heardSections(heard).map(({ passes }) => passes),
    }));
  }
}

async function opened(): Promise<{ library: LocalLibrary; tab: Tab; server: FakeServer }> {
  const server = new FakeServer();
  const tab = new Tab(new Browser(), server);
  tab.isOnline = false;
  return { library: await tab.open(), tab, server };
}

test('practice is written when it pauses, with the time of its beginning', async () => {
  const { library } = await opened();
  const practice = new Practice(library);
  const began = practice.now;
  practice.play(25);
  assert.deepEqual(practice.entries, []);
  practice.pause();
  assert.deepEqual(practice.entries, [{ startedAt: began, utcOffset: 120, of: routine, seconds: [25], passes: [2] }]);
});

test('an hour is one entry, written every two minutes, as two changes in the outbox', async () => {
  const { library, tab } = await opened();
  const practice = new Practice(library);
  let writes = 0;
  const entries = () => JSON.stringify(practice.entries);
  let last = entries();
  library.subscribe(() => {
    if (entries() !== last) writes += 1;
    last = entries();
  });
  practice.play(3_599);
  practice.pause();
  await tab.settle();
  assert.deepEqual(practice.entries.map(({ seconds }) => seconds), [[3_599]]);
  assert(writes >= 29 && writes <= 31, `${writes} writes`);
  assert.equal(library.status.waiting, 2);
  practice.play(60);
  practice.pause();
  assert.deepEqual(practice.entries.map(({ seconds }) => seconds), [[3_599], [60]], 'the next hour is another one');
});

test('a pause of half an hour begins another entry, a shorter one does not', async () => {
  const { library } = await opened();
  const practice = new Practice(library);
  practice.play(10);
  practice.pause();
  practice.now += 29 * minute;
  practice.play(10);
  practice.pause();
  assert.deepEqual(practice.entries.map(({ seconds }) => seconds), [[20]]);
  practice.now += 31 * minute;
  practice.play(10);
  practice.pause();
  assert.deepEqual(practice.entries.map(({ seconds }) => seconds), [[20], [10]]);
});

test('a clock that is set back begins another entry', async () => {
  const { library } = await opened();
  const practice = new Practice(library);
  practice.play(10);
  practice.now -= 86_400_000;
  practice.play(10);
  practice.pause();
  assert.deepEqual(practice.entries.map(({ seconds }) => seconds).sort(), [[10], [10]]);
});

test('less than five seconds are not written, and count with what follows', async () => {
  const { library } = await opened();
  const practice = new Practice(library);
  practice.play(4);
  practice.pause();
  assert.deepEqual(practice.entries, []);
  practice.play(4);
  practice.pause();
  assert.deepEqual(practice.entries.map(({ seconds }) => seconds), [[8]]);
});

test('while the log is switched off nothing is written, and nothing of it later', async () => {
  const { library } = await opened();
  library.set('practiceLog', false);
  const practice = new Practice(library);
  practice.play(300);
  practice.recorder.write();
  practice.recorder.close();
  assert.deepEqual(practice.entries, []);
  library.set('practiceLog', true);
  const later = new Practice(library);
  later.play(20);
  library.set('practiceLog', false);
  later.pause();
  assert.deepEqual(later.entries, []);
});

test('a page that closes writes what was heard; two pages make two entries', async () => {
  const { library } = await opened();
  const [one, two] = [new Practice(library), new Practice(library)];
  one.play(20);
  two.play(30);
  one.recorder.close();
  two.recorder.write();
  two.recorder.write();
  assert.deepEqual(one.entries.map(({ seconds }) => seconds), [[20], [30]]);
});

test('an entry that was deleted meanwhile stays deleted, and practice goes on in another', async () => {
  const { library } = await opened();
  const practice = new Practice(library);
  practice.play(20);
  practice.pause();
  library.remove('practiceEntry', library.all('practiceEntry')[0]?.id ?? '');
  practice.play(10);
  practice.pause();
  assert.deepEqual(practice.entries.map(({ seconds }) => seconds), [[10]]);
});

test('hundreds of sections in an hour fit into their entries', async () => {
  const { library } = await opened();
  const named = { id: '' };
  const practice = new Practice(library, named);
  for (let n = 0; n < 400; n += 1) {
    named.id = `0190a000-0000-7000-8000-${String(n).padStart(12, '0')}`;
    practice.play(3);
  }
  practice.pause();
  const entries = library.all('practiceEntry');
  const lines = entries.flatMap(({ heard }) => heardSections(heard));
  assert(entries.length <= 4, `${entries.length} entries`);
  assert(entries.every(({ heard }) => (heard ?? '').length <= limits.practiceEntry.heard));
  assert(lines.length >= 395, `${lines.length} sections`);
});

test('a killed page has lost two minutes at most', async () => {
  const { library, tab, server } = await opened();
  const practice = new Practice(library);
  practice.play(1_000);
  await tab.settle();
  tab.kill();
  tab.browser.disk.crash();
  const next = new Tab(tab.browser, server);
  next.isOnline = false;
  const later = await next.open();
  const [entry] = later.all('practiceEntry');
  const seconds = heardSections(entry?.heard).reduce((sum, each) => sum + each.seconds, 0);
  assert(seconds >= 880, `${seconds} s`);
});
