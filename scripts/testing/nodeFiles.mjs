// Runs bundled files of tests, one after the other, in this process. node.mjs starts it, with the reporter
// nodeEvents.mjs. What a file leaves in the global scope, or ticking, does not reach the next one.
import { File } from 'node:buffer';
import { webcrypto } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { places, tell } from './nodeEvents.mjs';

const { containing, name: wanted, built, below, ends, files } = JSON.parse(process.argv[2]);
/** A test that takes longer never ends. The longest takes 15 s on a busy machine. */
const longestMilliseconds = 1_000 * Number(process.env.SEGMANCE_TEST_SECONDS ?? 300);

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

/** Notes the timers that are set from now on. Returns a function that stops those that run, and says where they were set. */
function noteTimers() {
  const { setTimeout, setInterval, clearTimeout } = globalThis;
  const running = new Map();
  const note = (timer) => running.set(timer, new Error().stack.split('\n').slice(3).join('\n')) && timer;
  globalThis.setTimeout = (callback, ...rest) => {
    const timer = setTimeout((...values) => {
      running.delete(timer);
      callback(...values);
    }, ...rest);
    return note(timer);
  };
  globalThis.setInterval = (...all) => note(setInterval(...all));
  globalThis.clearTimeout = (timer) => {
    running.delete(timer);
    clearTimeout(timer);
  };
  globalThis.clearInterval = globalThis.clearTimeout;
  return () => {
    running.forEach((_, timer) => clearTimeout(timer));
    return [...running.values()];
  };
}

let current = '';
let registered = [];
let ran = 0;

function register(title, line, body) {
  const name = `${current} › ${title}`;
  ran += 1;
  places.set(name, { file: join(below, current + ends), line });
  registered.push(test(name, { timeout: longestMilliseconds }, async () => {
    tell({ kind: 'started', name });
    await body();
  }));
  return registered.at(-1);
}

globalThis.segmanceTest = (title, body) => {
  const name = `${current} › ${title}`;
  if ((wanted !== '' && name !== wanted) || !name.includes(containing)) return Promise.resolve();
  return register(title, lineIn(current + ends), body);
};

// A test that waits for what never comes leaves nothing that keeps the process alive, so this does, until it is too long.
const alive = setInterval(() => {}, 60_000);
// Neither a test nor what it tests may end the run in the middle.
let hasEnded = false;
process.on('exit', () => { if (!hasEnded) process.exitCode = 1; });

// Browsers have them in the global scope. Node 18, which is Debian 12's, does not.
globalThis.crypto ??= webcrypto;
globalThis.File ??= File;

const restore = restorer();
for (const file of files) {
  current = file.slice(0, -ends.length);
  registered = [];
  const stopTimers = noteTimers();
  try {
    await import(pathToFileURL(join(built, `${current}${ends.replace(/ts$/, 'mjs')}`)).href);
  } catch (failure) {
    register('the file is loaded', 0, () => { throw failure; });
  }
  await Promise.all(registered);
  restore();
  const left = stopTimers();
  if (left.length > 0) {
    await register('no timer runs on', 0, () => { throw new Error(`${left.length} run on. They were set here:\n${left.join('\n\n')}`); });
  }
}
clearInterval(alive);
hasEnded = true;
if (ran === 0) {
  console.error('No test has such a name.');
  process.exitCode = 1;
}
