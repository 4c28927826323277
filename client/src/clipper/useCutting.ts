// Cutting where the song plays, and the name that is typed after it.

import { useState, type RefObject } from 'react';
import { useServices } from '../services/services';
import type { Part, Track } from '../sync/records';
import { announce } from '../ui/announce';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { addClip, cutTrack, deleteClip } from './actions';
import { nextUnnamed } from './model/names';
import { setEnd } from './model/selection';
import { exactClock } from './model/times';
import type { Naming } from './NamingBar';
import type { Borders } from './useBorders';

/** The actions of the clipper's page. Of a part only the borders change. */
export interface Cutting {
  /** The piece that is being named. */
  readonly named: Naming | null;
  cut(frame: number): void;
  /** Cuts at the playhead. With `isTyping` the field of the name takes the focus. */
  cutHere(isTyping?: boolean): void;
  /** Names the piece that was cut last, or the current one. */
  typeName(): void;
  /** Continues with the next piece that has no name. */
  nameNext(): void;
  leaveName(): void;
  /** Moves an end of the selection, or of the adjusted piece, to the playhead. */
  setHere(which: 'start' | 'end'): void;
  /** Makes a clip of the selection. */
  clip(): void;
  /** Deletes the adjusted clip. */
  remove(): void;
}

/** Keeps the name; `currentId` is the piece that is adjusted or heard, `page` holds the stage. */
export function useCutting(
  track: Track, part: Part | null, borders: Borders, currentId: string | null, page: RefObject<HTMLElement>,
): Cutting {
  const { library, player } = useServices();
  const [naming, setNaming] = useState<Naming | null>(null);
  const { pieces, adjusted, selection } = borders;
  // A clip that was deleted, for instance on another device, needs no name.
  const named = naming && pieces.some(({ id }) => id === naming.id) ? naming : null;

  const cut = (frame: number, isTyping = false): void => {
    if (part) return;
    const result = cutTrack(library, track, frame);
    if ('refused' in result) {
      toasts.say(result.refused);
      return;
    }
    announce(lateWords.clipper.cutAt(exactClock(result.frame)));
    setNaming({ ...result, isTyping });
  };
  const leaveName = (): void => {
    setNaming(null);
    // Returns the keyboard focus to the stage.
    page.current?.querySelector<HTMLElement>('.stage')?.focus({ preventScroll: true });
  };
  return {
    named, cut, leaveName,
    // The stage keeps the keyboard focus, so that the next press cuts again; naming waits for a tap
    // or its own key.
    cutHere: (isTyping) => cut(player.position(), isTyping),
    typeName() {
      const id = named?.id ?? currentId;
      if (!part && id !== null) setNaming({ undo: null, ...named, id, isTyping: true });
    },
    nameNext() {
      if (!named) return;
      const next = nextUnnamed(pieces, named.id, player.position());
      if (next === null) leaveName();
      else setNaming({ id: next, isTyping: true, undo: null });
    },
    setHere(which) {
      let frame = Math.round(player.position());
      const end = borders.endOf(which);
      if (end && (frame < end.minFrame || frame > end.maxFrame)) {
        // Moving it to its limit would permanently reduce this piece, or its neighbour, to the
        // minimum.
        const { startLimits, endLimits } = lateWords.clipper;
        toasts.say((which === 'start' ? startLimits : endLimits)(exactClock(end.minFrame), exactClock(end.maxFrame)));
        return;
      }
      if (end) borders.setEnd(which, frame);
      else {
        const chosen = setEnd(selection, which, frame, track.lengthFrames ?? 0);
        borders.select(chosen);
        frame = which === 'start' ? chosen.startFrame : chosen.endFrame;
      }
      announce((which === 'start' ? lateWords.clipper.startAt : lateWords.clipper.endAt)(exactClock(frame)));
    },
    clip() {
      if (!selection || adjusted || part) return;
      const made = addClip(library, track, selection.startFrame, selection.endFrame);
      toasts.say('refused' in made ? made.refused : lateWords.clipper.clipped);
    },
    remove() {
      if (adjusted && !part) deleteClip(library, track.id, adjusted.id);
    },
  };
}
