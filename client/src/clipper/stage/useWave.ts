// The wave's canvas within a component: its size and theme, its tiles, and when it is drawn.

import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { theme } from '../../ui/theme';
import type { TileLookup } from './columns';
import type { StageView } from './stageView';
import { fetchTiles, TileLoader } from './tileLoader';
import { coarsestResolution, wantedTiles } from './tiles';
import { WavePainter } from './wavePainter';

/** The most that a quiet track is raised. */
const mostGain = 4;

/**
 * Draws the track's wave onto `canvas`, which fills `box`, whenever the view changes. Returns whether
 * the waveform can't be loaded at the moment.
 */
export function useWave(
  stage: StageView, trackId: string, lengthFrames: number,
  box: RefObject<HTMLElement>, canvas: RefObject<HTMLCanvasElement>,
): boolean {
  const [isInTrouble, setTrouble] = useState(false);
  const height = useRef(0);

  useLayoutEffect(() => {
    const element = box.current;
    const surface = canvas.current;
    if (!element || !surface) return undefined;

    const loader: TileLoader = new TileLoader(fetchTiles(trackId, lengthFrames), {
      onTile: () => {
        if (painter.isComplete) return;
        painter.forget();
        stage.repaint();
      },
      onTrouble: setTrouble,
    });
    const lookup: TileLookup = (resolution, index) => loader.store.get(resolution, index);
    const loudest = loudestOf(lookup, lengthFrames);
    const painter = new WavePainter(surface, lookup, () => Math.min(mostGain, 1 / loudest()));

    const ratio = (): number => window.devicePixelRatio || 1;
    const stopPainting = stage.onPaint(() => {
      if (height.current === 0) return;
      painter.paint(stage.view, height.current, ratio());
      element.dataset['drawn'] = String(painter.isComplete);
      loader.want(wantedTiles(stage.view, ratio()));
    });
    const measure = (): void => {
      const { clientWidth, clientHeight } = element;
      if (clientWidth === 0) return;
      height.current = clientHeight;
      // A width of whole device pixels, so that the wave's columns are the screen's.
      stage.resize(Math.round(clientWidth * ratio()) / ratio());
      stage.repaint();
    };
    // At once as well: the observer tells with the screen's next picture, and a press may come first.
    measure();
    const size = new ResizeObserver(measure);
    size.observe(element);
    const stopRatio = onRatio(measure);
    const stopTheme = theme.subscribe(() => {
      painter.forget();
      stage.repaint();
    });
    window.addEventListener('online', loader.retry);
    return () => {
      loader.close();
      stopPainting();
      size.disconnect();
      stopRatio();
      stopTheme();
      window.removeEventListener('online', loader.retry);
      setTrouble(false);
    };
  }, [stage, trackId, lengthFrames, box, canvas]);
  return isInTrouble;
}

/** Finds how loud the track gets, 0 … 1, once its coarsest tile is here; 1 before. */
function loudestOf(lookup: TileLookup, lengthFrames: number): () => number {
  let loudest: number | null = null;
  return () => {
    if (loudest === null) {
      const tile = lookup(coarsestResolution(lengthFrames), 0);
      if (!tile) return 1;
      let most = 1;
      for (const value of tile) most = Math.max(most, Math.abs(value));
      loudest = most / 127;
    }
    return loudest;
  };
}

/** Calls `act` whenever the device's pixels change: another screen, or the browser's own zoom. */
function onRatio(act: () => void): () => void {
  let list: MediaQueryList;
  const watch = (): void => {
    list = matchMedia(`(resolution: ${window.devicePixelRatio || 1}dppx)`);
    list.addEventListener('change', changed, { once: true });
  };
  const changed = (): void => {
    act();
    watch();
  };
  watch();
  return () => list.removeEventListener('change', changed);
}
