import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNameIn } from '../../src/ui/share';

test('a download is shared under the name that the server gives it', () => {
  assert.equal(fileNameIn('attachment; filename="Swan.html"'), 'Swan.html');
  assert.equal(fileNameIn(`attachment; filename="_.html"; filename*=UTF-8''%D8%B3%D9%85%D8%A7%D8%A1.html`), 'سماء.html');
  assert.equal(fileNameIn(`attachment; filename="Swan.html"; filename*=UTF-8''%E0%A4%A`), 'Swan.html');
  assert.equal(fileNameIn('attachment'), null);
  assert.equal(fileNameIn(null), null);
});
