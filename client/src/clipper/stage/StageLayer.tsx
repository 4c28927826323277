// The layers above and below the wave: their elements are placed once per zoom, and each layer
// moves with the view as a whole.

import {
  createContext, useContext, useLayoutEffect, useRef, useSyncExternalStore, type CSSProperties, type ReactNode,
} from 'react';
import { onGrid } from './columns';
import type { Frame, StageView } from './stageView';
import { pixelAt } from './viewport';

const StageContext = createContext<StageView | null>(null);

/** Provides the stage's view to its children. */
export const StageProvider = StageContext.Provider;

/** Returns the view of the surrounding stage. */
export function useStage(): StageView {
  const stage = useContext(StageContext);
  if (!stage) throw new Error('This component belongs inside a stage.');
  return stage;
}

/** Returns the frame of reference for positions; renders again when it changes. */
export function useFrame(): Frame {
  const stage = useStage();
  return useSyncExternalStore(stage.subscribe, () => stage.frame);
}

/** Returns the position of a frame in a layer, in pixels; never far outside of it. */
export function placeOf(frame: Frame, at: number): number {
  const within = Math.max(frame.startFrame, Math.min(at, frame.endFrame));
  return (within - frame.originFrame) / frame.framesPerPixel;
}

/** A style with custom properties in pixels. */
export function pixels(values: Record<`--${string}`, number>): CSSProperties {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${value}px`]));
}

interface StageLayerProps {
  readonly className: string;
  readonly children: ReactNode;
}

/**
 * A layer. Its `--seen` is the position of the view's left edge in it, `--view` the view's width.
 */
export function StageLayer({ className, children }: StageLayerProps): JSX.Element {
  const stage = useStage();
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const move = (): void => {
      const layer = element.current;
      if (!layer) return;
      const left = pixelAt(onGrid(stage.view, window.devicePixelRatio || 1), stage.frame.originFrame);
      layer.style.transform = `translateX(${left}px)`;
      layer.style.setProperty('--seen', `${-left}px`);
      layer.style.setProperty('--view', `${stage.view.width}px`);
    };
    move();
    return stage.onPaint(move);
  }, [stage]);
  return <div ref={element} className={`stage-layer ${className}`}>{children}</div>;
}
