// What the clipper's page and its stage say to each other. All times are frames of the track.

import type { Ref } from 'react';
import type { Stretch } from '../../timeline';

/** A stretch of the track that the stage shows as a band with a name. */
export interface StageRange extends Stretch {
  readonly id: string;
  readonly title: string;
  /** `own`: clips or parts that are edited here; `other`: parts of other routines, shown faintly. */
  readonly tone: 'own' | 'other';
  readonly isCurrent: boolean;
}

/** A border that can be dragged: a cut between two neighbours, or a free start or end. */
export interface StageBorder {
  readonly id: string;
  readonly frame: number;
  /** What a screen reader calls it. */
  readonly label: string;
  readonly minFrame: number;
  readonly maxFrame: number;
}

/** A frame where the analysis thinks that the music changes. */
export interface StageGuess {
  readonly frame: number;
  /** 0 … 1 */
  readonly strength: number;
}

/** How a drag is meant. */
export interface DragHint {
  /** The held key (Alt) that switches snapping off for now; also true for steps by keys. */
  readonly freely: boolean;
  /** Frames that one CSS pixel shows: how near "near" is. */
  readonly framesPerPixel: number;
}

/** What the page gives the stage. */
export interface StageProps {
  readonly trackId: string;
  readonly lengthFrames: number;
  readonly ranges: readonly StageRange[];
  readonly borders: readonly StageBorder[];
  readonly guesses: readonly StageGuess[];
  readonly selection: Stretch | null;
  /** While true the view follows the needle, until the user pans. */
  readonly isPlaying: boolean;
  /** Gives the heard frame; asked once per animation frame. */
  readonly position: () => number;
  /** The wave was tapped or clicked. */
  readonly onSeek: (frame: number) => void;
  /**
   * A drag makes a new selection (mouse on the wave, or long press and drag by touch) or moves one of
   * its handles. The frames are raw: the page snaps and clamps them and gives back `selection`.
   * `anchor` is the frame that stays: where a new selection began, or the other handle's.
   */
  readonly onSelect: (which: 'new' | 'start' | 'end', frame: number, anchor: number, hint: DragHint) => void;
  readonly onSelectEnd: () => void;
  /** A border was moved; the page snaps and clamps. */
  readonly onBorder: (id: string, frame: number, hint: DragHint) => void;
  readonly onBorderEnd: (id: string) => void;
  /** A faint mark was tapped. */
  readonly onGuess: (frame: number) => void;
  /** A band's name was tapped. */
  readonly onRange: (id: string) => void;
  readonly apiRef?: Ref<StageApi>;
}

/** What the page may ask the stage to do. */
export interface StageApi {
  zoomIn(): void;
  zoomOut(): void;
  zoomToAll(): void;
  /** Shows the stretch with a little room on both sides. */
  zoomTo(startFrame: number, endFrame: number): void;
  /** Pans, if need be, until the frame can be seen. */
  reveal(frame: number): void;
}
