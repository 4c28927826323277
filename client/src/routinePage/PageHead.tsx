// The head of a routine's page, and the buttons below it.

import { useServices } from '../services/services';
import type { Part, Routine } from '../sync/records';
import { IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { layoutName, nextLayout, type Layout } from '../ui/layout';
import { VideoAction, type VideoSwitch } from '../video/VideoAction';
import { words } from '../words/words';
import type { RoutineRun } from './useRoutineRun';

interface PageHeadProps {
  readonly routine: Routine;
  readonly part: Part | undefined;
  readonly index: number;
  /** Makes the head take no input while the large player covers it. */
  readonly covered: { readonly inert: '' | undefined };
  readonly onLeave: () => void;
  readonly onJump: () => void;
  readonly onEdit: () => void;
}

/** The names of the routine and of the shown part, which open "Jump to". */
export function PageHead({ routine, part, index, covered, onLeave, onJump, onEdit }: PageHeadProps): JSX.Element {
  return (
    <header className="practice-head full-head" {...covered}>
      <h1 className="only-spoken">{routine.title}</h1>
      <IconButton icon="back" label={words.routinePage.allRoutines} data-testid="routine-back" onClick={onLeave} />
      <button
        type="button" className="title-button practice-title" data-testid="jump-button" aria-haspopup="dialog"
        disabled={part === undefined} onClick={onJump}
      >
        <small dir="auto">{routine.title}</small>
        <span className="practice-part">
          <b dir="auto">{part ? `${index + 1}. ${part.title}` : words.routinePage.noParts}</b>
          {part && <Icon name="down" size={18} />}
        </span>
      </button>
      <IconButton icon="edit" label={words.routinePage.edit} data-testid="edit-routine" onClick={onEdit} />
    </header>
  );
}

interface PageActionsProps {
  readonly part: Part | undefined;
  readonly video: VideoSwitch;
  /** Null if the routine has a single part. */
  readonly run: RoutineRun | null;
  readonly isPlayerShown: boolean;
  readonly overview: Layout;
  readonly onPlayer: (isShown: boolean) => void;
  readonly onOverview: (overview: Layout) => void;
}

/** The buttons: player, video, run, layout of the moves, new move. */
export function PageActions({
  part, video, run, isPlayerShown, overview, onPlayer, onOverview,
}: PageActionsProps): JSX.Element {
  const { navigation } = useServices();
  return (
    <div className="practice-actions">
      <IconButton
        icon="audio" label={isPlayerShown ? words.routinePage.hidePlayer : words.routinePage.showPlayer} aria-pressed={isPlayerShown}
        data-testid="action-audio" onClick={() => onPlayer(!isPlayerShown)}
      />
      {part && <VideoAction part={part} video={video} />}
      {run && (
        <IconButton
          icon="run" aria-pressed={run.isOn} data-testid="action-run" disabled={!run.canStart}
          label={run.isOn ? words.routinePage.onePart : words.routinePage.playAll} onClick={run.toggle}
        />
      )}
      <IconButton
        icon={overview} data-testid="action-overview"
        label={words.routinePage.layout(layoutName(overview), layoutName(nextLayout(overview)))}
        onClick={() => onOverview(nextLayout(overview))}
      />
      {part && (
        <IconButton
          icon="plus" label={words.moves.addMove} className="action-add" data-testid="action-add-move"
          aria-haspopup="dialog" onClick={() => navigation.open('addMove')}
        />
      )}
    </div>
  );
}
