// Derives the same histories in WebAssembly, through the client's wrapper, and compares every number with
// the native answers bit for bit. `make vectors` wrote them to .build/vectors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { reasonKinds, stepKinds } from '../../client/src/generated/practice';
import { PracticeHistory } from '../../client/src/practice/history';
import { evenGains, levelOf } from '../../client/src/practice/levels';
import { instantiatePractice } from '../../client/src/practice/practiceModule';

const bytes = readFileSync('dist/client/practice.wasm');
const module = await instantiatePractice(bytes);
const cases = JSON.parse(readFileSync('.build/vectors/practice.json', 'utf8'));
const levelCases = JSON.parse(readFileSync('.build/vectors/levels.json', 'utf8'));

function compare(own, native, what) {
  if (Array.isArray(native)) {
    assert.equal(own?.length, native.length, what);
    native.forEach((value, index) => compare(own[index], value, `${what}[${index}]`));
    return;
  }
  assert.ok(
    Object.is(own ?? null, native ?? null), `${what}: WebAssembly ${JSON.stringify(own)}, native ${JSON.stringify(native)}`);
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

function check(vector, number) {
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
}

function checkLevels({ songs, factors }, number) {
  const levels = songs.map((song) => levelOf(module, { stepFrames: 4_800, ...song }, song.ranges.map(
    ([startFrame, endFrame]) => ({ startFrame, endFrame }))));
  levels.forEach(({ loudness, truePeak }, index) => {
    const own = [loudness, truePeak].map((value) => (Number.isFinite(value) ? value : null));
    compare(own, songs[index].level, `levels ${number}, song ${index}`);
  });
  compare(evenGains(module, levels), factors, `levels ${number}, factors`);
}

const derive = () => {
  for (const vector of cases) {
    const history = new PracticeHistory(module, vector);
    history.propose({ minutes: 20, performanceDay: null });
    history.close();
  }
};

test('the arithmetic of practice imports nothing', () => {
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(bytes)), []);
});

test('every history is equal to the bit, native and WebAssembly', () => {
  assert.ok(cases.length > 0);
  cases.forEach(check);
});

test('the levels of every set of songs are equal to the bit, native and WebAssembly', () => {
  assert.ok(levelCases.length > 0);
  levelCases.forEach(checkLevels);
});

test('memory does not grow with the histories that a page derives', () => {
  derive();
  const before = module.memory.buffer.byteLength;
  for (let round = 0; round < 10; round += 1) derive();
  assert.equal(module.memory.buffer.byteLength, before);
});
