// Long lists of people: what a search finds, and in which order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byId, isLong, listed } from '../../src/peoplePages/longLists';

const people = ['Zoë O’Brien', 'Łukasz Kowalski', 'Ana María Núñez', 'Søren Yıldız', 'Álvaro Le-Roux', 'نور الهدى', 'Ana Große']
  .map((name, at) => ({ id: String(at), name }));
const nameOf = ({ name }: { readonly name: string }): string => name;
const sameRank = (): number => 0;
const found = (search: string): readonly string[] => listed(people, search, nameOf, sameRank).map(nameOf);

test('a search finds a name by any of its words, begun or within', () => {
  assert.deepEqual(found('nu an'), ['Ana María Núñez']);
  assert.deepEqual(found('ñez'), ['Ana María Núñez']);
  assert.deepEqual(found('roux'), ['Álvaro Le-Roux']);
  assert.deepEqual(found('ana'), ['Ana Große', 'Ana María Núñez']);
  assert.deepEqual(found('الهدى'), ['نور الهدى']);
  assert.deepEqual(found('xyzzy'), []);
});

test('a search finds letters that a keyboard has not by those that it has', () => {
  assert.deepEqual(found('ALVARO'), ['Álvaro Le-Roux']);
  assert.deepEqual(found('lukasz'), ['Łukasz Kowalski']);
  assert.deepEqual(found('soren yildiz'), ['Søren Yıldız']);
  assert.deepEqual(found("o'br"), ['Zoë O’Brien']);
  assert.deepEqual(found('grosse'), ['Ana Große']);
});

test('names are in the order of the alphabet, whatever their accents', () => {
  assert.deepEqual(found('').slice(0, 5), ['Álvaro Le-Roux', 'Ana Große', 'Ana María Núñez', 'Łukasz Kowalski', 'Søren Yıldız']);
});

test('those of a lower rank come first, also in a search', () => {
  const members = new Set(['0', '2']);
  const rankOf = ({ id }: { readonly id: string }): number => Number(!members.has(id));
  assert.deepEqual(listed(people, '', nameOf, rankOf).slice(0, 2).map(nameOf), ['Ana María Núñez', 'Zoë O’Brien']);
  assert.deepEqual(listed(people, 'an', nameOf, rankOf).map(nameOf), ['Ana María Núñez', 'Ana Große']);
});

test('a list is searched when it is longer than one sees at a glance', () => {
  assert.deepEqual([0, 1, 12, 13, 5_000].map(isLong), [false, false, false, true, true]);
});

test('people are found by their ids', () => {
  assert.equal(byId(people).get('3')?.name, 'Søren Yıldız');
  assert.equal(byId(people).get('unknown'), undefined);
});
