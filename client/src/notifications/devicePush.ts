// Notifications on this device: what is known of them, and the browser's and the server's subscription kept the same.

import { pushManager, workerRegistration } from '../offline/browserPush';
import { Listeners } from '../sync/listeners';
import { isStandalone } from '../ui/device';
import { platformOf } from '../ui/platform';
import { language } from '../words/words';
import { nextStep, obstacleTo, type BrowserPush, type PushLevel, type PushObstacle, type PushStatus, type Step } from './agreement';
import { fetchPush, forgetPush, tellPush, type PushAddress } from './api';

/** What a page shows of notifications. */
export interface DevicePush {
  /** Whether there is anything to show: the server sends notifications, or this browser waits for some. */
  readonly isOffered: boolean;
  readonly obstacle: PushObstacle | null;
  /** Null if the device is not notified. */
  readonly level: PushLevel | null;
}

const listeners = new Listeners();
let known: DevicePush = { isOffered: false, obstacle: null, level: null };
/** One thing after the other: a press must not meet the comparison at the start. */
let work: Promise<unknown> = Promise.resolve();

/** Calls `listener` when something else is known. */
export const subscribeToPush = listeners.add;

/** Returns what is known. */
export const devicePush = (): DevicePush => known;

const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
  const turn = work.then(task);
  work = turn.catch(() => undefined);
  return turn;
};

/** Asks the server, and makes its subscription and the browser's the same. */
export function comparePush(): Promise<void> {
  return inTurn(async () => {
    const status = await fetchPush();
    const manager = await pushManager();
    const own = await manager?.getSubscription() ?? null;
    const step = nextStep(status, own && asBrowserPush(own), language);
    await take(step, status, manager, own);
    await learn(step === 'none' ? status : await fetchPush());
  });
}

async function take(step: Step, { publicKey, subscription }: PushStatus, manager: PushManager | null, own: PushSubscription | null): Promise<void> {
  if (step === 'forget') await forgetPush();
  if (step === 'end' || step === 'renew') await own?.unsubscribe();
  if (subscription === null || manager === null || publicKey === null) return;
  if (step === 'renew') await subscribe(manager, publicKey, subscription.level);
  if (step === 'tell' && own) await tellPush(asAddress(own), subscription.level, language);
}

/** Notifies this device; null: no longer. Call it in a gesture, since the browser may ask the person. */
export async function choosePush(level: PushLevel | null): Promise<void> {
  // Before anything else is waited for: WebKit asks only within the gesture.
  const permission = level === null ? 'granted' : await Notification.requestPermission();
  await inTurn(async () => {
    const manager = await pushManager();
    const own = await manager?.getSubscription() ?? null;
    if (level === null) {
      // First at the browser, which needs no network: the server is told at the next contact.
      await own?.unsubscribe();
      known = { ...known, level: null };
      listeners.tell();
      await forgetPush();
      return;
    }
    const { publicKey } = await fetchPush();
    if (permission === 'granted' && manager && publicKey !== null) {
      if (own && asBrowserPush(own).publicKey === publicKey) await tellPush(asAddress(own), level, language);
      else {
        await own?.unsubscribe();
        await subscribe(manager, publicKey, level);
      }
    }
    await learn(await fetchPush());
  });
}

async function subscribe(manager: PushManager, publicKey: string, level: PushLevel): Promise<void> {
  const made = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  try {
    await tellPush(asAddress(made), level, language);
  } catch (failure) {
    await made.unsubscribe();
    throw failure;
  }
}

async function learn(status: PushStatus): Promise<void> {
  const own = await (await pushManager())?.getSubscription() ?? null;
  const obstacle = obstacleTo(status, {
    isIOS: platformOf(navigator) === 'ios',
    isInstalled: isStandalone(),
    hasWorker: !('serviceWorker' in navigator) || await workerRegistration() !== null,
    hasPush: typeof PushManager !== 'undefined' && typeof Notification !== 'undefined',
    permission: typeof Notification !== 'undefined' ? Notification.permission : 'default',
  });
  known = { isOffered: status.publicKey !== null || own !== null, obstacle, level: own && status.subscription ? status.subscription.level : null };
  listeners.tell();
}

function asAddress(own: PushSubscription): PushAddress {
  const { endpoint = '', keys = {} } = own.toJSON();
  return { endpoint, publicKey: keys['p256dh'] ?? '', authentication: keys['auth'] ?? '' };
}

function asBrowserPush({ endpoint, options }: PushSubscription): BrowserPush {
  const key = options.applicationServerKey;
  return { endpoint, publicKey: key && base64url(new Uint8Array(key)) };
}

const base64url = (bytes: Uint8Array): string => (
  btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
);
