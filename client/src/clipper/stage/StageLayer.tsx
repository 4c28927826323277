// What lies over and under the wave: layers whose things are placed once per zoom, and that follow
// the view by moving as a whole.

import {
  createContext, useContext, useLayoutEffect, useRef, useSyncExternalStore, type CSSProperties, type ReactNode,
} from 'react';
import { onGrid } from './columns';
import type { Frame, StageView } from './stageView';
import { pixelAt } from './viewport';

const StageContext = createContext<StageView | null>(null);

/** Gives the stage's view to what is inside. */
export const StageProvider = StageContext.Provider;

/** The view of the stage that a component is in. */
export function useStage(): StageView {
  const stage = useContext(StageContext);
  if (!stage) throw new Error('This component belongs inside a stage.');
  return stage;
}

/** What things are placed by; renders again when that changes. */
export function useFrame(): Frame {
  const stage = useStage();
  return useSyncExternalStore(stage.subscribe, () => stage.frame);
}

/** Finds the place of a frame in a layer, in pixels; never far outside of it. */
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

/** A layer. Its `--seen` is the place of the view's left edge in it, `--view` the view's width. */
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
