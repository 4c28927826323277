// One routine in the list.

import { memo, useMemo, useSyncExternalStore } from 'react';
import { newBadge } from '../comments/lazy';
import { useCompany } from '../comments/useCompany';
import { Link } from '../services/Link';
import { useFromLibrary, useServices } from '../services/services';
import { spaceNameOf } from '../people/spaceName';
import { KeptBadge } from '../status/KeptBadge';
import { partAudio, partLength } from '../parts/partAudio';
import { placeOf, playNext, storedPlace, subscribeToPlaces } from '../parts/lastPlace';
import type { Part, Routine } from '../sync/records';
import type { TrackStretch } from '../timeline';
import { IconButton } from '../ui/Button';
import { remembered } from '../ui/device';
import { Icon } from '../ui/Icon';
import { clock, spokenTime } from '../ui/time';
import { useToday } from '../ui/useToday';
import { Waveform } from '../ui/Waveform';
import { relativeDay } from '../words/format';
import { words } from '../words/words';
import { RoutineMenu } from './RoutineMenu';
import { isPinned } from './routineSearch';
import { tagsOf } from './tags';

/** A card: title, subtitle, parts, length, waveform, and a menu. */
export const RoutineCard = memo(({ routine, isSmall }: { routine: Routine; isSmall: boolean }): JSX.Element => {
  const { library, navigation } = useServices();
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

  const tags = tagsOf(routine);
  const spaces = useFromLibrary((current) => current.spaces);
  const group = spaceNameOf(spaces, routine);
  const hasCompany = useCompany(routine.id);

  return (
    <li className="card" data-testid="routine-card">
      <div className="card-head">
        {isPinned(routine) && <span className="card-pin"><Icon name="pin" size={18} /><span className="only-spoken">{words.routines.pinned}</span></span>}
        <h2 dir="auto">
          <Link route={{ page: 'routine', routineId: routine.id, partId: null }}>{routine.title}</Link>
        </h2>
        <RoutineMenu routine={routine} />
      </div>
      {routine.subtitle && !isSmall && <p className="card-subtitle" dir="auto">{routine.subtitle}</p>}
      {group !== null && <p className="card-group" data-testid="card-group"><Icon name="people" size={16} /><bdi>{group}</bdi></p>}
      {tags.length > 0 && !isSmall && <p className="card-tags" data-testid="card-tags">{tags.map((tag, at) => <span key={tag}>{at > 0 && ' · '}<bdi>{tag}</bdi></span>)}</p>}
      <div className="card-play">
        {stretches.length > 0 && <ContinueButton routine={routine} parts={parts} />}
        <div className="card-wave">{stretches.length > 0 && <Waveform stretches={stretches} tone="journey" />}</div>
        {stretches.length > 0 && !isSmall && (
          <IconButton
            icon="goal" label={words.routines.practise(routine.title)} className="card-practise" data-testid="routine-practise"
            onClick={() => navigation.go({ page: 'routine', routineId: routine.id, partId: null }, { thenOpen: 'practise' })}
          />
        )}
      </div>
      <p className="card-facts">
        <span>{words.routines.parts(parts.length)}</span>
        {routine.performanceDay != null && <PerformanceDay day={routine.performanceDay} />}
        {hasCompany && <newBadge.Page routine={routine} />}
        <KeptBadge routineId={routine.id} />
        <span className="time" aria-label={spokenTime(frames)}>{clock(frames)}</span>
      </p>
    </li>
  );
});
RoutineCard.displayName = 'RoutineCard';

/** When the performance is: "in 9 days". */
function PerformanceDay({ day }: { day: number }): JSX.Element {
  const today = useToday();
  return (
    <span className={day < today ? 'card-performance is-past' : 'card-performance'} data-testid="card-performance">
      <Icon name="calendar" size={16} />
      <span className="only-spoken">{words.routines.performance}</span>
      {relativeDay(day - today)}
    </span>
  );
}

/** Opens the routine at the part that was shown last, and plays on from where it stopped. */
function ContinueButton({ routine, parts }: { routine: Routine; parts: readonly Part[] }): JSX.Element {
  const { navigation } = useServices();
  const shown = remembered(`part.${routine.id}`);
  const part = parts.find(({ id }) => id === shown) ?? parts[0];
  const place = placeOf(useSyncExternalStore(subscribeToPlaces, () => storedPlace(routine.id)));
  const label = part && place?.partId === part.id
    ? words.routines.continue(part.title, clock(place.frame - (part.startFrame ?? 0)))
    : words.routines.play(part?.title ?? routine.title);
  return (
    <IconButton
      icon="play" label={label} className="card-continue" data-testid="routine-continue"
      onClick={() => {
        playNext(routine.id);
        navigation.go({ page: 'routine', routineId: routine.id, partId: null });
      }}
    />
  );
}
