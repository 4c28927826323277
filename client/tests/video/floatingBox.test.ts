// The floating video stays inside the window and off the audio player for any drag.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  boxOf, draggedCorner, firstPlace, grown, leastHeight, leastWidth, movedByKey, parsePlace, placeOf, placeText,
  roomAbove, type Box, type FloatingPlacement,
} from '../../src/video/floatingBox';
import { chance } from './studio';

const phone = { width: 390, height: 844 };
const turned = { width: 844, height: 390 };
const desktop = { width: 1280, height: 800 };
const none = { top: 0, left: 0, right: 0 };

function roomOf(window: { width: number; height: number }, bottom = 80): Box {
  const room = roomAbove(window, none, bottom);
  assert(room);
  return room;
}

function isInside(box: Box, room: Box): boolean {
  return box.left >= room.left - 0.01 && box.top >= room.top - 0.01
    && box.left + box.width <= room.left + room.width + 0.01
    && box.top + box.height <= room.top + room.height + 0.01;
}

test('the box is inside the free area for every window, aspect ratio and drag', () => {
  const random = chance(3);
  for (let at = 0; at < 3_000; at += 1) {
    const window = { width: 320 + random() * 1_600, height: 320 + random() * 900 };
    const room = roomOf(window, random() * 200);
    const aspect = 0.3 + random() * 3;
    const place: FloatingPlacement = { x: random() * 3 - 1, y: random() * 3 - 1, size: random() * 3 };
    const box = boxOf(place, aspect, room, window);
    assert(isInside(box, room), JSON.stringify({ box, room }));
    const dragged = { ...box, left: box.left + (random() - 0.5) * 9_000, top: box.top + (random() - 0.5) * 9_000 };
    const after = boxOf(placeOf(dragged, aspect, room, window), aspect, room, window);
    assert(isInside(after, room), JSON.stringify({ after, room }));
    assert(Math.abs(after.width - box.width) < 0.01, 'dragging does not change its size');
    assert(Math.abs(after.width / after.height - aspect) < 1e-6);
  }
});

test('the box stays in its corner when the phone is rotated and rotated back', () => {
  const place: FloatingPlacement = { x: 1, y: 1, size: 0.4 };
  for (const window of [phone, turned, desktop]) {
    const room = roomOf(window);
    const box = boxOf(place, 16 / 9, room, window);
    assert(Math.abs(box.left + box.width - room.left - room.width) < 0.01);
    assert(Math.abs(box.top + box.height - room.top - room.height) < 0.01);
  }
});

test('a stored box is restored, and an invalid one is ignored', () => {
  const place = { x: 0.25, y: 0.5, size: 0.36 };
  assert.deepEqual(parsePlace(placeText(place)), place);
  for (const text of [null, '', 'a b c', '0.1 0.2', '1 2 3 4', 'NaN 0 0', '0 Infinity 1']) assert.equal(parsePlace(text), null);
  assert.deepEqual(parsePlace('-4 9 50'), { x: 0, y: 1, size: 2 });
});

test('the box is large enough for its buttons if there is space', () => {
  for (const aspect of [9 / 16, 4 / 3, 16 / 9]) {
    const box = boxOf({ ...firstPlace, size: 0.05 }, aspect, roomOf(phone), phone);
    assert(box.width >= leastWidth - 0.01 && box.height >= leastHeight - 0.01);
  }
});

test('a portrait and a landscape video have about the same area', () => {
  const [wide, tall] = [16 / 9, 9 / 16].map((aspect) => boxOf(firstPlace, aspect, roomOf(desktop), desktop));
  assert(wide && tall && Math.abs(wide.width + wide.height - tall.width - tall.height) < 1);
});

test('arrow keys move the box, Shift moves it further, and plus and minus resize it around its centre', () => {
  const box = { left: 100, top: 100, width: 320, height: 180 };
  assert.equal(movedByKey(box, 'ArrowLeft', false)?.left, 84);
  assert.equal(movedByKey(box, 'ArrowDown', true)?.top, 196);
  const larger = movedByKey(box, '+', false);
  assert(larger && larger.width > 320 && Math.abs(larger.left + larger.width / 2 - 260) < 0.01);
  assert.equal(movedByKey(box, 'x', false), null);
  assert.deepEqual(Object.values(grown(grown(box, 2), 0.5)), Object.values(box));
});

test('dragging a corner keeps the aspect ratio and the opposite corner', () => {
  const box = { left: 100, top: 100, width: 320, height: 180 };
  for (const [dx, dy] of [[32, 0], [0, 18], [32, 18], [-32, 2]] as const) {
    const resized = draggedCorner(box, dx, dy);
    assert.deepEqual([resized.left, resized.top], [100, 100]);
    assert(Math.abs(resized.width / resized.height - 16 / 9) < 1e-9);
    assert.equal(Math.round(resized.width), dx < 0 ? 288 : 352);
  }
});

test('there is no free area if the audio player leaves none', () => {
  assert.equal(roomAbove(phone, none, 800), null);
  assert(roomAbove(phone, { top: 47, left: 0, right: 0 }, 600));
});
