// Fetching chunks: concurrency, retries after failures, and giving up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChunkError, ChunkLoader, decodeInBrowser, LoadChunk } from '../../src/audio/chunkLoader';
import { words } from '../../src/words/words';

/** A network whose responses are given by the test. */
class Bench {
  readonly open = new Map<number, { answer(): void; fail(error: Error): void }>();
  readonly got: number[] = [];
  readonly failures: string[] = [];
  readonly waits: number[] = [];
  tries = 0;
  now = 0;
  absence: string | null = null;
  decoding = async (): Promise<void> => undefined;
  readonly loader = new ChunkLoader(
    {
      onChunk: (chunk) => this.got.push(chunk),
      onFailure: (chunk, error) => this.failures.push(`${chunk}: ${error.message}`),
    },
    { wait: async (milliseconds) => { this.waits.push(milliseconds); }, now: () => this.now,
      absence: () => this.absence });

  constructor() {
    this.loader.open('t', this.load);
  }

  readonly load: LoadChunk = async (chunk, signal) => {
    await new Promise<void>((resolve, reject) => {
      this.tries += 1;
      const close = (): void => { this.open.delete(chunk); };
      this.open.set(chunk, {
        answer: () => { close(); resolve(); },
        fail: (error) => { close(); reject(error); },
      });
      signal.addEventListener('abort', () => { close(); reject(new Error('aborted')); });
    });
    await this.decoding();
    return { left: new Float32Array(4), right: new Float32Array(4) };
  };

  async answer(chunk: number): Promise<void> {
    this.open.get(chunk)?.answer();
    await settled();
  }

  async fail(chunk: number, error: Error): Promise<void> {
    this.open.get(chunk)?.fail(error);
    await settled();
  }
}

/** Waits until all promises that can settle have settled. */
const settled = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

test('two chunks are fetched at a time, the most urgent first', async () => {
  const bench = new Bench();
  bench.loader.want([5, 6, 7]);
  assert.deepEqual([...bench.open.keys()], [5, 6]);
  await bench.answer(5);
  assert.deepEqual([...bench.open.keys()], [6, 7]);
  assert.deepEqual(bench.got, [5]);
});

test('the request of a chunk that is no longer wanted is cancelled', async () => {
  const bench = new Bench();
  bench.loader.want([5, 6]);
  bench.loader.want([6, 9]);
  await settled();
  assert.deepEqual([...bench.open.keys()], [6, 9]);
  assert.deepEqual(bench.failures, []);
});

test('decoding a chunk that is no longer wanted still counts as running work', async () => {
  const bench = new Bench();
  const release: (() => void)[] = [];
  bench.decoding = () => new Promise((resolve) => { release.push(resolve); });
  bench.loader.want([1, 2]);
  await bench.answer(1);
  await bench.answer(2);
  bench.loader.want([3, 4]);
  await settled();
  assert.deepEqual([...bench.open.keys()], []);
  release[0]?.();
  await settled();
  assert.deepEqual([...bench.open.keys()], [3]);
  assert.deepEqual(bench.got, []);
});

test('a failed request is retried and succeeds', async () => {
  const bench = new Bench();
  bench.loader.want([1]);
  for (let failure = 0; failure < 3; failure += 1) await bench.fail(1, new TypeError('network'));
  await bench.answer(1);
  assert.deepEqual(bench.got, [1]);
  assert.deepEqual(bench.waits, [400, 1_000, 2_000]);
});

test('repeated failures end the retries until a new attempt is requested', async () => {
  const bench = new Bench();
  bench.loader.want([1]);
  for (let failure = 0; failure < 6; failure += 1) await bench.fail(1, new TypeError('network'));
  assert.deepEqual(bench.failures, [`1: ${words.audio.network}`]);
  bench.loader.want([1]);
  assert.equal(bench.open.size, 0);
  bench.loader.retry();
  await bench.answer(1);
  assert.deepEqual(bench.got, [1]);
  assert.equal(bench.loader.failure(1), null);
});

test('a failed prefetch is retried some seconds later', async () => {
  const bench = new Bench();
  bench.loader.want([7]);
  for (let failure = 0; failure < 6; failure += 1) await bench.fail(7, new TypeError('network'));
  bench.now += 4_900;
  bench.loader.want([7]);
  assert.equal(bench.open.size, 0);
  bench.now += 100;
  bench.loader.want([7]);
  assert.equal(bench.loader.failure(7), null);
  await bench.answer(7);
  assert.deepEqual(bench.got, [7]);
});

test('a permanently missing chunk is not requested again', async () => {
  const bench = new Bench();
  bench.loader.want([1, 2]);
  await bench.fail(1, new ChunkError(words.audio.missing, false));
  bench.now += 60_000;
  bench.loader.want([1, 2]);
  assert.equal(bench.tries, 2);
  assert.equal(bench.loader.failure(1)?.message, words.audio.missing);
  await bench.answer(2);
  assert.deepEqual(bench.got, [2]);
});

test('no chunk of the previous track arrives after a change of track', async () => {
  const bench = new Bench();
  bench.loader.want([1]);
  const late = bench.open.get(1);
  bench.loader.open('other', bench.load);
  late?.answer();
  await settled();
  assert.deepEqual(bench.got, []);
});

test('a decoder that does not answer in time, while the page is visible, counts as damaged data', async () => {
  const real = globalThis.setInterval;
  let second = (): void => undefined;
  globalThis.setInterval = ((tick: () => void) => {
    second = tick;
    return real(() => undefined, 60_000);
  }) as typeof setInterval;
  class Silent {
    decodeAudioData(): Promise<AudioBuffer> {
      return new Promise(() => undefined);
    }
  }
  Object.defineProperty(globalThis, 'OfflineAudioContext', { configurable: true, value: Silent });
  let failure: unknown = null;
  try {
    void decodeInBrowser(new ArrayBuffer(8), 480_000).catch((error: unknown) => { failure = error; });
    for (let seconds = 1; seconds < 30; seconds += 1) second();
    await settled();
    assert.equal(failure, null);
    second();
    await settled();
    assert(failure instanceof ChunkError && !failure.isPassing && failure.message === words.audio.damaged);
  } finally {
    globalThis.setInterval = real;
  }
});

test('a chunk that is known to be unavailable is reported at once, unless part of the track has arrived', async () => {
  const bench = new Bench();
  bench.absence = 'It is not here.';
  bench.loader.want([1]);
  await bench.fail(1, new Error('no network'));
  assert.deepEqual(bench.failures, ['1: It is not here.']);
  assert.deepEqual(bench.waits, []);
  // The server's own message has priority. A part that has played waits for the network.
  bench.loader.want([2]);
  await bench.fail(2, new ChunkError(words.audio.missing, false));
  bench.loader.want([3]);
  await bench.answer(3);
  bench.loader.want([4]);
  await bench.fail(4, new Error('no network'));
  assert.deepEqual(bench.failures.slice(1), [`2: ${words.audio.missing}`]);
  assert.deepEqual(bench.waits, [400]);
});
