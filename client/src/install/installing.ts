// How the app is added to the home screen, and paired there: each platform has its own way. Pure.

import { isHandheld, platformOf, type NavigatorLike } from '../ui/platform';
import { lateWords } from '../words/lateWords';

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
  const { install } = lateWords;
  const { userAgent } = browser;
  const platform = platformOf(browser);
  if (isStandalone) return { kind: 'installed' };
  if (canPrompt) return { kind: 'prompt' };
  if (platform === 'ios') {
    return steps(install.ios);
  }
  if (platform === 'android') {
    return steps(/Firefox/.test(userAgent) ? install.androidFirefox : install.android);
  }
  if (/Edg\/|Chrome\//.test(userAgent)) {
    return steps(install.desktop);
  }
  if (platform === 'mac' && /Version\/(1[7-9]|[2-9]\d)/.test(userAgent)) {
    return steps(install.safari);
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
  const { install } = lateWords;
  if (platformOf(browser) === 'ios' && isStandalone) {
    return {
      beforeJoining: null,
      scan: install.scanInApp,
      field: install.pasteInApp,
    };
  }
  return {
    beforeJoining: platformOf(browser) === 'ios' ? install.beforePairing : null,
    scan: isHandheld(browser) ? install.scanWithPhone : install.scanWithComputer,
    field: install.paste,
  };
}
