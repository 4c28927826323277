// Plays the scenarios in WebAssembly and compares every sample and event with the native results.
// Use: node Tests/Engine/vectors.mjs ENGINE.wasm FOLDER
// FOLDER was filled by: SEGMANCE_VECTORS=FOLDER swift test --filter VectorTests
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Engine } from './engine.mjs';

const [wasm, folder] = process.argv.slice(2);
if (!wasm || !folder) {
  console.error('Use: node Tests/Engine/vectors.mjs ENGINE.wasm FOLDER');
  process.exit(2);
}

function play(scenario, blockSize) {
  const engine = new Engine(wasm);
  engine.apply({ command: 'load', start: 0, end: 1 });
  const samples = new Float32Array(2 * scenario.frames);
  const left = samples.subarray(0, scenario.frames);
  const right = samples.subarray(scenario.frames);
  let events = '';
  scenario.steps.forEach((step, index) => {
    engine.apply(step);
    const next = scenario.steps[index + 1]?.at ?? scenario.frames;
    for (let at = step.at; at < next;) {
      const count = Math.min(next - at, 8_192);
      engine.render(count, blockSize, left, right, at);
      events += engine.events();
      at += count;
    }
  });
  return { samples, events };
}

let failures = 0;
let compared = 0;
const scenarios = JSON.parse(readFileSync(new URL('scenarios.json', import.meta.url), 'utf8'));
for (const scenario of scenarios) {
  for (const blockSize of [128, 441, 1024, 1]) {
    const base = join(folder, `${scenario.name} ${blockSize}`);
    const bytes = readFileSync(`${base}.f32`);
    const native = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const { samples, events } = play(scenario, blockSize);
    const own = new Uint32Array(samples.buffer);
    const first = own.findIndex((value, index) => value !== native[index]);
    const isSilent = samples.every((value) => value === 0);
    compared += own.length;
    if (own.length !== native.length || first >= 0 || isSilent) {
      failures += 1;
      const what = isSilent ? 'is silent' : `differs at sample ${first} of ${native.length}`;
      console.error(`${scenario.name}, blocks of ${blockSize}: WebAssembly ${what}`);
    }
    if (events !== readFileSync(`${base}.events`, 'utf8')) {
      failures += 1;
      console.error(`${scenario.name}, blocks of ${blockSize}: the events differ`);
    }
  }
}
if (failures > 0) process.exit(1);
console.log(
  `engine vectors: ${scenarios.length} scenarios at 4 block sizes, ${compared} samples,`
  + ' native and WebAssembly equal to the bit');
