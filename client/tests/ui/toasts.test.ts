import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Toasts } from '../../src/ui/toasts';

/** Toasts with a clock that the test advances. */
function studio(): {
  toasts: Toasts; texts: () => string[]; pass: (seconds: number) => void;
  remove: (name: string) => void; brought: string[];
} {
  let now = 0;
  const waiting = new Set<{ at: number; call: () => void }>();
  const toasts = new Toasts((milliseconds, call) => {
    const entry = { at: now + milliseconds, call };
    waiting.add(entry);
    return () => waiting.delete(entry);
  });
  const brought: string[] = [];
  return {
    toasts,
    brought,
    texts: () => toasts.kept.map(({ text }) => text),
    pass: (seconds) => {
      now += seconds * 1000;
      for (const entry of [...waiting]) {
        if (entry.at > now || !waiting.delete(entry)) continue;
        entry.call();
      }
    },
    remove: (name) => toasts.say(name, { action: { label: 'Undo', run: () => brought.push(name) } }),
  };
}

test('a message stays for ten seconds', () => {
  const { toasts, texts, pass } = studio();
  toasts.say('Saved.');
  pass(9.9);
  assert.deepEqual(texts(), ['Saved.']);
  pass(0.1);
  assert.deepEqual(texts(), []);
});

test('a hovered message stays, and gets ten seconds again when the pointer leaves', () => {
  const { toasts, texts, pass, remove } = studio();
  remove('Lift');
  toasts.hold(1);
  pass(60);
  assert.deepEqual(texts(), ['Lift']);
  toasts.resume(1);
  pass(9.9);
  assert.deepEqual(texts(), ['Lift']);
  pass(0.1);
  assert.deepEqual(texts(), []);
});

test('a removal can be undone for ten seconds, even after later removals', () => {
  const { toasts, texts, pass, remove, brought } = studio();
  const names = ['Lift', 'Spin', 'Fall', 'Roll', 'Bow'];
  for (const name of names) {
    remove(name);
    pass(1);
  }
  assert.deepEqual(texts(), names);
  pass(4.9);
  assert.deepEqual(texts(), names);
  while (toasts.undoNewest());
  assert.deepEqual(brought, ['Bow', 'Roll', 'Fall', 'Spin', 'Lift']);
  assert.deepEqual(texts(), []);
});

test('each of several messages disappears after its own ten seconds', () => {
  const { texts, pass, remove, toasts, brought } = studio();
  for (const name of ['Lift', 'Spin', 'Fall', 'Roll']) {
    remove(name);
    pass(3);
  }
  assert.deepEqual(texts(), ['Spin', 'Fall', 'Roll']);
  pass(60);
  assert.equal(toasts.undoNewest(), false);
  assert.deepEqual(brought, []);
});

test('messages replace messages, and never an undoable one', () => {
  const { toasts, texts, remove } = studio();
  remove('Lift');
  for (const text of ['One', 'Two', 'Three', 'Four']) toasts.say(text);
  assert.deepEqual(texts(), ['Lift', 'Three', 'Four']);
  for (const name of ['Spin', 'Fall']) remove(name);
  assert.deepEqual(texts(), ['Lift', 'Spin', 'Fall']);
  toasts.say('Five');
  assert.deepEqual(texts(), ['Lift', 'Spin', 'Fall', 'Five']);
});

test('an undo happens once', () => {
  const { toasts, remove, brought } = studio();
  remove('Lift');
  toasts.act(1);
  toasts.act(1);
  assert.equal(toasts.undoNewest(), false);
  assert.deepEqual(brought, ['Lift']);
});

test('a message dismissed under the pointer does not return', () => {
  const { toasts, pass, remove } = studio();
  remove('Lift');
  toasts.hold(1);
  toasts.dismiss(1);
  let changes = 0;
  toasts.subscribe(() => {
    changes += 1;
  });
  toasts.resume(1);
  pass(10);
  assert.equal(changes, 0);
});

test('a hovered message whose element was removed disappears after ten seconds', () => {
  const { toasts, texts, pass, remove } = studio();
  remove('Lift');
  toasts.hold(1);
  // A dialog opens over the page.
  toasts.rehome();
  pass(10);
  assert.deepEqual(texts(), []);
  remove('Spin');
  toasts.hold(2);
  for (const name of ['Fall', 'Roll', 'Bow']) remove(name);
  pass(10);
  assert.deepEqual(texts(), []);
});
