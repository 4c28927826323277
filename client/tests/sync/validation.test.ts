// Validation of field values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { characterCount, characters, excess, validateFields, validateNew } from '../../src/sync/validation';
import { Random } from './support/random';

const id = '0190a000-0000-7000-8000-000000000001';

test('the length of a title is counted in grapheme clusters', () => {
  assert.equal(characterCount('👩‍👩‍👧‍👦é'), 2);
  assert.equal(validateFields('routine', { title: '👩‍👩‍👧‍👦'.repeat(38) }), null);
  assert.match(validateFields('routine', { title: 'a'.repeat(61) }) ?? '', /at most 60/);
});

test('a character with very many combining marks is too long', () => {
  const title = 'a' + '\u0301'.repeat(1_000);
  assert.equal(characterCount(title), 1);
  assert.match(validateFields('routine', { title }) ?? '', /^Too long: some of these characters/);
});

test('the characters of a long text are those of one segmentation, wherever it is taken apart', () => {
  const random = new Random(11);
  const pieces = ['a', '\r\n', 'e\u0301', '👩‍👩‍👧‍👦', '👍🏽', '🏽', '🇫🇷', '🇩🇪', '각', '\u0915\u094d\u0937', '\ud83d', '\udc69', 'x' + '\u0301'.repeat(700)];
  const whole = new Intl.Segmenter();
  for (let round = 0; round < 200; round += 1) {
    const text = Array.from({ length: random.below(900) }, () => pieces[random.below(random.chance(0.02) ? 13 : 12)]).join('');
    const expected = Array.from(whole.segment(text), ({ segment }) => segment);
    assert.deepEqual(characters(text), expected);
    assert.equal(characterCount(text), expected.length);
    const most = Math.max(0, expected.length + random.below(3) - 1);
    assert.equal(excess(text, most)?.includes(String(most)) ?? false, expected.length > most);
  }
});

test('a required field can be neither missing nor cleared', () => {
  assert.equal(validateNew('move', { part: id, title: 'Turn' }), 'move.position: ""');
  assert.equal(validateFields('move', { title: null }), 'This can’t be empty.');
  assert.equal(validateFields('move', { title: '  ' }), 'This can’t be empty.');
  assert.equal(validateFields('move', { notes: null }), null);
  assert.equal(validateNew('move', { part: id, title: 'Turn', position: 'V' }), null);
});

test('each kind of field is checked', () => {
  const wrong: [Parameters<typeof validateFields>[0], object][] = [
    ['part', { startFrame: 1.5 }], ['part', { startFrame: -1 }], ['part', { rate: 2.1 }],
    ['part', { rate: NaN }], ['part', { semitones: 13 }], ['part', { countdownSeconds: 601 }],
    ['part', { loopMode: 'twice' }], ['part', { position: 'V0' }], ['part', { position: '' }],
    ['part', { routine: 'x' }], ['part', { startFrame: 9, endFrame: 9 }],
    ['moveType', { colour: 'red' }], ['moveType', { abbreviation: 'abcde' }],
    ['setting', { value: {} }], ['track', { sha256: 'x' }], ['routine', { title: 'a\nb' }],
    ['move', { notes: 'a\rb' }],
  ];
  for (const [type, fields] of wrong) {
    assert.notEqual(validateFields(type, fields), null, JSON.stringify(fields));
  }
  assert.equal(
    validateFields('part', {
      routine: id, track: null, startFrame: 0, endFrame: 480_000, loopMode: 'section', rate: 0.25,
      semitones: -12, countdownSeconds: 600, position: 'a0b', title: 'عربي',
    }),
    null,
  );
  assert.equal(validateFields('move', { notes: 'one\n\ttwo' }), null);
});
