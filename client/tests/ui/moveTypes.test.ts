// The appearance of move types: contrast of colours, and proposed abbreviations.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { moveColours, nextMoveColour, proposedAbbreviation, shortName } from '../../src/ui/moveTypes';
import { contrast } from './contrast';

const tokens = readFileSync(join(process.env['SEGMANCE_CLIENT'] ?? 'client', 'src/ui/tokens.css'), 'utf8');
const grounds = [...tokens.matchAll(/--(?:ground|surface|raised): (#[0-9a-f]{6});/g)].map(([, value]) => value ?? '');

test('every colour of the palette has enough contrast with every background of both themes', () => {
  assert.equal(grounds.length, 6);
  for (const { value, name } of moveColours) {
    for (const ground of grounds) {
      const ratio = contrast(value, ground);
      assert(ratio >= 3, `${name} on ${ground}: ${ratio.toFixed(2)}`);
    }
  }
});

test('no two colours of the palette share value or name', () => {
  assert.equal(new Set(moveColours.map(({ value }) => value)).size, moveColours.length);
  assert.equal(new Set(moveColours.map(({ name }) => name)).size, moveColours.length);
});

test('a new type gets the least used colour', () => {
  assert.equal(nextMoveColour([]), moveColours[0]?.value);
  assert.equal(nextMoveColour([moveColours[0]?.value, null]), moveColours[1]?.value);
  const all = moveColours.map(({ value }) => value);
  assert.equal(nextMoveColour([...all, moveColours[0]?.value]), moveColours[1]?.value);
});

test('a name proposes its abbreviation in any script', () => {
  assert.equal(proposedAbbreviation('turn'), 'TU');
  assert.equal(proposedAbbreviation('  back   spin  '), 'BS');
  assert.equal(proposedAbbreviation('👨‍👩‍👧 lift'), '👨‍👩‍👧L');
  assert.equal(proposedAbbreviation('دوران'), 'دو');
  assert.equal(proposedAbbreviation(' '), '');
  assert.equal(proposedAbbreviation('(Grand) jeté!'), 'GJ');
  assert.equal(proposedAbbreviation('half-turn'), 'HT');
  assert.equal(proposedAbbreviation('– "Turn"'), 'TU');
  assert.equal(proposedAbbreviation("d'avant"), 'DA');
  assert.equal(proposedAbbreviation('?!'), '');
  assert.equal(proposedAbbreviation('ﬃ ﬃ'), 'FFIF');
});

test('a type without an abbreviation is shown by whole characters of its name', () => {
  assert.equal(shortName({ name: 'Turn', abbreviation: 'TN' }), 'TN');
  assert.equal(shortName({ name: 'Turn', abbreviation: '' }), 'Tu');
  assert.equal(shortName({ name: '🤸‍♀️🩰 leap', abbreviation: null }), '🤸‍♀️🩰');
});
