// The service worker: starts the app without a network, and serves media that are stored on this
// device.

import { respondWithMedia } from './media';
import type { ToWorker } from './cacheLayout';
import type { WorkerScope } from './scope';
import { Shell, type ShellList } from './shell';
import { classify } from './requestKind';

declare const BUILT_SHELL: ShellList;
declare const self: unknown;

const scope = self as WorkerScope;
const shell = new Shell(scope, BUILT_SHELL);

scope.addEventListener('install', (event) => event.waitUntil(shell.install()));
// The first version serves the page that installed it; a later one takes over only on request.
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));

scope.addEventListener('message', (event) => {
  const { kind } = event.data as ToWorker;
  event.waitUntil(kind === 'takeOver' ? scope.skipWaiting() : shell.sweep());
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const wanted = classify(request, scope.location.origin);
  if (!wanted) return;
  if (wanted.kind === 'page') event.respondWith(shell.page(request));
  else if (wanted.kind === 'file') event.respondWith(shell.file(request));
  else event.respondWith(respondWithMedia(wanted, request));
});
