// The few types of a service worker that this project uses: TypeScript's own conflict with those of
// a page.

/** An event that can keep the worker alive. */
export interface LastingEvent {
  waitUntil(work: Promise<unknown>): void;
}

/** A request of a page. */
export interface RequestEvent extends LastingEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** A message of a page. */
export interface PageMessage extends LastingEvent {
  readonly data: unknown;
  readonly ports: readonly MessagePort[];
}

/** A page. */
export interface Page {
  postMessage(message: unknown, transfer: Transferable[]): void;
}

/** The worker itself. */
export interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly registration: { readonly installing: unknown; readonly waiting: unknown };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { includeUncontrolled: boolean }): Promise<readonly Page[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
  addEventListener(type: 'message', listener: (event: PageMessage) => void): void;
}
