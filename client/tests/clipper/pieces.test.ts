import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bordersOf, borderWith, cutAt, frameOfEdges, moveEdges, neighbourOf, pieceAt, twinOf, withChanged, type Piece,
} from '../../src/clipper/model/pieces';
import { shortestStretchFrames } from '../../src/timeline';
import { Random } from '../sync/support/random';

const song = 240 * 48_000;

/** Cuts like the page: the second half becomes a new piece after the first one. */
function cut(pieces: readonly Piece[], frame: number, length = song): readonly Piece[] {
  const made = cutAt(pieces, length, frame);
  const id = `p${frame}`;
  if (made.kind === 'refused') return pieces;
  if (made.kind === 'split') {
    return pieces.flatMap((piece) => (piece.id === made.id
      ? [{ ...piece, endFrame: made.frame }, { id, startFrame: made.frame, endFrame: piece.endFrame, title: '' }]
      : [piece]));
  }
  const index = pieces.findIndex((piece) => piece.id === made.after);
  const two = [
    { id: `${id}a`, startFrame: made.startFrame, endFrame: made.frame, title: '' },
    { id, startFrame: made.frame, endFrame: made.endFrame, title: '' },
  ];
  return [...pieces.slice(0, index + 1), ...two, ...pieces.slice(index + 1)];
}

function isChain(pieces: readonly Piece[]): boolean {
  return pieces.every((piece, index) => (
    piece.endFrame - piece.startFrame >= shortestStretchFrames
    && piece.startFrame === (index === 0 ? 0 : pieces[index - 1]?.endFrame)
    && (index < pieces.length - 1 || piece.endFrame === song)
  ));
}

const piece = (id: string, startFrame: number, endFrame: number): Piece => ({ id, startFrame, endFrame, title: '' });

test('cuts at any positions in any order divide the song into consecutive clips', () => {
  const random = new Random(4);
  for (let round = 0; round < 200; round += 1) {
    let pieces: readonly Piece[] = [];
    let made = 0;
    for (let press = 0; press < 20; press += 1) {
      const next = cut(pieces, random.chance(0.2) ? random.below(20_000) : random.below(song + 1));
      if (next !== pieces) made += 1;
      pieces = next;
      assert(pieces.length === 0 || isChain(pieces), `round ${round}: ${JSON.stringify(pieces)}`);
    }
    assert.equal(pieces.length, made === 0 ? 0 : made + 1);
  }
});

test('a cut needs a tenth of a second on both sides and is refused with a message otherwise', () => {
  const pieces = cut([], 480_000);
  assert.equal(pieces.length, 2);
  for (const frame of [480_000 - shortestStretchFrames + 1, 480_000, 480_000 + shortestStretchFrames - 1, 4_799, song - 4_799]) {
    const refused = cutAt(pieces, song, frame);
    assert.equal(refused.kind, 'refused', String(frame));
  }
  assert.equal(cutAt(pieces, song, 480_000 + shortestStretchFrames).kind, 'split');
  const atStart = cutAt([], song, 100);
  assert.match(atStart.kind === 'refused' ? atStart.sentence : '', /start of the song/);
  const atEnd = cutAt([], song, song - 100);
  assert.match(atEnd.kind === 'refused' ? atEnd.sentence : '', /end of the song/);
});

test('a cut splits the shortest clip around it', () => {
  const pieces = [piece('long', 0, 960_000), piece('short', 240_000, 480_000)];
  const made = cutAt(pieces, song, 300_000);
  assert.deepEqual(made, { kind: 'split', id: 'short', frame: 300_000 });
  // The short clip is too short for this cut; the long one is not.
  assert.deepEqual(cutAt(pieces, song, 240_100), { kind: 'split', id: 'long', frame: 240_100 });
});

test('a cut in a gap divides the gap into two clips after the preceding clip', () => {
  const pieces = [piece('late', 960_000, 1_440_000), piece('early', 48_000, 96_000)];
  assert.deepEqual(cutAt(pieces, song, 500_000), {
    kind: 'gap', startFrame: 96_000, frame: 500_000, endFrame: 960_000, after: 'early',
  });
  assert.deepEqual(cutAt(pieces, song, 20_000), {
    kind: 'gap', startFrame: 0, frame: 20_000, endFrame: 48_000, after: null,
  });
});

test('clips stay consecutive and at least a tenth of a second long during random border drags', () => {
  const random = new Random(11);
  for (let round = 0; round < 100; round += 1) {
    let pieces: readonly Piece[] = [];
    for (let press = 0; press < 8; press += 1) pieces = cut(pieces, random.below(song));
    for (let drag = 0; drag < 30; drag += 1) {
      const inner = bordersOf(pieces, song).filter(({ edges }) => edges.length === 2);
      const border = random.pick(inner);
      if (!border) continue;
      // One drag has many pointer moves; each starts from the state before the drag.
      for (let move = 0; move < 4; move += 1) {
        const shown = withChanged(pieces, moveEdges(pieces, song, border.edges, random.below(2 * song) - song / 2));
        assert(isChain(shown), JSON.stringify({ border, shown }));
        if (move === 3) pieces = shown;
      }
    }
  }
});

test('the outer ends of a clip stay inside the song', () => {
  const pieces = [piece('one', 100_000, 200_000)];
  const [start, end] = bordersOf(pieces, song);
  assert(start && end);
  assert.deepEqual([start.minFrame, start.maxFrame], [0, 200_000 - shortestStretchFrames]);
  assert.deepEqual([end.minFrame, end.maxFrame], [100_000 + shortestStretchFrames, song]);
  assert.equal(moveEdges(pieces, song, end.edges, song * 2)[0]?.endFrame, song);
  assert.equal(moveEdges(pieces, song, start.edges, -5)[0]?.startFrame, 0);
});

test('a shared border moves both clips, and separated clips have their own borders', () => {
  const pieces = [piece('one', 0, 100_000), piece('two', 100_000, 200_000)];
  assert.deepEqual(bordersOf(pieces, song).map(({ id, edges }) => [id, edges.length]), [
    ['one-start', 1], ['one-end', 2], ['two-end', 1],
  ]);
  const both = borderWith(pieces, song, { id: 'two', which: 'start' }, false).edges;
  assert.deepEqual(
    withChanged(pieces, moveEdges(pieces, song, both, 90_000)),
    [piece('one', 0, 90_000), piece('two', 90_000, 200_000)],
  );
  const one = borderWith(pieces, song, { id: 'two', which: 'start' }, true).edges;
  assert.deepEqual(
    withChanged(pieces, moveEdges(pieces, song, one, 90_000)),
    [piece('one', 0, 100_000), piece('two', 90_000, 200_000)],
  );
});

test('a border keeps its name while it is dragged over another one', () => {
  const pieces = [piece('one', 0, 100_000), piece('two', 150_000, 200_000)];
  const held = bordersOf(pieces, song).find(({ id }) => id === 'one-end');
  assert(held);
  const over = withChanged(pieces, moveEdges(pieces, song, held.edges, 150_000));
  const names = bordersOf(over, song, held.edges).map(({ id }) => id);
  assert.deepEqual([...names].sort(), ['one-end', 'one-start', 'two-end', 'two-start']);
  assert.equal(bordersOf(over, song).length, 3);
});

test('a too short piece from another source can stay and be enlarged', () => {
  const pieces = [piece('tiny', 1_000, 2_000)];
  const [start] = bordersOf(pieces, song);
  assert(start);
  assert.equal(moveEdges(pieces, song, start.edges, 1_000).length, 0);
  assert.equal(moveEdges(pieces, song, start.edges, 500)[0]?.startFrame, 500);
  assert.equal(moveEdges(pieces, song, start.edges, 1_900)[0]?.startFrame ?? 1_000, 1_000);
});

test('the neighbour, the duplicate and the piece at a frame are found', () => {
  const pieces = [piece('two', 100_000, 200_000), piece('one', 0, 100_000), piece('inner', 20_000, 30_000)];
  assert.equal(neighbourOf(pieces, 'one')?.id, 'two');
  assert.equal(neighbourOf(pieces, 'two'), null);
  assert.equal(twinOf(pieces, 100_000, 200_000)?.id, 'two');
  assert.equal(twinOf(pieces, 100_000, 200_001), null);
  assert.equal(pieceAt(pieces, 25_000)?.id, 'inner');
  assert.equal(pieceAt(pieces, 100_000)?.id, 'two');
  assert.equal(pieceAt(pieces, 200_000), null);
});

test('edges share a frame until one of their pieces is cut, moved or deleted', () => {
  const edges = [{ id: 'a', which: 'end' }, { id: 'b', which: 'start' }] as const;
  const [a, b] = [piece('a', 0, 96_000), piece('b', 96_000, 240_000)];
  assert.equal(frameOfEdges([a, b], edges), 96_000);
  assert.equal(frameOfEdges([piece('a', 0, 48_000), b], edges), null);
  assert.equal(frameOfEdges([b], edges), null);
  assert.equal(frameOfEdges([], edges), null);
  assert.equal(frameOfEdges([piece('a', 0, 48_000)], edges.slice(0, 1)), 48_000);
});
