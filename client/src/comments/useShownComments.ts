// Which comments of a part are shown now: those of the moment that is heard.

import { useMemo, useRef, useState } from 'react';
import { useFromLibrary } from '../services/services';
import type { Comment, Part } from '../sync/records';
import type { Stretch } from '../timeline';
import { onTrack } from './places';

/** A comment on the track of its part. */
export type TrackComment = Comment & { readonly startFrame: number };

/** Returns the comments on the track of a part within some bounds, by their beginnings. */
export function useTrackComments(part: Part, { startFrame, endFrame }: Stretch): readonly TrackComment[] {
  const comments = useFromLibrary((library) => library.comments(part.routine));
  return useMemo(
    () => onTrack(comments, part.id, { startFrame, endFrame }), [comments, part.id, startFrame, endFrame]);
}

/** Keeps the ids of what is shown; sets them only if they differ, since it is asked on every animation frame. */
export function useShownIds(): [ids: string, show: (comments: readonly Comment[]) => void] {
  const [ids, setIds] = useState('');
  const last = useRef('');
  return [ids, (comments) => {
    const next = comments.map(({ id }) => id).join(' ');
    if (next === last.current) return;
    last.current = next;
    setIds(next);
  }];
}
