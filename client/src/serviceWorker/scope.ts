// The few types of a service worker that this project uses: TypeScript's own conflict with those of
// a page.

/** An event that can keep the worker alive. */
export interface LastingEvent {
  waitUntil(work: Promise<unknown>): void;
}

/** Where the answers to some addresses come from: the server, or this worker. The first rule that fits holds. */
export interface Route {
  readonly condition: { readonly urlPattern: string };
  readonly source: 'network' | 'fetch-event';
}

/** The installation of the worker. */
export interface InstallEvent extends LastingEvent {
  /** Chromium's static routing; other browsers have none. */
  addRoutes?(routes: readonly Route[]): Promise<void>;
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
  /** The address with which it was opened. */
  readonly url: string;
  readonly focused: boolean;
  postMessage(message: unknown, transfer: Transferable[]): void;
  focus(): Promise<unknown>;
  navigate(address: string): Promise<unknown>;
}

/** A message of the push service. */
export interface PushMessage extends LastingEvent {
  readonly data: { json(): unknown } | null;
}

/** A press on a notification. */
export interface NoticePress extends LastingEvent {
  readonly notification: { readonly data: unknown; close(): void };
}

/** The browser's address at the push service is another one, or has ended. */
export interface ChangeOfSubscription extends LastingEvent {
  readonly newSubscription?: PushSubscription | null;
  readonly oldSubscription?: PushSubscription | null;
}

/** The worker itself. */
export interface WorkerScope {
  /** Whether the server gives addresses of media in the bucket. */
  readonly fetchesDirectly?: boolean;
  readonly location: { readonly origin: string };
  readonly navigator: { readonly userAgent: string };
  readonly registration: {
    readonly installing: unknown;
    readonly waiting: unknown;
    readonly pushManager: Pick<PushManager, 'subscribe'>;
    showNotification(title: string, options: { readonly [name: string]: unknown }): Promise<void>;
  };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { includeUncontrolled: boolean; type?: 'window' }): Promise<readonly Page[]>;
    openWindow(address: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install', listener: (event: InstallEvent) => void): void;
  addEventListener(type: 'activate', listener: (event: LastingEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
  addEventListener(type: 'message', listener: (event: PageMessage) => void): void;
  addEventListener(type: 'push', listener: (event: PushMessage) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NoticePress) => void): void;
  addEventListener(type: 'pushsubscriptionchange', listener: (event: ChangeOfSubscription) => void): void;
}
