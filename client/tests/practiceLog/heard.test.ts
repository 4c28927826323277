// What was heard, from reports as the engine makes them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlayerPart, PlayerReport } from '../../src/audio/player';
import { HeardSum, heardSections, type HeardSection } from '../../src/practiceLog/entry';
import { HeardTracker } from '../../src/practiceLog/heard';
import { Random } from '../sync/support/random';

const second = 48_000;
const part: PlayerPart = { id: 'p', trackId: 't', trackLengthFrames: 100 * second, startFrame: 10 * second, endFrame: 20 * second };
const whole = { startFrame: part.startFrame, endFrame: part.endFrame, repeats: false };

/** Plays like the engine: a report every so many frames, and at each event. */
class Playing {
  readonly sum = new HeardSum();
  /** Frames between two reports. */
  step = 1_536;
  percent = 100;
  hasMusic = true;
  /** Whether a loop turns with a countdown, after which the engine counts its frames anew. */
  counts = false;
  private frame = part.startFrame;
  private runFrames = 0;
  private repeat = 0;
  private sequence = 1;
  private readonly tracker = new HeardTracker((piece) => this.sum.add(piece));

  constructor(public bounds: PlayerReport['bounds'] = whole, private readonly playable = part) {
    this.frame = bounds.startFrame;
    this.report('ready');
  }

  report(state: PlayerReport['report']['state']): void {
    const report = {
      kind: 'report', sequence: this.sequence, state, frame: this.frame, awaitedFrame: 0, runFrames: this.runFrames,
      countdownFramesLeft: 0, countdownFrames: 0, countInNumber: 0, repeat: this.repeat, restFramesLeft: 0,
      percent: this.percent, turnsWithoutGap: !this.counts, contextFrame: 0,
    } as const;
    this.tracker.take({ report, part: this.playable, bounds: this.bounds, hasMusic: this.hasMusic });
  }

  play(): this {
    this.sequence += 1;
    this.runFrames = 0;
    this.report('waiting');
    this.report('countdown');
    this.report('playing');
    return this;
  }

  /** Plays this many frames of the track, through turns. */
  go(frames: number): this {
    for (let left = frames; left > 0;) {
      const count = Math.min(left, this.step);
      for (let done = 0; done < count;) {
        if (this.frame >= this.bounds.endFrame) {
          if (!this.bounds.repeats) {
            this.report('ended');
            return this;
          }
          this.turn();
        }
        const now = Math.min(count - done, this.bounds.endFrame - this.frame);
        this.frame += now;
        this.runFrames += now;
        done += now;
      }
      left -= count;
      this.report('playing');
    }
    return this;
  }

  private turn(): void {
    this.repeat += 1;
    this.frame = this.bounds.startFrame;
    if (!this.counts) return;
    this.report('waiting');
    this.runFrames = 0;
    this.report('countdown');
  }

  /** Reaches the end, as the engine reports it. */
  end(): this {
    this.go(this.bounds.endFrame - this.frame);
    this.report('ended');
    return this;
  }

  pause(): this {
    this.sequence += 1;
    this.report('paused');
    return this;
  }

  seek(frame: number): this {
    this.sequence += 1;
    this.frame = frame;
    if (frame >= this.bounds.endFrame && !this.bounds.repeats) this.report('ended');
    else {
      this.runFrames = 0;
      this.report('playing');
    }
    return this;
  }

  loop(startFrame: number, endFrame: number): this {
    this.sequence += 1;
    this.bounds = { startFrame, endFrame, repeats: true };
    this.report('playing');
    return this;
  }

  get lines(): HeardSection[] {
    return heardSections(this.sum.text);
  }

  /** Passes, seconds and speed of the only line. */
  get only(): number[] {
    assert.equal(this.lines.length, 1, this.sum.text);
    const { passes, seconds, percent } = this.lines[0] as HeardSection;
    return [passes, seconds, percent];
  }
}

test('a part that is heard from its start to its end is one pass', () => {
  const playing = new Playing().play().end();
  assert.deepEqual(playing.only, [1, 10, 100]);
  assert.deepEqual(playing.lines[0], {
    partId: 'p', startFrame: part.startFrame, endFrame: part.endFrame, passes: 1, seconds: 10, percent: 100, hasMusic: true,
  });
});

test('a part that is left before its end is no pass, and its seconds count', () => {
  assert.deepEqual(new Playing().play().go(6 * second).pause().only, [0, 6, 0]);
});

test('a pause breaks no pass, and its time does not count', () => {
  assert.deepEqual(new Playing().play().go(6 * second).pause().play().end().only, [1, 10, 100]);
});

test('a seek breaks a pass', () => {
  assert.deepEqual(new Playing().play().go(3 * second).seek(15 * second).end().only, [0, 8, 0]);
  assert.deepEqual(new Playing().play().seek(12 * second).end().only, [0, 8, 0]);
  assert.deepEqual(new Playing().play().go(3 * second).seek(part.startFrame).end().only, [1, 13, 100]);
});

test('the end that is reached by a seek is not heard', () => {
  assert.deepEqual(new Playing().play().go(3 * second).seek(part.endFrame).only, [0, 3, 0]);
});

test('the turns of a loop are passes, however rare the reports are', () => {
  for (const step of [100, 1_536, 500_000, 2_000_000]) {
    const playing = new Playing({ ...whole, repeats: true });
    playing.step = step;
    playing.play().go(35 * second).pause();
    assert.deepEqual(playing.only, [3, 35, 100], `${step} frames between reports`);
  }
});

test('the turns of a loop that counts in are passes', () => {
  const playing = new Playing({ ...whole, repeats: true });
  playing.counts = true;
  playing.step = 1_000;
  assert.deepEqual(playing.play().go(30 * second).pause().only, [3, 30, 100]);
});

test('seconds are those of the clock, the speed is that of the slowest moment of a pass', () => {
  const slow = new Playing();
  slow.percent = 50;
  assert.deepEqual(slow.play().end().only, [1, 20, 50]);
  const mixed = new Playing({ ...whole, repeats: true });
  mixed.percent = 80;
  mixed.play().go(5 * second);
  mixed.percent = 100;
  mixed.report('playing');
  mixed.go(5 * second);
  assert.deepEqual(mixed.only.filter((_, index) => index !== 1), [1, 80]);
  mixed.go(10 * second);
  assert.deepEqual(mixed.only.filter((_, index) => index !== 1), [2, 100]);
});

test('a trainer’s next speed counts from its turn on', () => {
  const playing = new Playing({ ...whole, repeats: true });
  playing.percent = 90;
  playing.play().go(10 * second - 100);
  // The report comes after the turn, with the next speed.
  playing.percent = 70;
  playing.go(1_000);
  playing.go(3 * second);
  assert.deepEqual(playing.only.filter((_, index) => index !== 1), [1, 90]);
});

test('a section from A to B is a line of its own, also while playback goes on', () => {
  const playing = new Playing().play().go(4 * second).loop(13 * second, 15 * second).go(5 * second);
  assert.deepEqual(
    playing.lines.map(({ startFrame, endFrame, passes, seconds }) => [startFrame / second, endFrame / second, passes, seconds]),
    [[10, 20, 0, 4], [13, 15, 3, 5]],
  );
});

test('a section whose start was not heard begins with the next turn', () => {
  const playing = new Playing().play().seek(14 * second).loop(13 * second, 15 * second).go(second).go(2 * second);
  assert.equal(playing.lines.find(({ startFrame }) => startFrame === 13 * second)?.passes, 1);
});

test('without music a pass is a line of its own; with music for a while it counts with it', () => {
  const playing = new Playing({ ...whole, repeats: true });
  playing.hasMusic = false;
  playing.play().go(10 * second);
  playing.go(5 * second);
  playing.hasMusic = true;
  playing.report('playing');
  playing.go(5 * second);
  assert.deepEqual(playing.lines.map(({ hasMusic, passes }) => [hasMusic, passes]), [[false, 1], [true, 1]]);
});

test('in a run each part has its own seconds and passes, in frames of its track', () => {
  const run: PlayerPart = {
    id: 'run r', trackId: 'run', trackLengthFrames: 15 * second, startFrame: 0, endFrame: 15 * second,
    run: [
      { partId: 'a', trackId: 't', trackLengthFrames: 100 * second, startFrame: 50 * second, endFrame: 60 * second },
      { partId: 'b', trackId: 'u', trackLengthFrames: 9 * second, startFrame: 2 * second, endFrame: 7 * second },
    ],
  };
  const bounds = { startFrame: 0, endFrame: 15 * second, repeats: false };
  const all = new Playing(bounds, run).play().end();
  assert.deepEqual(all.lines.map(({ partId, startFrame, passes, seconds }) => [partId, startFrame / second, passes, seconds]), [
    ['a', 50, 1, 10], ['b', 2, 1, 5],
  ]);
  const fromTheMiddle = new Playing(bounds, run).play().seek(4 * second).end();
  assert.deepEqual(fromTheMiddle.lines.map(({ partId, passes, seconds }) => [partId, passes, seconds]), [['a', 0, 6], ['b', 1, 5]]);
});

test('a tracker that begins while something plays knows what was heard since the last jump', () => {
  const pieces: number[] = [];
  const tracker = new HeardTracker((piece) => pieces.push(piece.endFrame - piece.startFrame));
  const report = {
    kind: 'report', sequence: 4, state: 'playing', frame: 12 * second, awaitedFrame: 0, runFrames: 2 * second,
    countdownFramesLeft: 0, countdownFrames: 0, countInNumber: 0, repeat: 0, restFramesLeft: 0, percent: 100,
    turnsWithoutGap: false, contextFrame: 0,
  } as const;
  tracker.take({ report, part, bounds: whole, hasMusic: true });
  assert.deepEqual(pieces, [2 * second]);
});

test('random practice: seconds and passes are those that a frame by frame account gives', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const random = new Random(seed);
    const playing = new Playing({ ...whole, repeats: true });
    playing.step = 1 + random.below(30_000);
    playing.counts = random.chance(0.5);
    playing.play();
    let at = 0;
    let since = 0;
    let frames = 0;
    let passes = 0;
    for (let act = 0; act < 30; act += 1) {
      if (random.chance(0.2)) {
        const target = random.below(10 * second - 1);
        // So short a jump is none.
        if (Math.abs(target - at) > 4_800) since = target;
        at = target;
        playing.seek(part.startFrame + at);
      } else if (random.chance(0.2)) playing.pause().play();
      const count = 1 + random.below(8 * second);
      playing.go(count);
      frames += count;
      for (let left = count; left > 0;) {
        if (at >= 10 * second) at = since = 0;
        const now = Math.min(left, 10 * second - at);
        at += now;
        left -= now;
        if (at >= 10 * second && since <= 4_800) passes += 1;
      }
    }
    const [line] = playing.lines;
    assert.equal(line?.passes, passes, `seed ${seed}`);
    assert(Math.abs(playing.sum.seconds - frames / second) < 0.001, `seed ${seed}`);
  }
});
