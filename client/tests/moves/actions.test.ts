import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMove, copyToPart, deleteMove, duplicateMove, moveToPart } from '../../src/moves/actions';
import { choiceOf, isChosen, resolveType, typesIn } from '../../src/moves/typeChoice';
import type { Move, Part } from '../../src/sync/records';
import { toasts } from '../../src/ui/toasts';
import { FakeServer } from '../sync/support/fake-server';
import { Browser, Tab } from '../sync/support/world';

/** A library with a routine of two parts, and helpers to read it. */
async function opened() {
  const library = await new Tab(new Browser(), new FakeServer()).open();
  const routine = library.create('routine', { title: 'Swan' });
  const first = library.create('part', { routine, title: 'Intro', position: 'a' });
  const second = library.create('part', { routine, title: 'Verse', position: 'b' });
  for (const title of ['Walk', 'Turn', 'Hold']) addMove(library, first, { title, moveType: null });
  addMove(library, second, { title: 'Spin', moveType: null });
  const move = (at: number): Move => {
    const found = library.moves(first)[at];
    assert(found);
    return found;
  };
  const verse = (): Part => {
    const found = library.get('part', second);
    assert(found);
    return found;
  };
  const titles = (): string[][] => [first, second].map((part) => library.moves(part).map(({ title }) => title));
  return { library, move, verse, titles };
}

/** Presses the button of the latest toast. */
function undo(): void {
  const toast = toasts.kept[toasts.kept.length - 1];
  assert.equal(toast?.action?.label, 'Undo');
  toast?.action?.run();
  for (const { id } of toasts.kept) toasts.dismiss(id);
}

const atFirst = [['Walk', 'Turn', 'Hold'], ['Spin']];

test('a move is added at the end', async () => {
  const { titles } = await opened();
  assert.deepEqual(titles(), atFirst);
});

test('a deleted move is restored at its position', async () => {
  const { library, move, titles } = await opened();
  deleteMove(library, move(1));
  assert.deepEqual(titles(), [['Walk', 'Hold'], ['Spin']]);
  undo();
  assert.deepEqual(titles(), atFirst);
});

test('a duplicate comes right after its original and has its notes', async () => {
  const { library, move, titles } = await opened();
  library.edit('move', move(0).id, { notes: 'slowly' });
  duplicateMove(library, move(0));
  assert.deepEqual(titles(), [['Walk', 'Walk', 'Turn', 'Hold'], ['Spin']]);
  assert.equal(move(1).notes, 'slowly');
  undo();
  assert.deepEqual(titles(), atFirst);
});

test('a move to another part goes to its end, and undo restores its position', async () => {
  const { library, move, verse, titles } = await opened();
  moveToPart(library, move(1), verse());
  assert.deepEqual(titles(), [['Walk', 'Hold'], ['Spin', 'Turn']]);
  undo();
  assert.deepEqual(titles(), atFirst);
});

test('a copy to another part keeps the original', async () => {
  const { library, move, verse, titles } = await opened();
  copyToPart(library, move(2), verse());
  assert.deepEqual(titles(), [['Walk', 'Turn', 'Hold'], ['Spin', 'Hold']]);
  undo();
  assert.deepEqual(titles(), atFirst);
});

test('an existing name gives the existing move type', async () => {
  const { library } = await opened();
  const choice = { ...choiceOf(null), kind: 'new', name: ' Power move ' } as const;
  assert(isChosen(choice) && !isChosen({ ...choice, name: ' ' }) && !isChosen(choiceOf(null)));
  const type = resolveType(library, choice);
  assert.equal(resolveType(library, { ...choice, name: 'POWER MOVE' }), type);
  const [made, ...others] = library.all('moveType');
  assert.deepEqual([made?.name, made?.abbreviation, others.length], ['Power move', 'PM', 0]);
  assert.match(made?.colour ?? '', /^#[0-9a-f]{6}$/);
});

test('a group has types of its own', async () => {
  const { library } = await opened();
  const choice = { ...choiceOf(null), kind: 'new', name: 'Kick' } as const;
  const [own, shared] = [resolveType(library, choice), resolveType(library, choice, 'class')];
  assert.notEqual(shared, own);
  assert.equal(resolveType(library, { ...choice, name: 'kick' }, 'class'), shared);
  assert.deepEqual(typesIn(library.all('moveType'), 'class').map(({ id }) => id), [shared]);
  assert.deepEqual(typesIn(library.all('moveType'), undefined).map(({ id }) => id), [own]);
});

test('names that differ in a diacritic are two types, in any Unicode normalization', async () => {
  const { library } = await opened();
  const named = (name: string) => resolveType(library, { ...choiceOf(null), kind: 'new', name });
  const [printed, pressed] = [named('Drucken'), named('Drücken')];
  assert.notEqual(pressed, printed);
  assert.equal(named('DRÜCKEN'.normalize('NFD')), pressed);
});
