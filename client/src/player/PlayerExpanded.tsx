// The large player: waveform, times, the five buttons, and the dials.

import { useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { commentChips, commentMarks } from '../comments/lazy';
import { useCompany } from '../comments/useCompany';
import { beginToLead, mayEditRoutine, useFromCounts, useFromLibrary, useFromPlayer, useMayLead, useServices, useSetting } from '../services/services';
import { Tip } from '../guide/Tip';
import type { Part } from '../sync/records';
import { IconButton } from '../ui/Button';
import { words } from '../words/words';
import { clock } from '../ui/time';
import { useMedia } from '../ui/useMedia';
import { CurrentCount } from './CurrentCount';
import { PracticeControls } from './PracticeControls';
import './expanded.css';
import { Scrubber } from './Scrubber';
import { MarkerTools, SnapSwitch } from './SectionTools';
import { SpotMarks, Spots } from './Spots';
import { Transport } from './Transport';
import { useDragDown } from './useDragDown';
import type { PartLoop, PlayablePart } from './usePartLoop';
import { usePlayhead } from '../parts/usePlayhead';

interface PlayerExpandedProps {
  readonly part: Part;
  readonly title: string;
  readonly playable: PlayablePart | null;
  /** Null in a run, where nothing repeats. */
  readonly loop: PartLoop | null;
  /** The controls in place of the dials during a run through the whole routine. */
  readonly runDials: JSX.Element | null;
  /** The progress of the audio's preparation, in percent. */
  readonly preparing: number | null;
  /** At the bottom of a wide screen, always open. */
  readonly isDocked: boolean;
  readonly onCollapse: () => void;
}

/** The player with all controls. */
export function PlayerExpanded({
  part, title, playable, loop, runDials, preparing, isDocked, onCollapse,
}: PlayerExpandedProps): JSX.Element {
  const { navigation } = useServices();
  const sheet = useRef<HTMLDivElement>(null);
  const drag = useDragDown(sheet, onCollapse);
  // A small window has no room for a tip next to the controls.
  const hasCompany = useCompany(part.routine);
  const hasRoom = useMedia('(min-height: 44rem)');
  const collapseButton = useRef<HTMLButtonElement>(null);
  useEffect(() => collapseButton.current?.focus({ preventScroll: true }), []);
  return (
    <div className="expanded" ref={sheet}>
      {!isDocked && (
        <header className="expanded-head" {...drag}>
          <span className="expanded-handle" aria-hidden="true" />
          <div className="expanded-row">
            <IconButton
              icon="down" label={words.player.collapse} data-testid="player-collapse" onClick={onCollapse}
              ref={collapseButton}
            />
            <h2 dir="auto">{title}</h2>
            <IconButton
              className="only-with-room" icon="stage" label={words.routinePage.stageView} aria-haspopup="dialog" aria-keyshortcuts="S"
              data-testid="player-stage" onClick={() => navigation.open('stageView')}
            />
            <CallerButton />
            <LeadButton routineId={part.routine} />
            <RemoteButton onPress={() => navigation.open('remote')} />
          </div>
        </header>
      )}
      <div className="expanded-wave">
        {playable
          ? (
            <Scrubber playable={playable} loop={loop}>
              {loop && <SpotMarks part={part} playable={playable} loop={loop} />}
              {loop && hasCompany && <commentMarks.Page part={part} playable={playable} />}
            </Scrubber>
          )
          : <div className="scrubber-empty" />}
      </div>
      <Times
        part={part} playable={playable} loop={loop} preparing={preparing}
        action={isDocked && (
          <span className="times-buttons">
            <CallerButton />
            <LeadButton routineId={part.routine} />
            <RemoteButton onPress={() => navigation.open('remote')} />
            <IconButton
              icon="down" label={words.player.makeSmall} data-testid="player-collapse" onClick={onCollapse}
            />
          </span>
        )}
      />
      {playable && loop && (
        <div className="loops">
          <MarkerTools playable={playable} loop={loop} />
          <SnapSwitch loop={loop} />
          <Spots part={part} playable={playable} loop={loop} />
          {hasCompany && <div className="comment-room"><commentChips.Page part={part} playable={playable} /></div>}
        </div>
      )}
      <div className="expanded-controls">
        {hasRoom && playable && loop && loop.state.markerA === null && loop.state.markerB === null && (
          <Tip name="section">{words.player.sectionTip}</Tip>
        )}
        <Transport loop={loop} isDisabled={!playable} />
        {runDials ?? <PracticeControls part={part} />}
      </div>
    </div>
  );
}

/** Opens the remote control; a visitor has no other devices. */
function RemoteButton({ onPress }: { onPress: () => void }): JSX.Element | null {
  const { link } = useServices();
  return link !== null ? null : (
    <IconButton
      icon="remote" label={words.player.otherDevice} aria-haspopup="dialog" data-testid="open-remote" onClick={onPress}
    />
  );
}

/** Leads everybody who may read the routine. */
function LeadButton({ routineId }: { routineId: string }): JSX.Element | null {
  const services = useServices();
  const { leads } = services;
  const mayLead = useMayLead(routineId);
  const isLeading = useSyncExternalStore(leads.subscribe, () => leads.own?.routine === routineId);
  if (!mayLead || isLeading) return null;
  return (
    <IconButton
      className="only-with-room" icon="lead" label={words.player.lead} data-testid="player-lead"
      onClick={() => beginToLead(services, routineId)}
    />
  );
}

/** Opens the caller's sheet, where there are counts. */
function CallerButton(): JSX.Element | null {
  const { navigation } = useServices();
  const hasCounts = useFromCounts((counts) => counts.hasCounts);
  const isOn = useSetting('caller');
  if (!hasCounts) return null;
  return (
    <IconButton
      icon="caller" label={words.player.caller(isOn)} className={isOn ? 'is-calling' : ''}
      aria-haspopup="dialog" data-testid="open-caller" onClick={() => navigation.open('caller')}
    />
  );
}

function Times({ part, playable, loop, preparing, action }: {
  part: Part; playable: PlayablePart | null; loop: PartLoop | null; preparing: number | null; action: ReactNode;
}): JSX.Element {
  const now = useRef<HTMLSpanElement>(null);
  const problem = useFromPlayer((snapshot) => snapshot.problem);
  const mayCorrect = useFromLibrary((library) => mayEditRoutine(library, part.routine));
  const inCounts = useFromCounts(({ length }) => length && words.parts.countLength(length));
  const start = playable?.startFrame ?? 0;
  usePlayhead((frame) => {
    const text = clock(playable ? frame - start : 0);
    if (now.current && now.current.textContent !== text) now.current.textContent = text;
  });
  return (
    <div className="times">
      <p className="times-clock time">
        <span ref={now} className="times-now" data-testid="time-now" />
        <span className="times-total" data-testid="time-total">
          {`/ ${clock(playable ? playable.endFrame - start : 0)}`}
        </span>
        {inCounts && <span className="times-counts" data-testid="counts-total">{inCounts}</span>}
      </p>
      {playable && <CurrentCount key={playable.trackId} isRun={loop === null} mayCorrect={mayCorrect} />}
      {preparing !== null && (
        <p className="time" role="status" data-testid="audio-importing">{words.player.preparing(preparing)}</p>
      )}
      {problem !== null && <p className="problem" role="alert" data-testid="player-problem">{problem}</p>}
      {action}
    </div>
  );
}
