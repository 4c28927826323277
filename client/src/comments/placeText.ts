// Where a comment is, in words.

import type { PlayedCounts } from '../audio/playedCounts';
import { partAudio } from '../parts/partAudio';
import type { LocalLibrary } from '../sync/library';
import type { Part } from '../sync/records';
import type { Stretch } from '../timeline';
import { clock } from '../ui/time';
import { locale, dateText } from '../words/format';
import { lateWords } from '../words/lateWords';
import type { CommentPlace } from './places';

/** What is needed to tell eights. */
export interface Counted {
  readonly library: LocalLibrary;
  readonly counts: PlayedCounts;
}

/** An eight of a part, and its frames. */
export interface Eight extends Stretch {
  /** From 1; what comes before the first one is 0. */
  readonly number: number;
}

/** Returns the eight of a part in which a frame is; null without counts, or while they are not known. */
export function eightAt({ library, counts }: Counted, part: Part, frame: number): Eight | null {
  const audio = partAudio(part, part.track ? library.get('track', part.track) : undefined);
  const known = audio.kind === 'ready' ? counts.of(audio.playable.trackId, audio.bounds) : null;
  const place = known?.grid.positionIn(frame, known.stretch);
  if (!known || !place) return null;
  const { grid, stretch } = known;
  const beginning = (eight: number): number | null => {
    const count = eight < 1 ? null : grid.countOf({ eight, count: 1, fraction: 0 }, stretch);
    return count === null ? null : grid.frameAt(count, stretch);
  };
  const startFrame = Math.round(Math.max(stretch.startFrame, beginning(place.eight) ?? stretch.startFrame));
  const endFrame = Math.round(Math.min(stretch.endFrame, beginning(place.eight + 1) ?? stretch.endFrame));
  return endFrame > startFrame ? { number: place.eight, startFrame, endFrame } : null;
}

/** Corrections of counts move an eight a little under its comments. */
const tolerance = 9_600;

/** Names a moment or a stretch of a part: `eight 3`, `0:12`, `0:12–0:16`. */
export function timeText(services: Counted, part: Part, startFrame: number, endFrame: number | null | undefined): string {
  const from = part.startFrame ?? 0;
  if (endFrame == null) return clock(startFrame - from);
  const eight = eightAt(services, part, Math.round((startFrame + endFrame) / 2));
  if (eight && Math.abs(eight.startFrame - startFrame) < tolerance && Math.abs(eight.endFrame - endFrame) < tolerance) {
    return lateWords.comments.eight(eight.number);
  }
  return `${clock(startFrame - from)}–${clock(endFrame - from)}`;
}

/** Says where a comment is: `Part 2, move 3: Turn`. */
export function placeText(services: Counted, { part, partIndex, move, moveIndex, startFrame, endFrame }: CommentPlace): string {
  const text = lateWords.comments;
  if (move) return text.onMove(partIndex + 1, moveIndex + 1, move.title);
  if (startFrame === null) return text.onPart(partIndex + 1, part.title);
  return text.inPart(partIndex + 1, timeText(services, part, startFrame, endFrame));
}

/** When something was written: of today the time, of earlier days the date. */
export function whenText(instant: number, now: number): string {
  const isToday = new Date(instant).toDateString() === new Date(now).toDateString();
  return isToday ? new Date(instant).toLocaleTimeString(locale, { timeStyle: 'short' }) : dateText(instant);
}
