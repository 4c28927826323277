// The length of a part, in minutes and seconds and in eights.

import { useFromLibrary } from '../services/services';
import type { Part } from '../sync/records';
import { clock } from '../ui/time';
import { words } from '../words/words';
import { partAudio, partLength } from './partAudio';
import { useTrackGrid } from './useTrackGrid';

/** Shows the length of a part. */
export function PartLength({ part }: { part: Part }): JSX.Element {
  const frames = useFromLibrary((library) => (
    partLength(part, part.track ? library.get('track', part.track) : undefined)
  ));
  return <>{clock(frames)}</>;
}

/** Shows the length of a part in eights, if its track has counts; it fetches them. */
export function PartCounts({ part }: { part: Part }): JSX.Element | null {
  return part.track ? <CountsOf part={part} trackId={part.track} /> : null;
}

function CountsOf({ part, trackId }: { part: Part; trackId: string }): JSX.Element | null {
  const track = useFromLibrary((library) => library.get('track', trackId));
  const grid = useTrackGrid(trackId);
  const audio = partAudio(part, track);
  const length = audio.kind === 'ready' ? grid?.length(audio.bounds.startFrame, audio.bounds.endFrame) : null;
  return length ? <>{words.parts.countLength(length)}</> : null;
}
