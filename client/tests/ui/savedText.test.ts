import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownText, typedAfterwards, typedText, type Typed } from '../../src/ui/savedText';

/** Each character takes 25 bytes, and 16 per character are allowed. */
const family = '👨‍👩‍👧‍👦';
const title = { limit: 60, isRequired: true };

/** A field bound to a library with one text, as in the hook. */
function field(value: string): {
  library: string; shown: () => string; type: (text: string) => Typed; leave: () => void;
} {
  let typed: Typed | null = null;
  return {
    library: value,
    shown() {
      return shownText(typed, 'r1', this.library);
    },
    type(text) {
      typed = typedText('r1', text, title);
      if (typed.isSaved) this.library = typed.text.trim();
      return typed;
    },
    leave() {
      typed = typedAfterwards(typed, title.limit);
    },
  };
}

test('each letter is saved, and a trailing blank stays while typing', () => {
  const name = field('Swan');
  name.type('Swan ');
  assert.equal(name.library, 'Swan');
  assert.equal(name.shown(), 'Swan ');
  name.leave();
  assert.equal(name.shown(), 'Swan');
});

test('a line beyond its character limit is kept, and saved once it is shortened', () => {
  const name = field('Swan');
  const long = name.type(`${'x'.repeat(59)}\n${'y'.repeat(9)}`);
  assert.deepEqual([long.text, long.isSaved], [`${'x'.repeat(59)} ${'y'.repeat(9)}`, false]);
  name.leave();
  assert.equal(name.shown(), long.text);
  assert.equal(name.library, 'Swan');
  assert.equal(name.type('x'.repeat(60)).isSaved, true);
  assert.equal(name.type('x'.repeat(900)).text.length, 600, 'ten times the limit');
});

test('a name from another device replaces the typed text', () => {
  const name = field('Swan');
  name.type('Swan L');
  name.library = 'Lake';
  assert.equal(name.shown(), 'Lake');
});

test('an emptied field is not filled by another device', () => {
  const name = field('Swan');
  name.type('');
  assert.equal(name.library, 'Swan');
  name.library = 'Lake';
  assert.equal(name.shown(), '');
  name.leave();
  assert.equal(name.shown(), 'Lake');
});

test('a text that is too long stays in the field until it is shortened', () => {
  const name = field('Swan');
  const long = family.repeat(45);
  assert.equal(name.type(long).isSaved, false);
  assert.equal(name.library, 'Swan');
  name.leave();
  name.library = 'Lake';
  assert.equal(name.shown(), long);
  name.type(family.repeat(30));
  assert.equal(name.library, family.repeat(30));
  name.leave();
  name.library = 'Lake';
  assert.equal(name.shown(), 'Lake');
});

test('text typed for one record is not shown for another', () => {
  const typed = typedText('r1', 'Swan', title);
  assert.equal(shownText(typed, 'r2', 'Lake'), 'Lake');
});
