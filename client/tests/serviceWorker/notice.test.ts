// What a notification says and where it leads, from the server's message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentInHash, maySuppress, noticeAddress, shownNotice } from '../../src/serviceWorker/notice';

const routine = '0193a5b0-0000-7000-8000-000000000001';
const part = '0193a5b0-0000-7000-8000-000000000002';
const comment = '0193a5b0-0000-7000-8000-000000000003';
const message = {
  language: 'en', routine, part, comment, who: 'Ana', where: ['Swan', 'Part 1', 'Arabesque'], text: 'Arms up!', isMention: false,
};

test('a notification says who, where and what, in the language of the device', () => {
  assert.deepEqual(shownNotice(message), {
    title: 'Ana commented', body: 'Swan · Part 1 · Arabesque\nArms up!', language: 'en', tag: routine, place: { routine, part, comment },
  });
  assert.equal(shownNotice({ ...message, isMention: true }).title, 'Ana mentioned you');
  // A later comment may not take a mention away.
  assert.notEqual(shownNotice({ ...message, isMention: true }).tag, routine);
  assert.equal(shownNotice({ ...message, language: 'es' }).title, 'Ana ha comentado');
  assert.equal(shownNotice({ ...message, language: 'es', isMention: true }).title, 'Ana te ha mencionado');
  assert.equal(shownNotice({ ...message, who: '' }).title, 'New comment');
  assert.equal(shownNotice({ ...message, language: 'xx' }).language, 'en');
});

test('a message that can’t be read still shows that there is a comment', () => {
  for (const odd of [null, undefined, 5, 'text', [], { who: 7, where: 'x', text: null }]) {
    assert.deepEqual(shownNotice(odd), { title: 'New comment', body: '', language: 'en', tag: 'segmance', place: null });
  }
});

test('the address of a place names the comment, and nothing else is taken for one', () => {
  const address = noticeAddress({ routine, part, comment });
  assert.equal(address, `/routines/${routine}/parts/${part}#comment=${comment}`);
  assert.equal(commentInHash(address.split('#')[1] ?? ''), comment);
  assert.equal(noticeAddress(null), '/');
  assert.equal(noticeAddress({ routine: '../x', part: '#', comment: '?' }), '/routines/..%2Fx/parts/%23#comment=%3F');
  for (const hash of ['', 'comment', 'comment=', `comment=${comment}0`, 'comment=<script>', comment, 'AGbt'.repeat(9)]) {
    assert.equal(commentInHash(hash), null, hash);
  }
});

test('only browsers that permit it may show nothing', () => {
  assert(maySuppress('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'));
  assert(maySuppress('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'));
  assert(!maySuppress('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'));
});
