// Prints the page in the light theme: browsers leave out dark grounds, and light type would be lost on the paper.

import { useEffect } from 'react';
import { theme } from '../ui/theme';

/** Applies the light theme while the page is printed. */
export function usePrintedLight(): void {
  useEffect(() => {
    const root = document.documentElement;
    const show = (shown: 'light' | 'dark') => (): void => {
      root.dataset['theme'] = shown;
    };
    const before = show('light');
    const after = (): void => show(theme.shown)();
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, []);
}
