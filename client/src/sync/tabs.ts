// Messages between the tabs of one browser, so that an edit in one tab shows at once in the others.

import type { ChannelLike, Environment } from './environment';
import type { SyncCursor } from './store';
import type { Change, Rejected, WireRecord } from './wire';

/** One message from another tab. */
export type TabMessage =
  | { readonly kind: 'edited'; readonly put: readonly Change[]; readonly drop: readonly string[] }
  | {
      readonly kind: 'synced';
      readonly from: number;
      readonly records: readonly WireRecord[];
      readonly reach: SyncCursor;
      readonly drop: readonly string[];
      readonly reject: readonly Rejected[];
    }
  /** All stored records were replaced: read them again. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'dismissed'; readonly id: string };

/** The channel between the tabs. Messages that arrive before `listen` are queued. */
export class Tabs {
  private readonly channel: ChannelLike | null;
  private listener: ((message: TabMessage) => void) | null = null;
  private readonly early: TabMessage[] = [];

  constructor(environment: Environment, name: string) {
    this.channel = environment.broadcast?.(name) ?? null;
    if (!this.channel) return;
    this.channel.onmessage = (event) => {
      const message = event.data as TabMessage;
      if (this.listener) this.listener(message);
      else this.early.push(message);
    };
  }

  listen(listener: (message: TabMessage) => void): void {
    this.listener = listener;
    for (const message of this.early.splice(0)) listener(message);
  }

  tell(message: TabMessage): void {
    this.channel?.postMessage(message);
  }

  close(): void {
    this.channel?.close();
  }
}
