// Texts of offsets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atInVideo } from '../../src/video/offsetText';

test('an offset is shown as the time in the video at which the part begins', () => {
  assert.equal(atInVideo(0, 0), 'The part begins at 0:00.00 in the video');
  assert.equal(atInVideo(480_000, 480_000 - 597_120), 'The part begins at 0:12.44 in the video');
  assert.equal(atInVideo(0, 72_000), 'The part begins 0:01.50 before the video');
  assert.equal(atInVideo(0, 480), 'The part begins 0:00.01 before the video');
  assert.equal(atInVideo(0, -65 * 48_000), 'The part begins at 1:05.00 in the video');
});
