// A page or a sheet whose code is a separate file, loaded when it is first opened.

import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { Button } from './Button';
import { toasts } from './toasts';
import { words } from '../words/words';

/** A page whose code is loaded when it is first opened, or earlier. */
export interface LazyPage<P> {
  readonly Page: (props: P) => JSX.Element | null;
  /** Loads the code once. After a failure the next call tries again. */
  load(): Promise<ComponentType<P>>;
  /** Sets the function that loads the code. */
  from(fetchPage: () => Promise<ComponentType<P>>): void;
}

/**
 * Makes a lazy page; `from` later sets the function that loads it. A `sheet` is above another page,
 * so it shows nothing while it loads. Nor does a `mark` on a page, which is left out if it can't be loaded.
 */
export function lazyPage<P extends object>(kind: 'page' | 'sheet' | 'mark' = 'page'): LazyPage<P> {
  let fetchPage = (): Promise<ComponentType<P>> => Promise.reject(new Error('This page has no source.'));
  let loading: Promise<ComponentType<P>> | null = null;
  let loaded: ComponentType<P> | null = null;
  const load = (): Promise<ComponentType<P>> => {
    loading ??= fetchPage().then((page) => {
      loaded = page;
      return page;
    });
    loading.catch(() => {
      loading = null;
    });
    return loading;
  };

  function Page(props: P): JSX.Element | null {
    const [Loaded, setLoaded] = useState<ComponentType<P> | 'failed' | null>(() => loaded);
    useEffect(() => {
      let isHere = true;
      load().then(
        // Wrapped in a function: React would call a bare function to compute a state.
        (page) => isHere && setLoaded(() => page),
        () => {
          if (isHere) setLoaded('failed');
          if (isHere && kind === 'sheet') toasts.say(words.ui.notLoadedNow, { kind: 'problem' });
        },
      );
      return () => {
        isHere = false;
      };
    }, []);
    if (kind !== 'page' && (Loaded === null || Loaded === 'failed')) return null;
    if (Loaded === null) return <div className="page-message" aria-busy="true" />;
    if (Loaded !== 'failed') return <Loaded {...props} />;
    return <LoadAgain title={words.ui.notLoaded}>{words.ui.notLoadedWhy}</LoadAgain>;
  }
  const from = (fetch: () => Promise<ComponentType<P>>): void => {
    fetchPage = fetch;
  };
  return { Page, load, from };
}

/** Shown in a page's place with the reason, and a button that loads everything again. */
export function LoadAgain({ title, children }: { title: string; children: ReactNode }): JSX.Element {
  return (
    <div className="page-message">
      <h1>{title}</h1>
      <p>{children}</p>
      <Button kind="primary" icon="retry" onClick={() => window.location.reload()}>{words.ui.reload}</Button>
    </div>
  );
}
