// Derives the same grids in WebAssembly, through the client's wrapper, and compares every number with the
// native answers bit for bit. `make vectors` wrote them to .build/vectors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { instantiateCounts } from '../../client/src/counts/countsModule';
import { Grid } from '../../client/src/counts/grid';

const bytes = readFileSync('dist/client/counts.wasm');
const module = await instantiateCounts(bytes);
const cases = JSON.parse(readFileSync('.build/vectors/counts.json', 'utf8'));

function compare(own, native, what) {
  if (native !== null && typeof native === 'object') {
    assert.equal(own?.length, native.length, what);
    native.forEach((value, index) => compare(own[index], value, `${what}[${index}]`));
    return;
  }
  assert.ok(Object.is(own ?? null, native), `${what}: WebAssembly ${JSON.stringify(own)}, native ${JSON.stringify(native)}`);
}

/** Numbers that JSON has not stand there as texts. */
function derived({ analysis, corrections, lengthFrames }) {
  return new Grid(
    module,
    analysis ? { ...analysis, tempo: Number(analysis.tempo), confidence: 1 } : null,
    lengthFrames,
    corrections.map((correction) => ({ ...correction, value: Number(correction.value) })),
  );
}

function check(vector, index) {
  const grid = derived(vector);
  const beats = grid.beats(0, 2_073_600_000);
  compare(
    beats.map(({ frame, place, count, eight, metre }) => [frame, place, count, eight, metre]), vector.beats,
    `case ${index}, beats`);
  compare(
    grid.stretches().map((each) => [each.firstBeat, each.beatsEnd, each.startFrame, each.endFrame]),
    vector.stretches, `case ${index}, stretches`);
  vector.answers.forEach(({ frame, number: steps, ...native }, at) => {
    const position = grid.position(frame);
    const length = grid.length(frame, frame + 100_000 * steps);
    const part = { startFrame: frame, endFrame: frame + 100_000 * steps };
    const inside = frame + 37_000 * steps;
    const practised = grid.positionIn(inside, part);
    const direction = steps % 2 === 0 ? 1 : -1;
    const countIn = grid.countIn(frame, 0.25 + steps * 0.31, steps > 0 ? steps : steps === -1 ? 'bar' : 'eight');
    const long = { startFrame: frame, endFrame: frame + 960_000 };
    const laid = grid.positionAt(steps + 0.25, long);
    const own = {
      position: position && [position.eight, position.count, position.fraction],
      back: position && grid.frame(position),
      moved: grid.movedByCounts(frame, steps),
      movedEights: grid.movedByEights(frame, steps),
      beat: grid.nearestBeat(frame),
      eight: grid.nearestEight(frame),
      period: grid.period(frame),
      practised: practised && [practised.eight, practised.count, practised.fraction],
      stepped: grid.stepped(inside, direction, part),
      stop: grid.nearestStop(inside, part),
      next: grid.nextStop(inside, direction, part),
      counts: grid.counts(frame, frame + 100_000 * steps),
      length: length && [length.eights, length.counts, length.countsPerEight],
      count: grid.countAt(frame + 30_000, long),
      frameOfCount: grid.frameAt(steps + 0.25, long),
      place: laid && [laid.eight, laid.count, laid.fraction],
      countOfPlace: laid && grid.countOf(laid, long),
      tapped: grid.countsOfTaps([0, 1, 2, 3].map((tap) => frame + 40_000 * tap), long),
      countIn: countIn.map((each) => [each.framesBefore, each.number, each.isDownbeat ? 1 : 0]),
    };
    for (const name of Object.keys(own)) {
      compare(own[name], native[name] ?? null, `case ${index}, answer ${at} (frame ${frame}, ${steps}), ${name}`);
    }
  });
  grid.close();
}

test('the counts import nothing', () => {
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(bytes)), []);
});

test('every grid is equal to the bit, native and WebAssembly', () => {
  assert.ok(cases.length > 0);
  cases.forEach(check);
});

test('memory does not grow with the grids that a page derives', () => {
  const derive = () => cases.forEach((vector) => derived(vector).close());
  derive();
  const before = module.memory.buffer.byteLength;
  for (let round = 0; round < 20; round += 1) derive();
  assert.equal(module.memory.buffer.byteLength, before);
});
