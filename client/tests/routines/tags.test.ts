import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allTags, longestTag, mostTags, suggestedTags, tagsOf, textOfTags, withTag } from '../../src/routines/tags';
import { limits, validateFields } from '../../src/sync/validation';

test('tags are read a line each, without blanks and doubles', () => {
  assert.deepEqual(tagsOf({ tags: ' duo \n\nSummer, 2027\nDUO\n' }), ['duo', 'Summer, 2027']);
  assert.deepEqual(tagsOf({}), []);
  assert.deepEqual(tagsOf({ tags: null }), []);
});

test('a tag is added once, and only if it fits', () => {
  assert.deepEqual(withTag(['duo'], '  Gala\n2027 '), ['duo', 'Gala 2027']);
  assert.equal(withTag(['été'], 'ETE'), null);
  assert.equal(withTag([], '   '), null);
  assert.equal(withTag([], 'x'.repeat(longestTag + 1)), null);
  assert.equal(withTag(Array.from({ length: mostTags }, (_, at) => `tag ${at}`), 'one more'), null);
});

test('as many tags as a routine may have, each as long as it may be, fit the field', () => {
  let tags: readonly string[] = [];
  for (let at = 0; at < mostTags; at += 1) tags = withTag(tags, `${at}${'👩‍👩‍👧‍👦'.repeat(longestTag - 11)}`) ?? [];
  assert.equal(tags.length, mostTags);
  const full = Array.from({ length: mostTags }, (_, at) => `${at}`.padEnd(longestTag, 'é'));
  assert.equal(textOfTags(full)?.length, limits.routine.tags);
  for (const each of [tags, full]) assert.equal(validateFields('routine', { tags: textOfTags(each) }), null);
  assert.equal(textOfTags([]), null);
});

test('the tags of other routines are suggested, those first that begin with what is typed', () => {
  const known = allTags([{ tags: 'Spring gala\nduo' }, { tags: 'DUO\ngala' }, {}]);
  assert.deepEqual(known, ['duo', 'gala', 'Spring gala']);
  assert.deepEqual(suggestedTags(known, ['Duo'], ''), ['gala', 'Spring gala']);
  assert.deepEqual(suggestedTags(known, [], 'GA'), ['gala', 'Spring gala']);
  assert.deepEqual(suggestedTags(known, [], 'x'), []);
});
