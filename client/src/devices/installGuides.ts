// How each system installs a certificate authority, step by step.

import type { Platform } from '../ui/platform';
import { lateWords } from '../words/lateWords';

/** The steps for one system. */
export interface InstallGuide {
  readonly platform: Platform;
  readonly name: string;
  readonly steps: readonly string[];
  readonly note: string;
}

const order: readonly Platform[] = ['ios', 'android', 'mac', 'windows', 'linux'];

/** Returns all guides. */
export function installGuides(): readonly InstallGuide[] {
  const { guides, firefoxNote } = lateWords.devices;
  return order.map((platform) => ({
    platform, ...guides[platform],
    // Where the system has no note of its own, Firefox does not use its certificates.
    note: guides[platform].note || firefoxNote,
  }));
}
