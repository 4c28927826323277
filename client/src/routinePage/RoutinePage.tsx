// Inside a routine: its parts as pages, the navigation between them, and the one player.

import { useEffect, useState, useSyncExternalStore } from 'react';
import { DropZone } from '../ui/DropZone';
import {
  useFromLibrary, useLibraryStatus, useMayEdit, useOverlay, usePlace, useServices,
} from '../services/services';
import { SyncNote } from '../status/SyncNote';
import { remember, remembered } from '../ui/device';
import { Button } from '../ui/Button';
import { movesLayoutOf } from '../ui/layout';
import { useMedia, wideScreen } from '../ui/useMedia';
import { usePageTitle } from '../ui/usePageTitle';
import { words } from '../words/words';
import { Tip } from '../guide/Tip';
import { commentsOnPage } from '../comments/lazy';
import { useCompany } from '../comments/useCompany';
import { linksSheet } from '../links/lazy';
import { shareSheet } from '../people/lazy';
import { isMoveSheet, moveSheets } from '../moves/lazy';
import { jumpTo } from '../parts/lazy';
import { reportMiss } from '../parts/missTaker';
import type { Led, SessionHandle } from '../parts/led';
import type { PlanStep } from '../practice/plan';
import {
  editRoutine, leadOnPage, ledSession, practiseSheet, recordPractice, remoteOnPage, runThroughOnPage, stageView, videoOnPage,
} from './lazy';
import { PageActions } from './PageActions';
import { PageHead } from './PageHead';
import { PartPager } from './PartPager';
import { useAbsentParts } from '../parts/useAbsentParts';
import { PartStrip } from './PartStrip';
import './practice.css';
import { percentNow, takenOver } from '../parts/practiceSettings';
import { changesSheet } from '../routines/lazy';
import { PracticePlayer } from '../player/PracticePlayer';
import { usePracticeKeys } from './usePracticeKeys';
import { useRoutineRun } from './useRoutineRun';
import { useShownPart } from './useShownPart';
import { needsVideo, useVideoSwitch } from '../video/VideoAction';

interface RoutinePageProps {
  readonly routineId: string;
  /** The part in the address, if there is one. */
  readonly partId: string | null;
}

/** The page of a routine. */
export function RoutinePage({ routineId, partId }: RoutinePageProps): JSX.Element {
  const { navigation, library, offline, player, link, leads } = useServices();
  const routine = useFromLibrary((library) => library.get('routine', routineId));
  const parts = useFromLibrary((library) => library.parts(routineId));
  const absent = useAbsentParts(parts);
  const { loaded } = useLibraryStatus();
  const { overlays } = usePlace();
  const [isJumping, openJump, closeJump] = useOverlay('jump');
  const [isEditing, openEdit, closeEdit] = useOverlay('edit');
  const [isComparing, , closeChanges] = useOverlay('changes');
  const [isPlayerShown, setPlayerShown] = useState(() => remembered('player') !== 'hidden');
  const [overview, setOverview] = useState(() => movesLayoutOf(remembered('overview')));
  const isWide = useMedia(wideScreen);
  const video = useVideoSwitch();
  const [isChoosingVideo] = useOverlay('video');
  // A file that an earlier tab left is taken over before this page asks for it.
  const hasWaitingVideo = useSyncExternalStore(offline.subscribe, () => offline.state.waitingFiles.videos > 0);
  const [dropped, setDropped] = useState<readonly File[] | null>(null);
  const [isExpanded] = useOverlay('player');
  const [isOnStage, , closeStage] = useOverlay('stageView');
  const [isLinking, , closeLinks] = useOverlay('links');
  const [isSharing, , closeShare] = useOverlay('share');
  const [isPractising, , closePractise] = useOverlay('practise');
  const [isLed, openSession, closeSession] = useOverlay('session');
  const [steps, setSteps] = useState<readonly PlanStep[]>([]);
  const [led, setLed] = useState<Led | null>(null);
  const [session, setSession] = useState<SessionHandle | null>(null);

  const mayEdit = useMayEdit(routineId);
  const isLinked = link !== null;
  const hasCompany = useCompany(routineId);

  usePageTitle(routine?.title ?? null);
  const { index, part, show } = useShownPart(routineId, partId, parts);
  const [isThrough, setThrough] = useState(false);
  const routineRun = useRoutineRun(routineId, parts, index, show, isThrough);
  const { run, percent: runPercent, setPercent: setRunPercent } = routineRun;
  const [isRemote, setRemote] = useState(false);
  const own = useSyncExternalStore(leads.subscribe, () => leads.own);
  const isFollowing = own?.routine === routineId && own.does === 'follows';
  const hasStage = part !== undefined && !isRemote;
  useEffect(() => {
    // A remote does not play itself.
    if (isOnStage && !hasStage && loaded) closeStage();
  }, [isOnStage, hasStage, loaded]);
  usePracticeKeys({
    part: run || isFollowing ? null : part ?? null, index, count: parts.length, onShow: show, hasStage, isLed,
    onSpeed: (delta) => {
      if (isFollowing) return;
      if (run) routineRun.changeSpeed(delta);
      else if (part) {
        library.edit('part', part.id, takenOver(part, percentNow(part, player.snapshot.percent) + delta));
      }
    },
  });

  const leave = (): void => navigation.leave({ page: 'routines' });
  if (!routine) return loaded ? <NotHere onLeave={isLinked ? null : leave} /> : <RoutineSkeleton />;
  // React 18 does not know `inert` yet, and passes it on unchanged. Without a part there is no
  // player.
  const covered = { inert: isExpanded && part && !isWide ? '' : undefined } as const;
  // One part needs no row of numbers, unless that marks it as not here.
  const hasStrip = parts.length > 1 || absent.size > 0;
  return (
    <div className={isWide ? 'practice full-page is-wide' : 'practice full-page'} data-testid="routine-page">
      <PageHead
        routine={routine} part={part} index={index} covered={covered} onJump={openJump}
        onLeave={isLinked ? null : leave} onEdit={isLinked ? null : openEdit}
      />
      <section
        className={hasStrip ? 'practice-bar' : 'practice-bar is-short'} aria-label={routine.title} {...covered}
      >
        {!isWide && hasStrip && <PartStrip parts={parts} index={index} onShow={show} absent={absent} />}
        <PageActions
          part={part} index={index} video={video} run={parts.length > 1 ? routineRun : null}
          isPlayerShown={isPlayerShown} hasStage={hasStage} overview={overview} onShow={show}
          onPlayer={(isShown) => {
            remember('player', isShown ? 'shown' : 'hidden');
            setPlayerShown(isShown);
          }}
          onOverview={(next) => {
            remember('overview', next);
            setOverview(next);
          }}
        />
      </section>
      <div className="practice-note">
        <SyncNote />
        {hasCompany && <commentsOnPage.Page routine={routine} part={part} onShow={show} />}
        {!isWide && covered.inert === undefined && parts.length > 1 && (
          <Tip name="swipe">{words.routinePage.swipeTip}</Tip>
        )}
      </div>
      {isWide && <PartStrip parts={parts} index={index} onShow={show} absent={absent} isSidebar />}
      <main className="practice-main" {...covered}>
        {parts.length === 0
          ? (
            <div className="page-message">
              <p>{words.routinePage.isEmpty}</p>
              {mayEdit && <Button kind="primary" icon="plus" onClick={openEdit}>{words.routinePage.addSongs}</Button>}
            </div>
          )
          : <PartPager parts={parts} index={index} overview={overview} onShow={show} />}
      </main>
      {part && hasStage && isOnStage && (
        <stageView.Page part={part} parts={parts} index={index} run={run} video={video} onClose={closeStage} />
      )}
      {part && !isLinked && (
        <remoteOnPage.Page
          routine={routine} parts={parts} index={index} run={led?.run ?? run} runPercent={runPercent} session={session}
          onShow={show}
          onRunPercent={setRunPercent} onControl={setRemote}
        />
      )}
      {part && own?.routine === routineId && (
        <leadOnPage.Page routine={routine} parts={parts} part={part} index={index} onShow={show} onLed={setLed} />
      )}
      {part && <recordPractice.Page routineId={routineId} />}
      {part && (
        <PracticePlayer
          key={routineId} part={part} parts={parts} index={index} routine={routine} isShown={isPlayerShown && !isRemote && !isFollowing}
          run={run} led={led} runPercent={runPercent} onRunPercent={setRunPercent}
          onPrevious={isThrough ? reportMiss : session ? session.again : index > 0 ? () => show(index - 1) : null}
          onNext={isThrough ? reportMiss : session ? session.next : index < parts.length - 1 ? () => show(index + 1) : null}
        />
      )}
      {part && (
        <runThroughOnPage.Page
          routine={routine} parts={parts} index={index} run={run} percent={runPercent} isOn={isThrough}
          onPercent={setRunPercent} onShow={show} onSwitch={setThrough}
        />
      )}
      {part && needsVideo(part.video != null || isChoosingVideo || dropped !== null || hasWaitingVideo) && (
        <videoOnPage.Page
          part={part} index={index} run={run} video={video} isCovered={isOnStage} dropped={dropped}
          onDropTaken={() => setDropped(null)}
        />
      )}
      {isJumping && (
        <jumpTo.Page
          routine={routine} parts={parts} index={index} onClose={closeJump}
          onChoose={(chosen) => {
            closeJump();
            show(chosen);
          }}
        />
      )}
      {part && mayEdit && overlays.some(isMoveSheet) && <moveSheets.Page routine={routine} parts={parts} part={part} />}
      <DropZone isAllowed={part !== undefined && mayEdit} label={words.routinePage.dropVideo} onFiles={setDropped} />
      {isPractising && (
        <practiseSheet.Page
          routine={routine} parts={parts} onClose={closePractise}
          onStart={(chosen) => {
            // In the press, so that the browser allows the sound.
            player.open();
            if (run) routineRun.toggle();
            setSteps(chosen);
            closePractise();
            openSession();
          }}
        />
      )}
      {part && isLed && steps.length > 0 && (
        <ledSession.Page
          parts={parts} index={index} steps={steps} led={led} onLed={setLed} onHandle={setSession} onShow={show}
          isThrough={isThrough} onClose={closeSession}
          onThrough={(first) => {
            show(first);
            navigation.open('runThrough');
            setThrough(true);
          }}
        />
      )}
      {isSharing && !isLinked && <shareSheet.Page routine={routine} onClose={closeShare} />}
      {isLinking && mayEdit && <linksSheet.Page routine={routine} parts={parts} part={part} onClose={closeLinks} />}
      {isComparing && !isLinked && <changesSheet.Page routine={routine} onClose={closeChanges} />}
      {isEditing && !isLinked && <editRoutine.Page routine={routine} parts={parts} onClose={closeEdit} />}
    </div>
  );
}

function NotHere({ onLeave }: { onLeave: (() => void) | null }): JSX.Element {
  return (
    <main className="page-message" data-testid="routine-missing">
      <h1>{words.routinePage.missing}</h1>
      <p>{words.routinePage.missingWhy}</p>
      {onLeave && <Button kind="primary" icon="back" onClick={onLeave}>{words.routinePage.allRoutines}</Button>}
    </main>
  );
}

function RoutineSkeleton(): JSX.Element {
  return (
    <div className="practice full-page" aria-busy="true">
      <header className="practice-head full-head"><span className="skeleton practice-title-skeleton" /></header>
      <div className="practice-bar" />
      <main className="practice-main part-page">
        {[1, 2, 3].map((key) => <div key={key} className="skeleton move-skeleton" />)}
      </main>
    </div>
  );
}
