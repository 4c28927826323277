// The one player of the routine page: loads the shown part, stores its looping, and is compact,
// expanded, or docked on a wide screen.

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { bindMediaSession, hasMediaKeys, keepAwakeWhilePlaying } from '../audio/media';
import { useFromLibrary, useFromPlayer, useOverlay, useServices, useSetting } from '../services/services';
import { beatsOf, type KnownBeats } from '../audio/beats';
import type { PlayerPart } from '../audio/player';
import { voiceLanguage } from '../audio/voice';
import { frameInOtherRun } from '../audio/run';
import type { Part, Routine } from '../sync/records';
import { remember, remembered } from '../ui/device';
import { useMedia, wideScreen } from '../ui/useMedia';
import { words } from '../words/words';
import { Countdown } from './Countdown';
import { callerSheet, callMoves, countsSheet } from './lazy';
import { partAudio } from '../parts/partAudio';
import './player.css';
import { PlayerCompact } from './PlayerCompact';
import { PlayerExpanded } from './PlayerExpanded';
import { loopStateOf } from '../parts/section';
import type { Led } from '../parts/led';
import { RunSpeed } from './RunSpeed';
import { TracksCounts, type TakeBeats } from './TrackCounts';
import { notePlace, placeOf, storedPlace, takesPlay } from '../parts/lastPlace';
import { seekByStep, seekStepOf } from '../parts/seekStep';
import { startOfPart, type Run } from '../parts/useRun';
import { useEvenLevels } from '../parts/useEvenLevels';
import { useBottomTaken } from './useBottomTaken';
import { usePartLoop, type PlayablePart } from './usePartLoop';
import { usePartPractice } from '../parts/usePartPractice';
import { WithheldNote } from './WithheldNote';

interface PracticePlayerProps {
  readonly part: Part;
  /** All parts of the routine, in order. */
  readonly parts: readonly Part[];
  readonly index: number;
  readonly routine: Routine;
  readonly isShown: boolean;
  /** The whole routine, while it is played in one go. */
  readonly run: Run | null;
  /** What a led session plays, in place of both. */
  readonly led: Led | null;
  /** The speed of the run in percent. */
  readonly runPercent: number;
  readonly onRunPercent: (percent: number) => void;
  readonly onPrevious: (() => void) | null;
  readonly onNext: (() => void) | null;
}

/** What was playing when its audio changed. */
interface Interrupted {
  readonly playable: PlayerPart;
  readonly frame: number;
}

/**
 * Finds where the same part, or run, continues after a border was moved or a song became ready. It
 * is a new start: with a countdown, and with the repeats and the trainer from their beginning.
 */
function frameToGoOn(before: Interrupted | null, now: PlayerPart): number | null {
  if (before?.playable.id !== now.id) return null;
  if (now.run && before.playable.run) return frameInOtherRun(before.playable.run, before.frame, now.run);
  return now.trackId === before.playable.trackId && before.frame < now.endFrame ? before.frame : null;
}

/** Whether another part was playing, outside of a run. */
function isOtherPart(before: Interrupted | null, now: PlayerPart): boolean {
  return before !== null && before.playable.id !== now.id && !before.playable.run && !now.run;
}

/** As long as an announcement takes. */
const announcedSeconds = 5;

const nothingLoops = { loopMode: 'off', markerA: null, markerB: null } as const;

/** The player; it stops when the page is left. */
export function PracticePlayer({
  part, parts, index, routine, isShown, run: wholeRun, led, runPercent, onRunPercent, onPrevious, onNext,
}: PracticePlayerProps): JSX.Element {
  const run = led?.run ?? wholeRun;
  const services = useServices();
  const { player, counts, library, jobs } = services;
  const track = useFromLibrary((current) => (part.track ? current.get('track', part.track) : undefined));
  const audio = partAudio(part, track);
  const percent = useSyncExternalStore(jobs.subscribe, () => (
    part.track ? Math.round((jobs.of(part.track)?.progress ?? 0) * 100) : 0
  ));
  const preparing = audio.kind === 'importing' ? percent : null;
  const [isExpanded, expand, collapse] = useOverlay('player');
  const [isCounting, , endCounting] = useOverlay('counts');
  const [isCalling, , closeCaller] = useOverlay('caller');
  const isWide = useMedia(wideScreen);

  const practice = usePartPractice(part);
  const tickSound = useSetting('countdownSound');
  const tickVolume = useSetting('countdownVolume');
  const countIn = useSetting('countIn');
  const clickVolume = useSetting('clickVolume');
  const countInSpeaks = useSetting('countInSound') === 'voice' && countIn !== 'seconds';
  const clickSpeaks = useSetting('clickSound') === 'voice' && clickVolume > 0;
  const chosenVoice = useSetting('voiceLanguage');
  const voice = countInSpeaks || clickSpeaks ? voiceLanguage(chosenVoice) : null;
  const heard = run?.playable ?? (audio.kind === 'ready' ? audio.playable : null);
  const playableKey = heard && JSON.stringify(heard);
  const boundsOf = heard;
  const { startFrame, endFrame } = boundsOf ?? { startFrame: 0, endFrame: 0 };
  const { loopMode, markerA, markerB } = run ? nothingLoops : loopStateOf(part, { startFrame, endFrame });

  const callerVolume = useSetting('callerVolume');
  const callerDuck = useSetting('callerDuck');
  const callsMoves = useSetting('caller');

  const levels = useEvenLevels(routine, heard, playableKey);
  const settings = useMemo(() => ({
    ...practice, ...(run && { percent: runPercent, semitones: 0 }), loopMode, markerA, markerB, tickSound, tickVolume,
    countIn, clickVolume, countInSpeaks, clickSpeaks, voice, callerVolume: callsMoves || led ? callerVolume : 0, callerDuck, levels, startOverSeconds: 1,
    ...led?.settings,
    // A countdown gives the announcement its time.
    ...(led?.announcement && { countdownSeconds: Math.max(practice.countdownSeconds, announcedSeconds) }),
  }), [
    practice, run, runPercent, loopMode, markerA, markerB, tickSound, tickVolume, countIn, clickVolume, countInSpeaks,
    clickSpeaks, voice, callsMoves, callerVolume, callerDuck, levels, led,
  ]);
  const runFrom = useRef<number | null>(null);
  runFrom.current = wholeRun && !led ? startOfPart(wholeRun, index) : null;
  const latestSettings = useRef(settings);
  latestSettings.current = settings;

  // By their tracks, so that a part that is loaded later has them at once.
  const knownBeats = useRef<KnownBeats>(new Map());
  const heardNow = useRef(heard);
  heardNow.current = heard;
  const takeBeats = useCallback<TakeBeats>((track, beats) => {
    knownBeats.current = new Map(knownBeats.current).set(track, beats);
    if (heardNow.current) player.setBeats(beatsOf(heardNow.current, knownBeats.current));
  }, [player]);

  const interrupted = useRef<Interrupted | null>(null);
  // Before the page is painted, as in the clipper: a later release would unload the next page's
  // song.
  useLayoutEffect(() => {
    const playable = playableKey === null ? null : JSON.parse(playableKey) as PlayerPart;
    counts.load(playable);
    player.load(playable, latestSettings.current, playable ? beatsOf(playable, knownBeats.current) : []);
    const before = interrupted.current;
    const frame = playable && frameToGoOn(before, playable);
    if (playable?.run && runFrom.current !== null) player.seek(runFrom.current);
    if (frame !== null) {
      player.seek(frame);
      player.play();
    } else if (playable && isOtherPart(before, playable) && remembered('partChange') === 'plays') {
      player.play();
    } else if (playable && takesPlay(routine.id)) {
      // A press in the list started it, and its gesture is still active.
      const place = placeOf(storedPlace(routine.id));
      if (place?.partId === playable.id && place.frame < playable.endFrame) player.seek(place.frame);
      player.play();
    }
    return () => {
      if (playable) notePlace(player, routine.id, playable);
      interrupted.current = playable && player.snapshot.wantsToPlay ? { playable, frame: player.position() } : null;
      counts.load(null);
      player.load(null, latestSettings.current);
    };
  }, [player, counts, playableKey]);
  const runId = led ? undefined : run?.playable.id;
  useEffect(() => {
    // A press started it, and its gesture is still active, so that the browser allows the sound.
    if (runId) player.play();
  }, [player, runId]);
  useEffect(() => player.update(settings), [player, settings]);
  const called = useMemo(() => (playableKey === null ? null : JSON.parse(playableKey) as PlayerPart), [playableKey]);

  const wantsToPlay = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  useEffect(() => {
    // Only a new start of playing counts as practising again.
    if (wantsToPlay) library.edit('routine', routine.id, { lastPractisedAt: Date.now() });
  }, [wantsToPlay, library, routine.id]);
  useEffect(() => {
    // The page may be closed without a last word.
    const note = (): void => {
      if (playableKey !== null) notePlace(player, routine.id, JSON.parse(playableKey) as PlayerPart);
    };
    if (!wantsToPlay) note();
    window.addEventListener('pagehide', note);
    return () => window.removeEventListener('pagehide', note);
  }, [player, wantsToPlay, routine.id, playableKey]);
  // What was to play next was this page, or never came.
  useEffect(() => () => void takesPlay(''), []);
  const [sleeps, setSleeps] = useState(false);
  useEffect(() => keepAwakeWhilePlaying(player, setSleeps), [player]);
  const turn = useRef({ onPrevious, onNext });
  turn.current = { onPrevious, onNext };
  useEffect(() => bindMediaSession(player, {
    title: `${index + 1}. ${part.title}`, artist: routine.title,
    startFrame, endFrame,
    // Some systems always name their own seconds.
    onSeek: (direction) => {
      const { isEight } = seekStepOf(services);
      if (isEight) seekByStep(services, direction);
      return isEight;
    },
    onPrevious: () => turn.current.onPrevious?.(), onNext: () => turn.current.onNext?.(),
  }), [services, player, index, part.title, routine.title, startFrame, endFrame]);

  const stretches = run?.stretches;
  const trackId = stretches ? routine.id : part.track;
  const playable = useMemo<PlayablePart | null>(() => (
    endFrame > startFrame && trackId
      ? { partId: part.id, trackId, startFrame, endFrame, ...(stretches && { stretches }) }
      : null
  ), [part.id, trackId, startFrame, endFrame, stretches]);
  const partLoop = usePartLoop(part, playable);
  const loop = run ? null : partLoop;
  const title = `${index + 1}. ${part.title}`;
  const shared = { title, playable, loop, preparing: run ? null : preparing };
  const [isSmall, setSmall] = useState(() => remembered('playerDock') === 'small');
  const dock = (small: boolean): void => {
    remember('playerDock', small ? 'small' : 'large');
    setSmall(small);
  };
  const mode = isWide ? (isSmall ? 'compact' : 'docked') : isExpanded ? 'expanded' : 'compact';
  const section = useRef<HTMLElement>(null);
  useBottomTaken(section, isShown || mode === 'expanded' ? mode : null);
  const expandButton = useRef<HTMLButtonElement>(null);
  const lastMode = useRef(mode);
  useEffect(() => {
    // The focus returns to the element that opens the large player, unless another element has it.
    if (lastMode.current !== 'compact' && document.activeElement === document.body) expandButton.current?.focus({ preventScroll: true });
    lastMode.current = mode;
  }, [mode]);

  const always = (
    <>
      {heard && <TracksCounts playable={heard} onBeats={takeBeats} />}
      {(callsMoves || led) && called && (
        <callMoves.Page
          part={part} parts={parts} run={run} playable={called} callsMoves={callsMoves} announcement={led?.announcement ?? null}
        />
      )}
      {isCalling && <callerSheet.Page onClose={closeCaller} />}
      {isCounting && playable && loop && (
        <countsSheet.Page key={playable.trackId} playable={playable} onClose={endCounting} />
      )}
    </>
  );
  // While hidden it still shows the countdown over the page when a key starts it.
  if (!isShown && mode !== 'expanded') return <>{always}<Countdown /></>;
  return (
    <>
      {always}
      {mode === 'expanded' && <div className="player-scrim" onClick={collapse} />}
      <section
        className={`player is-${mode}`} aria-label={words.player.player} data-testid="player" data-mode={mode}
        ref={section}
      >
        <Countdown />
        <WithheldNote
          withheld={[...(sleeps ? ['screen' as const] : []), ...(hasMediaKeys() ? [] : ['keys' as const])]}
        />
        {mode === 'compact'
          ? <PlayerCompact
            {...shared} part={part} onPrevious={onPrevious} onNext={onNext} expandRef={expandButton}
            onExpand={isWide ? () => dock(false) : expand}
          />
          : <PlayerExpanded
            key={mode} {...shared} part={part}
            runDials={run && <RunSpeed percent={runPercent} onPercent={onRunPercent} />} isDocked={mode === 'docked'}
            onCollapse={isWide ? () => dock(true) : collapse}
          />}
      </section>
    </>
  );
}
