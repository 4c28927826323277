// Which tips were seen, as the text of one setting: their names with commas between.

/** The names of the tips. */
export type TipName = 'routine-menu' | 'swipe' | 'moves' | 'section' | 'move-types';

/** Reads the setting. */
export function seenTips(setting: string): readonly string[] {
  return setting.split(',').filter((name) => name !== '');
}

/** Gives the setting with one more tip seen. */
export function withTip(setting: string, name: TipName): string {
  return [...new Set([...seenTips(setting), name])].join(',');
}
