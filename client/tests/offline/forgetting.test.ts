import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetInTime, mustForget } from '../../src/offline/forgetting';
import type { LibraryStatus } from '../../src/sync/wire';

const inside = { unpaired: false, waiting: 0 };

test('a browser that stays forgets nothing', () => {
  assert.equal(mustForget(null, { unpaired: true, waiting: 0 }, 10), false);
});

test('the others forget when the time is over, or once they have no access any more', () => {
  assert.equal(mustForget(10, inside, 9), false);
  assert.equal(mustForget(10, inside, 10), true);
  assert.equal(mustForget(10, { unpaired: true, waiting: 0 }, 9), true);
});

test('but nothing while changes are not sent', () => {
  assert.equal(mustForget(10, { unpaired: true, waiting: 1 }, 99), false);
});

test('all goes and the page leaves, without taking input meanwhile, even if the push service can’t be told', async () => {
  const done: string[] = [];
  const subscription = { unsubscribe: () => Promise.reject(new DOMException('The push service is out of reach.')) };
  const registration = { pushManager: { getSubscription: () => Promise.resolve(subscription) } };
  const body = { inert: false };
  const left = new Promise<void>((resolve) => {
    const stubs = {
      document: { body },
      navigator: { serviceWorker: { getRegistration: () => Promise.resolve(registration) } },
      localStorage: { getItem: () => '10', clear: () => done.push('cleared') },
      indexedDB: { databases: () => Promise.resolve([{ name: 'library' }]), deleteDatabase: (name: string) => done.push(name) },
      location: {
        replace: (address: string) => {
          done.push(address);
          resolve();
        },
      },
    };
    for (const [name, value] of Object.entries(stubs)) Object.defineProperty(globalThis, name, { value, configurable: true });
  });
  const status = { ...inside, unpaired: true } as LibraryStatus;
  forgetInTime({ status, subscribe: () => () => undefined }, () => done.push('begun'));
  assert.equal(body.inert, true);
  await left;
  assert.deepEqual(done, ['begun', 'library', 'cleared', '/pair']);
});
