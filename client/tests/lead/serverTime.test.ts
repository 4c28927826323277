// The server's clock from rounds of asking.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServerTime } from '../../src/lead/serverTime';
import { seeded } from './support';

test('the offset is never further off than it says, on any network', () => {
  const random = seeded(1);
  for (let network = 0; network < 300; network += 1) {
    const time = new ServerTime();
    const offset = random() * 1e12;
    // The clocks part by up to 40 parts in a million.
    const rate = 1 + (random() - 0.5) * 8e-5;
    const server = (at: number): number => offset + at * rate;
    let now = random() * 1e6;
    for (let round = 0; round < 30; round += 1) {
      const [there, back] = [random() ** 3 * 400, random() ** 3 * 400];
      time.take({ sentAt: now, answeredAt: now + there + back, serverTime: server(now + there) });
      now += there + back + random() * 5_000;
      const error = Math.abs((time.offset ?? NaN) - (server(now) - now));
      assert(error <= (time.uncertaintyAt(now) ?? 0) + 0.01, `${error} after ${round} rounds`);
    }
  }
});

test('a short round counts more than many long ones', () => {
  const time = new ServerTime();
  time.take({ sentAt: 0, answeredAt: 2, serverTime: 5_001 });
  for (let at = 100; at < 1_000; at += 100) time.take({ sentAt: at, answeredAt: at + 80, serverTime: 5_000 + at });
  assert.equal(time.offset, 5_000);
});

test('an old round gives way, as clocks part', () => {
  const time = new ServerTime();
  time.take({ sentAt: 0, answeredAt: 2, serverTime: 5_001 });
  time.take({ sentAt: 200_000, answeredAt: 200_010, serverTime: 205_015 });
  assert.equal(time.offset, 5_010);
});

test('rounds that can’t be are ignored, and nothing is known before the first', () => {
  const time = new ServerTime();
  assert.equal(time.offset, null);
  assert.equal(time.uncertaintyAt(5), null);
  time.take({ sentAt: 10, answeredAt: 5, serverTime: 1 });
  time.take({ sentAt: 10, answeredAt: 15, serverTime: NaN });
  assert.equal(time.offset, null);
  time.take({ sentAt: 10, answeredAt: 15, serverTime: 1 });
  time.reset();
  assert.equal(time.offset, null);
});
