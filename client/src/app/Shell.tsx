// The frame of the three tabs: a bar at the bottom on a phone, a rail at the side on a larger
// screen.

import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { words } from '../words/words';
import { Icon, Mark } from '../ui/Icon';
import { Link } from '../services/Link';
import { pathOf, type Route } from '../services/routes';
import './shell.css';
import { SyncNote } from '../status/SyncNote';

/** The pages; the name of each is in `words.common`, its icon has the same name. */
const tabs: readonly ('routines' | 'clipper' | 'settings')[] = ['routines', 'clipper', 'settings'];

/** The scroll position of each page. */
const places = new Map<string, number>();

/** A tab's page with the tabs around it. */
export function Shell({ route, children }: { route: Route; children: ReactNode }): JSX.Element {
  const main = useRef<HTMLElement>(null);
  const { page } = route;
  const path = pathOf(route);
  const remember = (): void => {
    if (main.current) places.set(path, main.current.scrollTop);
  };
  useEffect(() => {
    document.title = `${tabs.filter((tab) => tab === page).map((tab) => words.common[tab]).join('')} · Segmance`;
  }, [page]);
  useLayoutEffect(() => {
    // Restores the scroll position of a list.
    if (main.current) main.current.scrollTop = places.get(path) ?? 0;
  }, [path]);
  return (
    <div className="shell">
      <nav className="tabs" aria-label={words.app.mainPages}>
        <span className="tabs-mark"><Mark size={40} /></span>
        {tabs.map((tab) => (
          <Link
            key={tab} className="tab" route={{ page: tab }}
            aria-current={tab === page ? 'page' : undefined} data-testid={`tab-${tab}`}
          >
            <span className="tab-icon"><Icon name={tab} /></span>
            {words.common[tab]}
          </Link>
        ))}
      </nav>
      <main className="shell-main" ref={main} onScroll={remember}>
        <SyncNote />
        {children}
      </main>
    </div>
  );
}

/** Shown until the library is open. */
export function ShellSkeleton(): JSX.Element {
  return (
    <div className="shell" aria-busy="true">
      <div className="tabs" />
      <div className="shell-main" />
    </div>
  );
}
