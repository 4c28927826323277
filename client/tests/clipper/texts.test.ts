import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipperAction } from '../../src/player/keys';
import { parseRoute, pathOf, type Route } from '../../src/services/routes';
import { writeCueSheet } from '../../src/clipper/model/cueSheet';
import { readLabels, writeCounts, writeLabels } from '../../src/clipper/model/labels';
import { clipName, nextUnnamed, placeName, shownName } from '../../src/clipper/model/names';
import { exactClock, readTime } from '../../src/clipper/model/times';
import { spanish as spanishWords } from '../../src/words/spanish';
import { words } from '../../src/words/words';
import { Random } from '../sync/support/random';

test('times in the exact fields are parsed back to the millisecond', () => {
  const random = new Random(3);
  for (let round = 0; round < 2_000; round += 1) {
    const milliseconds = random.below(12 * 3_600_000);
    assert.equal(readTime(exactClock(milliseconds * 48)), milliseconds * 48);
  }
  assert.equal(exactClock(62.25 * 48_000), '1:02.250');
  assert.equal(exactClock(59.9996 * 48_000), '1:00.000');
});

test('common time formats are parsed and other texts are refused', () => {
  const read: [string, number | null][] = [
    ['75', 75], ['1:15', 75], [' 1:15,5 ', 75.5], ['0:01:15.25', 75.25], ['90.001', 90.001], ['70:00', 4200],
  ];
  for (const [text, seconds] of read) assert.equal(readTime(text), Math.round((seconds ?? 0) * 48_000), text);
  for (const text of ['', ':', '1:60', '1:75:00', '-1', '1:2:3:4', '1.2.3', 'one', '1e3', 'NaN']) {
    assert.equal(readTime(text), null, text);
  }
});

test('unnamed clips get names by their order', () => {
  const piece = (id: string, startFrame: number, title = '') => ({ id, startFrame, endFrame: startFrame + 10, title });
  const pieces = [piece('a', 0), piece('b', 10, 'Chorus'), piece('c', 20), piece('d', 30, '  ')];
  assert.deepEqual(pieces.map(({ id }) => shownName(pieces, id)), ['Part 1', 'Chorus', 'Part 3', 'Part 4']);
  const reordered = [...pieces].reverse();
  assert.equal(shownName(reordered, 'c'), 'Part 2');
  assert.equal(placeName(0), 'Part 1');
  // After c follows d. With the needle before it, the search wraps to earlier clips.
  assert.equal(nextUnnamed(pieces, 'c', 35), 'd');
  assert.equal(nextUnnamed(pieces, 'c', 25), 'a');
  assert.equal(nextUnnamed(pieces.slice(0, 2), 'a', 99), null);
});

test('a clip’s file name has track and times and is limited in length', () => {
  assert.equal(clipName('Swan', 31 * 48_000, 62 * 48_000), 'Swan 0:31–1:02');
  const long = clipName('🩰'.repeat(200), 0, 3600 * 48_000);
  assert(long.endsWith(' 0:00–1:00:00') && Array.from(long).length <= 120);
});

test('counts are written as points, with a mark where an eight begins', () => {
  const beats = [
    { frame: 0, place: 4, count: 8, eight: 0, metre: 4 }, { frame: 24_000, place: 1, count: 1, eight: 1, metre: 4 },
  ];
  assert.equal(writeCounts(beats), '0.000000\t0.000000\t8\n0.500000\t0.500000\t1 · eight 1\n');
});

test('labels are written and read back', () => {
  const labels = [
    { startFrame: 0, endFrame: 48_000, title: 'Intro' }, { startFrame: 48_001, endFrame: 48_001, title: 'מעבר' },
  ];
  assert.equal(writeLabels(labels), '0.000000\t1.000000\tIntro\n1.000021\t1.000021\tמעבר\n');
  const { labels: read, problems } = readLabels(writeLabels(labels));
  assert.deepEqual(read, labels);
  assert.deepEqual(problems, []);
});

test('a label’s times may be seconds, times with colons, or frames', () => {
  for (const time of ['3.5', '3,5', '0:03.5', '0:00:03,500', 'frames:168000']) {
    assert.deepEqual(readLabels(`${time}\tframes:168001\tturn\n`), {
      labels: [{ startFrame: 168_000, endFrame: 168_001, title: 'turn' }], problems: [],
    }, time);
  }
  assert.equal(readLabels('frames:-1\t2\ta\n0:75\t80\tb\n').problems.length, 2);
});

test('six decimals of a label represent every frame of a long track', () => {
  const random = new Random(9);
  for (let round = 0; round < 1_000; round += 1) {
    const startFrame = random.below(12 * 3600 * 48_000);
    const [read] = readLabels(writeLabels([{ startFrame, endFrame: startFrame + 4_800, title: '' }])).labels;
    assert.deepEqual([read?.startFrame, read?.endFrame], [startFrame, startFrame + 4_800]);
  }
});

test('an invalid line is reported and the others are read', () => {
  const { labels, problems } = readLabels(
    '\uFEFF0,5\t1,5\tdecimal\tcomma\r\n\\\t100\t2000\r\n\r\nnonsense\r\n3\t2\tbackwards\r\n4\t5\r\n-1\t2\tbefore\n',
  );
  assert.deepEqual(labels, [
    { startFrame: 24_000, endFrame: 72_000, title: 'decimal comma' },
    { startFrame: 192_000, endFrame: 240_000, title: '' },
  ]);
  assert.deepEqual(problems.map((each) => /Line (\d+)/.exec(each)?.[1]), ['4', '5', '7']);
  assert.equal(readLabels('x'.repeat(1_000_001)).problems.length, 1);
  const many = readLabels('1\t2\ta\n'.repeat(5_001));
  assert.deepEqual([many.labels.length, many.problems.length], [5_000, 1]);
});

test('a cue file has the starts ordered by time, at 75 frames per second', () => {
  const sheet = writeCueSheet('The "Swan"', 'swan.mp3', [
    { startFrame: 62.5 * 48_000, endFrame: 9e6, title: 'Two\nlines' }, { startFrame: 0, endFrame: 100, title: 'One' },
  ]);
  assert.deepEqual(sheet.split('\r\n'), [
    'TITLE "The ’Swan’"', 'FILE "swan.mp3" MP3',
    '  TRACK 01 AUDIO', '    TITLE "One"', '    INDEX 01 00:00:00',
    '  TRACK 02 AUDIO', '    TITLE "Two lines"', '    INDEX 01 01:02:38', '',
  ]);
});

test('the clipper has addresses for a song and for the borders of a part', () => {
  const routes: Route[] = [
    { page: 'clipper' }, { page: 'clipper', trackId: 't/1 ä' }, { page: 'clipper', trackId: 't', partId: 'p' },
  ];
  for (const route of routes) assert.deepEqual(parseRoute(pathOf(route)), route);
});

test('the clipper maps keys to actions', () => {
  const press = (key: string, held: object = {}) => clipperAction(
    { key, shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, ...held },
  );
  assert.deepEqual(['c', 'C', 'i', '[', 'o', ']', 'l', 'Enter', 'Delete', ' '].map((key) => press(key)), [
    'cut', 'cut', 'start', 'start', 'end', 'end', 'loop', 'clip', 'remove', 'toggle',
  ]);
  assert.equal(press('c', { ctrlKey: true }), null);
  assert.equal(press('c', { altKey: true }), null);
  assert.equal(press('toString'), null);
});

test('a length is shown in eights and counts, in every language', () => {
  const lengths = [[4, 8, 0], [4, 8, 2], [3, 6, 1], [0, 8, 6], [0, 8, 1]] as const;
  const [english, spanish] = [words.parts, spanishWords.parts].map(({ countLength }) => (
    lengths.map(([eights, countsPerEight, counts]) => countLength({ eights, countsPerEight, counts }))
  ));
  assert.deepEqual(english, ['4 × 8', '4 × 8 + 2', '3 × 6 + 1', '6 counts', '1 count']);
  assert.deepEqual(spanish, ['4 × 8', '4 × 8 + 2', '3 × 6 + 1', '6 tiempos', '1 tiempo']);
});
