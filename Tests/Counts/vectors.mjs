// Derives the same grids in WebAssembly, through the client's wrapper, and compares every number with the
// native answers bit for bit. The Makefile bundles it.
// Use: node BUNDLE COUNTS.wasm VECTORS.json
// VECTORS.json was written by: SEGMANCE_VECTORS=FOLDER swift test --filter CountsTests.VectorTests
import { readFileSync } from 'node:fs';
import { instantiateCounts } from '../../client/src/counts/countsModule';
import { Grid } from '../../client/src/counts/grid';

const [wasm, file] = process.argv.slice(2);
if (!wasm || !file) {
  console.error('Use: node BUNDLE COUNTS.wasm VECTORS.json');
  process.exit(2);
}

const bytes = readFileSync(wasm);
const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
if (imports.length > 0) throw new Error(`The counts must import nothing: ${JSON.stringify(imports)}`);
const module = await instantiateCounts(bytes);
const cases = JSON.parse(readFileSync(file, 'utf8'));
let compared = 0;
let failures = 0;

function compare(own, native, what) {
  if (native !== null && typeof native === 'object') {
    if (own?.length !== native.length) return fail(own, native, what);
    native.forEach((value, index) => compare(own[index], value, `${what}[${index}]`));
    return undefined;
  }
  compared += 1;
  return Object.is(own ?? null, native) ? undefined : fail(own, native, what);
}

function fail(own, native, what) {
  failures += 1;
  if (failures <= 20) console.error(`${what}: WebAssembly ${JSON.stringify(own)}, native ${JSON.stringify(native)}`);
}

/** Numbers that JSON has not stand there as texts. */
function derive({ analysis, corrections, lengthFrames }) {
  return new Grid(
    module,
    analysis ? { ...analysis, tempo: Number(analysis.tempo), confidence: 1 } : null,
    lengthFrames,
    corrections.map((correction) => ({ ...correction, value: Number(correction.value) })),
  );
}

cases.forEach((vector, index) => {
  const grid = derive(vector);
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
});

// A page derives a grid again with each correction: memory must not grow with them.
const before = module.memory.buffer.byteLength;
for (let round = 0; round < 20; round += 1) for (const vector of cases) derive(vector).close();
const grown = module.memory.buffer.byteLength - before;
if (grown > 0) fail(grown, 0, 'bytes that memory grew by in 1,600 grids');

if (failures > 0) {
  console.error(`${failures} of ${compared} numbers differ`);
  process.exit(1);
}
console.log(`counts vectors: ${cases.length} grids, ${compared} numbers, native and WebAssembly equal to the bit`);
