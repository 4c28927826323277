// The offline work, loaded after the first screen: the service worker, stored media, waiting files,
// and the hint about installing the app.

import type { ComponentType } from 'react';
import type { Player } from '../audio/player';
import { leaving, remember, remembered } from '../ui/device';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { followVersion } from './appVersion';
import { keepVoice } from './keepVoice';
import { OfflineDatabase } from './database';
import { forgetInTime } from './forgetting';
import { Keeper } from './keeper';
import { MediaStore } from './mediaStore';
import { mediaCacheName } from '../serviceWorker/cacheLayout';
import type { OfflineState } from './offlineState';
import { WaitingFiles, type UploadSources } from './waitingFiles';

/** The objects that the offline work needs. */
export interface OfflineContext extends UploadSources {
  readonly player: Player;
  readonly navigation: {
    readonly place: {
      readonly route: {
        readonly page: string; readonly routineId?: string | undefined; readonly partId?: string | null | undefined;
      };
    };
  };
  readonly offline: { update(news: Partial<OfflineState>): void };
  /** The names of what is stored; of a link they are its own. */
  readonly stores?: { readonly database: string; readonly cache: string; readonly keeper: string };
  /** Returns the hint about installing the app, if it is due. */
  readonly hint: () => ComponentType | null;
}

/** The whole offline work. */
export class OfflineWork {
  /** Null if the browser stores nothing, or its data can't be read. */
  keeper: Keeper | null = null;

  private constructor(
    /** Null if the browser stores nothing. */
    readonly waiting: WaitingFiles | null,
    private readonly services: OfflineContext,
  ) {}

  /**
   * Starts. If the browser stores nothing, as in some private windows, the rest works without it.
   */
  static async begin(services: OfflineContext): Promise<OfflineWork> {
    const { library, offline, stores } = services;
    const problem = (sentence: string): void => toasts.say(sentence, { kind: 'problem' });
    const database = typeof caches === 'undefined' ? null : await OfflineDatabase.open(stores?.database).catch(() => null);
    if (!stores) {
      // What is forgotten must not be remembered again before the page is gone.
      forgetInTime(library, await followPerson(library, database));
    }
    const keeper: Keeper | null = database && new Keeper(
      library, database, new MediaStore(database, stores?.cache ?? mediaCacheName),
      (kept) => offline.update({ kept, isHere: (part) => keeper?.isHere(part) ?? true }), (sentence) => toasts.say(sentence), stores?.keeper);
    const waiting = database && new WaitingFiles(
      services, database, (waitingFiles) => offline.update({ waitingFiles }), problem);
    const work = new OfflineWork(waiting, services);
    work.guardStorage();
    // A failure of one must not stop the others.
    const complain = (failure: unknown): void => console.error(failure);
    await keeper?.begin().then(() => {
      work.keeper = keeper;
    }, complain);
    await waiting?.begin().catch(complain);
    work.followPlayer();
    keepVoice(library).catch(complain);
    followVersion({
      offer: (update) => offline.update({ update }),
      prepare: () => work.prepare(),
      say: problem,
      sayThatItWaits: () => void toasts.say(lateWords.offline.versionWaits),
      // Without a worker the app works as long as there is a network.
    }).catch(complain);
    const Hint = services.hint();
    if (Hint) offline.update({ Hint });
    return work;
  }

  /** Keeps a routine on this device, or shows why not. */
  async keep(routine: string): Promise<void> {
    const problem = this.keeper
      ? await this.keeper.keep(routine)
      : lateWords.offline.keepsNothing;
    if (problem !== null) toasts.say(problem, { kind: 'problem' });
  }

  /**
   * Stores everything that exists only in this page, as before a reload; returns a sentence if that
   * fails.
   */
  private async prepare(): Promise<string | null> {
    const [isStored, problem] = await Promise.all([
      this.services.library.stored(), this.waiting?.storeAll() ?? Promise.resolve(null),
    ]);
    return isStored ? problem : lateWords.offline.wouldBeLost;
  }

  /** Notes practised parts for the keeper. */
  private followPlayer(): void {
    const { player, navigation, library } = this.services;
    let wasPlaying = false;
    player.subscribe(() => {
      const { wantsToPlay } = player.snapshot;
      if (wantsToPlay === wasPlaying) return;
      wasPlaying = wantsToPlay;
      const { route } = navigation.place;
      if (!wantsToPlay || route.page !== 'routine' || route.routineId === undefined) return;
      const parts = library.parts(route.routineId);
      const id = route.partId ?? remembered(`part.${route.routineId}`);
      const part = parts.find((each) => each.id === id) ?? parts[0];
      if (part) void this.keeper?.practised([part.id]);
    });
  }

  /**
   * If the browser has no space for the library, conveniences are deleted; leaving the page asks
   * first.
   */
  private guardStorage(): void {
    const { library } = this.services;
    let wasFull = false;
    library.subscribe(() => {
      const { isFull } = library.status;
      if (isFull && !wasFull) void this.keeper?.forgetRecent();
      wasFull = isFull && this.keeper !== null;
    });
    window.addEventListener('beforeunload', (event) => {
      if (library.status.isUnstored && library.status.waiting > 0) event.preventDefault();
    });
  }
}

/**
 * Deletes what another person left in this browser, once it was paired for somebody else: their files must not be
 * uploaded as this person's. A page that is open at that moment begins anew, with all that it holds. Returns what ends that.
 */
async function followPerson(library: OfflineContext['library'], database: OfflineDatabase | null): Promise<() => void> {
  const isAnothers = (): boolean => {
    const { person } = library.status;
    const before = remembered('person');
    if (person !== null && before === null) remember('person', person);
    return person !== null && before !== null && before !== person;
  };
  if (isAnothers()) {
    await database?.clear();
    if (typeof caches !== 'undefined') await caches.delete(mediaCacheName);
    remember('person', library.status.person ?? '');
  }
  const stop = library.subscribe(() => {
    if (!isAnothers()) return;
    stop();
    leaving.isSafe = true;
    // Not where the page is: it may be that of the pairing, which is over.
    void library.stored().then(() => location.replace('/'));
  });
  return stop;
}
