// The buttons of a routine's page: play all, add a move, the video, and a menu with the rest.

import { useState } from 'react';
import { useCompany } from '../comments/useCompany';
import { beginToLead, useMayEdit, useMayLead, useServices } from '../services/services';
import type { Part } from '../sync/records';
import { Button, IconButton } from '../ui/Button';
import { remember, remembered } from '../ui/device';
import type { MovesLayout } from '../ui/layout';
import { Menu, type MenuItem } from '../ui/Menu';
import { MenuButton } from '../ui/MenuButton';
import { VideoAction, type VideoSwitch } from '../video/VideoAction';
import { words } from '../words/words';
import './pageActions.css';
import type { RoutineRun } from './useRoutineRun';

interface PageActionsProps {
  readonly part: Part | undefined;
  readonly index: number;
  readonly video: VideoSwitch;
  /** Null if the routine has a single part. */
  readonly run: RoutineRun | null;
  readonly isPlayerShown: boolean;
  /** Whether the stage view may be opened. */
  readonly hasStage: boolean;
  readonly overview: MovesLayout;
  readonly onShow: (index: number) => void;
  readonly onPlayer: (isShown: boolean) => void;
  readonly onOverview: (overview: MovesLayout) => void;
}

/** What is needed most, with its name or, where that has no room, its icon alone; everything else is in the menu. */
export function PageActions({
  part, index, video, run, isPlayerShown, hasStage, overview, onShow, onPlayer, onOverview,
}: PageActionsProps): JSX.Element {
  const services = useServices();
  const { navigation, library, link } = services;
  const mayLead = useMayLead(part?.routine);
  const mayEdit = useMayEdit(part?.routine);
  const isLinked = link !== null;
  const hasCompany = useCompany(part?.routine);
  const layout = (value: MovesLayout, label: string): MenuItem => ({
    label, isChosen: overview === value, testId: `overview-${value}`, run: () => onOverview(value),
  });
  const text = words.routinePage;
  return (
    <div className="practice-actions">
      {part && (
        <Button
          isSmall kind="primary" icon="goal" aria-label={text.practise} data-testid="action-practise" aria-haspopup="dialog"
          onClick={() => navigation.open('practise')}
        >
          {text.practise}
        </Button>
      )}
      {run && <PlayAll run={run} index={index} onShow={onShow} />}
      {part && mayEdit && (
        <Button
          isSmall icon="plus" aria-label={words.moves.addMove} data-testid="action-add-move" aria-haspopup="dialog"
          onClick={() => navigation.open('addMove')}
        >
          {words.moves.addMove}
        </Button>
      )}
      <span className="practice-gap" />
      {hasStage && (
        <IconButton
          icon="stage" label={text.stageView} aria-haspopup="dialog" aria-keyshortcuts="S" data-testid="action-stage"
          onClick={() => navigation.open('stageView')}
        />
      )}
      {part && (mayEdit || part.video) && <VideoAction part={part} video={video} />}
      <MenuButton
        label={text.more} menuLabel={text.more} testId="action-more"
        items={() => [
          ...(hasStage ? [{
            label: text.runThrough, icon: 'run' as const, testId: 'action-run-through', run: () => navigation.open('runThrough'),
          }] : []),
          {
            label: isPlayerShown ? text.hidePlayer : text.showPlayer, icon: 'audio', testId: 'action-audio',
            run: () => onPlayer(!isPlayerShown),
          },
          {
            label: text.playOn, isOn: playsOn(), testId: 'action-play-on',
            run: () => remember('partChange', playsOn() ? 'stops' : 'plays'),
          },
          ...(part && !isLinked ? [{
            label: words.routines.progress, testId: 'action-progress',
            run: () => navigation.go({ page: 'progress', routineId: part.routine }),
          }] : []),
          ...(!isLinked ? [{ label: text.whatChanged, testId: 'action-changes', run: () => navigation.open('changes') }] : []),
          ...(hasCompany ? [{ label: text.comments, icon: 'comment' as const, testId: 'action-comments', run: () => navigation.open('comments') }] : []),
          ...(!isLinked && library.status.people ? [{
            label: words.people.share, icon: 'people' as const, testId: 'action-share', run: () => navigation.open('share'),
          }] : []),
          ...(part && mayLead ? [{
            label: words.player.lead, icon: 'lead' as const, testId: 'action-lead',
            run: () => beginToLead(services, part.routine),
          }] : []),
          ...(mayEdit ? [{
            label: words.common.shareByLink, icon: 'share' as const, testId: 'action-links', run: () => navigation.open('links'),
          }] : []),
          ...(part?.track && mayEdit && !run?.isOn ? [{
            label: words.player.counts, testId: 'action-counts', run: () => navigation.open('counts'),
          }] : []),
          layout('list', text.asList), layout('two', text.asTwo), layout('three', text.asThree), layout('eights', text.asEights),
        ]}
      />
    </div>
  );
}

/** Whether the music goes on when another part is shown. */
const playsOn = (): boolean => remembered('partChange') === 'plays';

/** Plays the parts one after the other; on a later part it asks from where. */
function PlayAll({ run, index, onShow }: Pick<PageActionsProps, 'index' | 'onShow'> & { run: RoutineRun }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const text = words.routinePage;
  const asks = !run.isOn && index > 0;
  return (
    <div className="menu-holder">
      <Button
        isSmall icon="run" aria-label={text.playAll} data-testid="action-run" disabled={!run.canStart} aria-pressed={run.isOn}
        aria-haspopup={asks ? 'menu' : undefined} aria-expanded={asks ? isOpen : undefined}
        onClick={asks ? () => setOpen(true) : run.toggle}
      >
        {text.playAll}
      </Button>
      {isOpen && (
        <Menu
          label={text.playAll} onClose={() => setOpen(false)}
          items={[
            {
              label: text.fromStart, icon: 'run', testId: 'run-from-start',
              run: () => {
                onShow(0);
                run.toggle();
              },
            },
            { label: text.fromPart(index + 1), icon: 'next', testId: 'run-from-part', run: run.toggle },
          ]}
        />
      )}
    </div>
  );
}
