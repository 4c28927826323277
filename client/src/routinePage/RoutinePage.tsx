// Inside a routine: its parts as pages, the navigation between them, and the one player.

import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { DropZone } from '../ui/DropZone';
import { useFromLibrary, useLibraryStatus, useOverlay, useServices } from '../services/services';
import { SyncNote } from '../status/SyncNote';
import { remember, remembered } from '../ui/device';
import { announce } from '../ui/announce';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { layoutName, layoutOf, nextLayout } from '../ui/layout';
import { useMedia, wideScreen } from '../ui/useMedia';
import { Tip } from '../guide/Tip';
import { MoveSheets } from '../moves/MoveSheets';
import { JumpTo } from '../parts/JumpTo';
import { editRoutine, remoteOnPage, videoOnPage } from './lazy';
import { PartPager } from './PartPager';
import { useAbsentParts } from '../parts/useAbsentParts';
import { PartStrip } from './PartStrip';
import './practice.css';
import { fastest, percentNow, slowest, takenOver } from '../parts/practiceSettings';
import { PracticePlayer } from '../player/PracticePlayer';
import { useFollowRun, useRun } from '../parts/useRun';
import { usePracticeKeys } from './usePracticeKeys';
import { needsVideo, useVideoSwitch, VideoAction } from '../video/VideoAction';

interface RoutinePageProps {
  readonly routineId: string;
  /** The part in the address, if there is one. */
  readonly partId: string | null;
}

/** The page of a routine. */
export function RoutinePage({ routineId, partId }: RoutinePageProps): JSX.Element {
  const { navigation, library, offline, player } = useServices();
  const routine = useFromLibrary((library) => library.get('routine', routineId));
  const parts = useFromLibrary((library) => library.parts(routineId));
  const absent = useAbsentParts(parts);
  const { loaded } = useLibraryStatus();
  const [isJumping, openJump, closeJump] = useOverlay('jump');
  const [isEditing, openEdit, closeEdit] = useOverlay('edit');
  const [isPlayerShown, setPlayerShown] = useState(() => remembered('player') !== 'hidden');
  const [overview, setOverview] = useState(() => layoutOf(remembered('overview')));
  const isWide = useMedia(wideScreen);
  const video = useVideoSwitch();
  const [isChoosingVideo] = useOverlay('video');
  // A file that an earlier tab left is taken over before this page asks for it.
  const hasWaitingVideo = useSyncExternalStore(offline.subscribe, () => offline.state.waitingFiles.videos > 0);
  const [dropped, setDropped] = useState<readonly File[] | null>(null);
  const [isExpanded] = useOverlay('player');

  const wanted = partId ?? remembered(`part.${routineId}`);
  const lastIndex = useRef(0);
  const found = parts.findIndex((part) => part.id === wanted);
  // After a part was deleted, its neighbour is shown.
  const index = found >= 0 ? found : Math.max(0, Math.min(lastIndex.current, parts.length - 1));
  const part = parts[index];
  lastIndex.current = index;
  // React 18 does not know `inert` yet, and passes it on unchanged. Without a part there is no
  // player.
  const covered = { inert: isExpanded && part && !isWide ? '' : undefined };

  const show = useMemo(() => (newIndex: number): void => {
    const next = parts[newIndex];
    if (!next) return;
    remember(`part.${routineId}`, next.id);
    navigation.settle({ page: 'routine', routineId, partId: next.id });
  }, [parts, routineId, navigation]);

  useEffect(() => {
    document.title = routine ? `${routine.title} · Segmance` : 'Segmance';
    return () => {
      document.title = 'Segmance';
    };
  }, [routine]);
  const partNow = part?.id;
  const lastPart = useRef(partNow);
  useEffect(() => {
    if (part && lastPart.current !== undefined && lastPart.current !== partNow) announce(`${index + 1}. ${part.title}`);
    lastPart.current = partNow;
  }, [partNow]);
  const wholeRun = useRun(routineId, parts);
  const [isRunning, setRunning] = useState(false);
  const [runPercent, setRunPercent] = useState(100);
  const run = isRunning ? wholeRun : null;
  const canRun = wholeRun !== null && parts.length > 1;
  useEffect(() => {
    // Its button disappears, so a run must not resume by itself.
    if (!canRun) setRunning(false);
  }, [canRun]);
  const [isRemote, setRemote] = useState(false);
  useFollowRun(run, index, show);
  usePracticeKeys({
    part: run ? null : part ?? null, index, count: parts.length, onShow: show,
    onSpeed: (delta) => {
      if (run) setRunPercent((percent) => Math.min(fastest, Math.max(slowest, percent + delta)));
      else if (part) {
        library.edit('part', part.id, takenOver(part, percentNow(part, player.snapshot.percent) + delta));
      }
    },
  });

  const leave = (): void => navigation.leave({ page: 'routines' });
  if (!routine) return loaded ? <NotHere onLeave={leave} /> : <RoutineSkeleton />;
  return (
    <div className={isWide ? 'practice is-wide' : 'practice'} data-testid="routine-page">
      <header className="practice-head" {...covered}>
        <h1 className="only-spoken">{routine.title}</h1>
        <IconButton icon="back" label="All routines" data-testid="routine-back" onClick={leave} />
        <button
          type="button" className="practice-title" data-testid="jump-button" aria-haspopup="dialog"
          disabled={parts.length === 0} onClick={openJump}
        >
          <small dir="auto">{routine.title}</small>
          <span className="practice-part">
            <b dir="auto">{part ? `${index + 1}. ${part.title}` : 'No parts yet'}</b>
            {part && <Icon name="down" size={18} />}
          </span>
        </button>
        <IconButton icon="edit" label="Edit routine" data-testid="edit-routine" onClick={openEdit} />
      </header>
      <div className="practice-bar" {...covered}>
        {!isWide && <PartStrip parts={parts} index={index} onShow={show} absent={absent} />}
        <div className="practice-actions">
          <IconButton
            icon="audio" label={isPlayerShown ? 'Hide the player' : 'Show the player'} aria-pressed={isPlayerShown}
            data-testid="action-audio"
            onClick={() => {
              remember('player', isPlayerShown ? 'hidden' : 'shown');
              setPlayerShown(!isPlayerShown);
            }}
          />
          {part && <VideoAction part={part} video={video} />}
          {parts.length > 1 && (
            <IconButton
              icon="run" aria-pressed={isRunning} data-testid="action-run" disabled={!wholeRun}
              label={isRunning ? 'Back to practising this part' : 'Play the whole routine'}
              onClick={() => setRunning(!isRunning)}
            />
          )}
          <IconButton
            icon={overview} data-testid="action-overview"
            label={`Moves as ${layoutName(overview)}. Show as ${layoutName(nextLayout(overview))}`}
            onClick={() => {
              remember('overview', nextLayout(overview));
              setOverview(nextLayout(overview));
            }}
          />
          {part && (
            <IconButton
              icon="plus" label="Add a move" className="action-add" data-testid="action-add-move"
              aria-haspopup="dialog" onClick={() => navigation.open('addMove')}
            />
          )}
        </div>
      </div>
      <div className="practice-note">
        <SyncNote />
        {!isWide && parts.length > 1 && (
          <Tip name="swipe">Swipe sideways for the next part. The title above jumps to any.</Tip>
        )}
      </div>
      {isWide && <PartStrip parts={parts} index={index} onShow={show} absent={absent} isSidebar />}
      <main className="practice-main" {...covered}>
        {parts.length === 0
          ? (
            <div className="practice-empty">
              <p>This routine has no parts yet.</p>
              <Button kind="primary" icon="plus" onClick={openEdit}>Add songs</Button>
            </div>
          )
          : <PartPager parts={parts} index={index} overview={overview} onShow={show} />}
      </main>
      {part && (
        <remoteOnPage.Page
          routine={routine} parts={parts} index={index} run={run} runPercent={runPercent} onShow={show}
          onRunPercent={setRunPercent} onControl={setRemote}
        />
      )}
      {part && (
        <PracticePlayer
          key={routineId} part={part} index={index} routine={routine} isShown={isPlayerShown && !isRemote}
          run={run} runPercent={runPercent} onRunPercent={setRunPercent}
          onPrevious={index > 0 ? () => show(index - 1) : null}
          onNext={index < parts.length - 1 ? () => show(index + 1) : null}
        />
      )}
      {part && needsVideo(part.video != null || isChoosingVideo || dropped !== null || hasWaitingVideo) && (
        <videoOnPage.Page
          part={part} index={index} run={run} video={video} dropped={dropped}
          onDropTaken={() => setDropped(null)}
        />
      )}
      {isJumping && (
        <JumpTo
          routine={routine} parts={parts} index={index} onClose={closeJump}
          onChoose={(chosen) => {
            closeJump();
            show(chosen);
          }}
        />
      )}
      {part && <MoveSheets routine={routine} parts={parts} part={part} />}
      <DropZone isAllowed={part !== undefined} label="Drop a video for this part" onFiles={setDropped} />
      {isEditing && <editRoutine.Page routine={routine} parts={parts} onClose={closeEdit} />}
    </div>
  );
}

function NotHere({ onLeave }: { onLeave: () => void }): JSX.Element {
  return (
    <main className="practice-empty" data-testid="routine-missing">
      <h1>This routine is not here</h1>
      <p>It may have been deleted, on this device or on another one.</p>
      <Button kind="primary" icon="back" onClick={onLeave}>All routines</Button>
    </main>
  );
}

function RoutineSkeleton(): JSX.Element {
  return (
    <div className="practice" aria-busy="true">
      <header className="practice-head"><span className="skeleton practice-title-skeleton" /></header>
      <div className="practice-bar" />
      <main className="practice-main part-page">
        {[1, 2, 3].map((key) => <div key={key} className="skeleton move-skeleton" />)}
      </main>
    </div>
  );
}
