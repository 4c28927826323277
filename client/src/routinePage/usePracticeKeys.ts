// The keys of the routine page.

import { useEffect, useRef } from 'react';
import { practiceAction } from '../player/keys';
import { useServices } from '../services/services';
import type { Part } from '../sync/records';
import { changeLoop } from '../parts/changeLoop';
import { partAudio } from '../parts/partAudio';
import { pressLoop, setMarker, loopStateOf } from '../parts/section';
import { seekByStep } from '../parts/seekStep';
import { stopsOf } from '../parts/stops';

interface PracticeKeys {
  readonly part: Part | null;
  readonly index: number;
  readonly count: number;
  readonly onShow: (index: number) => void;
  /** Changes the speed by this many percent. */
  readonly onSpeed: (delta: number) => void;
  /** Whether the stage view may be opened. */
  readonly hasStage: boolean;
  /** A led session has keys of its own. */
  readonly isLed: boolean;
}

/** The speed change of one press of + or −, in percent. */
const keyStep = 5;

/**
 * Listens to the keyboard while the page is shown, except while the user types or a sheet is open.
 */
export function usePracticeKeys(keys: PracticeKeys): void {
  const services = useServices();
  const latest = useRef(keys);
  latest.current = keys;

  useEffect(() => {
    const { player, library, navigation } = services;
    const pressed = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || target?.closest('input, textarea, select, dialog, [role=menu]')) return;
      const action = practiceAction(event);
      if (action === null) return;
      const { part, index, count, onShow, hasStage, isLed } = latest.current;
      if (isLed) return;
      const audio = part ? partAudio(part, part.track ? library.get('track', part.track) : undefined) : null;
      const bounds = audio?.kind === 'ready' ? audio.bounds : null;

      switch (action) {
        case 'toggle':
          // The space bar presses a button that has keyboard focus.
          if (target?.matches('button:focus-visible, a:focus-visible')) return;
          if (!event.repeat) player.toggle();
          break;
        case 'seekBack':
          seekByStep(services, -1);
          break;
        case 'seekForward':
          seekByStep(services, 1);
          break;
        case 'faster':
        case 'slower':
          latest.current.onSpeed(action === 'faster' ? keyStep : -keyStep);
          break;
        case 'previousPart':
          if (index > 0) onShow(index - 1);
          break;
        case 'nextPart':
          if (index < count - 1) onShow(index + 1);
          break;
        case 'addMove':
          if (part && services.link === null) navigation.open('addMove');
          break;
        case 'stage':
          if (navigation.place.overlays.includes('stageView')) navigation.close('stageView');
          else if (hasStage && !event.repeat) navigation.open('stageView');
          break;
        case 'runThrough':
          if (hasStage && !event.repeat) navigation.open('runThrough');
          break;
        case 'escape':
          navigation.close(navigation.place.overlays.includes('stageView') ? 'stageView' : 'player');
          return;
        default: {
          if (!part || !bounds || event.repeat) return;
          const state = loopStateOf(part, bounds);
          const next = action === 'loop'
            ? pressLoop(state)
            : setMarker(state, action === 'markA' ? 'a' : 'b', player.position(), bounds, stopsOf(services));
          changeLoop({ player, library }, part, bounds, next);
        }
      }
      event.preventDefault();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [services]);
}
