// The theme of the stage view, which may be another one than the app's.

import { useState, useSyncExternalStore } from 'react';
import { remember, remembered } from '../ui/device';
import { theme } from '../ui/theme';

/** Whether the stage view is dark: as the app, until it is chosen here; choosing the app's theme follows it again. */
export function useStageTheme(): [isDark: boolean, choose: (isDark: boolean) => void] {
  const isAppDark = useSyncExternalStore(theme.subscribe, () => theme.shown === 'dark');
  const [choice, setChoice] = useState(() => remembered('stageTheme'));
  return [
    choice === 'dark' || (choice !== 'light' && isAppDark),
    (isDark) => {
      const next = isDark === isAppDark ? 'app' : isDark ? 'dark' : 'light';
      remember('stageTheme', next);
      setChoice(next);
    },
  ];
}
