import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Line } from '../../src/remote/line';
import type { RemoteMessage } from '../../src/remote/protocol';
import { Clock, Room, standing } from './support';

test('a remote shows the player’s state shortly after it was chosen', () => {
  const { clock, remote, controlled } = new Room();
  assert.equal(remote.reach, 'joining');
  clock.pass(100);
  assert.equal(remote.reach, 'joined');
  assert.equal(remote.state?.title, 'Chorus');
  assert.deepEqual(controlled.watchers, [{ id: 'phone', name: 'Phone' }]);
});

test('a press is shown at once and the player executes it', () => {
  const { clock, remote, player } = new Room();
  clock.pass(100);
  remote.toggle();
  assert.equal(remote.state?.wantsToPlay, true);
  assert.equal(player.state?.wantsToPlay, false);
  clock.pass(100);
  assert.equal(player.state?.wantsToPlay, true);
  assert.equal(remote.state?.state, 'playing');
  remote.toggle();
  assert.equal(remote.state?.wantsToPlay, false);
  clock.pass(100);
  assert.equal(player.state?.state, 'paused');
});

test('a state that was sent before a press does not revert the button', () => {
  const room = new Room();
  const { clock, remote, player } = room;
  clock.pass(100);
  remote.play();
  clock.pass(500);
  const shown: (boolean | undefined)[] = [];
  remote.subscribe(() => shown.push(remote.state?.wantsToPlay));
  room.delay = 120;
  remote.pause();
  clock.pass(1_000);
  assert.equal(player.state?.wantsToPlay, false);
  assert.deepEqual([...new Set(shown)], [false]);
});

test('during playback the position is sent about four times a second and shown within 50 ms', () => {
  const room = new Room();
  const { clock, remote, player } = room;
  clock.pass(100);
  remote.play();
  clock.pass(1_000);
  room.sent.length = 0;
  for (let step = 0; step < 400; step += 1) {
    clock.pass(10);
    const off = Math.abs(remote.position() - (player.read()?.frame ?? 0)) / 48;
    assert(off < 50, `${off} ms off after ${step * 10} ms`);
  }
  const told = room.of('laptop', 'state').length;
  assert(told >= 14 && told <= 22, `${told} in four seconds`);
});

test('the network delay is compensated', () => {
  const room = new Room();
  const { clock, remote, player } = room;
  room.delay = 200;
  clock.pass(5_000);
  remote.play();
  clock.pass(2_000);
  const off = Math.abs(remote.position() - (player.read()?.frame ?? 0)) / 48;
  assert(off < 50, `${off} ms off`);
});

test('a pause, a seek and a loop of the player are sent at once', () => {
  const room = new Room();
  const { clock, remote, player } = room;
  clock.pass(100);
  remote.play();
  clock.pass(1_000);
  const changes = [
    () => player.take({ verb: 'seek', subject: 'p2', frame: 240_000 }),
    () => player.take({ verb: 'loop', subject: 'p2', loopMode: 'whole', markerA: null, markerB: null }),
    () => player.take({ verb: 'pause' }),
  ];
  for (const change of changes) {
    change();
    clock.pass(34 + 40 + room.delay);
    const { frame, ...others } = player.read() ?? standing;
    assert(Math.abs(remote.position() - frame) < 4_800);
    assert.deepEqual({ ...remote.state, frame: 0 }, { ...others, frame: 0 });
  }
});

test('nothing is sent without a remote or a change', () => {
  const room = new Room();
  room.clock.pass(100);
  room.sent.length = 0;
  room.clock.pass(6_000);
  // Only the heartbeat and its answer.
  assert(room.of('laptop', 'state').length <= 5);
  room.remote.close();
  room.clock.pass(100);
  assert.deepEqual(room.controlled.watchers, []);
  room.sent.length = 0;
  room.player.take({ verb: 'play' });
  room.clock.pass(10_000);
  assert.deepEqual(room.sent, []);
});

test('a duplicate or late command is ignored', () => {
  const { clock, player, controlled } = new Room();
  clock.pass(100);
  const seek = (sequence: number, frame: number): void => controlled.heard('phone', {
    kind: 'do', sequence, action: { verb: 'seek', subject: 'p2', frame },
  });
  seek(1, 100);
  seek(3, 300);
  seek(2, 200);
  seek(3, 300);
  assert.deepEqual(
    player.taken.map((action) => (action.verb === 'seek' ? action.frame : null)), [100, 300]);
  // Each remote has its own numbering.
  controlled.heard('tablet', { kind: 'do', sequence: 1, action: { verb: 'pause' } });
  assert.equal(player.taken.length, 3);
});

test('two presses of forward are two steps, even before the first is acknowledged', () => {
  const { clock, remote, player } = new Room();
  clock.pass(100);
  remote.skip(1);
  remote.skip(1);
  clock.pass(200);
  assert.equal(player.state?.frame, 480_000, 'kept at the end of the part');
  remote.skip(-1);
  remote.skip(-1);
  clock.pass(200);
  assert.equal(player.state?.frame, 0);
});

test('where the player seeks by eights it is told each step, and an earlier one a frame', () => {
  const room = new Room();
  const { clock, remote, player } = room;
  clock.pass(100);
  player.state = { ...standing, seeksEights: true };
  clock.pass(2_000);
  remote.skip(1);
  remote.skip(1);
  remote.skip(-1);
  clock.pass(500);
  assert.deepEqual(player.taken, [1, 1, -1].map((direction) => ({ verb: 'step', subject: 'p2', direction })));
  const { seeksEights, ...earlier } = player.state;
  assert.equal(seeksEights, true);
  player.state = earlier;
  clock.pass(2_000);
  remote.skip(1);
  clock.pass(500);
  assert.deepEqual(player.taken.at(-1), { verb: 'seek', subject: 'p2', frame: 288_000 });
});

test('two misses in a row both arrive, with the frames that were heard, and only in a run-through', () => {
  const { clock, remote, player } = new Room();
  clock.pass(100);
  remote.miss();
  clock.pass(500);
  assert.deepEqual(player.taken, []);
  player.state = { ...standing, takesMisses: true };
  clock.pass(2_000);
  remote.miss();
  remote.miss();
  clock.pass(500);
  assert.deepEqual(player.taken.map(({ verb }) => verb), ['miss', 'miss']);
  assert.equal(player.taken.every((action) => action.verb === 'miss' && action.frame === player.state?.frame), true);
});

test('A, B and clear apply at the position that the remote shows', () => {
  const { clock, remote, player } = new Room();
  clock.pass(100);
  remote.section();
  clock.pass(200);
  assert.equal(player.state?.markerA, 48_000);
  remote.seek(144_000);
  remote.section();
  clock.pass(200);
  assert.deepEqual(
    [player.state?.loopMode, player.state?.markerA, player.state?.markerB], ['section', 48_000, 144_000]);
  remote.skip(1);
  clock.pass(200);
  assert.equal(player.state?.frame, 144_000, 'an active section is not left');
  remote.clear();
  clock.pass(200);
  assert.deepEqual([player.state?.loopMode, player.state?.markerA], ['off', null]);
  remote.whole();
  remote.mark('b');
  clock.pass(200);
  assert.deepEqual([player.state?.loopMode, player.state?.markerB], ['whole', 144_000]);
});

test('the speed stays within the player’s range, and parts are addressed by id', () => {
  const { clock, remote, player } = new Room();
  clock.pass(100);
  for (let press = 0; press < 50; press += 1) remote.faster(-5);
  clock.pass(200);
  assert.equal(player.state?.percent, 25);
  remote.next();
  clock.pass(200);
  assert.deepEqual(player.taken[player.taken.length - 1], { verb: 'part', part: 'p3' });
});

test('two presses of “Next part” skip two parts, even before the first is shown', () => {
  const { clock, remote, player } = new Room();
  clock.pass(100);
  remote.next();
  remote.next();
  clock.pass(500);
  assert.equal(player.state?.part, 'p4');
  for (let press = 0; press < 4; press += 1) remote.previous();
  clock.pass(1_000);
  assert.equal(player.state?.part, 'p1', 'kept at the first part');
  remote.next();
  remote.next();
  remote.previous();
  clock.pass(500);
  assert.equal(player.state?.part, 'p2');
});

test('buttons are enabled again when a requested part is not shown', () => {
  const room = new Room();
  const { clock, remote, player } = room;
  clock.pass(100);
  room.isCut = true;
  remote.next();
  remote.next();
  clock.pass(3_000);
  room.isCut = false;
  clock.pass(2_000);
  assert.equal(player.state?.part, 'p2');
  remote.next();
  clock.pass(500);
  assert.equal(player.state?.part, 'p3');
});

test('a run has no loop', () => {
  const { clock, remote, player } = new Room();
  player.state = { ...standing, canLoop: false };
  clock.pass(100);
  remote.section();
  remote.whole();
  clock.pass(200);
  assert.deepEqual(player.taken, []);
});

test('a lost connection is shown within five seconds and recovers by itself', () => {
  const room = new Room();
  const { clock, remote } = room;
  clock.pass(1_000);
  room.isCut = true;
  clock.pass(5_000);
  assert.equal(remote.reach, 'lost');
  const { frame } = remote.state ?? standing;
  clock.pass(5_000);
  assert.equal(remote.position(), frame, 'what is not known does not move');
  assert.deepEqual(room.controlled.watchers, [], 'the player has noticed, too');
  room.isCut = false;
  clock.pass(2_000);
  assert.equal(remote.reach, 'joined');
});

test('a press that was lost reverts to the player’s state', () => {
  const room = new Room();
  const { clock, remote } = room;
  clock.pass(100);
  room.isCut = true;
  remote.play();
  assert.equal(remote.state?.wantsToPlay, true);
  clock.pass(3_000);
  assert.equal(remote.state?.wantsToPlay, false);
});

test('a page that was left disappears at once and sends nothing more', () => {
  const room = new Room();
  const { clock, remote, controlled } = room;
  clock.pass(100);
  controlled.close();
  clock.pass(100);
  assert.equal(remote.reach, 'gone');
  room.sent.length = 0;
  remote.play();
  clock.pass(10_000);
  assert.deepEqual(room.of('phone', 'do').concat(room.of('phone', 'watch')), []);
});

test('a player that is no longer listed is shown as gone', () => {
  const { clock, remote } = new Room();
  clock.pass(100);
  remote.heardPlayers(new Set(['laptop', 'tablet']));
  assert.equal(remote.reach, 'joined');
  remote.heardPlayers(new Set(['tablet']));
  assert.equal(remote.reach, 'gone');
});

test('a state that arrives out of order is dropped', () => {
  const { clock, remote } = new Room();
  clock.pass(100);
  const tell = (number: number, title: string): void => remote.heard('laptop', {
    kind: 'state', number, echo: 0, done: 0, state: { ...standing, title },
  });
  tell(50, 'New');
  tell(49, 'Old');
  assert.equal(remote.state?.title, 'New');
  remote.heard('tablet', { kind: 'state', number: 90, echo: 0, done: 0, state: { ...standing, title: 'Other' } });
  assert.equal(remote.state?.title, 'New');
});

test('asking for a player’s state does not count as controlling it', () => {
  const room = new Room();
  room.clock.pass(100);
  room.controlled.heard('tablet', { kind: 'ask' });
  assert.deepEqual(room.controlled.watchers.map(({ id }) => id), ['phone']);
  assert.equal(room.sent[room.sent.length - 1]?.message.kind, 'state');
});

test('a fifth remote waits until another one leaves', () => {
  const { clock, controlled } = new Room();
  clock.pass(100);
  for (const id of ['two', 'three', 'four', 'five']) {
    controlled.heard(id, { kind: 'watch', number: 1, name: id });
  }
  assert.equal(controlled.watchers.length, 4);
  controlled.heard('two', { kind: 'leave' });
  controlled.heard('five', { kind: 'watch', number: 2, name: 'five' });
  assert.deepEqual(controlled.watchers.map(({ id }) => id), ['phone', 'three', 'four', 'five']);
});

// Sending messages.

const tick = (): Promise<void> => new Promise((resolve) => {
  setImmediate(resolve);
});
const watch = (number: number): RemoteMessage => ({ kind: 'watch', number, name: '' });

test('messages are sent one at a time, and a newer message replaces a waiting one of its kind', async () => {
  const clock = new Clock();
  const left: RemoteMessage[] = [];
  const line = new Line({
    now: clock.now, timer: clock.timer, deliver: (_to, message) => Promise.resolve(void left.push(message)),
  });
  line.send('a', watch(1), 'seek');
  line.send('a', watch(2), 'seek');
  line.send('a', watch(3), 'play');
  line.send('a', watch(4), 'seek');
  line.send('b', watch(5), 'seek');
  for (let step = 0; step < 10; step += 1) {
    await tick();
    clock.pass(50);
  }
  assert.deepEqual(left, [watch(1), watch(3), watch(4), watch(5)]);
});

test('a message that cannot be sent in time is dropped, and later messages are sent', async () => {
  const clock = new Clock();
  const left: RemoteMessage[] = [];
  let fail: (reason: Error) => void = () => undefined;
  const line = new Line({
    now: clock.now, timer: clock.timer,
    deliver: (_to, message) => {
      left.push(message);
      return left.length === 1 ? new Promise((_resolve, reject) => { fail = reject; }) : Promise.resolve();
    },
  });
  line.send('a', watch(1), 'one');
  line.send('a', watch(2), 'two');
  clock.pass(3_000);
  line.send('a', watch(3), 'three');
  fail(new Error('no network'));
  for (let step = 0; step < 5; step += 1) {
    await tick();
    clock.pass(50);
  }
  assert.deepEqual(left, [watch(1), watch(3)]);
});
