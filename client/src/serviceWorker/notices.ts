// Notifications of comments: shown, pressed, and renewed when the browser changes its address.

import { apiAddress } from '../apiAddress';
import type { ToPage } from './cacheLayout';
import { maySuppress, noticeAddress, shownNotice, type NoticePlace } from './notice';
import type { ChangeOfSubscription, Page, WorkerScope } from './scope';

/** How long a page may take to answer. One that is being closed never does. */
const answerMilliseconds = 1_500;

/** Shows the notification of a message, unless a page that is in front shows its routine already. */
export async function showNotice(scope: WorkerScope, message: unknown): Promise<void> {
  const { title, body, language, tag, place } = shownNotice(message);
  if (place !== null && maySuppress(scope.navigator.userAgent)) {
    const inFront = (await ownPages(scope)).filter(({ focused }) => focused);
    const answers = await Promise.all(inFront.map((page) => ask(page, { kind: 'isShown', routine: place.routine })));
    if (answers.includes(true)) return;
  }
  await scope.registration.showNotification(title, {
    body, tag, lang: language, icon: '/icon-192.png', badge: '/icon-192.png', renotify: true, data: place,
  });
}

/** Leads to the place of a notification that was pressed: in a page that is open, or in a new one. */
export async function openNotice(scope: WorkerScope, place: NoticePlace | null): Promise<void> {
  const pages = await ownPages(scope);
  // The page that is in front, or was last.
  const page = pages.find(({ focused }) => focused) ?? pages[0];
  if (page === undefined) {
    await scope.clients.openWindow(noticeAddress(place));
    return;
  }
  // First, since a page in the background may sleep. A press permits it once.
  await page.focus();
  // Without an answer the page is of an earlier version.
  if (place !== null && await ask(page, { kind: 'goTo', place }) !== true) await page.navigate(noticeAddress(place));
}

/** Tells the server the new address of this browser. What fails is made up for when the app is opened. */
export async function renewSubscription(scope: WorkerScope, { newSubscription, oldSubscription }: ChangeOfSubscription): Promise<void> {
  const renewed = newSubscription ?? (oldSubscription && await scope.registration.pushManager.subscribe({
    userVisibleOnly: true, applicationServerKey: oldSubscription.options.applicationServerKey,
  }));
  if (!renewed) return;
  const { endpoint, keys } = renewed.toJSON();
  await fetch(apiAddress.push, {
    method: 'PUT', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint, publicKey: keys?.['p256dh'], authentication: keys?.['auth'] }),
  });
}

/** The pages of the library, without those that were opened by a link. */
async function ownPages(scope: WorkerScope): Promise<readonly Page[]> {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.filter(({ url }) => !new URL(url).pathname.startsWith('/l/'));
}

/** Asks a page; null if it does not answer, as one of an earlier version. */
function ask(page: Page, question: ToPage): Promise<unknown> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const end = (answer: unknown): void => {
      clearTimeout(timer);
      port1.close();
      resolve(answer);
    };
    const timer = setTimeout(() => end(null), answerMilliseconds);
    port1.onmessage = ({ data }) => end(data);
    page.postMessage(question, [port2]);
  });
}
