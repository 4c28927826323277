// The title of the browser's tab.

import { useEffect } from 'react';

/** Shows a page's title while the page is open; null: the app's name alone. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null ? 'Segmance' : `${title} · Segmance`;
    return () => {
      document.title = 'Segmance';
    };
  }, [title]);
}
