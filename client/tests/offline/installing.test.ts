// The way to the home screen, by platform.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installWay } from '../../src/offline/installing';

const agents = {
  iPhone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
  iPad: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
  androidChrome: 'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36',
  androidFirefox: 'Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0',
  desktopChromium: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36',
  desktopFirefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
} as const;

function sentence(userAgent: string, touchPoints = 0): string {
  const way = installWay({ userAgent, touchPoints, isStandalone: false, canPrompt: false });
  return way.kind === 'steps' ? way.sentence : way.kind;
}

test('each platform has its own way', () => {
  assert.match(sentence(agents.iPhone, 5), /share symbol/);
  assert.match(sentence(agents.iPad, 5), /share symbol/);
  assert.match(sentence(agents.iPad), /Add to Dock/);
  assert.match(sentence(agents.androidChrome, 5), /Install app/);
  assert.match(sentence(agents.androidFirefox, 5), /menu of Firefox/);
  assert.match(sentence(agents.desktopChromium), /address bar/);
  assert.equal(sentence(agents.desktopFirefox), 'none');
});

test('where the browser can ask there is a button, and nothing where the app is installed', () => {
  const userAgent = agents.androidChrome;
  assert.equal(installWay({ userAgent, touchPoints: 5, isStandalone: false, canPrompt: true }).kind, 'prompt');
  assert.equal(installWay({ userAgent, touchPoints: 5, isStandalone: true, canPrompt: true }).kind, 'installed');
});
