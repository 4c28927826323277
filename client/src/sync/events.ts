// The server's events: changes, and the progress of jobs.

import type { Environment, EventSourceLike } from './environment';
import { parsed } from './requests';
import type { Job } from './wire';

/** Receives the server's events. */
export interface EventListeners {
  /** There are new records up to this sequence number; null: there may be some, after a gap. */
  changed(seq: number | null): void;
  job(job: Job): void;
  /** One of `serverMessageTypes`, with its value. */
  serverMessage(type: ServerMessageType, value: unknown): void;
  /** The connection was cut: the server may be down, or may have revoked this device. */
  cut(): void;
}

/** Messages that the server forwards between pages, lists of pages, who leads, and that people or groups have changed. */
export type ServerMessageType = (typeof serverMessageTypes)[number];

const serverMessageTypes = ['remote', 'players', 'people', 'lead', 'leads'] as const;

const closedState = 2;
const reopenMilliseconds = 5_000;
/** Over HTTP/1.1 a browser has six connections for all its tabs, so hidden tabs close theirs. */
const restMilliseconds = 60_000;

/** Listens to the server, and reconnects after a lost connection. */
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

  /** Reconnects now if there is no connection. */
  wake(): void {
    if (!this.closed && this.source?.readyState === closedState) this.open();
  }

  /**
   * Listens under a name, as a player that others can find; with an empty text without a name. A
   * busy page keeps its connection even while hidden.
   */
  appear(query: string, isBusy = (): boolean => false): void {
    if (this.closed || query === this.query) return;
    this.query = query;
    this.isBusy = isBusy;
    this.open();
  }

  /**
   * Closes the connection after a while if the page is then hidden and not busy; `wake` reopens it.
   */
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
    // Also a page that was opened in the background.
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
      // A browser reopens a lost connection by itself, but not after an answer such as 503.
      if (source.readyState !== closedState) return;
      this.stopReopen?.();
      this.stopReopen = this.environment.timer(reopenMilliseconds, () => this.open());
    });
  }
}

/** Returns a job if the value is one. */
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
