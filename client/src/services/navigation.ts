// The current place in the app: the path, and the sheets above it. Each sheet is an entry in the
// browser's history, so that Back closes it before it leaves the page.

import { Listeners } from '../sync/listeners';
import { parseRoute, pathOf, type Route } from './routes';

/**
 * The names of the sheets with a history entry; those of a move or a run-through end with its id, one that adds a move with a
 * count, and one of a comment with its id, or with what it is to be on.
 */
export type SheetName =
  | 'addMove' | 'addToRoutine' | 'add-device' | 'changes' | 'create' | 'edit' | 'export' | 'jump' | 'keys' | 'links' | 'makeRoutine'
  | 'new-type' | 'player' | 'tapMoves' | 'remote' | 'restore' | 'snap' | 'video' | 'welcome'
  | 'latencyTaps' | 'latencyMicrophone' | 'speed' | 'pitch' | 'countdown' | 'repeat' | 'spot' | 'counts' | 'caller' | 'stageView'
  | 'runThrough' | 'practise' | 'session' | 'share' | 'comments'
  | `${'type' | 'moveTo' | 'copyTo' | 'moveCounts' | 'addMove' | 'recordName' | 'review' | 'comment'}:${string}`;

/** A place with its sheets, the uppermost last. */
export interface Place {
  readonly route: Route;
  readonly overlays: readonly SheetName[];
}

/** The parts of a window that `Navigation` needs; tests replace them. */
export interface HistoryHost {
  readonly history: {
    readonly length: number;
    readonly state: unknown;
    pushState(state: unknown, unused: string, url?: string): void;
    replaceState(state: unknown, unused: string, url?: string): void;
    go(delta: number): void;
  };
  readonly location: { readonly pathname: string; readonly hash: string; readonly search: string };
  addEventListener(type: 'popstate', listener: () => void): void;
}

interface EntryState {
  overlays: readonly SheetName[];
  depth: number;
}

function entryState(state: unknown): EntryState {
  const candidate = state as Partial<EntryState> | null;
  return Array.isArray(candidate?.overlays) && typeof candidate?.depth === 'number'
    ? { overlays: candidate.overlays as SheetName[], depth: candidate.depth }
    : { overlays: [], depth: 0 };
}

/** The app's one navigator. */
export class Navigation {
  /** Keeps its identity between changes. */
  place: Place;
  /** The current history entry; `place` is ahead of it while a sheet closes. */
  private entry: EntryState;
  private readonly listeners = new Listeners();
  private isGoingBack = false;
  private waiting: (() => void)[] = [];

  /** `base` is the beginning of every path: of a page that was opened by a link, the link's. */
  constructor(private readonly host: HistoryHost, private readonly base = '') {
    this.entry = entryState(host.history.state);
    this.place = { route: this.route(), overlays: [] };
    host.addEventListener('popstate', () => this.arrived());
    const sheets = this.entry.overlays.length;
    // A sheet does not survive a reload, since its state is gone. Its entry is removed, unless this
    // is a copy of the window without a history. The token of a pairing is removed as
    // well, and what a provider has sent.
    if (sheets > 0 && host.history.length > sheets) this.back(sheets);
    else this.write('replaceState');
  }

  /** Calls `listener` after every change of place; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /**
   * Goes to a route. With `replace`, Back skips the current one. Sheets close; `thenOpen` names one
   * to open above the new page.
   */
  go(route: Route, options: { replace?: boolean; thenOpen?: SheetName } = {}): void {
    const sheets = this.place.overlays.length;
    if (sheets > 0) {
      this.back(sheets);
      this.change({ route: this.place.route, overlays: [] });
    }
    this.whenSettled(() => {
      this.change({ route, overlays: [] });
      this.write(options.replace ? 'replaceState' : 'pushState');
    });
    if (options.thenOpen !== undefined) this.open(options.thenOpen);
  }

  /** Replaces the address below the open sheets, without a history entry. */
  settle(route: Route): void {
    this.change({ route, overlays: this.place.overlays });
    this.whenSettled(() => {
      // The running step back may have left the page.
      if (this.place.route === route) this.write('replaceState');
    });
  }

  /**
   * Leaves a page: back to the previous one, or to `fallback` if it was opened from outside the
   * app.
   */
  leave(fallback: Route): void {
    if (this.entry.depth > this.place.overlays.length) this.back(this.place.overlays.length + 1);
    else this.go(fallback, { replace: true });
  }

  /** Opens a sheet above the page. */
  open(overlay: SheetName): void {
    if (this.place.overlays.includes(overlay)) return;
    this.whenSettled(() => {
      this.change({ route: this.place.route, overlays: [...this.place.overlays, overlay] });
      this.write('pushState');
    });
  }

  /** Closes a sheet, and all above it, at once; the history follows. */
  close(overlay: SheetName): void {
    const index = this.place.overlays.indexOf(overlay);
    if (index < 0) return;
    const steps = this.place.overlays.length - index;
    this.change({ route: this.place.route, overlays: this.place.overlays.slice(0, index) });
    this.back(steps);
  }

  private back(steps: number): void {
    this.whenSettled(() => {
      this.isGoingBack = true;
      this.host.history.go(-steps);
    });
  }

  /** Runs now, or after the running step back, since `history.go` is asynchronous. */
  private whenSettled(action: () => void): void {
    if (this.isGoingBack) this.waiting.push(action);
    else action();
  }

  private arrived(): void {
    this.isGoingBack = false;
    const before = this.entry;
    this.entry = entryState(this.host.history.state);
    const { depth, overlays } = this.entry;
    // A step between sheets and their page does not leave the page: the shown part stays, even if
    // the page has switched since.
    const isSamePage = depth !== before.depth && depth - before.depth === overlays.length - before.overlays.length;
    this.change({ route: isSamePage ? this.place.route : this.route(), overlays });
    // With a hash, another code was scanned into this same page.
    if (isSamePage || this.host.location.hash !== '') this.write('replaceState');
    const waiting = this.waiting;
    this.waiting = [];
    for (const action of waiting) this.whenSettled(action);
  }

  private route(): Route {
    const { pathname, hash, search } = this.host.location;
    return parseRoute(pathname.startsWith(this.base) ? pathname.slice(this.base.length) : pathname, hash, search);
  }

  private write(how: 'pushState' | 'replaceState'): void {
    const depth = this.entry.depth + (how === 'pushState' ? 1 : 0);
    this.entry = { overlays: this.place.overlays, depth };
    this.host.history[how](this.entry, '', this.base + pathOf(this.place.route));
  }

  private change(place: Place): void {
    this.place = place;
    this.listeners.tell();
  }
}
