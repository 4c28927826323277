// Notifications as long as the app is open: the subscription is compared with the server's, and presses on
// notifications lead to their places.

import { comparePush } from '../notifications/devicePush';
import type { ToPage } from '../serviceWorker/cacheLayout';
import { commentInHash, type NoticePlace } from '../serviceWorker/notice';
import type { Services } from '../services/services';
import { askFor } from './opened';

/** Begins. `hash` is the end of the address with which the page was opened. */
export function followNotices({ navigation, library, link }: Services, hash: string): void {
  if (link !== null) return;
  const goTo = ({ routine, part, comment }: NoticePlace): void => {
    const { route } = navigation.place;
    if (route.page !== 'routine' || route.routineId !== routine || route.partId !== part) {
      navigation.go({ page: 'routine', routineId: routine, partId: part });
    }
    askFor(comment, routine);
  };
  const { route } = navigation.place;
  const comment = commentInHash(hash);
  if (comment !== null && route.page === 'routine') askFor(comment, route.routineId);
  const { serviceWorker: workers } = navigator as { serviceWorker?: ServiceWorkerContainer };
  workers?.addEventListener('message', ({ data, ports }: MessageEvent<ToPage | string>) => {
    if (typeof data === 'string') return;
    if (data.kind === 'goTo') {
      goTo(data.place);
      ports[0]?.postMessage(true);
    } else {
      const { route: shown } = navigation.place;
      ports[0]?.postMessage(shown.page === 'routine' && shown.routineId === data.routine);
    }
  });
  let wasOnline = false;
  let person = library.status.person;
  const look = (): void => {
    const { online, unpaired } = library.status;
    // After each time without the server, and when the browser is somebody else's.
    const isDue = online && !unpaired && (!wasOnline || library.status.person !== person);
    wasOnline = online && !unpaired;
    person = library.status.person;
    // What fails is tried again at the next contact.
    if (isDue) comparePush().catch(() => { wasOnline = false; });
  };
  library.subscribe(look);
  look();
}
