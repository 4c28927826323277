// What a remote may do with the routine page: read its player's state, and press its buttons.

import type { Services } from '../services/services';
import { changeLoop } from '../parts/changeLoop';
import type { SessionHandle } from '../parts/led';
import { reportMiss, takesMisses } from '../parts/missTaker';
import { partAudio } from '../parts/partAudio';
import { fastest, percentNow, slowest, takenOver } from '../parts/practiceSettings';
import { loopStateOf, ordered, snappedChange, type LoopState } from '../parts/section';
import { seekByStep, seekStepOf } from '../parts/seekStep';
import { stopsOf } from '../parts/stops';
import type { Run } from '../parts/useRun';
import type { Part, Routine } from '../sync/records';
import type { Controls } from './controlled';
import { shortened, type RemoteAction, type RemoteState } from './protocol';
import type { Stretch } from '../timeline';

/** What the routine page shows. */
export interface PageState {
  readonly routine: Routine;
  readonly parts: readonly Part[];
  readonly index: number;
  /** The whole routine, while it is played in one go. */
  readonly run: Run | null;
  /** The speed of the run in percent. */
  readonly runPercent: number;
  /** The led session, if one goes on. */
  readonly session: SessionHandle | null;
  readonly onShow: (index: number) => void;
  readonly onRunPercent: (percent: number) => void;
}

/** Makes the controls of a page; `stand` returns its current state. */
export function controlsOf(
  services: Pick<Services, 'player' | 'library' | 'counts'>,
  stand: () => PageState,
  isSilenced: () => boolean,
): Controls {
  const { player, library } = services;
  /** The part as the library has it now: the page may not have rendered since the last press. */
  const partNow = (): Part | undefined => {
    const part = stand().parts[stand().index];
    return part && (library.get('part', part.id) ?? part);
  };
  const subjectOf = ({ routine, run }: PageState, part: Part): string => (run ? `run:${routine.id}` : part.id);
  const boundsOf = ({ run }: PageState, part: Part): Stretch | null => {
    if (run) return run.playable;
    const audio = partAudio(part, part.track ? library.get('track', part.track) : undefined);
    return audio.kind === 'ready' ? audio.bounds : null;
  };

  const read = (): RemoteState | null => {
    const page = stand();
    const part = partNow();
    if (!part) return null;
    const bounds = boundsOf(page, part);
    const { startFrame, endFrame } = bounds ?? { startFrame: 0, endFrame: 0 };
    const { snapshot } = player;
    const loop = loopStateOf(part, { startFrame, endFrame });
    const { seconds, isEight } = seekStepOf(services);
    const canLoop = page.run === null && bounds !== null;
    return {
      subject: subjectOf(page, part),
      routine: page.routine.id,
      routineTitle: shortened(page.routine.title),
      part: part.id,
      title: shortened(part.title),
      index: page.index,
      previous: page.parts[page.index - 1]?.id ?? null,
      next: page.parts[page.index + 1]?.id ?? null,
      startFrame,
      endFrame,
      state: snapshot.state,
      wantsToPlay: snapshot.wantsToPlay,
      frame: Math.max(0, Math.round(player.position())),
      countdownFramesLeft: Math.max(0, Math.round(snapshot.countdownFramesLeft)),
      countInNumber: snapshot.countInNumber,
      percent: page.run ? page.runPercent : percentNow(part, snapshot.percent),
      canLoop,
      loopMode: canLoop ? loop.loopMode : 'off',
      markerA: canLoop ? loop.markerA : null,
      markerB: canLoop ? loop.markerB : null,
      seekSeconds: seconds,
      seeksEights: isEight,
      session: page.session && shortened(page.session.title),
      needsTap: isSilenced(),
      takesMisses: takesMisses(),
      problem: snapshot.problem === null ? null : shortened(snapshot.problem),
    };
  };

  const loopTo = (part: Part, bounds: Stretch, wanted: LoopState): void => {
    const { markerA, markerB } = wanted;
    const markers = markerA !== null && markerB !== null ? ordered(markerA, markerB, bounds) : { markerA, markerB };
    // Read like the part's own fields: a marker outside of it, or half a section, is ignored.
    const next = loopStateOf({ loopMode: wanted.loopMode, ...markers }, bounds);
    changeLoop(services, part, bounds, snappedChange(loopStateOf(part, bounds), next, stopsOf(services)));
  };

  const take = (action: RemoteAction): void => {
    const page = stand();
    if (action.verb === 'play') player.play();
    else if (action.verb === 'pause') player.pause();
    else if (action.verb === 'session') page.session?.[action.command]();
    else if (action.verb === 'part') {
      // A session chooses its parts itself.
      if (page.session) return;
      const index = page.parts.findIndex(({ id }) => id === action.part);
      if (index >= 0 && index !== page.index) page.onShow(index);
    } else {
      const part = partNow();
      const bounds = part && boundsOf(page, part);
      // The command was sent while another part was current.
      if (!part || !bounds || subjectOf(page, part) !== action.subject) return;
      if (action.verb === 'seek') player.seek(action.frame);
      else if (action.verb === 'step') seekByStep(services, action.direction);
      else if (action.verb === 'miss') reportMiss(action.frame);
      else if (action.verb === 'loop') {
        if (!page.run) loopTo(part, bounds, action);
      } else if (page.run) page.onRunPercent(Math.min(fastest, Math.max(slowest, Math.round(action.percent))));
      else library.edit('part', part.id, takenOver(part, action.percent));
    }
  };
  return { read, take };
}
