// Plays the scenarios in WebAssembly and compares every sample and event with the native results, which
// `make vectors` wrote to .build/vectors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Engine } from './engine.mjs';

const wasm = 'dist/client/engine.wasm';
const folder = '.build/vectors';

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

const scenarios = JSON.parse(readFileSync('Tests/Engine/scenarios.json', 'utf8'));

test('there are scenarios to play', () => assert.ok(scenarios.length > 0));

for (const scenario of scenarios) {
  for (const blockSize of [128, 441, 1024, 1]) {
    test(`${scenario.name}, in blocks of ${blockSize}: native and WebAssembly are equal to the bit`, () => {
      const base = `${folder}/${scenario.name} ${blockSize}`;
      const bytes = readFileSync(`${base}.f32`);
      const native = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
      const { samples, events } = play(scenario, blockSize);
      const own = new Uint32Array(samples.buffer);
      assert.equal(own.length, native.length, 'frames');
      assert.equal(own.findIndex((value, index) => value !== native[index]), -1, 'the first sample that differs');
      assert.ok(samples.some((value) => value !== 0), 'it is silent');
      assert.equal(events, readFileSync(`${base}.events`, 'utf8'));
    });
  }
}
