// The length of a part, in minutes and seconds.

import { useFromLibrary } from '../services/services';
import type { Part } from '../sync/records';
import { clock } from '../ui/time';
import { partLength } from './partAudio';

/** Shows the length of a part. */
export function PartLength({ part }: { part: Part }): JSX.Element {
  const frames = useFromLibrary((library) => (
    partLength(part, part.track ? library.get('track', part.track) : undefined)
  ));
  return <>{clock(frames)}</>;
}
