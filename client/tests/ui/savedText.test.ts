import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownText, typedAfterwards, typedText, type Typed } from '../../src/ui/savedText';

/** Each takes 25 bytes, where 16 are allowed for a character. */
const family = '👨‍👩‍👧‍👦';
const title = { limit: 60, isRequired: true };

/** A field over a library of one text, as the hook joins them. */
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

test('each letter is saved, and a blank at the end stays while one types', () => {
  const name = field('Swan');
  name.type('Swan ');
  assert.equal(name.library, 'Swan');
  assert.equal(name.shown(), 'Swan ');
  name.leave();
  assert.equal(name.shown(), 'Swan');
});

test('a line ends at its number of characters', () => {
  const name = field('');
  assert.equal(name.type(`${'x'.repeat(59)}\n${'y'.repeat(9)}`).text, `${'x'.repeat(59)} `);
});

test('another device’s name is shown, and typed over no more', () => {
  const name = field('Swan');
  name.type('Swan L');
  name.library = 'Lake';
  assert.equal(name.shown(), 'Lake');
});

test('what is empty on its way to another name is not filled by another device', () => {
  const name = field('Swan');
  name.type('');
  assert.equal(name.library, 'Swan');
  name.library = 'Lake';
  assert.equal(name.shown(), '');
  name.leave();
  assert.equal(name.shown(), 'Lake');
});

test('what is too long stays where it was typed until it is shortened', () => {
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

test('what was typed for one record is not shown for another', () => {
  const typed = typedText('r1', 'Swan', title);
  assert.equal(shownText(typed, 'r2', 'Lake'), 'Lake');
});
