// Checks that app/lateScript.ts prefetches the module of every lazy page.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('every lazy page has a source and is prefetched', () => {
  const folder = 'client/src';
  const names = readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? readdirSync(`${folder}/${entry.name}`).map((name) => `${entry.name}/${name}`) : []))
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/^export const (\w+) = lazyPage</gm)])
    .map(([, name]) => name);
  const pages = readFileSync(`${folder}/app/lateScript.ts`, 'utf8');
  const ahead = pages.slice(pages.indexOf('const all'));
  assert(names.length > 10);
  for (const name of names) {
    assert(pages.includes(`\n${name}.from(`), `${name} has no source`);
    assert.match(ahead, new RegExp(`\\b${name}\\b`), `${name} is not fetched ahead`);
  }
});
