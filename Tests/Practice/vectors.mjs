// Derives the same histories in WebAssembly, through the client's wrapper, and compares every number with
// the native answers bit for bit. The Makefile bundles it.
// Use: node BUNDLE PRACTICE.wasm VECTORS.json LEVELS.json
// Both were written by: SEGMANCE_VECTORS=FOLDER swift test --filter "PracticeTests.(Vector|Level)Tests"
import { readFileSync } from 'node:fs';
import { reasonKinds, stepKinds } from '../../client/src/generated/practice';
import { PracticeHistory } from '../../client/src/practice/history';
import { evenGains, levelOf } from '../../client/src/practice/levels';
import { instantiatePractice } from '../../client/src/practice/practiceModule';

const [wasm, file, levelFile] = process.argv.slice(2);
if (!wasm || !file || !levelFile) {
  console.error('Use: node BUNDLE PRACTICE.wasm VECTORS.json LEVELS.json');
  process.exit(2);
}

const bytes = readFileSync(wasm);
const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
if (imports.length > 0) throw new Error(`The arithmetic must import nothing: ${JSON.stringify(imports)}`);
const module = await instantiatePractice(bytes);
const cases = JSON.parse(readFileSync(file, 'utf8'));
let compared = 0;
let failures = 0;

function compare(own, native, what) {
  if (Array.isArray(native)) {
    if (own?.length !== native.length) return fail(own, native, what);
    native.forEach((value, index) => compare(own[index], value, `${what}[${index}]`));
    return undefined;
  }
  compared += 1;
  return Object.is(own ?? null, native ?? null) ? undefined : fail(own, native, what);
}

function fail(own, native, what) {
  failures += 1;
  if (failures <= 20) console.error(`${what}: WebAssembly ${JSON.stringify(own)}, native ${JSON.stringify(native)}`);
}

/** The numbers of a step, with the indices of its parts. */
function numbersOf(step, parts) {
  const index = (id) => parts.findIndex((part) => part.id === id);
  return [
    stepKinds.indexOf(step.kind), index(step.firstPart), index(step.lastPart), step.passes, step.fromPercent,
    step.toPercent, step.stepPercent, step.restSeconds,
  ];
}

function numbersOfReason({ kind, ...numbers }) {
  const [first = 0, second = 0] = Object.values(numbers);
  return [reasonKinds.indexOf(kind), first, second];
}

cases.forEach((vector, number) => {
  const history = new PracticeHistory(module, vector);
  vector.answers.forEach((native, index) => {
    const part = vector.parts[index];
    const progress = history.progressOf(part.id);
    const own = {
      weakness: history.weaknessOfPart(part.id),
      transition: history.weaknessOfTransition(part.id),
      moves: part.moves.map(({ id }) => history.weaknessOfMove(id)),
      reached: progress.reachedPercent,
      passes: progress.passes,
      seconds: progress.seconds,
      days: progress.days.map(({ day, passes, percent }) => [day, passes, percent]),
      block: numbersOf(history.stepFor(part.id), vector.parts),
    };
    for (const name of Object.keys(own)) compare(own[name], native[name], `case ${number}, part ${index}, ${name}`);
  });
  compare(history.weeks().map(({ firstDay, seconds }) => [firstDay, seconds]), vector.weeks, `case ${number}, weeks`);
  for (const session of vector.sessions) {
    const steps = history.propose(session).map((step) => (
      [...numbersOf(step, vector.parts), step.expectedSeconds, ...numbersOfReason(step.reason)]
    ));
    compare(steps, session.steps, `case ${number}, ${session.minutes} minutes`);
  }
  history.close();
});

const levelCases = JSON.parse(readFileSync(levelFile, 'utf8'));
levelCases.forEach(({ songs, factors }, number) => {
  const levels = songs.map((song) => levelOf(module, { stepFrames: 4_800, ...song }, song.ranges.map(
    ([startFrame, endFrame]) => ({ startFrame, endFrame }))));
  levels.forEach(({ loudness, truePeak }, index) => {
    const own = [loudness, truePeak].map((value) => (Number.isFinite(value) ? value : null));
    compare(own, songs[index].level, `levels ${number}, song ${index}`);
  });
  compare(evenGains(module, levels), factors, `levels ${number}, factors`);
});

// A page derives a history again with each entry: memory must not grow with them.
const derive = () => {
  for (const vector of cases) {
    const history = new PracticeHistory(module, vector);
    history.propose({ minutes: 20, performanceDay: null });
    history.close();
  }
};
derive();
const before = module.memory.buffer.byteLength;
for (let round = 0; round < 10; round += 1) derive();
const grown = module.memory.buffer.byteLength - before;
if (grown > 0) fail(grown, 0, 'bytes that memory grew by in 600 histories');

if (failures > 0) {
  console.error(`${failures} of ${compared} numbers differ`);
  process.exit(1);
}
console.log(`practice vectors: ${cases.length} histories, ${levelCases.length} sets of songs, ${compared} numbers, native and WebAssembly equal to the bit`);
