// Notifications in the service worker: shown, left out, pressed, and an address that is renewed, with simulated pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNotice, renewSubscription, showNotice } from '../../src/serviceWorker/notices';
import type { Page, WorkerScope } from '../../src/serviceWorker/scope';

const place = { routine: 'r', part: 'p', comment: 'c' };
const message = { language: 'en', ...place, who: 'Ana', where: ['Swan'], text: 'Arms!', isMention: false };
const chromium = 'AppleWebKit/537.36 Chrome/140.0';
const safari = 'AppleWebKit/605.1.15 Version/18.0';

interface Simulated {
  readonly scope: WorkerScope;
  readonly shown: { readonly title: string; readonly options: { readonly [name: string]: unknown } }[];
  readonly done: string[];
}

interface SimulatedPage {
  readonly url?: string;
  readonly focused?: boolean;
  /** What it answers; without an answer it is a page of an earlier version. */
  readonly answer?: boolean;
}

function simulate(pages: readonly SimulatedPage[], userAgent = chromium): Simulated {
  const shown: Simulated['shown'] = [];
  const done: string[] = [];
  const windows: Page[] = pages.map(({ url = 'https://studio.example/', focused = false, answer }, at) => ({
    url, focused,
    postMessage: (question, [port]) => {
      done.push(`${(question as { kind: string }).kind} ${at}`);
      if (answer !== undefined) (port as MessagePort).postMessage(answer);
    },
    focus: async () => { done.push(`focus ${at}`); },
    navigate: async (address) => { done.push(`navigate ${at} ${address}`); },
  }));
  const scope = {
    location: { origin: 'https://studio.example' },
    navigator: { userAgent },
    registration: {
      showNotification: async (title: string, options: { readonly [name: string]: unknown }) => { shown.push({ title, options }); },
      pushManager: { subscribe: async (options: { applicationServerKey: unknown }) => {
        done.push(`subscribe ${String(options.applicationServerKey)}`);
        return subscription('new');
      } },
    },
    clients: { matchAll: async () => windows, openWindow: async (address: string) => { done.push(`open ${address}`); } },
  } as unknown as WorkerScope;
  return { scope, shown, done };
}

/** Does some work while pages that do not answer are waited for no longer than it takes to ask them. */
async function withoutPatience(work: () => Promise<void>): Promise<void> {
  const real = globalThis.setTimeout;
  globalThis.setTimeout = ((ring: () => void) => { setImmediate(ring); }) as typeof setTimeout;
  try {
    await work();
  } finally {
    globalThis.setTimeout = real;
  }
}

const subscription = (name: string): PushSubscription => ({
  endpoint: name, options: { applicationServerKey: 'key' }, toJSON: () => ({ endpoint: name, keys: { p256dh: 'point', auth: 'shared' } }),
} as unknown as PushSubscription);

test('a message is shown with the routine as its tag, and leads to the comment', async () => {
  const { scope, shown } = simulate([{ focused: false, answer: true }]);
  await showNotice(scope, message);
  assert.equal(shown.length, 1);
  assert.equal(shown[0]?.title, 'Ana commented');
  const { tag, body, lang, data, renotify } = shown[0]?.options ?? {};
  assert.deepEqual({ tag, body, lang, data, renotify }, { tag: 'r', body: 'Swan\nArms!', lang: 'en', data: place, renotify: true });
});

test('a page in front that shows the routine makes it unnecessary, where the browser permits that', async () => {
  for (const [pages, userAgent, count] of [
    [[{ focused: true, answer: true }], chromium, 0],
    [[{ focused: true, answer: false }], chromium, 1],
    [[{ focused: false, answer: true }], chromium, 1],
    [[{ focused: true, answer: true, url: 'https://studio.example/l/0193a5b0-0000-7000-8000-000000000001' }], chromium, 1],
    [[{ focused: true, answer: true }], safari, 1],
  ] as const) {
    const { scope, shown } = simulate(pages, userAgent);
    await showNotice(scope, message);
    assert.equal(shown.length, count, JSON.stringify([pages, userAgent]));
  }
});

test('a page that does not answer makes nothing unnecessary', async () => {
  const { scope, shown } = simulate([{ focused: true }]);
  await withoutPatience(() => showNotice(scope, message));
  assert.equal(shown.length, 1);
});

test('a press leads an open page to the place, the one in front first', async () => {
  const { scope, done } = simulate([{ answer: true }, { focused: true, answer: true }]);
  await openNotice(scope, place);
  assert.deepEqual(done, ['focus 1', 'goTo 1']);
});

test('a press opens a page if there is none, and loads one that does not understand', async () => {
  const none = simulate([{ url: 'https://studio.example/l/0193a5b0-0000-7000-8000-000000000001', answer: true }]);
  await openNotice(none.scope, place);
  assert.deepEqual(none.done, ['open /routines/r/parts/p#comment=c']);
  const older = simulate([{}]);
  await withoutPatience(() => openNotice(older.scope, place));
  assert.deepEqual(older.done, ['focus 0', 'goTo 0', 'navigate 0 /routines/r/parts/p#comment=c']);
  const unread = simulate([{ answer: true }]);
  await openNotice(unread.scope, null);
  assert.deepEqual(unread.done, ['focus 0']);
});

test('a new address is told to the server, and one that has ended is replaced', async () => {
  const sent: unknown[] = [];
  const before = globalThis.fetch;
  globalThis.fetch = async (address, { method, body } = {}) => {
    sent.push([method, address, JSON.parse(String(body))]);
    return new Response();
  };
  const { scope, done } = simulate([]);
  const waitUntil = (): void => undefined;
  await renewSubscription(scope, { waitUntil, newSubscription: subscription('given'), oldSubscription: subscription('old') });
  await renewSubscription(scope, { waitUntil, oldSubscription: subscription('old') });
  await renewSubscription(scope, { waitUntil, oldSubscription: null });
  globalThis.fetch = before;
  const told = (endpoint: string): unknown => ['PUT', '/api/push', { endpoint, publicKey: 'point', authentication: 'shared' }];
  assert.deepEqual(sent, [told('given'), told('new')]);
  assert.deepEqual(done, ['subscribe key']);
});
