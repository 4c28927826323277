// Opens the library and renders the app.

import { createRoot, type Root } from 'react-dom/client';
import { PlayedCounts } from '../audio/playedCounts';
import { Player } from '../audio/player';
import { Offline } from '../offline/offline';
import { reclaimTabName } from '../offline/tabName';
import { makeDrafts } from '../uploads/drafts';
import { UploadQueue } from '../uploads/queue';
import { LocalLibrary } from '../sync/library';
import { prepareAnnouncements } from '../ui/announce';
import { leaving, remembered } from '../ui/device';
import '../ui/tokens.css';
import '../ui/base.css';
import '../ui/page.css';
import { theme } from '../ui/theme';
import { toasts } from '../ui/toasts';
import { App } from './App';
import { Jobs } from '../services/jobs';
import { Leads } from '../services/leads';
import { languageFor } from '../words/language';
import { language, speak, words } from '../words/words';
import { Navigation } from '../services/navigation';
import { linkBase, linkIdOf } from '../services/routes';
import { ServicesProvider, type Services } from '../services/services';
import { fetchPagesAhead, late, loadedLate } from './lateScript';
import { ShellSkeleton } from './Shell';

async function start(): Promise<void> {
  reclaimTabName();
  const place = document.getElementById('app');
  if (!place) throw new Error('The page has no place for the app.');
  const root = createRoot(place);
  const linkId = linkIdOf(window.location.pathname);
  if (linkId === null) root.render(<ShellSkeleton />);

  // Before any request: it removes the token of a pairing, and the secret of a link, from the address.
  const secret = window.location.hash.slice(1);
  const navigation = new Navigation(window, linkId === null ? '' : linkBase(linkId));
  const offline = new Offline(() => late().then(({ beginOfflineWork }) => beginOfflineWork(services)));
  // Without the file of its language the app speaks English.
  const speaking = speak(languageFor(remembered('language'), navigator.languages)).catch(reportError);
  const [{ library, link }] = await Promise.all([
    linkId === null ? ownLibrary() : speaking.then(() => linkedLibrary(root, linkId, secret)), speaking,
  ]);
  document.documentElement.lang = language;
  const jobs = new Jobs();
  library.onJob(jobs.heard);
  const leads = new Leads();
  library.onServerMessage(leads.heard);
  const followTheme = (): void => theme.choose(library.setting('theme'));
  library.subscribe(followTheme);
  if (library.status.loaded) followTheme();

  // Files are picked in later pages; what takes them is in their script.
  const uploads = new UploadQueue((file) => new (loadedLate().Upload)(file, { library }));
  window.addEventListener('beforeunload', (event) => {
    if (!leaving.isSafe && uploads.isSending) event.preventDefault();
  });

  const services: Services = {
    library,
    jobs,
    leads,
    player: new Player({ absenceOf: ({ id }) => (library.status.online ? null : offline.absenceOf(id)) }),
    counts: new PlayedCounts(),
    navigation,
    drafts: makeDrafts(
      (options) => new (loadedLate().RoutineDraft)(options), library, uploads, (parts) => offline.keepRecent(parts)),
    uploads,
    offline,
    link,
  };
  const onTracks = (files: readonly File[]): void => {
    late().then(
      ({ addTrack }) => files.forEach((file) => addTrack(uploads, file)),
      () => toasts.say(words.ui.notLoadedNow, { kind: 'problem' }),
    );
  };
  if (link && navigation.place.route.page !== 'routine') {
    navigation.settle({ page: 'routine', routineId: link.routine, partId: link.part });
  }
  prepareAnnouncements();
  root.render(
    <ServicesProvider value={services}>
      <App onTracks={onTracks} />
    </ServicesProvider>,
  );
  fetchPagesAhead();
  // After the first screen is shown. A failure is reported when it is needed.
  setTimeout(() => {
    void offline.work().catch(() => undefined);
    void late().then(({ followNotices, followOutput }) => {
      followOutput(services);
      followNotices(services, secret);
    }).catch(() => undefined);
  }, 1_000);
}

async function ownLibrary(): Promise<Pick<Services, 'library' | 'link'>> {
  return { library: await LocalLibrary.open(), link: null };
}

async function linkedLibrary(root: Root, id: string, secret: string): Promise<Pick<Services, 'library' | 'link'>> {
  const { enterLink, openLinkedLibrary } = await late();
  const link = await enterLink(root, id, secret);
  return { library: await openLinkedLibrary(root, link), link };
}

start().catch((error: unknown) => {
  const place = document.getElementById('app');
  if (place) place.textContent = words.app.couldNotStart;
  throw error;
});
