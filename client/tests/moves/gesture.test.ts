import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decide, deleteDelayMilliseconds, dragDelayMilliseconds, mouseSlopPixels, pressLimitMilliseconds,
  touchSlopPixels, zoneOf, type Meaning, type PressEvent, type Zone,
} from '../../src/moves/gesture';
import { Random } from '../sync/support/random';

type Step = [kind: PressEvent['kind'], heldMilliseconds: number, movedPixels: number];

/** Plays the events of a press, and returns its meaning. */
function meaning(zone: Zone, isTouch: boolean, ...steps: Step[]): Meaning {
  let known: Meaning = 'undecided';
  for (const [kind, heldMilliseconds, movedPixels] of steps) {
    known = decide({ zone, isTouch, meaning: known }, { kind, heldMilliseconds, movedPixels });
  }
  return known;
}
const [finger, mouse] = [true, false];

test('a tap on the number or the card presses, by touch and by mouse', () => {
  for (const zone of ['number', 'body', 'control'] as const) {
    for (const isTouch of [finger, mouse]) {
      assert.equal(meaning(zone, isTouch, ['moved', 40, 2], ['released', 90, 2]), 'press');
    }
  }
});

test('a long press on the card lifts it and drags it in any direction', () => {
  assert.equal(meaning('body', finger, ['held', dragDelayMilliseconds, 0], ['moved', 500, 90]), 'drag');
});

test('a finger that moves early scrolls and lifts nothing later', () => {
  assert.equal(
    meaning('body', finger, ['moved', 60, touchSlopPixels + 1], ['held', dragDelayMilliseconds, 0]), 'scroll',
  );
});

test('the number is never dragged, and holding it deletes', () => {
  assert.equal(meaning('number', finger, ['held', dragDelayMilliseconds, 0]), 'undecided');
  assert.equal(meaning('number', finger, ['held', deleteDelayMilliseconds, 0]), 'delete');
  assert.equal(meaning('number', mouse, ['held', deleteDelayMilliseconds, 0]), 'delete');
});

test('moving or scrolling cancels holding the number', () => {
  const last: Step = ['held', deleteDelayMilliseconds, 0];
  assert.equal(meaning('number', finger, ['moved', 700, touchSlopPixels + 1], last), 'scroll');
  assert.equal(meaning('number', mouse, ['moved', 700, touchSlopPixels + 1], last), 'nothing');
  assert.equal(meaning('number', finger, ['scrolled', 700, 0], last), 'scroll');
});

test('scrolling under a mouse keeps the click and ends a hold', () => {
  assert.equal(meaning('number', mouse, ['scrolled', 30, 0], ['released', 90, 0]), 'press');
  assert.equal(meaning('number', mouse, ['scrolled', 700, 0], ['held', deleteDelayMilliseconds, 0]), 'press');
  assert.equal(meaning('body', mouse, ['scrolled', 30, 0], ['released', 90, 0]), 'press');
  assert.equal(meaning('body', mouse, ['scrolled', 30, 0], ['moved', 60, mouseSlopPixels + 1]), 'drag');
});

test('releasing the number early neither deletes nor opens the menu', () => {
  assert.equal(meaning('number', finger, ['released', pressLimitMilliseconds, 0]), 'nothing');
});

test('a mouse drags as soon as it moves, and never by a long press', () => {
  assert.equal(meaning('body', mouse, ['held', 5_000, 0], ['moved', 5_010, mouseSlopPixels + 1]), 'drag');
  assert.equal(meaning('body', mouse, ['held', 5_000, 0], ['released', 5_010, 1]), 'press');
});

test('in a text field no press is a gesture', () => {
  for (const isTouch of [finger, mouse]) {
    assert.equal(meaning('field', isTouch, ['held', 900, 0]), 'text');
    assert.equal(meaning('field', isTouch, ['moved', 10, 200]), 'text');
  }
});

test('no sequence of events has two meanings', () => {
  const kinds = ['moved', 'held', 'scrolled', 'released'] as const;
  const chance = new Random(7);
  const random = (below: number): number => chance.below(below);
  const seen = new Set<Meaning>();
  for (let round = 0; round < 2_000; round += 1) {
    const press = { zone: (['number', 'body', 'field', 'control'] as const)[random(4)] ?? 'body', isTouch: random(2) === 0 };
    let known: Meaning = 'undecided';
    for (let held = 0; held < 1_500; held += 1 + random(300)) {
      const next = decide({ ...press, meaning: known }, {
        kind: kinds[random(4)] ?? 'moved', heldMilliseconds: held, movedPixels: random(30),
      });
      if (known !== 'undecided') assert.equal(next, known);
      known = next;
      if (press.zone !== 'number') assert.notEqual(known, 'delete');
      if (press.zone !== 'body') assert.notEqual(known, 'drag');
    }
    seen.add(known);
  }
  assert(seen.size > 4, [...seen].join());
});

test('the press zones of a card are fields, the number, buttons and the rest', () => {
  const inside = (...matches: string[]) => ({
    closest: (selectors: string) => selectors.split(', ').some((one) => matches.includes(one)) || null,
  });
  assert.equal(zoneOf(inside('textarea')), 'field');
  assert.equal(zoneOf(inside('.move-number', 'button')), 'number');
  assert.equal(zoneOf(inside('.move-title', 'button')), 'body');
  assert.equal(zoneOf(inside('button')), 'control');
  assert.equal(zoneOf(inside()), 'body');
});
