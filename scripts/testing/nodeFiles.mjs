// Runs bundled files of tests, one after the other, in this process, and tells what becomes of each test. node.mjs
// starts it. `node:test` runs the tests, and notices errors that no test caught.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { events, containing, name: wanted, built, below, ends, files } = JSON.parse(process.argv[2]);

function tell(event) {
  if (events !== '') appendFileSync(events, `${JSON.stringify(event)}\n`);
}

/** The line of a file where a test is registered, by the stack of that moment. */
function lineIn(file) {
  const stack = new Error().stack.split('\n').find((line) => line.includes(file));
  return Number(stack?.match(/:(\d+):\d+\)?$/)?.[1] ?? 0);
}

/** Puts the global scope back to how it is now. */
function restorer() {
  const before = Object.getOwnPropertyDescriptors(globalThis);
  return () => {
    for (const key of Reflect.ownKeys(globalThis)) if (!(key in before)) Reflect.deleteProperty(globalThis, key);
    for (const key of Reflect.ownKeys(before)) {
      const now = Object.getOwnPropertyDescriptor(globalThis, key);
      const then = before[key];
      const isSame = now && now.value === then.value && now.get === then.get && now.set === then.set;
      if (!isSame && (now?.configurable ?? true)) Object.defineProperty(globalThis, key, then);
      else if (!isSame && now.writable) globalThis[key] = then.value;
    }
  };
}

let current = '';
let registered = [];
globalThis.segmanceTest = (title, body) => {
  const file = current;
  const name = `${file} › ${title}`;
  if ((wanted !== '' && name !== wanted) || !name.includes(containing)) return Promise.resolve();
  const at = { name, file: join(below, file + ends), line: lineIn(file + ends) };
  const running = test(name, async () => {
    tell({ kind: 'started', name });
    const began = performance.now();
    const end = (outcome, message = '') => {
      tell({ kind: 'test', ...at, outcome, seconds: (performance.now() - began) / 1_000, message });
    };
    try {
      await body();
    } catch (failure) {
      end('failed', failure?.stack ?? String(failure));
      throw failure;
    }
    end('passed');
  });
  registered.push(running);
  return running;
};

const restore = restorer();
for (const file of files) {
  current = file.slice(0, -ends.length);
  registered = [];
  try {
    await import(pathToFileURL(join(built, `${current}${ends.replace(/ts$/, 'mjs')}`)).href);
  } catch (failure) {
    // A file that can't be loaded is a failure of its own.
    globalThis.segmanceTest('the file is loaded', () => { throw failure; });
  }
  await Promise.allSettled(registered);
  restore();
}
