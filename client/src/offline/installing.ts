// How the app is put on the home screen: each platform has its own way. Pure.

/** What is known of the browser. */
export interface Platform {
  readonly userAgent: string;
  /** Whether the device answers to fingers: an iPad calls itself a Mac. */
  readonly touchPoints: number;
  /** Whether the app was started from the home screen already. */
  readonly isStandalone: boolean;
  /** Whether the browser has offered to ask by itself. */
  readonly canPrompt: boolean;
}

/** The way to the home screen. */
export type InstallWay =
  | { readonly kind: 'installed' | 'none' }
  | { readonly kind: 'prompt' }
  | { readonly kind: 'steps'; readonly sentence: string };

const steps = (sentence: string): InstallWay => ({ kind: 'steps', sentence });

/** Finds the way. */
export function installWay({ userAgent, touchPoints, isStandalone, canPrompt }: Platform): InstallWay {
  if (isStandalone) return { kind: 'installed' };
  if (canPrompt) return { kind: 'prompt' };
  const isMac = userAgent.includes('Macintosh');
  const isApplePhone = /iPhone|iPad|iPod/.test(userAgent) || (isMac && touchPoints > 1);
  if (isApplePhone) {
    return steps('Tap the share symbol of the browser, then “Add to Home Screen”.');
  }
  if (userAgent.includes('Android')) {
    return userAgent.includes('Firefox')
      ? steps('Open the menu of Firefox (⋮), then tap “Install” or “Add to Home screen”.')
      : steps('Open the menu of the browser (⋮), then tap “Install app” or “Add to Home screen”.');
  }
  if (/Edg\/|Chrome\//.test(userAgent)) {
    return steps('Press the install symbol at the end of the address bar, or “Install Segmance” in the browser’s menu.');
  }
  if (isMac && /Version\/(1[7-9]|[2-9]\d)/.test(userAgent)) {
    return steps('In Safari’s menu “File”, choose “Add to Dock”.');
  }
  return { kind: 'none' };
}
