// The app's few long-lived objects, and the hooks with which components read them.

import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { PlayedCounts } from '../audio/playedCounts';
import type { Player, PlayerSnapshot } from '../audio/player';
import type { Offline } from '../offline/offline';
import type { Drafts } from '../uploads/drafts';
import type { UploadQueue } from '../uploads/queue';
import type { LocalLibrary } from '../sync/library';
import type { SettingName, Settings } from '../sync/settings';
import type { Jobs } from './jobs';
import type { Leads } from './leads';
import type { Navigation, Place, SheetName } from './navigation';
import type { OpenLink } from './openLink';

/** The objects that every page may use. */
export interface Services {
  readonly library: LocalLibrary;
  readonly player: Player;
  /** The counts of what the player plays. */
  readonly counts: PlayedCounts;
  readonly navigation: Navigation;
  readonly jobs: Jobs;
  readonly leads: Leads;
  readonly drafts: Drafts;
  readonly uploads: UploadQueue;
  readonly offline: Offline;
  /** The link by which this page was opened; null for a library of one's own. */
  readonly link: OpenLink | null;
}

const ServicesContext = createContext<Services | null>(null);

/** Provides the services to all its children. */
export const ServicesProvider = ServicesContext.Provider;

/** Reads the services. */
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('A component stands outside of ServicesProvider.');
  return services;
}

/** Returns the library, and renders again whenever it changes. */
export function useLibrary(): LocalLibrary {
  const { library } = useServices();
  useFromLibrary((current) => current.version);
  return library;
}

/** Reads one value from the library; renders again only if that value changes. */
export function useFromLibrary<T>(select: (library: LocalLibrary) => T): T {
  const { library } = useServices();
  const subscribe = useCallback((listener: () => void) => library.subscribe(listener), [library]);
  return useSyncExternalStore(subscribe, () => select(library));
}

/** Reads one plain value from the player; renders again only if that value changes. */
export function useFromPlayer<T extends string | number | boolean | null>(
  select: (snapshot: PlayerSnapshot) => T,
): T {
  const { player } = useServices();
  const subscribe = useCallback((listener: () => void) => player.subscribe(listener), [player]);
  return useSyncExternalStore(subscribe, () => select(player.snapshot));
}

/** Reads one plain value from the counts of what is played; renders again only if that value changes. */
export function useFromCounts<T extends string | number | boolean | null>(select: (counts: PlayedCounts) => T): T {
  const { counts } = useServices();
  return useSyncExternalStore(counts.subscribe, () => select(counts));
}

/** Reads a setting. */
export function useSetting<N extends SettingName>(name: N): Settings[N] {
  return useFromLibrary((library) => library.setting(name));
}

/** Reads the current place. */
export function usePlace(): Place {
  const { navigation } = useServices();
  return useSyncExternalStore(navigation.subscribe, () => navigation.place);
}

/** Returns whether a sheet is open, and functions to open and close it. */
export function useOverlay(name: SheetName): [isOpen: boolean, open: () => void, close: () => void] {
  const { navigation } = useServices();
  const place = usePlace();
  return [
    place.overlays.includes(name),
    () => navigation.open(name),
    () => navigation.close(name),
  ];
}

/** Reads the state of the offline work. */
export function useOffline(): Offline['state'] {
  const { offline } = useServices();
  return useSyncExternalStore(offline.subscribe, () => offline.state);
}

/** Reads the library's status. */
export function useLibraryStatus(): LocalLibrary['status'] {
  return useFromLibrary((library) => library.status);
}

/**
 * Returns whether a routine may be edited: not on a page that was opened by a link, nor by the performers of a group.
 * How somebody practises it always may be changed.
 */
export function useMayEdit(routineId: string | undefined): boolean {
  const { link } = useServices();
  return useFromLibrary((library) => link === null && mayEditRoutine(library, routineId));
}

/** Whether this device's person may edit a routine. */
export function mayEditRoutine(library: LocalLibrary, routineId: string | undefined): boolean {
  return library.mayEditIn(routineId === undefined ? null : library.get('routine', routineId)?.space);
}

/** Lets this page lead a routine. Call it in a gesture, since it opens the sound output. */
export function beginToLead({ player, leads }: Pick<Services, 'player' | 'leads'>, routineId: string): void {
  player.open();
  leads.begin({ routine: routineId, does: 'leads' });
}

/** Whether this page may offer to lead a routine: who may edit it, where somebody could follow. */
export function useMayLead(routineId: string | undefined): boolean {
  const { leads } = useServices();
  const mayEdit = useMayEdit(routineId);
  const isShared = useFromLibrary((library) => (routineId === undefined ? undefined : library.get('routine', routineId)?.space) != null);
  const hasOthers = useSyncExternalStore(leads.subscribe, () => leads.pages > 1);
  return mayEdit && (isShared || hasOthers);
}
