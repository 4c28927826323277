// The few controls of the stage view. They fade while the part plays, and stay for the keyboard and for screen readers.

import { useEffect, useState, type RefObject } from 'react';
import type { PartCounts } from '../audio/playedCounts';
import { LoopMoves } from '../moves/LoopMoves';
import { useFromPlayer } from '../services/services';
import type { Move } from '../sync/records';
import { IconButton } from '../ui/Button';
import { remembered } from '../ui/device';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';

interface StageControlsProps {
  readonly controls: RefObject<HTMLDivElement>;
  readonly isMirrored: boolean;
  readonly onMirror: (isMirrored: boolean) => void;
  readonly isDark: boolean;
  readonly onDark: (isDark: boolean) => void;
  /** Null if the part has no video that follows. */
  readonly isVideoShown: boolean | null;
  readonly onVideo: (isShown: boolean) => void;
  readonly onClose: () => void;
}

/** The row at the top. */
export function StageControls({
  controls, isMirrored, onMirror, isDark, onDark, isVideoShown, onVideo, onClose,
}: StageControlsProps): JSX.Element {
  const said = lateWords.stage;
  return (
    <div className="stageview-controls" ref={controls} data-testid="stage-controls">
      {isVideoShown !== null && (
        <IconButton
          icon="film" label={isVideoShown ? words.video.hide : words.video.show} aria-pressed={isVideoShown}
          data-testid="stage-video" onClick={() => onVideo(!isVideoShown)}
        />
      )}
      <IconButton
        icon="mirror" label={said.mirror} aria-pressed={isMirrored} data-testid="stage-mirror"
        onClick={() => onMirror(!isMirrored)}
      />
      <IconButton
        icon={isDark ? 'sun' : 'moon'} label={isDark ? said.light : said.dark} data-testid="stage-theme"
        onClick={() => onDark(!isDark)}
      />
      <IconButton icon="close" label={words.common.close} data-testid="stage-close" onClick={onClose} />
    </div>
  );
}

interface StageFootProps {
  /** The move that may be looped; null in a run, and without counts. */
  readonly move: Move | null;
  readonly counts: PartCounts | null;
  /** Whether the browser lets the screen go dark. */
  readonly sleeps: boolean;
}

/** What is said and offered while nothing plays. */
export function StageFoot({ move, counts, sleeps }: StageFootProps): JSX.Element {
  const problem = useFromPlayer((snapshot) => snapshot.problem);
  // A note that was closed for good on this device is not shown again.
  const [isTold] = useState(() => remembered('withheld.screen') !== null);
  return (
    <div className="stageview-foot" data-testid="stage-foot">
      {problem !== null
        ? <p className="problem" role="alert">{problem}</p>
        : <p className="stageview-hint">{lateWords.stage.tapToPlay}</p>}
      {sleeps && !isTold && <p className="stageview-hint">{words.player.screenSleeps}</p>}
      {move && counts && <LoopMoves move={move} counts={counts} />}
    </div>
  );
}

/** Shows for a moment that playback has begun or stopped, wherever that was asked for. */
export function StageFlash({ isPlaying }: { isPlaying: boolean }): JSX.Element | null {
  const [turns, setTurns] = useState(-1);
  useEffect(() => setTurns((before) => before + 1), [isPlaying]);
  if (turns < 1) return null;
  return <span key={turns} className="stageview-flash" aria-hidden="true" data-playing={isPlaying} />;
}
