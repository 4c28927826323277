// The tips that were seen, as the text of one setting: their names separated by commas.

/** The names of the tips. */
export type TipName = 'routine-menu' | 'swipe' | 'moves' | 'section' | 'move-types';

/** Reads the setting. */
export function seenTips(setting: string): readonly string[] {
  return setting.split(',').filter((name) => name !== '');
}

/** Returns the setting with one more tip. */
export function withTip(setting: string, name: TipName): string {
  return [...new Set([...seenTips(setting), name])].join(',');
}
