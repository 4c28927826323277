// The contrast of the colour tokens (WCAG 2.2): 4.5 for text, 3 for other elements.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { contrast } from './contrast';

const source = join(process.env['SEGMANCE_CLIENT'] ?? 'client', 'src');
const tokens = readFileSync(join(source, 'ui/tokens.css'), 'utf8');

function theme(name: 'dark' | 'light'): Map<string, string> {
  const block = new RegExp(`data-theme='${name}'\\] \\{([^}]*)\\}`).exec(tokens)?.[1] ?? '';
  return new Map([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(
    ([, key, value]) => [key ?? '', value ?? ''],
  ));
}

const texts = ['text', 'text-soft', 'text-faint', 'accent-text', 'a', 'b', 'danger', 'good', 'weak'];
const grounds = ['ground', 'surface', 'raised'];
const onColours: [string, string][] = [
  ['on-accent', 'accent'], ['on-accent', 'accent-press'], ['on-a', 'a'], ['on-b', 'b'], ['on-danger', 'danger'],
  ['ground', 'text'],
];
const shapes = ['edge', 'wave-played', 'focus', 'a', 'b'];

for (const name of ['dark', 'light'] as const) {
  const colours = theme(name);
  const colour = (key: string): string => {
    const value = colours.get(key);
    assert(value, `--${key} is missing in the ${name} theme`);
    return value;
  };

  test(`every text of the ${name} theme has enough contrast on every background`, () => {
    for (const text of texts) {
      for (const ground of grounds) {
        const ratio = contrast(colour(text), colour(ground));
        assert(ratio >= 4.5, `${text} on ${ground}: ${ratio.toFixed(2)}`);
      }
    }
    for (const [text, ground] of onColours) {
      const ratio = contrast(colour(text), colour(ground));
      assert(ratio >= 4.5, `${text} on ${ground}: ${ratio.toFixed(2)}`);
    }
  });

  test(`lines, markers and focus of the ${name} theme have enough contrast on every background`, () => {
    for (const shape of shapes) {
      for (const ground of grounds) {
        const ratio = contrast(colour(shape), colour(ground));
        assert(ratio >= 3, `${shape} on ${ground}: ${ratio.toFixed(2)}`);
      }
    }
    assert(contrast(colour('wave'), colour('surface')) >= 3, 'wave on surface');
  });
}

/** Returns the files of styles in a folder and in those below it. */
function stylesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? stylesIn(path) : path.endsWith('.css') ? [path] : [];
  });
}

test('no colour and no stacking order is written anywhere but in the tokens', () => {
  const literal = /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(|z-index:(?!\s*var\(--z-[a-z]+\);).*/i;
  const styles = stylesIn(source).filter((path) => !path.endsWith('tokens.css'));
  assert(styles.length > 10);
  for (const path of styles) {
    const found = literal.exec(readFileSync(path, 'utf8'));
    assert.equal(found, null, `${path}: ${found?.[0] ?? ''}`);
  }
});
