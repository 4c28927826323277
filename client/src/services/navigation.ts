// Where one is in the app: the path, and the sheets laid over it. Each sheet is a step in the
// browser's history, so that Back closes it before it leaves the page.

import { Listeners } from '../sync/listeners';
import { parseRoute, pathOf, type Route } from './routes';

/** The names of the sheets that are a step of the history; those of a move end with its id. */
export type SheetName =
  | 'addMove' | 'addToRoutine' | 'add-device' | 'create' | 'edit' | 'export' | 'jump' | 'keys' | 'new-type'
  | 'player' | 'remote' | 'restore' | 'snap' | 'video' | 'welcome'
  | 'speed' | 'pitch' | 'countdown' | 'repeat'
  | `${'type' | 'moveTo' | 'copyTo'}:${string}`;

/** A place and the sheets over it, the uppermost last. */
export interface Place {
  readonly route: Route;
  readonly overlays: readonly SheetName[];
}

/** What `Navigation` needs from a browser's window; tests give a small one of their own. */
export interface HistoryHost {
  readonly history: {
    readonly length: number;
    readonly state: unknown;
    pushState(state: unknown, unused: string, url?: string): void;
    replaceState(state: unknown, unused: string, url?: string): void;
    go(delta: number): void;
  };
  readonly location: { readonly pathname: string; readonly hash: string };
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
  /** The step of the history that one stands on; `place` is ahead of it while a sheet closes. */
  private entry: EntryState;
  private readonly listeners = new Listeners();
  private isGoingBack = false;
  private waiting: (() => void)[] = [];

  constructor(private readonly host: HistoryHost) {
    this.entry = entryState(host.history.state);
    this.place = { route: this.route(), overlays: [] };
    host.addEventListener('popstate', () => this.arrived());
    const sheets = this.entry.overlays.length;
    // A sheet does not outlive a reload: what it held is gone. Its step goes, unless this is a copy of
    // the window without a history. Nor does the token of a pairing stay.
    if (sheets > 0 && host.history.length > sheets) this.back(sheets);
    else this.write('replaceState');
  }

  /** Calls `listener` after every change of place; returns what stops it. */
  readonly subscribe = this.listeners.add;

  /**
   * Goes to a route. With `replace`, Back does not come here again. Sheets close; `thenOpen` names
   * one to lay over the new page.
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

  /** Replaces the address under the open sheets, without a step in the history. */
  settle(route: Route): void {
    this.change({ route, overlays: this.place.overlays });
    this.whenSettled(() => {
      // The step back that was under way may have left the page.
      if (this.place.route === route) this.write('replaceState');
    });
  }

  /** Leaves a page: back to where one came from, or to `fallback` when one came from outside. */
  leave(fallback: Route): void {
    if (this.entry.depth > this.place.overlays.length) this.back(this.place.overlays.length + 1);
    else this.go(fallback, { replace: true });
  }

  /** Lays a sheet over the page. */
  open(overlay: SheetName): void {
    if (this.place.overlays.includes(overlay)) return;
    this.whenSettled(() => {
      this.change({ route: this.place.route, overlays: [...this.place.overlays, overlay] });
      this.write('pushState');
    });
  }

  /** Takes a sheet, and all above it, away at once; the history follows. */
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

  /** Runs now, or after the step back that is under way: `history.go` answers later. */
  private whenSettled(action: () => void): void {
    if (this.isGoingBack) this.waiting.push(action);
    else action();
  }

  private arrived(): void {
    this.isGoingBack = false;
    const before = this.entry;
    this.entry = entryState(this.host.history.state);
    const { depth, overlays } = this.entry;
    // Between sheets and their page nobody leaves the page: the part that is shown stays, also where
    // the page has turned since the step was made.
    const isSamePage = depth !== before.depth && depth - before.depth === overlays.length - before.overlays.length;
    this.change({ route: isSamePage ? this.place.route : this.route(), overlays });
    // With a hash, another code was scanned into this very page.
    if (isSamePage || this.host.location.hash !== '') this.write('replaceState');
    const waiting = this.waiting;
    this.waiting = [];
    for (const action of waiting) this.whenSettled(action);
  }

  private route(): Route {
    const { pathname, hash } = this.host.location;
    return parseRoute(pathname, hash);
  }

  private write(how: 'pushState' | 'replaceState'): void {
    const depth = this.entry.depth + (how === 'pushState' ? 1 : 0);
    this.entry = { overlays: this.place.overlays, depth };
    this.host.history[how](this.entry, '', pathOf(this.place.route));
  }

  private change(place: Place): void {
    this.place = place;
    this.listeners.tell();
  }
}
