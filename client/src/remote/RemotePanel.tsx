// The remote: another device's player in place of this page's own.

import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { framesPerSecond } from '../timeline';
import { TransportButtons, type TransportLoop, type TransportSource } from '../player/Transport';
import { usePlayheadOf, type PlayheadSource } from '../parts/usePlayhead';
import { announce } from '../ui/announce';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Named } from '../ui/Named';
import { percentText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { clock, clockWithTenths, spokenTime } from '../ui/time';
import type { RemoteState } from './protocol';
import type { ConnectionState, Remote } from './remote';
import { useRemoteKeys } from './useRemoteKeys';

interface RemotePanelProps {
  readonly remote: Remote;
  /** Opens the list of players. */
  readonly onChoose: () => void;
  readonly onStop: () => void;
}

/** The speed change of one press, in percent. */
const speedStep = 5;

/** The panel; it stays while the other device can't be reached. */
export function RemotePanel({ remote, onChoose, onStop }: RemotePanelProps): JSX.Element {
  const state = useSyncExternalStore(remote.subscribe, () => remote.state);
  const reach = useSyncExternalStore(remote.subscribe, () => remote.reach);
  const panel = useRef<HTMLElement>(null);
  const texts = lateWords.remote;
  useRemoteKeys(remote);
  const { name } = remote.target;
  const trouble = troubleOf(reach, state);
  const told = typeof trouble === 'function' ? trouble(name) : trouble;
  useEffect(() => {
    if (told !== null) announce(told);
  }, [told]);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  return (
    <section
      ref={panel} className="remote" aria-label={texts.playerOn(name)} tabIndex={-1}
      data-testid="remote" data-reach={reach}
    >
      <header className="remote-head">
        <Icon name="remote" size={20} />
        <p><Named message={texts.controlling} name={name} isBold /></p>
        <Button isSmall kind="quiet" data-testid="remote-stop" onClick={onStop}>{texts.stop}</Button>
      </header>
      {trouble !== null && (
        <p className="remote-trouble" data-testid="remote-trouble">
          {typeof trouble === 'function' ? <Named message={trouble} name={name} /> : trouble}
        </p>
      )}
      {reach === 'gone' && (
        <Button kind="primary" icon="remote" data-testid="remote-again" onClick={onChoose}>{texts.choose}</Button>
      )}
      {state && reach !== 'gone' && <Playing remote={remote} state={state} isDisabled={reach !== 'joined'} />}
    </section>
  );
}

/** A sentence about a problem, or one whose gap is the name of the other device; null if there is none. */
function troubleOf(reach: ConnectionState, state: RemoteState | null): string | ((name: string) => string) | null {
  const { remote } = lateWords;
  if (reach === 'joining') return remote.connecting;
  if (reach === 'lost') return remote.lost;
  if (reach === 'gone') return remote.gone;
  if (state?.needsTap) return remote.needsTap;
  return state?.problem ?? null;
}

const sessionIcons = { again: 'retry', longer: 'plus', next: 'next' } as const;

interface PlayingProps {
  readonly remote: Remote;
  readonly state: RemoteState;
  readonly isDisabled: boolean;
}

function Playing({ remote, state, isDisabled }: PlayingProps): JSX.Element {
  const isEmpty = state.endFrame <= state.startFrame;
  const isDead = isDisabled || isEmpty;
  const texts = lateWords.remote;
  const isLed = state.session != null;
  return (
    <>
      <div className="remote-title">
        <IconButton
          icon="back" label={texts.previous} disabled={isDisabled || state.previous === null || isLed}
          data-testid="remote-previous" onClick={() => remote.previous()}
        />
        <p>
          <small dir="auto">{state.routineTitle}</small>
          <b dir="auto" data-testid="remote-title">{state.session ?? `${state.index + 1}. ${state.title}`}</b>
        </p>
        <IconButton
          icon="next" label={texts.next} disabled={isDisabled || state.next === null || isLed}
          data-testid="remote-next" onClick={() => remote.next()}
        />
      </div>
      {state.takesMisses && (
        <button
          type="button" className="remote-miss" disabled={isDead} data-testid="remote-miss"
          // Earlier than the click, by as long as a finger rests.
          onPointerDown={(event) => {
            if (event.isPrimary && event.button === 0) remote.miss();
          }}
          onClick={(event) => {
            if (event.detail === 0) remote.miss();
          }}
        >
          {lateWords.runThrough.missed}
        </button>
      )}
      <Place remote={remote} state={state} isDisabled={isDead} />
      <Buttons remote={remote} state={state} isDisabled={isDead} />
      {isLed && (
        <div className="remote-session" role="group" aria-label={lateWords.plans.session}>
          {(['again', 'longer', 'next'] as const).map((command) => (
            <Button
              key={command} icon={sessionIcons[command]} disabled={isDisabled} data-testid={`remote-session-${command}`}
              onClick={() => remote.session(command)}
            >
              {command === 'next' ? lateWords.plans.skip : lateWords.plans[command]}
            </Button>
          ))}
        </div>
      )}
      {!isLed && <div className="remote-speed" role="group" aria-label={texts.speed}>
        <IconButton
          icon="minus" label={texts.slower(percentText(speedStep))} disabled={isDead}
          data-testid="remote-slower" onClick={() => remote.faster(-speedStep)}
        />
        <output className="time" data-testid="remote-speed">{percentText(state.percent)}</output>
        <IconButton
          icon="plus" label={texts.faster(percentText(speedStep))} disabled={isDead}
          data-testid="remote-faster" onClick={() => remote.faster(speedStep)}
        />
      </div>}
    </>
  );
}

/** The position: a slider to seek, the time or the countdown, A and B. */
function Place({ remote, state, isDisabled }: PlayingProps): JSX.Element {
  const slider = useRef<HTMLInputElement>(null);
  const now = useRef<HTMLSpanElement>(null);
  const [isDragged, setDragged] = useState(false);
  const { startFrame, endFrame, markerA, markerB } = state;
  const isCounting = state.state === 'countdown' && state.wantsToPlay;
  const number = state.countInNumber || Math.max(1, Math.ceil(state.countdownFramesLeft / framesPerSecond));
  const playhead = useMemo((): PlayheadSource => ({
    subscribe: remote.subscribe,
    position: () => remote.position(),
    get isMoving() {
      return remote.state?.state === 'playing' && remote.reach === 'joined';
    },
  }), [remote]);
  usePlayheadOf(playhead, (frame) => {
    const text = clock(frame - startFrame);
    if (now.current && now.current.textContent !== text) now.current.textContent = text;
    if (!slider.current || isDragged) return;
    slider.current.value = String(frame);
    slider.current.setAttribute('aria-valuetext', spokenTime(frame - startFrame));
  });
  const share = (frame: number): string => `${((frame - startFrame) / Math.max(1, endFrame - startFrame)) * 100}%`;
  return (
    <>
      <div className="remote-place">
        {markerA !== null && markerB !== null && (
          <i
            className={state.loopMode === 'section' ? 'remote-section is-active' : 'remote-section'}
            style={{ left: share(markerA), right: `calc(100% - ${share(markerB)})` }}
          />
        )}
        {markerA !== null && <i className="remote-marker is-a" style={{ left: share(markerA) }} />}
        {markerB !== null && <i className="remote-marker is-b" style={{ left: share(markerB) }} />}
        <input
          ref={slider} className="slider" type="range" min={startFrame} max={Math.max(endFrame, startFrame + 1)}
          step={1} defaultValue={startFrame} aria-label={lateWords.remote.position} disabled={isDisabled} data-testid="remote-slider"
          onPointerDown={() => setDragged(true)} onPointerUp={() => setDragged(false)}
          onPointerCancel={() => setDragged(false)} onBlur={() => setDragged(false)}
          onKeyDown={(event) => {
            // One frame is too small a step for a key; left and right are keys of the whole page.
            if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
            event.preventDefault();
            remote.skip(event.key === 'ArrowUp' ? 1 : -1);
          }}
          onChange={(event) => remote.seek(Number(event.target.value))}
        />
      </div>
      <div className="remote-times">
        <p className="time">
          {isCounting
            ? <b className="remote-count" role="timer" data-testid="remote-count">{number}</b>
            : <><span ref={now} data-testid="remote-now" /><small>{` / ${clock(endFrame - startFrame)}`}</small></>}
        </p>
        {(markerA !== null || markerB !== null) && (
          <p className="marker-times time">
            {markerA !== null && <span className="word-a">{`A ${clockWithTenths(markerA - startFrame)}`}</span>}
            {markerB !== null && <span className="word-b">{`B ${clockWithTenths(markerB - startFrame)}`}</span>}
            <IconButton
              icon="close" label={lateWords.remote.clear} disabled={isDisabled} data-testid="remote-clear"
              onClick={() => remote.clear()}
            />
          </p>
        )}
      </div>
    </>
  );
}

function Buttons({ remote, state, isDisabled }: PlayingProps): JSX.Element {
  const source: TransportSource = {
    wantsToPlay: state.wantsToPlay,
    isLoading: state.wantsToPlay && state.state === 'loading',
    seekStep: { seconds: state.seekSeconds, isEight: state.seeksEights ?? false },
    testIdPrefix: 'remote-',
    toggle: () => remote.toggle(),
    skip: (direction) => remote.skip(direction),
  };
  const loop: TransportLoop = {
    state, section: () => remote.section(), whole: () => remote.whole(), clear: () => remote.clear(),
  };
  return <TransportButtons source={source} loop={state.canLoop ? loop : null} isDisabled={isDisabled} />;
}
