// The lists of songs that one page is making.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RoutineDraft } from '../../src/uploads/draft';
import { makeDrafts } from '../../src/uploads/drafts';
import { UploadQueue } from '../../src/uploads/queue';
import type { LocalLibrary } from '../../src/sync/library';
import type { Track } from '../../src/sync/records';
import { FakeUpload } from './fakeUpload';

test('a list that was empty when another was begun is there again as soon as it has a song', () => {
  const library = { get: () => undefined, parts: () => [] } as unknown as LocalLibrary;
  const drafts = makeDrafts((options) => new RoutineDraft(options), library, new UploadQueue(() => new FakeUpload()));
  const open = drafts.forRoutine('swan');
  let told = 0;
  const other = drafts.forRoutine('duck');
  assert.deepEqual([...drafts.all], [other], 'what nobody filled goes');
  drafts.subscribe(() => {
    told += 1;
  });
  open.addTrack({ type: 'track', id: 't', createdAt: 1, title: 'One' } as Track);
  assert.deepEqual([...drafts.all], [other, open]);
  assert.equal(told, 1);
  assert.equal(drafts.forRoutine('swan'), open);
});
