// Fingers and mouse on the wave: each series of events means one thing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WaveGesture, type GestureActions } from '../../src/clipper/stage/gesture';
import { seeded } from './random';

/** A gesture that writes down what was meant. */
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

test('a finger that comes and goes is a tap, even when it trembles', () => {
  const { gesture, meant } = recorded();
  gesture.down({ id: 1, x: 100, y: 50 }, true);
  gesture.move({ id: 1, x: 104, y: 53 });
  gesture.up(1);
  assert.deepEqual(meant, [['tap', 104]]);
});

test('a finger that goes across pans by what it moves', () => {
  const { gesture, meant } = recorded();
  gesture.down({ id: 1, x: 100, y: 50 }, true);
  gesture.move({ id: 1, x: 90, y: 52 });
  gesture.move({ id: 1, x: 70, y: 60 });
  assert(gesture.holdsPage);
  gesture.up(1);
  assert.deepEqual(meant, [['pan', 0], ['pan', -20], ['panEnd']]);
});

test('a finger that goes up or down leaves the page to scroll', () => {
  const { gesture, meant } = recorded();
  gesture.down({ id: 1, x: 100, y: 50 }, true);
  gesture.move({ id: 1, x: 103, y: 70 });
  assert(!gesture.holdsPage);
  gesture.held();
  gesture.move({ id: 1, x: 160, y: 70 });
  gesture.cancel(1);
  assert.deepEqual(meant, []);
});

test('a finger that rests and then moves selects from where it rested', () => {
  const { gesture, meant } = recorded();
  gesture.down({ id: 1, x: 100, y: 50 }, true);
  gesture.held();
  assert(gesture.holdsPage);
  gesture.move({ id: 1, x: 140, y: 90 });
  gesture.up(1);
  assert.deepEqual(meant, [['hold', 100], ['selectStart', 100], ['select', 140], ['selectEnd']]);
});

test('a finger that only rests neither taps nor selects', () => {
  const { gesture, names } = recorded();
  gesture.down({ id: 1, x: 100, y: 50 }, true);
  gesture.held();
  gesture.up(1);
  assert.deepEqual(names(), ['hold', 'holdEnd']);
});

test('a mouse clicks, and selects once it is dragged; resting means nothing', () => {
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

test('two fingers pinch, and the one that stays pans on without a jump', () => {
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

test('whatever fingers do, what begins ends, once, and nothing is left over', () => {
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
