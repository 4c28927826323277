// Chooses the page for the address, and holds the elements that are above every page.

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { FirstWelcome } from '../guide/FirstWelcome';
import { RoutinePage } from '../routinePage/RoutinePage';
import { beginRoutine } from '../routines/beginRoutine';
import { RoutinesPage } from '../routines/RoutinesPage';
import { ToastList } from '../ui/ToastList';
import { DropZone } from '../ui/DropZone';
import { routineEditor } from '../routines/lazy';
import {
  clipperPage, cutPage, devicesPage, doorPage, groupsPage, keyboardHelp, peoplePage, progressPage, settingsPage,
} from './lazyPages';
import { PageBoundary } from './PageBoundary';
import { pathOf, type Route, type SettingsSection } from '../services/routes';
import { useLibraryStatus, useOverlay, usePlace, useServices } from '../services/services';
import { Shell } from './Shell';

/** The whole app. `onTracks` takes songs that are dropped on the clipper. */
export function App({ onTracks }: { onTracks: (files: readonly File[]) => void }): JSX.Element {
  const place = usePlace();
  const { route, overlays } = place;
  const { drafts, navigation, link } = useServices();
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.current);
  usePageFocus(route);
  const makeRoutine = useCallback(
    (files: readonly File[]): void => beginRoutine({ drafts, navigation }, files), [drafts, navigation]);
  const isEditing = overlays.includes('create') && draft !== null;
  // A user of a device without access may dismiss that page, and continue with the stored data.
  const { unpaired } = useLibraryStatus();
  const [isAside, setAside] = useState(false);
  // A link has a door of its own.
  const isDoor = link === null && (route.page === 'pair' || route.page === 'signIn' || route.page === 'install');
  const isOut = link === null && !isDoor && unpaired && !isAside;
  return (
    <PageBoundary place={place}>
      {isDoor || isOut
        ? <doorPage.Page route={isDoor ? route : { page: 'pair', token: '' }} onAside={() => setAside(true)} />
        : page(link === null || route.page === 'routine' ? route : { page: 'routine', routineId: link.routine, partId: link.part })}
      {route.page !== 'routine' && !isDoor && !isOut && <FirstWelcome />}
      {isEditing && <routineEditor.Page draft={draft} />}
      <HelpByKey />
      {!isDoor && !isOut && route.page !== 'routine' && (
        <DropZone
          isAllowed={!(route.page === 'clipper' && route.trackId !== undefined)}
          onFiles={route.page === 'clipper' ? onTracks : makeRoutine}
        />
      )}
      <ToastList />
    </PageBoundary>
  );
}

function page(route: Route): JSX.Element | null {
  if (route.page === 'routine') {
    return <RoutinePage key={route.routineId} routineId={route.routineId} partId={route.partId} />;
  }
  if (route.page === 'progress') return <progressPage.Page routineId={route.routineId} />;
  if (route.page === 'clipper' && route.trackId !== undefined) {
    const { trackId, partId = null } = route;
    return <cutPage.Page key={`${trackId} ${partId}`} trackId={trackId} partId={partId} />;
  }
  return (
    <Shell route={route}>
      {route.page === 'routines' && <RoutinesPage />}
      {route.page === 'clipper' && <clipperPage.Page />}
      {route.page === 'settings' && settingsRoom(route.room)}
    </Shell>
  );
}

function settingsRoom(room: SettingsSection | undefined): JSX.Element {
  if (room === 'devices') return <devicesPage.Page />;
  if (room === 'people') return <peoplePage.Page />;
  return room === 'groups' ? <groupsPage.Page /> : <settingsPage.Page room={room} />;
}

function HelpByKey(): JSX.Element | null {
  const [isOpen, open, close] = useOverlay('keys');
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const target = event.target as Element | null;
      if (event.key !== '?' || target?.closest('input, textarea, select, dialog')) return;
      open();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  });
  return isOpen ? <keyboardHelp.Page onClose={close} /> : null;
}

/** Focuses a new page: the element that was pressed is gone. */
function usePageFocus(route: Route): void {
  // Another part of a routine is the same page.
  const page = pathOf(route.page === 'routine' ? { ...route, partId: null } : route);
  const last = useRef(page);
  useEffect(() => {
    if (last.current === page) return;
    last.current = page;
    const main = document.querySelector('main');
    if (!main || main.contains(document.activeElement) || document.querySelector('dialog[open]')) return;
    main.tabIndex = -1;
    main.focus({ preventScroll: true });
    // Otherwise a press between the controls would focus it, and keys would no longer scroll its
    // content.
    main.addEventListener('pointerdown', () => main.removeAttribute('tabindex'), { once: true });
  }, [page]);
}
