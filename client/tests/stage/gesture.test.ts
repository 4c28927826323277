// Touch and mouse gestures on the wave: each sequence of events has one meaning.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WaveGesture, type GestureActions } from '../../src/clipper/stage/gesture';
import { seeded } from './random';

/** A gesture that records its meanings. */
function recorded(): { gesture: WaveGesture; meant: [string, ...number[]][]; names: () => string[] } {
  const meant: [string, ...number[]][] = [];
  const note = (name: string) => (...values: number[]): void => {
    meant.push([name, ...values]);
  };
  const actions: GestureActions = {
    onTap: note('tap'), onPan: note('pan'), onPanEnd: note('panEnd'), onPinchStart: note('pinchStart'),
    onPinch: note('pinch'), onHold: note('hold'), onHoldEnd: note('holdEnd'), onSelectStart: note('selectStart'),
    onSelect: note('select'), onSelectEnd: note('selectEnd'),
  };
  return { gesture: new WaveGesture(actions), meant, names: () => meant.map(([name]) => name) };
}

test('a short touch is a tap, even with small movements', () => {
  const { gesture, meant } = recorded();
  gesture.down({ id: 1, x: 100, y: 50 }, true);
  gesture.move({ id: 1, x: 104, y: 53 });
  gesture.up(1);
  assert.deepEqual(meant, [['tap', 104]]);
});

test('a horizontal movement pans by its distance', () => {
  const { gesture, meant } = recorded();
  gesture.down({ id: 1, x: 100, y: 50 }, true);
  gesture.move({ id: 1, x: 90, y: 52 });
  gesture.move({ id: 1, x: 70, y: 60 });
  assert(gesture.holdsPage);
  gesture.up(1);
  assert.deepEqual(meant, [['pan', 0], ['pan', -20], ['panEnd']]);
});

test('a vertical movement scrolls the page', () => {
  const { gesture, meant } = recorded();
  gesture.down({ id: 1, x: 100, y: 50 }, true);
  gesture.move({ id: 1, x: 103, y: 70 });
  assert(!gesture.holdsPage);
  gesture.held();
  gesture.move({ id: 1, x: 160, y: 70 });
  gesture.cancel(1);
  assert.deepEqual(meant, []);
});

test('a movement after a long press selects from the pressed position', () => {
  const { gesture, meant } = recorded();
  gesture.down({ id: 1, x: 100, y: 50 }, true);
  gesture.held();
  assert(gesture.holdsPage);
  gesture.move({ id: 1, x: 140, y: 90 });
  gesture.up(1);
  assert.deepEqual(meant, [['hold', 100], ['selectStart', 100], ['select', 140], ['selectEnd']]);
});

test('a long press without movement neither taps nor selects', () => {
  const { gesture, names } = recorded();
  gesture.down({ id: 1, x: 100, y: 50 }, true);
  gesture.held();
  gesture.up(1);
  assert.deepEqual(names(), ['hold', 'holdEnd']);
});

test('a mouse clicks, selects when dragged, and has no long press', () => {
  const click = recorded();
  click.gesture.down({ id: 1, x: 10, y: 5 }, false);
  click.gesture.held();
  click.gesture.up(1);
  assert.deepEqual(click.meant, [['tap', 10]]);
  const drag = recorded();
  drag.gesture.down({ id: 1, x: 10, y: 5 }, false);
  drag.gesture.move({ id: 1, x: 60, y: 5 });
  drag.gesture.up(1);
  assert.deepEqual(drag.meant, [['selectStart', 10], ['select', 60], ['selectEnd']]);
});

test('two fingers pinch, and the remaining finger pans without a jump', () => {
  const { gesture, meant } = recorded();
  gesture.down({ id: 1, x: 100, y: 50 }, true);
  gesture.down({ id: 2, x: 200, y: 50 }, true);
  gesture.held();
  gesture.move({ id: 2, x: 260, y: 50 });
  gesture.up(1);
  gesture.move({ id: 2, x: 250, y: 50 });
  gesture.up(2);
  assert.deepEqual(meant, [
    ['pinchStart', 100, 200], ['pinch', 100, 260], ['panEnd'], ['pan', -10], ['panEnd'],
  ]);
});

test('a third finger changes nothing', () => {
  const { gesture, names } = recorded();
  gesture.down({ id: 1, x: 100, y: 50 }, true);
  gesture.down({ id: 2, x: 200, y: 50 }, true);
  gesture.down({ id: 3, x: 10, y: 50 }, true);
  gesture.move({ id: 3, x: 90, y: 50 });
  gesture.up(3);
  assert.deepEqual(names(), ['pinchStart']);
});

test('after random touches every gesture that begins ends exactly once', () => {
  const random = seeded(31);
  const { gesture, names, meant } = recorded();
  for (let round = 0; round < 3_000; round += 1) {
    meant.length = 0;
    const isTouch = random() < 0.7;
    for (let step = 0; step < 14; step += 1) {
      const point = { id: Math.floor(random() * 3), x: random() * 400, y: random() * 90 };
      const kind = random();
      if (kind < 0.3) gesture.down(point, isTouch);
      else if (kind < 0.7) gesture.move(point);
      else if (kind < 0.8) gesture.held();
      else if (kind < 0.9) gesture.up(point.id);
      else gesture.cancel(point.id);
    }
    for (const id of [0, 1, 2]) gesture.cancel(id);
    const count = (name: string): number => names().filter((one) => one === name).length;
    assert.equal(count('selectStart'), count('selectEnd'), names().join(' '));
    assert.equal(count('hold'), count('holdEnd') + count('selectStart') - (isTouch ? 0 : count('selectStart')), names().join(' '));
    const last = names().filter((name) => /^(pan|pinch)/.test(name)).pop();
    assert(last === undefined || last === 'panEnd', names().join(' '));
    assert(!gesture.holdsPage);
  }
});
