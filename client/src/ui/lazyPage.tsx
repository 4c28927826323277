// A page or a sheet whose code is a file of its own, fetched when it is first opened.

import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { Button } from './Button';
import './lazyPage.css';
import { toasts } from './toasts';

/** A page whose code is fetched when it is first opened, or ahead of that. */
export interface LazyPage<P> {
  readonly Page: (props: P) => JSX.Element | null;
  /** Fetches the code once. After a failure the next call tries again. */
  load(): Promise<ComponentType<P>>;
  /** Sets what fetches the code. */
  from(fetchPage: () => Promise<ComponentType<P>>): void;
}

/**
 * Makes a lazy page; `from` sets later what fetches it. `name` begins the error message of a failed fetch.
 * A sheet lies over another page, so it shows nothing while it is fetched.
 */
export function lazyPage<P extends object>(name: string, isSheet = false): LazyPage<P> {
  let fetchPage = (): Promise<ComponentType<P>> => Promise.reject(new Error(`${name} has no source.`));
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
        // In a function of its own: React would call a bare function to get a state.
        (page) => isHere && setLoaded(() => page),
        () => {
          if (isHere) setLoaded('failed');
          if (isHere && isSheet) toasts.say(`${name} could not be loaded. Is there a network?`, { kind: 'problem' });
        },
      );
      return () => {
        isHere = false;
      };
    }, []);
    if (isSheet && (Loaded === null || Loaded === 'failed')) return null;
    if (Loaded === null) return <div className="loaded-missing" aria-busy="true" />;
    if (Loaded !== 'failed') return <Loaded {...props} />;
    return (
      <LoadAgain title={`${name} could not be loaded`}>
        The server does not answer, or it was updated meanwhile.
      </LoadAgain>
    );
  }
  const from = (fetch: () => Promise<ComponentType<P>>): void => {
    fetchPage = fetch;
  };
  return { Page, load, from };
}

/** Stands in a page's place, says why, and offers to load everything again. */
export function LoadAgain({ title, children }: { title: string; children: ReactNode }): JSX.Element {
  return (
    <div className="loaded-missing">
      <h1>{title}</h1>
      <p>{children}</p>
      <Button kind="primary" icon="retry" onClick={() => window.location.reload()}>Load again</Button>
    </div>
  );
}
