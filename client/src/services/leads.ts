// Who leads which routine now, as the server tells it, and whether this page leads or follows.

import { Listeners } from '../sync/listeners';
import type { ServerMessageType } from '../sync/events';

/** What this page does with a routine. */
export interface OwnLead {
  readonly routine: string;
  readonly does: 'leads' | 'follows';
}

/** The leads that this page has heard of. */
export class Leads {
  /** What was told last, by the routine. Keeps its identity between changes. */
  told: ReadonlyMap<string, unknown> = new Map();
  /** Null if this page neither leads nor follows. */
  own: OwnLead | null = null;
  /** The id under which this page last led; until then, the one under which it follows. */
  client: string | null = null;
  /** How many pages of this person listen by name, this one among them. */
  pages = 0;
  private readonly ended = new Set<string>();
  private readonly listeners = new Listeners();

  /** Calls `listener` after every change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Takes an event of the server. */
  readonly heard = ({ type, value }: { readonly type: ServerMessageType; readonly value: unknown }): void => {
    if (type === 'players') {
      const { clients } = value as { clients?: readonly unknown[] };
      this.pages = Array.isArray(clients) ? clients.length : 0;
      this.listeners.tell();
    }
    if (type !== 'lead' && type !== 'leads') return;
    const all = type === 'leads' ? (value as { leads?: unknown } | null)?.leads : [value];
    const next = new Map<string, unknown>(type === 'leads' ? [] : this.told);
    for (const each of Array.isArray(all) ? all as ({ routine?: unknown; state?: unknown } | null)[] : []) {
      if (typeof each?.routine !== 'string') continue;
      if (each.state) {
        next.set(each.routine, each);
        this.ended.delete(each.routine);
      } else {
        next.delete(each.routine);
        this.ended.add(each.routine);
      }
    }
    if (next.size === 0 && this.told.size === 0) return;
    this.told = next;
    this.listeners.tell();
  };

  /** Whether the server has said that nobody leads a routine any more; a list without it may be that of a new start. */
  hasEnded(routine: string): boolean {
    return this.ended.has(routine);
  }

  /** This page begins to lead or to follow, or ends it. */
  begin(own: OwnLead | null): void {
    this.own = own;
    this.listeners.tell();
  }
}
