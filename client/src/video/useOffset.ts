// Finds a part's offset automatically: from another part, or by the sound of the video.

import { useEffect } from 'react';
import { mayEditRoutine, useLibraryStatus, useServices } from '../services/services';
import type { LocalLibrary } from '../sync/library';
import type { Part, Track, Video } from '../sync/records';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import type { Alignment, AlignmentQuestion } from './alignment';
import { knownElsewhere } from './actions';
import { questionOf, useAlignment, useShared } from './videoServices';

/** Shows a found offset, with an undo. */
function setFoundOffset(library: LocalLibrary, declined: Set<string>, part: Part, offset: number): void {
  const before = part.videoOffset ?? null;
  library.edit('part', part.id, { videoOffset: offset });
  toasts.say(lateWords.video.follows, {
    action: {
      label: words.common.undo,
      run: () => {
        declined.add(`${part.id} ${part.video}`);
        library.edit('part', part.id, { videoOffset: before });
      },
    },
  });
}

/**
 * Searches once for the offset of a part that has none, and again when the server is back after a
 * failed request. A certain result is set at once; for an uncertain one, `onUncertain` is called if
 * the video was linked just now.
 */
export function useFoundOffset(
  part: Part, video: Video | null, track: Track | undefined, onUncertain: (suggestion: number | null) => void,
): { readonly question: AlignmentQuestion | null; readonly alignment: Alignment | null } {
  const { library } = useServices();
  const { alignments, declined, links } = useShared();
  const { online } = useLibraryStatus();
  const question = questionOf(part, video, track);
  const alignment = useAlignment(question);
  const key = question && JSON.stringify(question);
  const isWanted = key !== null && part.videoOffset == null && mayEditRoutine(library, part.routine);
  const hasSound = video?.hasSound !== 0;

  useEffect(() => {
    const linked = `${part.id} ${part.video}`;
    if (!isWanted || key === null || declined.has(linked)) return;
    const known = part.video ? knownElsewhere(library, part, part.video).videoOffset : null;
    if (typeof known === 'number') {
      links.fresh.delete(linked);
      setFoundOffset(library, declined, part, known);
      return;
    }
    const uncertain = (suggestion: number | null): void => {
      if (links.fresh.delete(linked)) onUncertain(suggestion);
    };
    if (!hasSound) {
      uncertain(null);
      return;
    }
    void alignments.ask(JSON.parse(key) as AlignmentQuestion).then((answer) => {
      const now = library.get('part', part.id);
      // It may have been set by hand, or the video removed, during the search.
      if (!now || now.video !== part.video || now.videoOffset != null || declined.has(linked)) return;
      if (answer.state === 'found' && answer.isCertain) {
        links.fresh.delete(linked);
        setFoundOffset(library, declined, now, answer.offset);
      } else if (answer.state === 'found') uncertain(answer.offset);
      else if (answer.state === 'failed' && !answer.isPassing) uncertain(null);
    });
    // Answers are kept: asking again does not search again.
  }, [library, part.id, part.video, key, isWanted, hasSound, online]);
  return { question, alignment };
}
