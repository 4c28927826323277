// The steps of installing the app, by platform.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installGuides } from '../../src/devices/installGuides';
import { installWay, isHintDue, pairingWords } from '../../src/install/installing';

const agents = {
  iPhone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
  iPad: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
  androidChrome: 'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36',
  androidFirefox: 'Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0',
  desktopChromium: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36',
  desktopFirefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
} as const;

function sentence(userAgent: string, maxTouchPoints = 0): string {
  const way = installWay({ browser: { userAgent, maxTouchPoints }, isStandalone: false, canPrompt: false });
  return way.kind === 'steps' ? way.sentence : way.kind;
}

test('each platform has its own steps', () => {
  assert.match(sentence(agents.iPhone, 5), /share symbol/);
  assert.match(sentence(agents.iPad, 5), /share symbol/);
  assert.match(sentence(agents.iPad), /Add to Dock/);
  assert.match(sentence(agents.androidChrome, 5), /Install app/);
  assert.match(sentence(agents.androidFirefox, 5), /menu of Firefox/);
  assert.match(sentence(agents.desktopChromium), /address bar/);
  assert.equal(sentence(agents.desktopFirefox), 'none');
});

test('a button is shown if the browser can prompt, and nothing if the app is installed', () => {
  const browser = { userAgent: agents.androidChrome, maxTouchPoints: 5 };
  assert.equal(installWay({ browser, isStandalone: false, canPrompt: true }).kind, 'prompt');
  assert.equal(installWay({ browser, isStandalone: true, canPrompt: true }).kind, 'installed');
});

test('the hint appears on a later day than the first, and never again after it was closed', () => {
  const [first, hour] = [1_700_000_000_000, 3_600_000];
  assert.equal(isHintDue(first, NaN, false), false);
  assert.equal(isHintDue(first + hour, first, false), false);
  assert.equal(isHintDue(first + 24 * hour, first, false), true);
  assert.equal(isHintDue(first + 24 * hour, first, true), false);
});

const apple = ['iPhone', 'iPad'] as const;

/** Whether a text contains the words in this order. */
function inOrder(text: string, ...words: readonly string[]): boolean {
  const places = words.map((word) => text.indexOf(word));
  return places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1));
}

test('on iPhone and iPad the steps are trust, add, open and pair in the app', () => {
  const note = installGuides().find(({ platform }) => platform === 'ios')?.note ?? '';
  assert(inOrder(note, 'Add to Home Screen', 'open it there', 'pair it inside'), note);
  for (const name of apple) {
    const browser = { userAgent: agents[name], maxTouchPoints: 5 };
    assert(inOrder(sentence(agents[name], 5), 'Add to Home Screen', 'Open it there', 'pair it there'));
    const inBrowser = pairingWords({ browser, isStandalone: false }).beforeJoining ?? '';
    assert(inOrder(inBrowser, 'do not pair here', 'Add to Home Screen', 'open Segmance there', 'paste'), inBrowser);
    const inside = pairingWords({ browser, isStandalone: true });
    assert.equal(inside.beforeJoining, null);
    assert(inOrder(inside.scan, 'opens in the browser', 'Copy pairing address', 'come back'));
    assert.match(inside.field, /^Paste/);
  }
});

test('on other platforms a scanned code pairs at once', () => {
  for (const [name, userAgent] of Object.entries(agents)) {
    if (name === 'iPhone' || name === 'iPad') continue;
    for (const isStandalone of [false, true]) {
      const { beforeJoining, scan, field } = pairingWords({ browser: { userAgent, maxTouchPoints: 5 }, isStandalone });
      assert.equal(beforeJoining, null, name);
      assert.match(scan, /this (phone|computer)’s camera/);
      assert.match(field, /^No camera\?/);
    }
    assert(!sentence(userAgent).includes('pair'), name);
  }
  for (const { platform, note = '' } of installGuides()) assert(platform === 'ios' || !note.includes('pair'));
});
