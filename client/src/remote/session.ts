// A routine page among the other open pages: they find it and control it, and it can control one of
// them.

import { Listeners } from '../sync/listeners';
import type { ServerMessageType } from '../sync/events';
import type { Timer } from '../sync/environment';
import { Controlled, type Controls, type Watcher } from './controlled';
import { Line } from './line';
import {
  readPlayers, readRemoteEvent, type RemoteMessage, type RemotePlayer, type RemoteState,
} from './protocol';
import { Remote } from './remote';

/** The environment of a session. */
export interface SessionWorld {
  readonly newId: () => string;
  /** Publishes this page under this query; an empty one removes it from the list. */
  appear(query: string, isBusy?: () => boolean): void;
  onServerMessage(listener: (told: { readonly type: ServerMessageType; readonly value: unknown }) => void): () => void;
  /** Fetches the list of players. */
  fetchPlayers(): Promise<unknown>;
  /** Sends JSON to another page; throws if it does not arrive. */
  post(body: string): Promise<void>;
  now(): number;
  readonly timer: Timer;
}

/** One open routine page. */
export class RemoteSession {
  /** Null until the list is loaded. */
  players: readonly RemotePlayer[] | null = null;
  /** The remote for the page that is controlled from here. */
  remote: Remote | null = null;
  /** The states of the listed players that have answered. */
  standing: ReadonlyMap<string, RemoteState> = new Map();
  /** Changes with every value that can be read here, except the state of `remote`. */
  version = 0;
  private readonly id: string;
  private readonly line: Line;
  private readonly controlled: Controlled;
  private readonly stop: () => void;
  private isClosed = false;
  /** The number of lists that the server has sent. */
  private lists = 0;
  /** Pages that have said that they leave; the server notices later. */
  private readonly left = new Set<string>();
  private readonly listeners = new Listeners();

  constructor(private readonly world: SessionWorld, controls: Controls, private readonly name: string) {
    this.id = world.newId();
    this.line = new Line({
      now: world.now, timer: world.timer,
      deliver: (to, command) => world.post(JSON.stringify({ from: this.id, to, command })),
    });
    const send = (to: string, message: RemoteMessage, slot: string): void => this.line.send(to, message, slot);
    this.controlled = new Controlled({ send, now: world.now, timer: world.timer }, controls, () => this.tell());
    this.stop = world.onServerMessage(({ type, value }) => {
      if (type === 'remote') this.heard(value);
      if (type === 'players') this.toldOfPlayers(value);
    });
    // The page is hidden, but plays or controls.
    const isBusy = (): boolean => (
      this.remote !== null || this.watchers.length > 0 || controls.read()?.wantsToPlay === true
    );
    world.appear(`?client=${this.id}&name=${encodeURIComponent(name)}`, isBusy);
  }

  /** Calls `listener` after every change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** The devices that control this page. */
  get watchers(): readonly Watcher[] {
    // The server's name for a device takes precedence over the page's own name.
    return this.controlled.watchers.map((watcher) => (
      this.players?.find(({ id }) => id === watcher.id) ?? watcher
    ));
  }

  /** Tells the devices that control this page about a change. */
  changed(): void {
    this.controlled.changed();
  }

  /** Fetches the players and requests the state of each. Throws if the list can't be fetched. */
  async look(): Promise<void> {
    const before = this.lists;
    const fetched = await this.world.fetchPlayers();
    // A list received meanwhile is newer than the answer.
    if (this.lists === before) this.heardPlayers(fetched);
    for (const { id } of this.players ?? []) this.line.send(id, { kind: 'ask' }, 'ask');
  }

  /** Starts to control a player. */
  control(player: RemotePlayer): void {
    this.remote?.close();
    this.remote = new Remote(player, this.name, {
      send: (to, message, slot) => this.line.send(to, message, slot),
      now: this.world.now, timer: this.world.timer,
    });
    this.tell();
  }

  /** Stops controlling. */
  release(): void {
    this.remote?.close();
    this.remote = null;
    this.tell();
  }

  /** The page shows again, after the system may have stopped its timers. */
  wake(): void {
    this.remote?.wake();
  }

  /** Ends it when the page is left. */
  close(): void {
    this.isClosed = true;
    this.remote?.close();
    this.controlled.close();
    // To all pages that list this one, which remove it. If the message is lost, the page stays
    // listed until the server notices.
    this.world.post(JSON.stringify({ from: this.id, to: null, command: { kind: 'closed' } })).catch(() => undefined);
    this.stop();
    this.world.appear('');
    this.listeners.clear();
  }

  private heard(value: unknown): void {
    const event = readRemoteEvent(value);
    if (!event || this.isClosed || event.from === this.id) return;
    const { from, to, message } = event;
    if (to === null && message.kind === 'closed') {
      this.left.add(from);
      this.takePlayers(this.players?.filter(({ id }) => id !== from) ?? []);
    }
    if (to !== this.id) return;
    if (message.kind === 'state') {
      this.standing = new Map(this.standing).set(from, message.state);
      if (from !== this.remote?.target.id) this.tell();
    }
    this.remote?.heard(from, message);
    this.controlled.heard(from, message);
  }

  private toldOfPlayers(value: unknown): void {
    this.lists += 1;
    this.heardPlayers(value);
  }

  private heardPlayers(value: unknown): void {
    const known = this.players && new Set(this.players.map(({ id }) => id));
    this.takePlayers(readPlayers(value, this.id).filter(({ id }) => !this.left.has(id)));
    // Requests the state of new players.
    for (const { id } of this.players ?? []) {
      if (known?.has(id) === false) this.line.send(id, { kind: 'ask' }, 'ask');
    }
  }

  private takePlayers(players: readonly RemotePlayer[]): void {
    this.players = players;
    this.remote?.heardPlayers(new Set(players.map(({ id }) => id)));
    this.tell();
  }

  private tell(): void {
    this.version += 1;
    this.listeners.tell();
  }
}
