// The requests that the service worker answers, and those that it leaves to the server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mediaAddress } from '../../src/apiAddress';
import { classify } from '../../src/serviceWorker/requestKind';

const origin = 'https://studio.example';

function wanted(path: string, request: { method?: string; mode?: string; origin?: string } = {}): unknown {
  const { method = 'GET', mode = 'cors', origin: asked = origin } = request;
  return classify({ method, mode, url: asked + path }, origin);
}

test('every address of the app is answered with the page', () => {
  for (const path of ['/', '/clipper', '/routines/0191/parts/0192', '/settings/storage', '/pair']) {
    assert.deepEqual(wanted(path, { mode: 'navigate' }), { kind: 'page' });
  }
});

test('files that are opened directly and downloads are left to the server', () => {
  assert.equal(wanted('/icon.svg', { mode: 'navigate' }), null);
  assert.equal(wanted('/api/routines/0191/export?format=html', { mode: 'navigate' }), null);
  assert.equal(wanted('/api/tracks/0191/original'), null);
});

test('the files of the app are answered, with and without a version in the address', () => {
  for (const path of ['/app.js?v=0123', '/later-ABCDEFGH.js', '/engine.wasm?v=45', '/icon-192.png']) {
    assert.deepEqual(wanted(path), { kind: 'file' });
  }
});

test('songs, waveforms and videos can be kept', () => {
  assert.deepEqual(wanted('/api/tracks/a/chunks/12'), { kind: 'media', address: '/api/tracks/a/chunks/12' });
  assert.deepEqual(wanted('/api/tracks/a/analysis?version=2'), { kind: 'media', address: '/api/tracks/a/analysis?version=2' });
  assert.deepEqual(wanted('/api/videos/b/poster'), { kind: 'media', address: '/api/videos/b/poster' });
  assert.deepEqual(wanted('/api/videos/b/file'), { kind: 'video', address: '/api/videos/b/file' });
  assert.deepEqual(wanted('/api/tracks/a/peaks?framesPerPixel=128&start=0&end=256'), {
    kind: 'peaks', address: '/api/tracks/a/peaks?framesPerPixel=128&start=0&end=256', trackId: 'a',
    framesPerPixel: 128, start: 0, end: 256,
  });
});

test('pages request media with the same addresses under which they are kept', () => {
  for (const address of [mediaAddress.chunk('a', 12), mediaAddress.analysis('a'), mediaAddress.poster('b'), mediaAddress.voice('c')]) {
    assert.deepEqual(wanted(address), { kind: 'media', address });
  }
  const speech = mediaAddress.speech('de', ' Kick &  ball? ');
  assert.deepEqual(wanted(speech), { kind: 'speech', address: speech });
  assert.deepEqual(wanted(mediaAddress.video('b')), { kind: 'video', address: mediaAddress.video('b') });
  const address = mediaAddress.stretchOfPeaks('a', 128, 0, 256);
  assert.deepEqual(wanted(address), { kind: 'peaks', address, trackId: 'a', framesPerPixel: 128, start: 0, end: 256 });
});

test('writes, syncs and requests to other origins are left alone', () => {
  assert.equal(wanted('/api/sync', { method: 'POST' }), null);
  assert.equal(wanted('/api/events'), null);
  assert.equal(wanted('/api/tracks/a/chunks/1', { method: 'HEAD' }), null);
  assert.equal(wanted('/app.js', { origin: 'https://other.example' }), null);
  assert.equal(wanted('/api/tracks/a/peaks?framesPerPixel=-1'), null);
  assert.equal(wanted('/api/tracks/a/peaks'), null);
});
