// The interface between the clipper's page and its stage. All times are frames of the track.

import type { Ref } from 'react';
import type { Beat } from '../../counts/grid';
import type { Stretch } from '../../timeline';

/** A range of the track that the stage shows as a named band. */
export interface StageRange extends Stretch {
  readonly id: string;
  readonly title: string;
  /** Its number in its list, shown where the title has no room. */
  readonly number: number;
  /** `own`: clips or parts that are edited here; `other`: parts of other routines, shown faintly. */
  readonly tone: 'own' | 'other';
  readonly isCurrent: boolean;
}

/** A border that can be dragged: a cut between two neighbours, or a free start or end. */
export interface StageBorder {
  readonly id: string;
  readonly frame: number;
  /** The name for screen readers. */
  readonly label: string;
  readonly minFrame: number;
  readonly maxFrame: number;
}

/** A frame where the analysis suggests a change in the music. */
export interface StageGuess {
  readonly frame: number;
  /** 0 … 1 */
  readonly strength: number;
}

/** Details of a drag. */
export interface DragHint {
  /** Whether the Alt key switches snapping off; also true for steps by keys. */
  readonly freely: boolean;
  /** Frames per CSS pixel, which determine the snap distance. */
  readonly framesPerPixel: number;
}

/** How far a step goes. */
export type CountUnit = 'count' | 'eight';

/** A step: later with 1, earlier with -1. */
export interface CountStep {
  readonly unit: CountUnit;
  readonly direction: 1 | -1;
}

/**
 * Returns where a step leads from a frame; null if there is no such count, or if the end of the selection
 * or of the adjusted piece may not be there.
 */
export type StepByCounts = (which: 'start' | 'end' | 'border', frame: number, step: CountStep) => number | null;

/** The stage's properties. */
export interface StageProps {
  readonly trackId: string;
  readonly lengthFrames: number;
  readonly ranges: readonly StageRange[];
  readonly borders: readonly StageBorder[];
  readonly guesses: readonly StageGuess[];
  /** The counts of the track; empty if it has none. */
  readonly beats: readonly Beat[];
  /** Where steps by counts lead; null if the track has none. */
  readonly stepBy: StepByCounts | null;
  readonly selection: Stretch | null;
  /** While true the view follows the playhead, until the user pans. */
  readonly isPlaying: boolean;
  /** Returns the frame that is heard; called once per animation frame. */
  readonly position: () => number;
  /** The wave was tapped or clicked, or a handle that was not dragged. */
  readonly onSeek: (frame: number) => void;
  /**
   * A drag makes a new selection (mouse on the wave, or long press and drag by touch) or moves one
   * of its handles. The frames are raw: the page snaps and limits them and returns `selection`.
   * `anchor` is the fixed frame: where a new selection began, or the other handle's.
   */
  readonly onSelect: (which: 'new' | 'start' | 'end', frame: number, anchor: number, hint: DragHint) => void;
  readonly onSelectEnd: () => void;
  /** A border was moved; the page snaps and limits it. */
  readonly onBorder: (id: string, frame: number, hint: DragHint) => void;
  readonly onBorderEnd: (id: string) => void;
  /** A faint mark was tapped. */
  readonly onGuess: (frame: number) => void;
  /** A band's name was tapped. */
  readonly onRange: (id: string) => void;
  readonly apiRef?: Ref<StageApi>;
}

/** The stage's methods for the page. */
export interface StageApi {
  zoomIn(): void;
  zoomOut(): void;
  zoomToAll(): void;
  /** Shows the range with a small margin on both sides. */
  zoomTo(startFrame: number, endFrame: number): void;
  /** Pans, if necessary, until the frame is visible. */
  reveal(frame: number): void;
}
