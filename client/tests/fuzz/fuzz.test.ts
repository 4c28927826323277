// Fuzzes every parser of the client, in each test run for a short time with the same inputs.
// `make fuzz-client` runs longer with other inputs: SEGMANCE_FUZZ_SECONDS is the processor time of each parser,
// SEGMANCE_FUZZ_ONLY selects parsers, and SEGMANCE_FUZZ_SEED repeats an earlier run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { files } from './files';
import { written, type Harness, type Input } from './harness';
import { Mutator } from './mutator';
import { texts } from './texts';

const harnesses: readonly Harness[] = [...files, ...texts];
const seconds = Number(process.env['SEGMANCE_FUZZ_SECONDS'] ?? 0);
const only = (process.env['SEGMANCE_FUZZ_ONLY'] ?? '').split(' ').filter((name) => name !== '');

/** Returns the processor time of this process. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Tries one input; returns the outcome. */
async function attempt<I extends Input>(harness: Harness<I>, input: I): Promise<string> {
  try {
    const outcome = harness.trial(input);
    return typeof outcome === 'string' ? outcome : await outcome;
  } catch (failure) {
    throw new Error(`${String(failure)}\nThe input: ${written(input)}`, { cause: failure });
  }
}

async function run<I extends Input>(harness: Harness<I>): Promise<void> {
  const began = processorSeconds();
  const seed = Number(process.env['SEGMANCE_FUZZ_SEED'] ?? (seconds > 0 ? Date.now() : 1));
  const mutator = new Mutator(harness, seed);
  // The file identifies an input whose trial does not end.
  if (seconds > 0) console.log(`${harness.name}: seed ${seed}`);
  const rounds = seconds > 0 ? Infinity : harness.shortRounds ?? 1_500;
  let [count, taken] = [0, 0];
  for (const input of harness.seeds) mutator.learn(input, await attempt(harness, input));
  for (; count < rounds && (count % 64 > 0 || seconds === 0 || processorSeconds() < began + seconds); count += 1) {
    const input = mutator.next();
    const outcome = await attempt(harness, input);
    if (outcome !== '') taken += 1;
    mutator.learn(input, outcome);
  }
  if (seconds > 0) {
    const share = Math.round((taken / count) * 100);
    const took = (processorSeconds() - began).toFixed(1);
    console.log(`${harness.name}: ${count} executions in ${took} processor-seconds, ${share} % taken: nothing broken`);
  }
  // If every input is refused, nothing was tested.
  assert(taken >= count / 50, `Only ${taken} of ${count} inputs were taken.`);
}

const names = harnesses.map(({ name }) => name);
assert(only.every((name) => names.includes(name)), `There are only ${names.join(', ')}.`);

for (const harness of harnesses) {
  if (only.length > 0 && !only.includes(harness.name)) continue;
  // The tests run sequentially, because each measures the time of the whole process.
  await test(`${harness.name}: ${harness.promise}`, () => run(harness));
}
