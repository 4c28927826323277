// A follower in a simulated room: two engines on clocks of their own, and a network between them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeardMoment } from '../../src/audio/types';
import { Correction, median } from '../../src/lead/correction';
import { Follower, type FollowedPlayer } from '../../src/lead/follower';
import { placeAt, type LeadState } from '../../src/lead/leadState';
import { plain, seeded } from './support';

const id = 'followed';
const bounds = { startFrame: 0, endFrame: 480_000 };

/** A player whose audio clock runs at `rate`, and which hears what it is told only after a while. */
class Room implements FollowedPlayer {
  now = 0;
  snapshot: FollowedPlayer['snapshot'] = { state: 'ready', wantsToPlay: false };
  bounds = bounds;
  turnsWithoutGap = false;
  loadedId: string | null = id;
  percent = 100;
  joins = 0;
  seeks = 0;
  latest: { state: 'playing' | 'countdown'; frame: number; framesLeft: number; at: number } | null = null;
  private readyAt = 0;
  private standing = 0;

  constructor(readonly rate = 1, readonly answerMilliseconds = 40) {}

  heardAt(at: number): HeardMoment | null {
    const { latest, percent, turnsWithoutGap } = this;
    const about = { percent, repeat: 0, turnsWithoutGap, framesLeft: 0 };
    if (!latest) return { ...about, state: 'ready', frame: 0 };
    if (at < this.readyAt) return null;
    const elapsed = (at - latest.at) * 48 * this.rate;
    if (elapsed < latest.framesLeft) return { ...about, state: 'countdown', frame: latest.frame, framesLeft: latest.framesLeft - elapsed };
    const frame = latest.frame + ((elapsed - latest.framesLeft) * percent) / 100;
    const length = this.bounds.endFrame - this.bounds.startFrame;
    return { ...about, state: 'playing', frame: turnsWithoutGap ? this.bounds.startFrame + ((frame - this.bounds.startFrame) % length) : frame };
  }

  position(): number {
    return this.latest ? this.heardAt(this.now)?.frame ?? 0 : this.standing;
  }

  join(frame: number, framesLeft: number, at: number): void {
    this.joins += 1;
    this.latest = { state: 'playing', frame, framesLeft, at };
    this.readyAt = this.now + this.answerMilliseconds;
    this.snapshot = { state: 'playing', wantsToPlay: true };
  }

  pause(): void {
    this.snapshot = { state: 'paused', wantsToPlay: false };
    this.latest = null;
  }

  onSeek: () => void = () => undefined;

  seek(frame: number): void {
    this.seeks += 1;
    this.standing = frame;
    this.onSeek();
  }
}

const make = (room: Room, offset: () => number | null = () => 0): { follower: Follower; touched: () => number } => {
  let touches = 0;
  const follower = new Follower({ player: room, now: () => room.now, offset, onTouched: () => { touches += 1; } });
  return { follower, touched: () => touches };
};

/** How far the room is from what the leader plays, in milliseconds. */
function distance(room: Room, state: LeadState): number {
  const place = placeAt(state, { ...room.bounds, turnsWithoutGap: room.turnsWithoutGap }, room.now);
  const own = room.heardAt(room.now);
  assert(place.kind === 'playing' && own?.state === 'playing');
  const length = room.bounds.endFrame - room.bounds.startFrame;
  let frames = own.frame - place.frame;
  if (room.turnsWithoutGap) frames -= Math.round(frames / length) * length;
  return Math.abs(frames) / 48 * (100 / room.percent);
}

test('a follower falls in, and stays in step on a clock that runs at another speed', () => {
  const random = seeded(5);
  for (const rate of [1, 1 + 1e-4, 1 - 1e-4]) {
    const room = new Room(rate);
    room.turnsWithoutGap = true;
    const { follower } = make(room);
    const state: LeadState = { ...plain, loopMode: 'whole', at: 0 };
    room.now = 500;
    follower.follow({ id, state });
    assert.equal(room.joins, 1);
    for (; room.now < 600_000; room.now += 20 + random() * 20) {
      follower.step();
      if (room.now > 1_000 && room.heardAt(room.now)) assert(distance(room, state) < 15, `${room.now}`);
    }
    // A tenth of a thousandth is 60 ms in ten minutes.
    assert(room.joins <= 12, `${room.joins}`);
    assert(rate !== 1 || room.joins === 1);
  }
});

test('a countdown is joined where it is, and begins the music on time', () => {
  const room = new Room();
  const { follower } = make(room);
  room.now = 1_200;
  const state: LeadState = { ...plain, state: 'countdown', framesLeft: 96_000, at: 1_000, countdownSeconds: 2 };
  follower.follow({ id, state });
  for (; room.now < 4_000; room.now += 30) follower.step();
  assert.equal(room.joins, 1);
  assert(distance(room, state) < 1);
});

test('pauses, jumps and other speeds are followed', () => {
  const room = new Room();
  const { follower, touched } = make(room);
  const run = (milliseconds: number): void => {
    for (const end = room.now + milliseconds; room.now < end; room.now += 30) follower.step();
  };
  follower.follow({ id, state: { ...plain, at: 0 } });
  run(1_000);
  follower.follow({ id, state: { ...plain, at: room.now, state: 'still', frame: 90_000 } });
  assert.equal(room.snapshot.wantsToPlay, false);
  run(500);
  const state: LeadState = { ...plain, at: room.now, frame: 200_000, percent: 50 };
  follower.follow({ id, state });
  // The settings arrive a little later: until then there is nothing to compare.
  const joined = room.joins;
  run(600);
  assert.equal(room.joins, joined);
  room.percent = 50;
  run(1_500);
  assert(distance(room, state) < 8);
  const jumped: LeadState = { ...state, at: room.now, frame: 10_000 };
  follower.follow({ id, state: jumped });
  run(1_000);
  assert(distance(room, jumped) < 8);
  assert.equal(touched(), 0);
});

test('who pauses, starts or moves the player follows no more', () => {
  const playing = new Room();
  const one = make(playing);
  one.follower.follow({ id, state: { ...plain, at: 0 } });
  playing.now = 100;
  one.follower.step();
  playing.pause();
  one.follower.step();
  one.follower.step();
  assert.equal(one.touched(), 1);
  const still = new Room();
  const other = make(still);
  other.follower.follow({ id, state: { ...plain, state: 'still' } });
  still.snapshot = { state: 'playing', wantsToPlay: true };
  other.follower.step();
  assert.equal(other.touched(), 1);
  const moved = new Room();
  const fourth = make(moved);
  // A player tells of a change at once.
  moved.onSeek = () => fourth.follower.step();
  fourth.follower.follow({ id, state: { ...plain, state: 'still' } });
  assert.equal(moved.seeks, 1);
  fourth.follower.step();
  assert.equal(fourth.touched(), 0);
  moved.seek(5);
  fourth.follower.step();
  assert.equal(fourth.touched(), 1);
  // The end of the part is no touch.
  const ended = new Room();
  const third = make(ended);
  third.follower.follow({ id, state: { ...plain, at: 0 } });
  ended.snapshot = { state: 'ended', wantsToPlay: false };
  ended.now = 100_000;
  third.follower.step();
  assert.equal(third.touched(), 0);
});

test('nothing is done before the clock is known, or while something else is loaded', () => {
  const room = new Room();
  let offset: number | null = null;
  const { follower } = make(room, () => offset);
  follower.follow({ id, state: plain });
  assert.equal(room.joins, 0);
  offset = 0;
  room.loadedId = 'other';
  follower.step();
  assert.equal(room.joins, 0);
  room.loadedId = id;
  follower.step();
  assert.equal(room.joins, 1);
});

test('single wrong measures correct nothing; steady ones do, sooner at a border', () => {
  const correction = new Correction();
  const random = seeded(9);
  for (let at = 0; at < 1_000; at += 1) assert.equal(correction.take(at % 5 === 0 ? 40 : (random() - 0.5) * 8, 0), false);
  const taken = (milliseconds: number, pass = 0): boolean[] => Array.from({ length: 8 }, () => correction.take(milliseconds, pass));
  correction.reset();
  assert.deepEqual(taken(9), [false, false, false, false, false, false, false, true]);
  assert.deepEqual(taken(5).includes(true), false);
  assert.equal(correction.take(5, 1), true);
  assert.deepEqual(taken(100, 1).slice(0, 2), [false, true]);
  assert.equal(median([5, 1, 3]), 3);
  assert.equal(median([4, 1, 3, 9]), 3.5);
});
