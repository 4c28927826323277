// What has to be done so that the browser's subscription and the server's are the same, and why a device can't have
// one. Pure.

/** Which comments a device is notified of. */
export type PushLevel = 'mentions' | 'all';

/** What the server knows of this device. */
export interface PushStatus {
  /** The key to subscribe with, in base64url; null if the server sends no notifications. */
  readonly publicKey: string | null;
  readonly subscription: { readonly endpoint: string; readonly level: PushLevel; readonly language: string } | null;
  /** False for the owner's own machine. */
  readonly isDevice: boolean;
}

/** What the browser has. */
export interface BrowserPush {
  readonly endpoint: string;
  /** The key with which it subscribed, in base64url; null if the browser does not say. */
  readonly publicKey: string | null;
}

/** What is to be done. */
export type Step =
  | 'none'
  /** The server forgets the device: the browser has ended its subscription. */
  | 'forget'
  /** The browser ends it: the server knows of none. */
  | 'end'
  /** The browser subscribes anew with the server's key. */
  | 'renew'
  /** The server is told the address and the language. */
  | 'tell';

/** Returns what makes both the same. Who ended a subscription at either side wanted it to end. */
export function nextStep({ publicKey, subscription }: PushStatus, browser: BrowserPush | null, language: string): Step {
  // While the operator has it off, nothing is sent. It may be on again after the next start.
  if (publicKey === null) return 'none';
  if (subscription === null) return browser === null ? 'none' : 'end';
  if (browser === null) return 'forget';
  if (browser.publicKey !== null && browser.publicKey !== publicKey) return 'renew';
  return browser.endpoint === subscription.endpoint && language === subscription.language ? 'none' : 'tell';
}

/** Why a browser can't be notified. */
export type PushObstacle = 'isOff' | 'ownMachine' | 'needsInstalling' | 'untrusted' | 'unsupported' | 'denied';

/** What is known of the browser. */
export interface PushEnvironment {
  readonly isIOS: boolean;
  readonly isInstalled: boolean;
  /** Whether the app's service worker runs: it does not where the certificate is not trusted. */
  readonly hasWorker: boolean;
  readonly hasPush: boolean;
  readonly permission: NotificationPermission;
}

/** Returns why not; null if it can. */
export function obstacleTo({ publicKey, isDevice }: PushStatus, browser: PushEnvironment): PushObstacle | null {
  if (publicKey === null) return 'isOff';
  if (!isDevice) return 'ownMachine';
  if (browser.isIOS && !browser.isInstalled) return 'needsInstalling';
  if (!browser.hasWorker) return 'untrusted';
  if (!browser.hasPush) return 'unsupported';
  return browser.permission === 'denied' ? 'denied' : null;
}
