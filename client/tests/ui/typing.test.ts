// Typing into a field that is nearly full.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitInput, typedInto, wholeNumber } from '../../src/ui/typing';

const family = '👨‍👩‍👧‍👦';

test('text typed or pasted into a full field is dropped and the field keeps its text', () => {
  const full = 'x'.repeat(59) + family;
  assert.equal(typedInto(full, `A${full}`, 1, 60), full);
  assert.equal(typedInto(full, `xxA${full.slice(2)}`, 3, 60), full);
  // The same at the end of the text.
  assert.equal(typedInto(full, `${full}A`, full.length + 1, 60), full);
});

test('pasted text is cut to the free space, in whole characters', () => {
  assert.equal(typedInto('ab', `a${family}${family}cb`, 1 + 2 * family.length + 1, 3), `a${family}b`);
  assert.equal(typedInto('', 'abcdef', 6, 3), 'abc');
  assert.equal(typedInto('abc', 'pasted c', 8, 5), 'paste');
  assert.equal(typedInto('abc', 'xyzabc', 3, 6), 'xyzabc');
  // With the caret at another place the text is cut to the limit.
  assert.equal(typedInto('abc', 'hello', 2, 4), 'hell');
});

test('the caret stays after the inserted text', () => {
  const caret: number[] = [];
  const field = {
    value: '12Abc', selectionEnd: 3, setSelectionRange: (start: number, end: number) => caret.push(start, end),
  };
  assert.equal(limitInput(field as unknown as HTMLInputElement, '12bc', 4), '12bc');
  assert.equal(field.value, '12bc');
  assert.deepEqual(caret, [2, 2]);
  field.value = '1bc';
  assert.equal(limitInput(field as unknown as HTMLInputElement, '12bc', 4), '1bc');
  assert.deepEqual(caret, [2, 2], 'a field that takes all is left alone');
});

test('a whole number is parsed with its unit, and other texts are refused', () => {
  const whole: [string, number][] = [['70', 70], ['70 %', 70], [' 2 s ', 2], ['−3', -3], ['-3', -3]];
  for (const [text, number] of whole) assert.equal(wholeNumber(text), number, text);
  for (const text of ['1.5', '2,5', '1:30', '1 000', '3-4', 'None', '', '%', '1e5', '−']) {
    assert.equal(wholeNumber(text), null, text);
  }
});
