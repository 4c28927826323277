import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trackTitle } from '../../src/ui/trackTitle';

test('the name of a file is tidied, and a name that was typed stays', () => {
  const shown = (title: string | null, fileName: string | null) => trackTitle({ title, fileName });
  assert.equal(shown('breaking_the_chains', 'breaking_the_chains.ogg'), 'breaking the chains');
  assert.equal(shown(null, 'breaking_the_chains.ogg'), 'breaking the chains');
  assert.equal(shown('my_song', 'breaking_the_chains.ogg'), 'my_song');
  assert.equal(shown('Op. 27', 'Op. 27.flac'), 'Op. 27');
  assert.equal(shown('___', '___.wav'), '___');
  assert.equal(shown(null, null), 'Untitled');
});
