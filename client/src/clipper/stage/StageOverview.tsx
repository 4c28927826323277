// An overview of the whole track: its wave, its cuts, the playhead, and a window over the visible
// range.

import { useEffect, useMemo, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { spokenTime } from '../../ui/time';
import { Waveform } from '../../ui/Waveform';
import { lateWords } from '../../words/lateWords';
import { drawnWindow, overviewZone, type OverviewZone } from './overviewZone';
import { useStage } from './StageLayer';
import type { Stretch } from '../../timeline';
import type { StageRange } from './types';
import { centreOn, endFrame, isWhole, moveEdge, panBy, panTo } from './viewport';

interface StageOverviewProps {
  readonly trackId: string;
  readonly lengthFrames: number;
  readonly ranges: readonly StageRange[];
  readonly selection: Stretch | null;
  readonly needleRef: React.Ref<HTMLDivElement>;
}

const cursors: Record<OverviewZone, string> = {
  left: 'ew-resize', right: 'ew-resize', window: 'grab', outside: 'pointer',
};
const clickSlopPixels = 4;

/** The strip below the wave. */
export function StageOverview(props: StageOverviewProps): JSX.Element {
  const { trackId, lengthFrames, ranges, selection, needleRef } = props;
  const stage = useStage();
  const strip = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const drag = useRef<{ zone: OverviewZone; begin: number; edge: number; hasMoved: boolean } | null>(null);
  const stretches = useMemo(() => [{ trackId, startFrame: 0, endFrame: lengthFrames }], [trackId, lengthFrames]);
  const share = (frame: number): string => `${(frame / lengthFrames) * 100}%`;
  const span = (startFrame: number, end: number): { left: string; width: string } => (
    { left: share(startFrame), width: share(end - startFrame) }
  );

  // Reading the width during drawing would force a layout each time.
  const stripWidth = useRef(0);
  useEffect(() => {
    const size = new ResizeObserver(() => {
      stripWidth.current = strip.current?.clientWidth ?? 0;
      stage.repaint();
    });
    if (strip.current) size.observe(strip.current);
    return () => size.disconnect();
  }, [stage]);

  useEffect(() => stage.onPaint(() => {
    const element = pane.current;
    if (!element) return;
    const { left, right } = shownWindow(stripWidth.current);
    element.style.transform = `translateX(${left}px)`;
    element.style.width = `${right - left}px`;
    const { view } = stage;
    const [from, to] = [view.startFrame, endFrame(view)];
    element.setAttribute('aria-valuenow', String(Math.round(from)));
    element.setAttribute('aria-valuetext', lateWords.clipper.fromTo(spokenTime(from), spokenTime(to)));
  }), [stage]);

  function shownWindow(width: number): { left: number; right: number } {
    const { view } = stage;
    return drawnWindow(
      (view.startFrame / lengthFrames) * width, (endFrame(view) / lengthFrames) * width, width,
    );
  }
  const placeIn = (event: PointerEvent<HTMLElement>): { pixel: number; frame: number; zone: OverviewZone } => {
    const { left, width } = strip.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    const pixel = event.clientX - left;
    const window = shownWindow(width);
    return {
      pixel, frame: (pixel / width) * lengthFrames,
      zone: overviewZone(pixel, window.left, window.right, isWhole(stage.view)),
    };
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { zone, pixel, frame } = placeIn(event);
    const { view } = stage;
    const edge = (zone === 'right' ? endFrame(view) : view.startFrame) - frame;
    drag.current = { zone, begin: pixel, edge, hasMoved: false };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const { zone, pixel, frame } = placeIn(event);
    const held = drag.current;
    if (!held) {
      event.currentTarget.style.cursor = cursors[zone];
      return;
    }
    if (!held.hasMoved && Math.abs(pixel - held.begin) <= clickSlopPixels) return;
    held.hasMoved = true;
    stage.setFollowing(false);
    if (held.zone === 'left' || held.zone === 'right') {
      stage.show(moveEdge(stage.view, held.zone, frame + held.edge));
    } else if (held.zone === 'window') {
      stage.show(panTo(stage.view, frame + held.edge));
    } else {
      stage.show(centreOn(stage.view, frame));
    }
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>): void => {
    const held = drag.current;
    drag.current = null;
    if (!held || held.hasMoved || held.zone === 'window') return;
    stage.setFollowing(false);
    stage.show(centreOn(stage.view, placeIn(event).frame));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { view } = stage;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => stage.show(panBy(view, -view.width / 10)),
      ArrowRight: () => stage.show(panBy(view, view.width / 10)),
      PageUp: () => stage.show(panBy(view, -view.width)),
      PageDown: () => stage.show(panBy(view, view.width)),
      Home: () => stage.show(panTo(view, 0)),
      End: () => stage.show(panTo(view, lengthFrames)),
    };
    const move = moves[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    stage.setFollowing(false);
    move();
  };

  return (
    <div
      ref={strip} className="stage-overview" data-testid="stage-overview"
      onPointerDown={onPointerDown} onPointerMove={onPointerMove} onPointerUp={onPointerUp}
      onPointerCancel={() => {
        drag.current = null;
      }}
    >
      <Waveform stretches={stretches} />
      {ranges.filter((range) => range.tone === 'own').map((range) => (
        <i
          key={range.id} className={range.isCurrent ? 'stage-overview-range is-current' : 'stage-overview-range'}
          style={span(range.startFrame, range.endFrame)}
        />
      ))}
      {selection && (
        <i className="stage-overview-selection" style={span(selection.startFrame, selection.endFrame)} />
      )}
      <div
        ref={pane} className="stage-window" data-testid="stage-window" role="slider" tabIndex={0}
        aria-label={lateWords.clipper.visiblePart} aria-valuemin={0} aria-valuemax={lengthFrames} aria-valuenow={0}
        onKeyDown={onKeyDown}
      />
      <div ref={needleRef} className="stage-overview-needle"><i /></div>
    </div>
  );
}
