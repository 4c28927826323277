// A page or a sheet whose code is a separate file, loaded when it is first opened.

import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { Button } from './Button';
import { toasts } from './toasts';

/** A page whose code is loaded when it is first opened, or earlier. */
export interface LazyPage<P> {
  readonly Page: (props: P) => JSX.Element | null;
  /** Loads the code once. After a failure the next call tries again. */
  load(): Promise<ComponentType<P>>;
  /** Sets the function that loads the code. */
  from(fetchPage: () => Promise<ComponentType<P>>): void;
}

/**
 * Makes a lazy page; `from` later sets the function that loads it. `title` begins the error message
 * of a failure. A sheet is above another page, so it shows nothing while it loads.
 */
export function lazyPage<P extends object>(title: string | (() => string), isSheet = false): LazyPage<P> {
  const name = (): string => (typeof title === 'string' ? title : title());
  let fetchPage = (): Promise<ComponentType<P>> => Promise.reject(new Error(`${name()} has no source.`));
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
          if (isHere && isSheet) toasts.say(`${name()} could not be loaded. Is there a network?`, { kind: 'problem' });
        },
      );
      return () => {
        isHere = false;
      };
    }, []);
    if (isSheet && (Loaded === null || Loaded === 'failed')) return null;
    if (Loaded === null) return <div className="page-message" aria-busy="true" />;
    if (Loaded !== 'failed') return <Loaded {...props} />;
    return (
      <LoadAgain title={`${name()} could not be loaded`}>
        The server does not answer, or it was updated meanwhile.
      </LoadAgain>
    );
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
      <Button kind="primary" icon="retry" onClick={() => window.location.reload()}>Load again</Button>
    </div>
  );
}
