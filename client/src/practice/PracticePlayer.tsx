// The one player of the routine page: loads the part that is shown, remembers how it is looped,
// and shows itself compact, expanded, or docked on a wide screen.

import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { bindMediaSession, keepAwakeWhilePlaying } from '../audio/media';
import { useFromLibrary, useFromPlayer, useOverlay, useServices, useSetting } from '../app/services';
import type { TickSound } from '../audio/player';
import type { Part, Routine } from '../sync/records';
import { useMedia, wideScreen } from '../ui/useMedia';
import { Countdown } from './Countdown';
import { partAudio } from './partAudio';
import './player.css';
import { PlayerCompact } from './PlayerCompact';
import { PlayerExpanded } from './PlayerExpanded';
import { loopStateOf } from './section';
import { usePartLoop, type PlayablePart } from './usePartLoop';

interface PracticePlayerProps {
  readonly part: Part;
  readonly index: number;
  readonly routine: Routine;
  readonly isShown: boolean;
  readonly onPrevious: (() => void) | null;
  readonly onNext: (() => void) | null;
}

/** The player; leaving it is silence. */
export function PracticePlayer({
  part, index, routine, isShown, onPrevious, onNext,
}: PracticePlayerProps): JSX.Element {
  const { player, library, jobs } = useServices();
  const track = useFromLibrary((current) => (part.track ? current.get('track', part.track) : undefined));
  const audio = partAudio(part, track);
  const percent = useSyncExternalStore(jobs.subscribe, () => (
    part.track ? Math.round((jobs.of(part.track)?.progress ?? 0) * 100) : 0
  ));
  const preparing = audio.kind === 'importing' ? percent : null;
  const [isExpanded, expand, collapse] = useOverlay('player');
  const isWide = useMedia(wideScreen);

  const defaultCountdown = useSetting<number>('countdownSeconds', 0);
  const countdownSeconds = part.countdownSeconds ?? defaultCountdown;
  const countdownRepeats = useSetting<'every' | 'first'>('countdownRepeats', 'every');
  const tickSound = useSetting<TickSound>('countdownSound', 'clave');
  const playableKey = audio.kind === 'ready' ? JSON.stringify(audio.playable) : null;
  const boundsOf = audio.kind === 'ready' ? audio.bounds : null;
  const { startFrame, endFrame } = boundsOf ?? { startFrame: 0, endFrame: 0 };
  const { loopMode, markerA, markerB } = loopStateOf(part, { startFrame, endFrame });

  const settings = useMemo(() => ({
    loopMode, markerA, markerB, countdownSeconds, countdownRepeats, tickSound, volume: 1,
  }), [loopMode, markerA, markerB, countdownSeconds, countdownRepeats, tickSound]);
  const latestSettings = useRef(settings);
  latestSettings.current = settings;

  useEffect(() => {
    const playable = playableKey === null ? null : JSON.parse(playableKey) as Parameters<typeof player.load>[0];
    player.load(playable, latestSettings.current);
    return () => player.load(null, latestSettings.current);
  }, [player, playableKey]);
  useEffect(() => player.update(settings), [player, settings]);

  const wantsToPlay = useFromPlayer((snapshot) => snapshot.wantsToPlay);
  useEffect(() => {
    // Only a new start of playing counts as practising again.
    if (wantsToPlay) library.edit('routine', routine.id, { lastPractisedAt: Date.now() });
  }, [wantsToPlay, library, routine.id]);
  useEffect(() => keepAwakeWhilePlaying(player), [player]);
  const turn = useRef({ onPrevious, onNext });
  turn.current = { onPrevious, onNext };
  useEffect(() => bindMediaSession(player, {
    title: `${index + 1}. ${part.title}`, artist: routine.title,
    startFrame, endFrame,
    onPrevious: () => turn.current.onPrevious?.(), onNext: () => turn.current.onNext?.(),
  }), [player, index, part.title, routine.title, startFrame, endFrame]);

  const playable = useMemo<PlayablePart | null>(() => (
    endFrame > startFrame && part.track
      ? { partId: part.id, trackId: part.track, startFrame, endFrame }
      : null
  ), [part.id, part.track, startFrame, endFrame]);
  const loop = usePartLoop(part, playable);
  const shared = { part, playable, loop, countdownSeconds, preparing };
  const mode = isWide ? 'docked' : isExpanded ? 'expanded' : 'compact';

  // Hidden, it still counts down over the page when a key starts it.
  if (!isShown && mode !== 'expanded') return <Countdown />;
  return (
    <>
      {mode === 'expanded' && <div className="player-scrim" onClick={collapse} />}
      <section
        className={`player is-${mode}`} aria-label="Player" data-testid="player" data-mode={mode}
      >
        <Countdown />
        {mode === 'compact'
          ? <PlayerCompact {...shared} onExpand={expand} />
          : <PlayerExpanded key={mode} {...shared} isDocked={mode === 'docked'} onCollapse={collapse} />}
      </section>
    </>
  );
}
