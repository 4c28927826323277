// The service worker: starts the app without a network, serves media that are stored on this
// device, and shows notifications.

import { speechPath } from '../apiAddress';
import { respondWithMedia } from './media';
import type { ToWorker } from './cacheLayout';
import { offerDirectMedia } from './direct';
import { leaveUnanswered } from './leaving';
import type { NoticePlace } from './notice';
import { openNotice, renewSubscription, showNotice } from './notices';
import type { PushMessage, Route, WorkerScope } from './scope';
import { Shell, type ShellList } from './shell';
import { classify } from './requestKind';

declare const BUILT_SHELL: ShellList;
declare const self: unknown;

const scope = self as WorkerScope;
const shell = new Shell(scope, BUILT_SHELL);
// The server writes this into the first line of the script.
offerDirectMedia(scope.fetchesDirectly === true);

/**
 * Of the interface only the addresses of media may be on this device (requestKind.ts). All other requests pass the
 * worker by where the browser can do that: they neither start it nor keep the next version waiting.
 */
const routes: readonly Route[] = [
  ...['/api/tracks/*', '/api/videos/*', '/api/recordings/*', `${speechPath}*`].map((urlPattern) => ({
    condition: { urlPattern }, source: 'fetch-event' as const,
  })),
  { condition: { urlPattern: '/api/*' }, source: 'network' },
];

scope.addEventListener('install', (event) => {
  event.waitUntil(shell.install());
  // A browser that refuses the rules asks the worker each time, as one that knows none does.
  event.addRoutes?.(routes).catch(() => undefined);
});
// The first version serves the page that installed it; a later one takes over only on request.
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));

scope.addEventListener('message', (event) => {
  const { kind } = event.data as ToWorker;
  if (kind === 'takeOver') event.waitUntil(scope.skipWaiting());
  else if (kind === 'sweep') event.waitUntil(shell.sweep());
  else leaveUnanswered();
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const wanted = classify(request, scope.location.origin);
  if (!wanted) return;
  if (wanted.kind === 'page') event.respondWith(shell.page(request));
  else if (wanted.kind === 'file') event.respondWith(shell.file(request));
  else event.respondWith(respondWithMedia(wanted, request));
});

scope.addEventListener('push', (event) => event.waitUntil(showNotice(scope, messageOf(event))));
scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openNotice(scope, event.notification.data as NoticePlace | null));
});
scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(scope, event)));

function messageOf({ data }: PushMessage): unknown {
  try {
    return data?.json();
  } catch {
    // Not JSON: the notification says no more than that there is a comment.
    return null;
  }
}
