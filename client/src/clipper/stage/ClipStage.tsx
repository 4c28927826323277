// The clipper's stage: the waveform of a track, to view, follow and cut.

import {
  useEffect, useImperativeHandle, useMemo, useRef, useSyncExternalStore, type KeyboardEvent, type RefObject,
} from 'react';
import { Button } from '../../ui/Button';
import { prefersReducedMotion } from '../../ui/useMedia';
import { lateWords } from '../../words/lateWords';
import { onGrid } from './columns';
import './stage.css';
import './handles.css';
import './overview.css';
import './counts.css';
import { CurrentTint, StageBands } from './StageBands';
import { CountLines, StageCounts } from './StageCounts';
import { StageGuesses } from './StageGuesses';
import { StageHandles } from './StageHandles';
import { pixels, placeOf, StageLayer, StageProvider, useFrame } from './StageLayer';
import { StageOverview } from './StageOverview';
import { StageRuler } from './StageRuler';
import { StageView } from './stageView';
import type { Stretch } from '../../timeline';
import type { StageApi, StageProps } from './types';
import { useWave } from './useWave';
import { useWaveGestures } from './useWaveGestures';
import {
  endFrame, isFinest, isWhole, pixelAt, reveal, showRange, wholeView, zoomAbout, zoomStep,
} from './viewport';

/** Shows a track's waveform with its bands, borders and selection; fills the available height. */
export function ClipStage(props: StageProps): JSX.Element {
  const { trackId, lengthFrames } = props;
  const stage = useMemo(() => (
    // Another track needs a new view, even with the same length.
    trackId === '' ? null : new StageView(lengthFrames)
  ), [trackId, lengthFrames]);
  return stage ? <StageProvider value={stage}><StageBody {...props} stage={stage} /></StageProvider> : <></>;
}

function StageBody(props: StageProps & { readonly stage: StageView }): JSX.Element {
  const {
    trackId, lengthFrames, ranges, borders, guesses, beats, selection, isPlaying, position, apiRef, stage,
  } = props;
  const root = useRef<HTMLDivElement>(null);
  const wave = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const needle = useRef<HTMLDivElement>(null);
  const overviewNeedle = useRef<HTMLDivElement>(null);
  const anchor = useRef<HTMLDivElement>(null);
  const isFollowing = useSyncExternalStore(stage.subscribe, () => stage.isFollowing);
  const isInTrouble = useWave(stage, trackId, lengthFrames, wave, canvas);
  useWaveGestures(stage, wave, anchor, props);
  useRange(stage, root);
  usePictures(stage, { needle, overviewNeedle }, { isPlaying, position, lengthFrames });

  const zoom = (factor: number): void => {
    const { view } = stage;
    const needlePixel = pixelAt(view, position());
    const isSeen = needlePixel >= 0 && needlePixel <= view.width;
    stage.show(zoomAbout(view, isSeen ? needlePixel : view.width / 2, factor));
  };
  const api: StageApi = {
    zoomIn: () => zoom(zoomStep),
    zoomOut: () => zoom(1 / zoomStep),
    zoomToAll: () => stage.show(wholeView(lengthFrames, stage.view.width)),
    zoomTo: (start, end) => {
      stage.setFollowing(false);
      stage.show(showRange(stage.view, start, end));
    },
    reveal: (frame) => stage.show(reveal(stage.view, frame)),
  };
  useImperativeHandle(apiRef, () => api);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === '+' || event.key === '=') api.zoomIn();
    else if (event.key === '-' || event.key === '_') api.zoomOut();
    else if (event.key === '0') api.zoomToAll();
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={root} className="stage" data-testid="stage" role="group" aria-label={lateWords.clipper.waveform} tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <StageRuler lengthFrames={lengthFrames} />
      {beats.length > 0 && <StageCounts beats={beats} />}
      <div ref={wave} className="stage-wave" data-testid="stage-wave">
        <div className="stage-base" />
        <StageLayer className="stage-colour">
          <CurrentTint ranges={ranges} />
          {selection && <SelectionTint selection={selection} className="stage-selection" />}
        </StageLayer>
        <canvas ref={canvas} className="stage-canvas" aria-hidden="true" />
        <StageLayer className="stage-tint">
          {beats.length > 0 && <CountLines beats={beats} />}
          <CurrentTint ranges={ranges} />
          {selection && <SelectionTint selection={selection} className="stage-selection" />}
        </StageLayer>
        <StageLayer className="stage-over">
          <StageGuesses guesses={guesses} onGuess={props.onGuess} />
          <StageHandles
            lengthFrames={lengthFrames} borders={borders} selection={selection} stepBy={props.stepBy}
            onSelect={props.onSelect} onSelectEnd={props.onSelectEnd}
            onBorder={props.onBorder} onBorderEnd={props.onBorderEnd} onSeek={props.onSeek}
          />
        </StageLayer>
        <div ref={anchor} className="stage-anchor" hidden />
        <div ref={needle} className="stage-needle" data-testid="stage-needle"><i /></div>
        {isInTrouble && (
          <p className="stage-trouble" role="status">{lateWords.clipper.noWaveform}</p>
        )}
        {isPlaying && !isFollowing && (
          <Button
            className="stage-follow" icon="next" data-testid="stage-follow" onClick={() => stage.setFollowing(true)}
          >
            {lateWords.clipper.follow}
          </Button>
        )}
      </div>
      <StageBands ranges={ranges} onRange={props.onRange} />
      <div className="stage-foot">
        <StageOverview
          trackId={trackId} lengthFrames={lengthFrames} ranges={ranges} selection={selection}
          needleRef={overviewNeedle}
        />
        <ZoomButtons stage={stage} api={api} />
      </div>
    </div>
  );
}

function ZoomButtons({ stage, api }: { stage: StageView; api: StageApi }): JSX.Element {
  useFrame();
  return (
    <div className="stage-zoom">
      <ZoomButton
        label={lateWords.clipper.zoomOut} shape="M6 12h12" testId="zoom-out" isOff={isWhole(stage.view)} onPress={api.zoomOut}
      />
      <ZoomButton
        label={lateWords.clipper.zoomIn} shape="M12 6v12M6 12h12" testId="zoom-in" isOff={isFinest(stage.view)} onPress={api.zoomIn}
      />
      <ZoomButton
        label={lateWords.clipper.zoomAll} shape="M4.5 6v12M19.5 6v12M8 12h8M10 9.5 7.5 12l2.5 2.5M14 9.5l2.5 2.5-2.5 2.5"
        testId="zoom-all" isOff={isWhole(stage.view)} onPress={api.zoomToAll}
      />
    </div>
  );
}

interface ZoomButtonProps {
  readonly label: string;
  /** The icon's strokes on a grid of 24. */
  readonly shape: string;
  readonly testId: string;
  readonly isOff: boolean;
  readonly onPress: () => void;
}

function ZoomButton({ label, shape, testId, isOff, onPress }: ZoomButtonProps): JSX.Element {
  return (
    <button
      type="button" className="icon-button" aria-label={label} title={label} data-testid={testId}
      disabled={isOff} onClick={onPress}
    >
      <svg className="icon" viewBox="0 0 24 24" width={24} height={24} aria-hidden="true">
        <path d={shape} fill="none" stroke="currentColor" strokeWidth={2} strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </button>
  );
}

function SelectionTint({ selection, className }: { selection: Stretch; className: string }): JSX.Element {
  const frame = useFrame();
  const at = placeOf(frame, selection.startFrame);
  return <div className={className} style={pixels({ '--at': at, '--wide': placeOf(frame, selection.endFrame) - at })} />;
}

/** Writes the visible range to the root element, for tests and styles. */
function useRange(stage: StageView, root: RefObject<HTMLElement>): void {
  useEffect(() => stage.onPaint(() => {
    const element = root.current;
    if (!element) return;
    const { view } = stage;
    element.dataset['startFrame'] = String(Math.round(view.startFrame));
    element.dataset['endFrame'] = String(Math.round(endFrame(view)));
    element.dataset['framesPerPixel'] = String(view.framesPerPixel);
  }), [stage, root]);
}

interface Needles {
  readonly needle: RefObject<HTMLElement>;
  readonly overviewNeedle: RefObject<HTMLElement>;
}

/**
 * Runs on every animation frame: moves the playheads with the sound, by transform only, and the
 * view with them while it follows; then draws the changes.
 */
function usePictures(
  stage: StageView, { needle, overviewNeedle }: Needles,
  sound: Pick<StageProps, 'isPlaying' | 'position' | 'lengthFrames'>,
): void {
  const latest = useRef(sound);
  latest.current = sound;
  const { isPlaying } = sound;
  useEffect(() => {
    if (isPlaying) stage.setFollowing(true);
  }, [stage, isPlaying]);

  useEffect(() => {
    let frame = -1;
    const place = (): void => {
      const view = onGrid(stage.view, window.devicePixelRatio || 1);
      const pixel = pixelAt(view, frame);
      const isSeen = pixel >= -1 && pixel <= view.width + 1;
      if (needle.current) {
        needle.current.style.visibility = isSeen ? 'visible' : 'hidden';
        if (isSeen) needle.current.style.transform = `translateX(${pixel}px)`;
      }
      const share = (frame / latest.current.lengthFrames) * 100;
      if (overviewNeedle.current) overviewNeedle.current.style.transform = `translateX(${share}%)`;
    };
    let request = 0;
    const next = (): void => {
      request = requestAnimationFrame(next);
      const heard = latest.current.position();
      if (latest.current.isPlaying) stage.followNeedle(heard, !prefersReducedMotion());
      stage.pullAtEdge();
      if (heard !== frame) {
        frame = heard;
        place();
      }
      stage.paint();
    };
    const stop = stage.onPaint(place);
    next();
    return () => {
      stop();
      cancelAnimationFrame(request);
    };
  }, [stage, needle, overviewNeedle]);
}
