// One routine in the list.

import { memo, useMemo } from 'react';
import { Link } from '../services/Link';
import { useFromLibrary, useServices } from '../services/services';
import { KeptBadge } from '../status/KeptBadge';
import { partAudio, partLength } from '../parts/partAudio';
import type { Routine } from '../sync/records';
import type { TrackStretch } from '../timeline';
import { clock, spokenTime } from '../ui/time';
import { Waveform } from '../ui/Waveform';
import { words } from '../words/words';
import { RoutineMenu } from './RoutineMenu';

/** A card: title, subtitle, parts, length, waveform, and a menu. */
export const RoutineCard = memo(({ routine, isSmall }: { routine: Routine; isSmall: boolean }): JSX.Element => {
  const { library } = useServices();
  const parts = useFromLibrary((current) => current.parts(routine.id));
  const tracks = useFromLibrary((current) => current.all('track'));
  const stretches = useMemo<readonly TrackStretch[]>(() => parts.flatMap((part) => {
    const audio = partAudio(part, part.track ? library.get('track', part.track) : undefined);
    return audio.kind === 'ready' ? [{ trackId: audio.playable.trackId, ...audio.bounds }] : [];
    // `tracks` represents the values that are read from them here.
  }), [parts, tracks, library]);
  const frames = parts.reduce((sum, part) => (
    sum + partLength(part, part.track ? library.get('track', part.track) : undefined)
  ), 0);

  return (
    <li className="card" data-testid="routine-card">
      <div className="card-head">
        <h2 dir="auto">
          <Link route={{ page: 'routine', routineId: routine.id, partId: null }}>{routine.title}</Link>
        </h2>
        <RoutineMenu routine={routine} />
      </div>
      {routine.subtitle && !isSmall && <p className="card-subtitle" dir="auto">{routine.subtitle}</p>}
      <div className="card-wave">{stretches.length > 0 && <Waveform stretches={stretches} tone="journey" />}</div>
      <p className="card-facts">
        <span>{words.routines.parts(parts.length)}</span>
        <KeptBadge routineId={routine.id} />
        <span className="time" aria-label={spokenTime(frames)}>{clock(frames)}</span>
      </p>
    </li>
  );
});
RoutineCard.displayName = 'RoutineCard';
