import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completed, mentioned, pieces, suggested, typedMention } from '../../src/comments/mentions';

const people = [{ id: 'a', name: 'Ana' }, { id: 'm', name: 'Ana María' }, { id: 'n', name: 'نور الهدى' }, { id: 'o', name: '' }];

test('a mention begins at the start or behind a space, and ends with the line', () => {
  assert.deepEqual(typedMention('Hi @an', 6), { start: 3, end: 6, begun: 'an' });
  assert.deepEqual(typedMention('@', 1), { start: 0, end: 1, begun: '' });
  assert.deepEqual(typedMention('@Ana Mar rest', 8), { start: 0, end: 8, begun: 'Ana Mar' });
  for (const [text, caret] of [['a@b', 3], ['Hi', 2], ['@Ana\nnext', 9], ['', 0], [`@${'x'.repeat(61)}`, 62]] as const) {
    assert.equal(typedMention(text, caret), null);
  }
});

test('names are found by any of their words, without case and accents', () => {
  assert.deepEqual(suggested(people, 'mar').map(({ id }) => id), ['m']);
  assert.deepEqual(suggested(people, 'ANA').map(({ id }) => id), ['a', 'm']);
  assert.deepEqual(suggested(people, 'الهدى').map(({ id }) => id), ['n']);
  assert.deepEqual(suggested(people, '').map(({ id }) => id), ['a', 'm', 'n']);
  assert.deepEqual(suggested(people, 'zoe'), []);
});

test('a chosen name replaces what was typed of it', () => {
  assert.deepEqual(completed('Hi @an there', { start: 3, end: 6, begun: 'an' }, 'Ana'), { text: 'Hi @Ana there', caret: 8 });
  assert.deepEqual(completed('@', { start: 0, end: 1, begun: '' }, 'Ana'), { text: '@Ana ', caret: 5 });
});

test('the longest name counts, and only as a whole word', () => {
  assert.deepEqual(pieces('Hi @Ana María, @Ana!', people), [
    { text: 'Hi ', person: null }, { text: '@Ana María', person: 'm' }, { text: ', ', person: null }, { text: '@Ana', person: 'a' },
    { text: '!', person: null }]);
  assert.deepEqual(pieces('@Anabel @', people), [{ text: '@Anabel @', person: null }]);
  assert.deepEqual(pieces('', people), []);
  assert.deepEqual(mentioned('@Ana @نور الهدى @Ana @nobody', people), ['a', 'n']);
});

test('the pieces are the text, whatever it is', () => {
  for (const text of ['@@Ana@Ana', '@Ana@', 'a\n@Ana María\n\n@', '👩‍👩‍👧@Ana']) {
    assert.equal(pieces(text, people).map((piece) => piece.text).join(''), text);
  }
});
