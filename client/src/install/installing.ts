// How the app is added to the home screen, and paired there: each platform has its own way. Pure.

import { isHandheld, platformOf, type NavigatorLike } from '../ui/platform';

/** Where the app runs. */
export interface Place {
  readonly browser: NavigatorLike;
  /** Whether the app was started from the home screen. */
  readonly isStandalone: boolean;
  /** Whether the browser has offered its own prompt. */
  readonly canPrompt: boolean;
}

/** The way to the home screen. */
export type InstallWay =
  | { readonly kind: 'installed' | 'none' }
  | { readonly kind: 'prompt' }
  | { readonly kind: 'steps'; readonly sentence: string };

const steps = (sentence: string): InstallWay => ({ kind: 'steps', sentence });

/** Returns the way. */
export function installWay({ browser, isStandalone, canPrompt }: Place): InstallWay {
  const { userAgent } = browser;
  const platform = platformOf(browser);
  if (isStandalone) return { kind: 'installed' };
  if (canPrompt) return { kind: 'prompt' };
  if (platform === 'ios') {
    return steps('Tap the share symbol of the browser, then “Add to Home Screen”. Open it there and pair it there, too: on the home screen it keeps things of its own.');
  }
  if (platform === 'android') {
    return userAgent.includes('Firefox')
      ? steps('Open the menu of Firefox (⋮), then tap “Install” or “Add to Home screen”.')
      : steps('Open the menu of the browser (⋮), then tap “Install app” or “Add to Home screen”.');
  }
  if (/Edg\/|Chrome\//.test(userAgent)) {
    return steps('Press the install symbol at the end of the address bar, or “Install Segmance” in the browser’s menu.');
  }
  if (platform === 'mac' && /Version\/(1[7-9]|[2-9]\d)/.test(userAgent)) {
    return steps('In Safari’s menu “File”, choose “Add to Dock”.');
  }
  return { kind: 'none' };
}

const dayMilliseconds = 24 * 3600 * 1000;

/**
 * Whether the hint is due: on a later day than the first visit (NaN: this is it), until it was
 * closed.
 */
export function isHintDue(now: number, firstVisit: number, wasClosed: boolean): boolean {
  return !wasClosed && Number.isFinite(firstVisit) && now - firstVisit > dayMilliseconds / 2;
}

/** The texts about a pairing code, where it is scanned and where it is entered. */
export interface PairingWords {
  /** Why the user may want to pair elsewhere first; null if it makes no difference. */
  readonly beforeJoining: string | null;
  readonly scan: string;
  readonly field: string;
}

/**
 * Returns the texts. On an iPhone or iPad the app on the home screen shares no data with the
 * browser, and a scanned code opens the browser. The order there is: add the app, open it, and pair
 * inside.
 */
export function pairingWords({ browser, isStandalone }: Pick<Place, 'browser' | 'isStandalone'>): PairingWords {
  const device = isHandheld(browser) ? 'phone' : 'computer';
  if (platformOf(browser) === 'ios' && isStandalone) {
    return {
      beforeJoining: null,
      scan: 'Scan the code with the camera: it opens in the browser. Press “Copy the pairing address” there, and come back.',
      field: 'Paste the pairing address, or type what stands below the code',
    };
  }
  return {
    beforeJoining: platformOf(browser) === 'ios'
      ? 'For the home screen, do not join here: tap the share symbol, then “Add to Home Screen”, open Segmance there, and paste this pairing address. It keeps things of its own there.'
      : null,
    scan: `Scan the code with this ${device}’s camera.`,
    field: 'No camera? Paste or type what stands below the code',
  };
}
