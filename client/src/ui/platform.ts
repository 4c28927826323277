// The kind of device, as far as its browser reports it: for the proposed name, and for the matching
// guide. A guess; everything can be chosen by hand.

import { lateWords } from '../words/lateWords';

/** The kinds of devices that differ in how a certificate is installed. */
export type Platform = 'ios' | 'android' | 'mac' | 'windows' | 'linux';

/** The relevant properties of `navigator`. */
export interface NavigatorLike {
  readonly userAgent: string;
  readonly maxTouchPoints?: number;
}

/** Returns the platform; an iPad that pretends to be a Mac is recognized by its touch screen. */
export function platformOf({ userAgent, maxTouchPoints = 0 }: NavigatorLike): Platform {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (/Android/.test(userAgent)) return 'android';
  if (/Macintosh|Mac OS X/.test(userAgent)) return maxTouchPoints > 1 ? 'ios' : 'mac';
  return /Windows/.test(userAgent) ? 'windows' : 'linux';
}

/** Proposes a name for the device: "iPhone", "Android phone", "Mac". */
export function proposedName(browser: NavigatorLike): string {
  const { userAgent } = browser;
  switch (platformOf(browser)) {
    case 'ios':
      return /iPhone|iPod/.test(userAgent) ? 'iPhone' : 'iPad';
    case 'android':
      return /Mobile/.test(userAgent) ? lateWords.ui.devices.androidPhone : lateWords.ui.devices.androidTablet;
    case 'mac':
      return 'Mac';
    case 'windows':
      return lateWords.ui.devices.windows;
    default:
      return /CrOS/.test(userAgent) ? 'Chromebook' : lateWords.ui.devices.linux;
  }
}

/** Whether it is a phone or a tablet. */
export function isHandheld(browser: NavigatorLike): boolean {
  const platform = platformOf(browser);
  return platform === 'ios' || platform === 'android';
}

/** Names a page among the players: the device and the browser, "Mac, Firefox". */
export function pageName(browser: NavigatorLike): string {
  const { userAgent } = browser;
  const known = [
    [/Edg/, 'Edge'], [/Firefox|FxiOS/, 'Firefox'], [/OPR/, 'Opera'], [/SamsungBrowser/, 'Samsung Internet'],
    [/Chrome|CriOS|Chromium/, 'Chrome'], [/Safari/, 'Safari'],
  ] as const;
  const found = known.find(([pattern]) => pattern.test(userAgent));
  return found ? `${proposedName(browser)}, ${found[1]}` : proposedName(browser);
}
