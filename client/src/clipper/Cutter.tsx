// The clipper itself: the stage above, the list below it, and the buttons within reach of the
// thumb.

import { useEffect, useMemo, useRef, useState } from 'react';
import { SyncNote } from '../status/SyncNote';
import { useFromLibrary, useFromPlayer, useServices, useSetting } from '../services/services';
import { Countdown } from '../player/Countdown';
import type { Beat } from '../counts/grid';
import type { Part, Track } from '../sync/records';
import { IconButton } from '../ui/Button';
import { clock } from '../ui/time';
import { usePageTitle } from '../ui/usePageTitle';
import { lateWords } from '../words/lateWords';
import { ClipList } from './ClipList';
import { cutAtAll } from './actions';
import { stepsBy } from './countSteps';
import { trackTitle } from '../ui/trackTitle';
import { CutterStage } from './CutterStage';
import { Dock } from './Dock';
import { guessesOnCounts, openGuesses } from './model/guesses';
import { shownName } from './model/names';
import type { Piece } from './model/pieces';
import { readSnap } from './model/snapping';
import { NamingBar } from './NamingBar';
import { SelectionPanel } from './SelectionPanel';
import type { StageApi, StageGuess } from './stage/types';
import { CutterMenu, Tools } from './Tools';
import { useAnalysis, type Analysis } from './useAnalysis';
import { useBorders } from './useBorders';
import { useClipperKeys } from './useClipperKeys';
import { useCutting } from './useCutting';
import { useHeardPiece, useStoredPieces } from './usePieces';
import { usePlayback } from './usePlayback';
import { usePractice } from './usePractice';
import { useSnapping } from './useSnapping';
import { useTrackCounts, type TrackCounts } from './useTrackCounts';

interface CutterProps {
  readonly track: Track;
  /** With a part, its routine's parts on this track replace the clips. */
  readonly part: Part | null;
}

const noFrames: readonly number[] = [];
const noBeats: readonly Beat[] = [];
const noGuesses: readonly StageGuess[] = [];

/** Everything on the page of a song. */
export function Cutter({ track, part }: CutterProps): JSX.Element {
  const { library, player, navigation } = useServices();
  const lengthFrames = track.lengthFrames ?? 0;
  const stored = useStoredPieces(track, part);
  const snap = useSetting('clipperSnap');
  const { counts, isLoading: isCounting, askAgain } = useTrackCounts(track);
  const hasCounts = counts !== null;
  const kinds = useMemo(() => readSnap(snap, hasCounts), [snap, hasCounts]);
  const [isSuggesting, setSuggesting] = useState(false);
  const analysis = useAnalysis(track.id, isSuggesting || kinds.includes('attacks'));
  const attacks = analysis.state === 'ready' ? analysis.attacks : noFrames;
  const snapper = useSnapping(track.id, lengthFrames, kinds, attacks, counts?.frames ?? null);
  const [isAlone, setAlone] = useState(false);
  const borders = useBorders(
    track.id, lengthFrames, stored, part ? 'part' : 'clip', snapper, isAlone, part?.id ?? null,
  );
  const { pieces, adjusted, selection } = borders;
  const stepBy = stepsBy(counts, borders, lengthFrames);
  const practice = usePractice();
  const playback = usePlayback(track, selection, pieces, practice.settings);
  const problem = useFromPlayer((snapshot) => snapshot.problem);
  const heardId = useHeardPiece(pieces);
  const currentId = adjusted?.id ?? heardId;
  const stage = useRef<StageApi>(null);
  const page = useRef<HTMLElement>(null);
  const cutting = useCutting(track, part, borders, currentId, page);
  useClipperKeys({
    stage, toggle: () => player.toggle(), seek: (frames) => player.skip(frames),
    cut: cutting.cutHere, name: cutting.typeName, setHere: cutting.setHere, clip: cutting.clip, remove: cutting.remove,
    loop: playback.toggleLoop, escape: () => borders.adjust(part?.id ?? null),
  });
  usePageTitle(trackTitle(track));
  const isAnalysed = analysis.state === 'ready';
  // Where no event told that the analysis is done.
  useEffect(() => {
    if (isAnalysed && isCounting) askAgain();
  }, [isAnalysed, askAgain]);
  // A suggestion must not move to its count under a finger.
  const shown: Analysis = isSuggesting && isAnalysed && isCounting ? { state: 'waiting', progress: 0 } : analysis;
  const guesses = useGuesses(isSuggesting ? shown : null, counts, pieces);

  const adjust = (id: string): void => {
    borders.adjust(id);
    const piece = pieces.find((each) => each.id === id);
    if (piece) stage.current?.zoomTo(piece.startFrame, piece.endFrame);
  };
  const leave = (): void => navigation.leave(
    part ? { page: 'routine', routineId: part.routine, partId: part.id } : { page: 'clipper' },
  );
  return (
    <main ref={page} className="cutter full-page" data-testid="cutter">
      <CutterHead track={track} part={part} onLeave={leave} />
      <SyncNote />
      <div className="cutter-main">
        <CutterStage
          track={track} part={part} borders={borders} guesses={guesses} beats={counts?.beats ?? noBeats} stepBy={stepBy} currentId={currentId} apiRef={stage}
          onSeek={playback.seek} onGuess={cutting.cut}
        />
        <div className="cutter-side">
          {cutting.named && (
            <NamingBar
              naming={cutting.named} pieces={pieces} onNext={cutting.nameNext} onCut={() => cutting.cutHere(true)}
              onClose={cutting.leaveName}
            />
          )}
          <div className="cutter-desk">
            <div className="cutter-tools">
              {problem !== null && <p className="problem" role="alert">{problem}</p>}
              <Tools
                part={part} snap={snap} hasCounts={hasCounts} isAlone={isAlone} onAlone={setAlone} analysis={shown}
                isSuggesting={isSuggesting} guesses={guesses.length} onSuggest={setSuggesting}
                onTakeAll={() => {
                  cutAtAll(library, track, guesses.map(({ frame }) => frame));
                  setSuggesting(false);
                }}
              />
              <SelectionPanel
                selection={selection} lengthFrames={lengthFrames} counts={counts} stepBy={stepBy}
                adjusted={adjusted ? shownName(pieces, adjusted.id) : null}
                isPart={part !== null}
                isPlaying={playback.stretchId === 'selection'}
                onPlay={() => selection && playback.playStretch({ ...selection, id: 'selection' })}
                onSet={borders.setEnd} onClip={cutting.clip} onDone={part ? leave : () => borders.adjust(null)}
                onClear={() => borders.select(null)}
              />
            </div>
            <ClipList
              track={track} pieces={pieces} counts={counts} type={part ? 'part' : 'clip'} currentId={currentId}
              playingId={playback.stretchId} onAdjust={adjust}
              onPlay={playback.playStretch}
            />
          </div>
        </div>
      </div>
      <Dock
        practice={practice} isLooping={playback.isLooping} hasSelection={selection !== null} onLoop={playback.toggleLoop}
        onCut={part ? null : () => cutting.cutHere()} onSet={cutting.setHere}
      />
      <Countdown />
    </main>
  );
}

interface CutterHeadProps extends CutterProps {
  readonly onLeave: () => void;
}

function CutterHead({ track, part, onLeave }: CutterHeadProps): JSX.Element {
  const routineTitle = useFromLibrary((current) => (part ? current.get('routine', part.routine)?.title ?? '' : ''));
  const title = trackTitle(track);
  const said = lateWords.clipper;
  return (
    <header className="cutter-head full-head">
      <IconButton
        icon="back" label={part ? said.backToRoutine : said.allSongs} data-testid="cutter-back" onClick={onLeave}
      />
      <h1>
        <span dir="auto" title={part?.title ?? title}>{part ? said.bordersOf(part.title) : title}</span>
        <small>{part ? routineTitle : clock(track.lengthFrames ?? 0)}</small>
      </h1>
      {!part && <CutterMenu track={track} />}
    </header>
  );
}

/** Returns the suggested cuts, on the track's counts where it has some, that are not cut already. */
function useGuesses(
  analysis: Analysis | null, counts: TrackCounts | null, pieces: readonly Piece[],
): readonly StageGuess[] {
  const changes = analysis?.state === 'ready' ? analysis.changes : noGuesses;
  const guesses = useMemo(() => guessesOnCounts(counts?.grid ?? null, changes), [counts, changes]);
  return useMemo(() => openGuesses(guesses, pieces), [guesses, pieces]);
}
