// The page of a song is a file of its own: fetched when the clipper is first opened.

import { useEffect, useState } from 'react';
import { Button } from '../ui/Button';
import type { CutPage } from './CutPage';
// Styles are one file, loaded with the app: a page never stands there without them.
import './cutting.css';
import './stage/stage.css';

type Page = typeof CutPage;

let loading: Promise<Page> | null = null;

/** Fetches the page's code once. After a failure the next call tries again. */
export function loadCutPage(): Promise<Page> {
  loading ??= import('./CutPage').then((module) => module.CutPage);
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

/** The page of a song, once its code is here. */
export function LoadedCutPage(props: { trackId: string; partId: string | null }): JSX.Element {
  const [Loaded, setLoaded] = useState<Page | 'failed' | null>(null);
  useEffect(() => {
    let isHere = true;
    loadCutPage().then(
      // In a function of its own: React would call a bare function to get a state.
      (page) => isHere && setLoaded(() => page),
      () => isHere && setLoaded('failed'),
    );
    return () => {
      isHere = false;
    };
  }, []);
  if (Loaded === null) return <main className="cutter-missing" aria-busy="true" />;
  if (Loaded !== 'failed') return <Loaded {...props} />;
  return (
    <main className="cutter-missing">
      <h1>The clipper could not be loaded</h1>
      <p>The server does not answer, or it was updated meanwhile.</p>
      <Button kind="primary" icon="retry" onClick={() => window.location.reload()}>Load again</Button>
    </main>
  );
}
