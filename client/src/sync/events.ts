// What the server tells by itself: that something changed, and how far its long work is.

import type { Environment, EventSourceLike } from './environment';
import { parsed } from './requests';
import type { Job } from './wire';

/** Hears what the server tells. */
export interface EventListeners {
  /** There is something new up to this sequence number; null: there may be, after a silence. */
  changed(seq: number | null): void;
  job(job: Job): void;
  /** One of `serverMessageTypes`, with what came along. */
  serverMessage(type: ServerMessageType, value: unknown): void;
  /** The line was cut: the server may be gone, or not let this device in any more. */
  cut(): void;
}

/** What the server passes on between pages, and tells of them. */
export type ServerMessageType = (typeof serverMessageTypes)[number];

const serverMessageTypes = ['remote', 'players'] as const;

const closedState = 2;
const reopenMilliseconds = 5_000;
/** Over HTTP/1.1 a browser has six lines for all its tabs: those that nobody sees don't keep one. */
const restMilliseconds = 60_000;

/** Listens to the server, and again whenever the line was cut. */
export class ServerEvents {
  private source: EventSourceLike | null = null;
  private stopReopen: (() => void) | null = null;
  private stopRest: (() => void) | null = null;
  private closed = false;
  private query = '';
  private isBusy = (): boolean => false;

  constructor(
    private readonly environment: Environment,
    private readonly address: string,
    private readonly listeners: EventListeners,
  ) {
    this.open();
  }

  /** Listens again now if nobody listens. */
  wake(): void {
    if (!this.closed && this.source?.readyState === closedState) this.open();
  }

  /**
   * Listens under a name, as a player that others can find; without one with an empty text. While it is
   * busy it has to hear of everything, seen or not.
   */
  appear(query: string, isBusy = (): boolean => false): void {
    if (this.closed || query === this.query) return;
    this.query = query;
    this.isBusy = isBusy;
    this.open();
  }

  /** Ends listening in a while if the page is hidden by then and not busy; `wake` begins it again. */
  rest(): void {
    this.stopRest?.();
    this.stopRest = this.environment.timer(restMilliseconds, () => {
      if (!this.environment.page.isHidden()) return;
      if (this.isBusy()) this.rest();
      else this.source?.close();
    });
  }

  close(): void {
    this.closed = true;
    this.stopReopen?.();
    this.stopRest?.();
    this.source?.close();
  }

  private open(): void {
    this.stopReopen?.();
    this.stopReopen = null;
    this.source?.close();
    const source = this.environment.eventSource?.(this.address + this.query) ?? null;
    this.source = source;
    if (!source) return;
    // Also a page that was opened where nobody sees it.
    this.rest();
    source.addEventListener('open', () => this.listeners.changed(null));
    source.addEventListener('changed', (event) => {
      const told = data(event) as { seq?: unknown } | null;
      this.listeners.changed(typeof told?.seq === 'number' ? told.seq : null);
    });
    source.addEventListener('job', (event) => {
      const job = asJob(data(event));
      if (job) this.listeners.job(job);
    });
    for (const type of serverMessageTypes) {
      source.addEventListener(type, (event) => this.listeners.serverMessage(type, data(event)));
    }
    source.addEventListener('error', () => {
      if (this.closed || source !== this.source) return;
      this.listeners.cut();
      // A browser opens a cut line again by itself, but not after an answer such as 503.
      if (source.readyState !== closedState) return;
      this.stopReopen?.();
      this.stopReopen = this.environment.timer(reopenMilliseconds, () => this.open());
    });
  }
}

/** Gives a job if the value is one. */
export function asJob(value: unknown): Job | null {
  const job = value as Partial<Job> | null;
  if (typeof job?.id !== 'string' || typeof job.state !== 'string') return null;
  return {
    id: job.id,
    kind: typeof job.kind === 'string' ? job.kind : '',
    state: job.state,
    progress: typeof job.progress === 'number' ? job.progress : 0,
    message: typeof job.message === 'string' ? job.message : null,
    track: typeof job.track === 'string' ? job.track : null,
    video: typeof job.video === 'string' ? job.video : null,
  };
}

function data(event: { data?: unknown }): unknown {
  return typeof event.data === 'string' ? parsed(event.data) : null;
}
